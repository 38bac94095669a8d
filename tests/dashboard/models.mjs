/** The page of a model: its rewards, one curve over all its jobs, and its logged trajectories. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Visit } from "./browser.mjs";

const HOSTILE = "<img src=x onerror=window.hacked=1>";

/** Rewards of the groups of each RL job. */
const REWARDS = [[[0, 1], [0, 0]], [[0, 1], [1, 1]], [[0, 2], [1, 2]]];

/** Trains in this number of steps; a job with a broken file fails. */
async function train(server, model_id, steps, isBroken = false, options = {}) {
  const file = join(server.work, `curve-${steps}-${isBroken}.jsonl`);
  const row = JSON.stringify({ messages: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }] });
  await writeFile(file, isBroken ? '{"messages": 5}\n' : `${row}\n`.repeat(steps * 2));
  const body = { model_id, training_data_url: `file://${file}`, config: { batch_size: 2, learning_rate: 1e-3, ...options } };
  const { id } = await server.api("POST", "/v1/preview/sft-training-jobs", body);
  assert.equal((await server.ended(id)).status, isBroken ? "failed" : "succeeded");
  return id;
}

/** Runs an RL job for each of `REWARDS`, and returns their ids. */
async function reinforce(server, model_id) {
  const member = (reward) => ({ messages_and_choices: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }], reward });
  const ids = [];
  for (const rewards of REWARDS) {
    const trajectory_groups = rewards.map((group) => ({ trajectories: group.map(member) }));
    const experimental_config = { allow_training_without_logprobs: true };
    const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups, experimental_config });
    assert.equal((await server.ended(id)).status, "succeeded");
    ids.push(id);
  }
  return ids;
}

/** The lines of the file of a chart. */
async function downloaded(chart) {
  const [download] = await Promise.all([chart.page().waitForEvent("download"), chart.getByRole("button", { name: "CSV" }).click()]);
  return (await readFile(await download.path(), "utf8")).trim().split("\n");
}

export async function models({ server, browser, step }) {
  const { id: model_id } = await server.model("curve");
  await train(server, model_id, 30);
  await train(server, model_id, 0, true);
  await train(server, model_id, 20);
  const member = (content, reward) => ({ messages_and_choices: [{ role: "user", content: "yes or no?" }, { role: "assistant", content }], reward });
  const { id: losses_id } = await server.model("losses");
  const sft = await train(server, losses_id, 30, false, { validation_split: 0.1, validation_every: 5 });
  const { id: rewards_id } = await server.model("rewards");
  const rl = await reinforce(server, rewards_id);
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
      const rows = await downloaded(page.locator(".chart"));
      const metrics = await server.api("GET", `/v1/preview/models/${model_id}/metrics?name=loss/train`);
      assert.deepEqual(rows.slice(1), metrics.steps.map((at, index) => `${at},${metrics.metrics[0].values[index]}`));
      await page.locator("label", { hasText: /^x/ }).locator("select").selectOption("tokens");
      await page.locator("label", { hasText: /^metric/ }).locator("select").selectOption("loss/grad_norm");
      await page.getByRole("img", { name: /^loss\/grad_norm by trained tokens: 50 points/ }).waitFor();
      assert(page.url().includes("x=tokens") && page.url().includes("m=loss%2Fgrad_norm"), page.url());
    });

    await step(`${size}, ${scheme}: a model without RL and an SFT job lead with the losses of training and validation`, async () => {
      const expected = await server.api("GET", `/v1/preview/models/${losses_id}/metrics?name=loss/train&name=loss/val`);
      const column = (name) => expected.metrics.find((metric) => metric.name === name).values;
      const [training, validation] = [column("loss/train"), column("loss/val")];
      const known = validation.filter((value) => value !== null).length;
      assert(known > 1 && known < validation.length, `${known} validations in ${validation.length} steps`);
      for (const [name, fragment] of [["model-losses", `models/${losses_id}`], ["job-losses", `jobs/${sft}`]]) {
        await visit.goto(fragment);
        const chart = page.locator(".chart").first();
        await chart.getByRole("img", { name: /^loss\/train and loss\/val by/ }).waitFor();
        assert.deepEqual(await chart.locator(".legend .text").allInnerTexts(), ["loss/train", "loss/val"]);
        const [head, ...rows] = await downloaded(chart);
        assert(head.endsWith("step,loss/train,loss/val"), head);
        assert.deepEqual(rows, expected.steps.map((at, index) => `${at},${training[index]},${validation[index] ?? ""}`));
        await visit.check(name);
      }
    });

    await step(`${size}, ${scheme}: a model with RL and an RL job lead with the rewards, whose points open rollouts`, async () => {
      for (const [name, fragment] of [["model-rewards", `models/${rewards_id}`], ["job-rewards", `jobs/${rl[1]}`]]) {
        await visit.goto(fragment);
        const chart = page.locator(".chart").first();
        const curve = chart.getByRole("slider", { name: "mean reward by step: 3 points, the newest is 1.25" });
        await curve.focus();
        await page.keyboard.press("Home");
        await page.locator("[aria-valuetext='step 1: mean 0.25 · p10 0 · p90 0.7 · groups without signal 50 %']").waitFor();
        await page.keyboard.press("ArrowRight");
        await chart.getByText("step 2: mean 0.75").waitFor();
        await chart.getByRole("button", { name: "Table" }).click();
        assert(/\/groups$/.test(await chart.getByRole("link", { name: "3", exact: true }).getAttribute("href")));
        const { jobs } = await server.api("GET", `/v1/preview/models/${rewards_id}/metrics`);
        const rows = jobs.map(({ checkpoint, rewards, share_without_signal }) => [checkpoint, rewards.mean, rewards.quantiles[1], rewards.quantiles[9], share_without_signal].join(","));
        assert.deepEqual(await downloaded(chart), ["step,mean,p10,p90,groups without signal", ...rows]);
        // The curves of the steps follow.
        await page.getByRole("img", { name: /^loss\/entropy by/ }).waitFor();
        await visit.check(name);
        await curve.press("Enter");
        await page.waitForURL(`**/jobs/${rl[1]}/groups`);
      }
      await visit.goto(`models/${rewards_id}`);
      const curve = page.getByRole("slider", { name: /^mean reward/ });
      await curve.press("End");
      const { x, y, width, height } = await curve.locator(".u-cursor-pt").first().boundingBox();
      await page.mouse.click(x + width / 2, y + height / 2 + 40);
      assert(page.url().includes("/models/"), "a click far from a point opens nothing");
      await page.mouse.click(x + width / 2 - 3, y + height / 2 + 3);
      await page.waitForURL(`**/jobs/${rl[2]}/groups`);
    });

    await step(`${size}, ${scheme}: logged trajectories are read`, async () => {
      await visit.goto(`models/${model_id}`);
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
