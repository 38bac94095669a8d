/** The page of a model: one curve over all its jobs, and its logged trajectories. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Visit } from "./browser.mjs";

const HOSTILE = "<img src=x onerror=window.hacked=1>";

/** Trains in this number of steps; a job with a broken file fails. */
async function train(server, model_id, steps, isBroken = false) {
  const file = join(server.work, `curve-${steps}-${isBroken}.jsonl`);
  const row = JSON.stringify({ messages: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }] });
  await writeFile(file, isBroken ? '{"messages": 5}\n' : `${row}\n`.repeat(steps * 2));
  const body = { model_id, training_data_url: `file://${file}`, config: { batch_size: 2, learning_rate: 1e-3 } };
  const { id } = await server.api("POST", "/v1/preview/sft-training-jobs", body);
  assert.equal((await server.ended(id)).status, isBroken ? "failed" : "succeeded");
  return id;
}

export async function models({ server, browser, step }) {
  const { id: model_id } = await server.model("curve");
  await train(server, model_id, 30);
  await train(server, model_id, 0, true);
  await train(server, model_id, 20);
  const member = (content, reward) => ({ messages_and_choices: [{ role: "user", content: "yes or no?" }, { role: "assistant", content }], reward });
  for (const [split, rewards] of [["val", [0, 1]], [HOSTILE, [2, 2]]]) {
    const trajectory_groups = [{ trajectories: rewards.map((reward) => member(HOSTILE, reward)) }, { trajectories: [member("no", 5), member("yes", 7)] }];
    await server.api("POST", `/v1/preview/models/${model_id}/log`, { split, trajectory_groups });
  }

  await Visit.each(browser, server.address, async (visit) => {
    const { page, size, scheme } = visit;

    await step(`${size}, ${scheme}: one curve over the jobs of a model`, async () => {
      await visit.goto(`models/${model_id}`);
      await visit.signIn(server.key);
      await page.getByRole("img", { name: /^loss\/train by optimizer step: 50 points/ }).waitFor();
      await page.getByText("Jobs of the curve").click();
      // The failed job changed no weights.
      await page.waitForFunction(() => document.querySelectorAll("details tbody tr").length === 2);
      await page.getByText("31 to 50").waitFor();
      await visit.check("model-curve");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
      const rows = (await readFile(await download.path(), "utf8")).trim().split("\n");
      const metrics = await server.api("GET", `/v1/preview/models/${model_id}/metrics?name=loss/train`);
      assert.deepEqual(rows.slice(1), metrics.steps.map((at, index) => `${at},${metrics.metrics[0].values[index]}`));
      await page.locator("label", { hasText: /^x/ }).locator("select").selectOption("tokens");
      await page.locator("label", { hasText: /^metric/ }).locator("select").selectOption("loss/grad_norm");
      await page.getByRole("img", { name: /^loss\/grad_norm by trained tokens: 50 points/ }).waitFor();
      assert(page.url().includes("x=tokens") && page.url().includes("m=loss%2Fgrad_norm"), page.url());
    });

    await step(`${size}, ${scheme}: logged trajectories are read`, async () => {
      await page.getByRole("link", { name: "Logs" }).click();
      await page.getByText(HOSTILE).waitFor();
      await visit.check("logs");
      await page.getByLabel("Split").fill("test");
      await page.getByLabel("Split").press("Enter");
      await page.getByText("No log has this split.").waitFor();
      await page.getByLabel("Split").fill("val");
      await page.getByLabel("Split").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      await page.locator("tbody a").click();
      await page.getByText("No job trains logged groups.").waitFor();
      await page.getByLabel("Sort by").selectOption("reward_mean");
      await page.waitForFunction(() => document.querySelector("tbody a")?.textContent === "group 1");
      await page.getByLabel("Mean reward to").fill("1");
      await page.getByLabel("Mean reward to").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      await visit.check("log");
      await page.getByRole("link", { name: "group 0" }).click();
      await page.getByText("Messages as they were sent").first().click();
      await page.getByText(HOSTILE).filter({ visible: true }).first().waitFor();
      await visit.check("log-group");
      await page.getByRole("link", { name: "logs" }).click();
      await page.getByRole("heading", { name: "demo/curve › logs" }).waitFor();
    });
  });
}
