/** The rollouts of a job with more groups than a page: order, search and filters are the server's. */
import assert from "node:assert/strict";

import { Visit } from "./browser.mjs";

const GROUPS = 130;

/** Words of the long answers, which have about as many tokens as the model's context. */
const WORDS = 3000;

/** Trains a model on groups, and returns the id of the job. */
async function train(server, model_id, trajectory_groups) {
  const experimental_config = { allow_training_without_logprobs: true, packed_sequence_length: 4096 };
  const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups, experimental_config });
  const job = await server.ended(id);
  assert.equal(job.status, "succeeded", JSON.stringify(job));
  return id;
}

/** Groups of which every tenth has a signal. */
function manyGroups() {
  const member = (index, reward) => ({
    messages_and_choices: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: `Answer ${index}.` }],
    reward,
  });
  return Array.from({ length: GROUPS }, (_, index) => ({
    trajectories: [member(index, index), member(index, index + (index % 10 === 0 ? 2 : 0))],
  }));
}

/** A group of two long answers. */
function longGroup() {
  const content = Array.from({ length: WORDS }, (_, index) => ["yes", "no", "may"][index % 3]).join(" ");
  return { trajectories: [0, 1].map((reward) => ({ messages_and_choices: [{ role: "user", content: "Say it." }, { role: "assistant", content }], reward })) };
}

export async function rollouts({ server, browser, step }) {
  const { id: model_id } = await server.model("reader");
  const id = await train(server, model_id, manyGroups());
  const long = await train(server, model_id, [longGroup()]);
  await Visit.each(browser, server.address, async (visit) => {
    const { page, size, scheme } = visit;
    const groups = async () => (await page.locator("tbody [data-row]").allInnerTexts()).map((name) => Number(name.replace("group ", "")));
    /** Waits until the page shows these groups first, and returns the number of groups. */
    const first = async (...expected) => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const shown = await groups();
        if (JSON.stringify(shown.slice(0, expected.length)) === JSON.stringify(expected)) return shown.length;
        await new Promise((resume) => setTimeout(resume, 50));
      }
      throw new Error(`the first groups are ${(await groups()).slice(0, 5)}, not ${expected}`);
    };

    await step(`${size}, ${scheme}: rollouts are sorted over all pages`, async () => {
      await visit.goto(`jobs/${id}/groups`);
      await visit.signIn(server.key);
      assert.equal(await first(0, 1), 100);
      await page.getByLabel("Sort by").selectOption("reward_mean");
      assert.equal(await first(129, 128), 100);
      await page.getByRole("button", { name: "Next groups" }).click();
      assert.equal(await first(29, 28), 30);
      await page.getByLabel("Order").selectOption("asc");
      assert.equal(await first(0), 100);
      await page.getByLabel("Sort by").selectOption("reward_deviation");
      await first(0, 10, 20);
    });

    await step(`${size}, ${scheme}: rollouts are searched and filtered; the address has it all`, async () => {
      await page.getByLabel("Mean reward from").fill("99.5");
      await page.getByLabel("Mean reward from").press("Enter");
      await first(100, 110, 120);
      await page.getByLabel("Show").selectOption("false");
      assert.equal(await first(100, 110, 120), 3);
      await page.getByLabel("Mean reward to").fill("115");
      await page.getByLabel("Mean reward to").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 2);
      await visit.check("rollouts-filtered");
      const address = page.url();
      for (const part of ["sort=reward_deviation", "min_reward=99.5", "max_reward=115", "dropped=false"]) assert(address.includes(part), address);
      await page.goto("about:blank");
      await page.goto(address);
      assert.equal(await first(100, 110), 2);
      await page.getByRole("searchbox").fill("answer 77.");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByText("No group has these properties.").waitFor();
      await visit.check("rollouts-none");
      await page.getByRole("button", { name: "Show all groups" }).click();
      assert.equal(await first(0, 10), 100);
      await page.getByRole("searchbox").fill("ANSWER 77.");
      await page.getByRole("searchbox").press("Enter");
      assert.equal(await first(77), 1);
      await page.getByRole("link", { name: "group 77" }).click();
      await page.getByText("Answer 77.").filter({ visible: true }).first().waitFor();
      await page.getByRole("link", { name: "rollouts" }).waitFor();
    });

    await step(`${size}, ${scheme}: a long text is shown as far as it is looked at`, async () => {
      await visit.goto(`jobs/${long}/groups/0`);
      const tokens = page.locator(".tokens").first().locator("span");
      const more = page.getByRole("button", { name: "more tokens" });
      await more.first().waitFor();
      const before = await tokens.count();
      assert(before < WORDS, `${before} tokens at once`);
      // Before more are shown: the check takes a time for each.
      await visit.check("group-long");
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.waitForFunction((before) => document.querySelector(".tokens").childElementCount > before, before);
      // A click of Playwright's scrolls to the button first, which shows more tokens and another button in its place, or none.
      await page.evaluate(() => [...document.querySelectorAll("button")].find((button) => button.innerText.endsWith("more tokens"))?.click());
      await page.waitForFunction((words) => document.querySelector(".tokens").childElementCount > words, WORDS);
    });
  });
}
