/** The pages of jobs: the reason why one waits, its name and tags, and everything that it left out. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Visit } from "./browser.mjs";

/** Number of groups of the RL job; all but the first are left out, more than a page of them. */
const GROUPS = 130;
/** Number of remarks on the two turns of the first: no ids of tokens, no prompt, no log-probabilities. */
const DRIFT = 6;
const HOSTILE = "<img src=x onerror=window.hacked=1> warm";

/** Starts an SFT job on a file. */
async function start(server, model_id, file) {
  const body = { model_id, training_data_url: `file://${file}`, config: { batch_size: 2, learning_rate: 1e-3 } };
  return (await server.api("POST", "/v1/preview/sft-training-jobs", body)).id;
}

/** Trains on groups that are left out but for the first, and returns the id of the job. */
async function leaveOut(server, model_id) {
  const member = (reward) => ({ messages_and_choices: [{ role: "user", content: "yes?" }, { role: "assistant", content: "yes" }], reward });
  const trajectory_groups = Array.from({ length: GROUPS }, (_, index) => ({ trajectories: [member(1), member(index === 0 ? 0 : 1)] }));
  const experimental_config = { allow_training_without_logprobs: true };
  const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups, experimental_config });
  assert.equal((await server.ended(id)).status, "succeeded");
  return id;
}

export async function jobs({ server, browser, step }) {
  const { id: model_id } = await server.model("labels");
  const rl = await leaveOut(server, model_id);
  const file = join(server.work, "long.jsonl");
  const row = JSON.stringify({ messages: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }] });
  // Steps for longer than the flow takes.
  await writeFile(file, `${row}\n`.repeat(100_000));
  const running = await start(server, model_id, file);
  const waiting = await start(server, model_id, file);

  await Visit.each(browser, server.address, async (visit) => {
    const { page, size, scheme } = visit;

    await step(`${size}, ${scheme}: a job says why it waits, another which worker has it`, async () => {
      await visit.goto(`jobs/${waiting}`);
      await visit.signIn(server.key);
      await page.getByText(/The job waits, since .*earlier/).waitFor();
      await visit.check("job-waiting");
      await visit.goto(`jobs/${running}`);
      await page.getByText("Worker", { exact: true }).waitFor();
      await page.locator("dt:text-is('Attempt') + dd:text-is('1')").waitFor();
      await visit.goto("jobs?status=queued");
      await page.getByText("after an earlier job").waitFor();
    });

    await step(`${size}, ${scheme}: a job gets a name and tags, and is found by them`, async () => {
      await visit.goto(`jobs/${running}`);
      await page.getByRole("button", { name: "Add a name or tags" }).click();
      await page.getByLabel("Name of the job").fill(HOSTILE);
      await page.getByLabel("Tags").fill(`baseline, ${"x".repeat(300)}`);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").waitFor();
      visit.expectFaults(/422 \(Unprocessable/);
      await page.getByLabel("Tags").fill(" baseline, seed 7 ");
      await visit.check("job-labels-form");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("seed 7").waitFor();
      await page.getByText(HOSTILE).waitFor();
      await visit.check("job-labels");
      await visit.goto("jobs");
      await page.getByLabel("Name or tag").fill("SEED");
      await page.getByLabel("Name or tag").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      await page.getByText(HOSTILE).waitFor();
      assert(page.url().endsWith("q=SEED"), page.url());
      await visit.check("jobs-found");
      await page.getByRole("link", { name: /demo\/labels/ }).click();
      await page.getByRole("button", { name: "Change name and tags" }).click();
      await page.getByLabel("Name of the job").fill("");
      await page.getByLabel("Tags").fill("");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Add a name or tags" }).waitFor();
      const { name, tags } = await server.api("GET", `/v1/preview/training-jobs/${running}`);
      assert.deepEqual([name, tags], [undefined, undefined]);
    });

    await step(`${size}, ${scheme}: everything that a job left out is listed`, async () => {
      await visit.goto(`jobs/${rl}`);
      // The first job of a model is one point, here of 259 rewards that are 1 and one that is 0.
      await page.locator(".chart").first().getByRole("slider", { name: "mean reward by step: 1 point, the newest is 0.9962" }).waitFor();
      await page.getByRole("link", { name: "Every place with its reason" }).click();
      await page.getByRole("heading", { name: /left out/ }).waitFor();
      await page.getByRole("link", { name: "group 1", exact: true }).waitFor();
      await visit.check("drops");
      await page.getByRole("button", { name: "Next places" }).click();
      await page.getByRole("link", { name: "group 129" }).waitFor();
      assert.equal(await page.locator("tbody tr").count(), GROUPS - 1 + DRIFT - 100);
      await page.getByLabel("Show").selectOption("drift");
      await page.waitForFunction((number) => document.querySelectorAll("tbody tr").length === number, DRIFT);
      await page.getByText("drift:").first().waitFor();
      assert(page.url().endsWith("drops?drift=true"), page.url());
    });
  });
  for (const id of [waiting, running]) {
    await server.api("POST", `/v1/preview/training-jobs/${id}/cancel`);
    await server.ended(id);
  }
}
