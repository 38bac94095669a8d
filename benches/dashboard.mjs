/**
 * Times of the dashboard's pages in Chromium, and the memory of a page that follows a job.
 *
 *   (cd tests/dashboard && npm ci --ignore-scripts)
 *   node benches/dashboard.mjs --binary target/release/trainyard --minutes 60
 *
 * Starts a server on a temporary directory with the bundled model. A time begins with the change of the address and ends
 * with the first frame that has the content; the page's files are loaded by then, but for the first two rows. Each is the
 * median of `--rounds`. The memory is the JavaScript heap after a collection, while the page follows a job for `--minutes`.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { launch, Visit } from "../tests/dashboard/browser.mjs";
import { Server } from "../tests/dashboard/server.mjs";

const { values: options } = parseArgs({
  options: {
    binary: { type: "string", default: "target/release/trainyard" },
    rounds: { type: "string", default: "7" },
    minutes: { type: "string", default: "60" },
  },
});
const [rounds, minutes] = [Number(options.rounds), Number(options.minutes)];

/** Steps of the finished job, groups of the largest one, trajectories of the longest group. */
const [STEPS, GROUPS, TRAJECTORIES] = [10_000, 12_500, 64];
/** Words of an answer of about 4,000 tokens; the bundled model's context has 4,096. */
const WORDS = 3_200;
/** Seconds that a job may take. */
const JOB_SECONDS = 900;

const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
const ordered = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, share) => ordered(values)[Math.min(values.length - 1, Math.floor(share * values.length))];
const row = (name, value, unit) => console.log(`${name.padEnd(72)} ${value.toFixed(1).padStart(9)} ${unit}`);

const work = await mkdtemp(join(tmpdir(), "dashboard-bench-"));
const server = new Server(resolve(options.binary), work);
let browser;

/** Starts an SFT job of this number of steps of one row in each epoch. */
async function sft(model_id, steps, epochs = 1) {
  const file = join(work, `${steps}.jsonl`);
  const example = JSON.stringify({ messages: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }] });
  await writeFile(file, `${example}\n`.repeat(steps));
  const body = { model_id, training_data_url: `file://${file}`, config: { batch_size: 1, epochs, learning_rate: 1e-5 } };
  return (await server.api("POST", "/v1/preview/sft-training-jobs", body)).id;
}

/** Groups of answers; `reward` and `answer` are functions of the group and of the answer in it. */
function rollouts(groups, answers, reward, answer) {
  const member = (group, index) => ({
    messages_and_choices: [{ role: "user", content: "Say it." }, { role: "assistant", content: answer(group, index) }],
    reward: reward(group, index),
  });
  const list = (length, make) => Array.from({ length }, (_, at) => make(at));
  return list(groups, (group) => ({ trajectories: list(answers, (index) => member(group, index)) }));
}

/** Runs an RL job to its end, and returns its id. */
async function rl(model_id, trajectory_groups) {
  const experimental_config = { allow_training_without_logprobs: true, packed_sequence_length: 4096, precalculate_logprobs: true };
  const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups, experimental_config });
  const job = await server.ended(id, JOB_SECONDS);
  if (job.status !== "succeeded") throw new Error(JSON.stringify(job));
  return id;
}

async function visit() {
  const visit = await Visit.open(browser, { size: "wide", scheme: "light", address: server.address });
  visit.page.setDefaultTimeout(120_000);
  return visit;
}

/** Milliseconds from a change of the address to the first frame with an element. */
async function open(page, fragment, selector) {
  await page.evaluate(() => (location.hash = "#/system"));
  await page.getByRole("heading", { name: "System" }).first().waitFor();
  return page.evaluate(
    ([fragment, selector]) =>
      new Promise((resume) => {
        const began = performance.now();
        location.hash = fragment;
        const look = () => {
          if (!document.querySelector(selector)) return requestAnimationFrame(look);
          requestAnimationFrame(() => setTimeout(() => resume(performance.now() - began)));
        };
        requestAnimationFrame(look);
      }),
    [fragment, selector],
  );
}

async function times(name, page, fragment, selector) {
  const found = [];
  for (let round = 0; round < rounds; round += 1) found.push(await open(page, fragment, selector));
  row(name, quantile(found, 0.5), "ms");
}

async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1e6;
}

try {
  await server.start();
  browser = await launch();
  const { id: model_id } = await server.model("bench");

  const first = [];
  for (let round = 0; round < rounds; round += 1) {
    const { page } = await visit();
    await page.goto(`${server.address}/dashboard/`);
    await page.waitForFunction(() => document.querySelector("input") && performance.getEntriesByName("first-contentful-paint").length > 0);
    first.push(
      await page.evaluate(() => [
        performance.getEntriesByName("first-contentful-paint")[0].startTime,
        performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
      ]),
    );
    await page.context().close();
  }
  row("first paint, nothing cached", quantile(first.map(([paint]) => paint), 0.5), "ms");
  row("scripts have run", quantile(first.map(([, ready]) => ready), 0.5), "ms");

  // Groups of equal rewards are listed and not trained.
  const many = await rl(model_id, rollouts(GROUPS, 8, (group) => (group * 7919) % GROUPS, (group, index) => `Answer ${index} of ${group}.`));
  const words = (group, index) => Array.from({ length: WORDS }, (_, at) => ["yes", "no", "may", "be"][(at * 7 + index * 3 + (at >> 3)) % 4]).join(" ");
  const long = await rl(model_id, rollouts(1, TRAJECTORIES, (group, index) => index, words));
  const curve = await sft(model_id, STEPS);
  await server.ended(curve, JOB_SECONDS);

  const viewer = await visit();
  await viewer.goto("");
  await viewer.signIn(server.key);
  const { page } = viewer;
  await times(`curve of ${STEPS.toLocaleString("en")} steps`, page, `#/jobs/${curve}`, ".plot canvas");
  await times(`first page of ${(8 * GROUPS).toLocaleString("en")} rollouts`, page, `#/jobs/${many}/groups`, "tbody [data-row]");
  await times("  sorted by reward", page, `#/jobs/${many}/groups?sort=reward_mean`, "tbody [data-row]");
  await times(`group of ${TRAJECTORIES} trajectories of 4,000 tokens`, page, `#/jobs/${long}/groups/0`, ".tokens span");
  const { data: [sample] } = await server.api("GET", `/v1/preview/training-jobs/${long}/groups/0/trajectories?limit=1`);
  row("  tokens of a trajectory", sample.sequences[0].token_ids.length, "");

  await page.evaluate((hash) => (location.hash = hash), `#/jobs/${curve}`);
  const box = await page.locator(".plot").first().boundingBox();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const frame = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  for (let round = 0; round < 3 * rounds; round += 1) {
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.3, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 10 });
    await page.mouse.up();
    await page.mouse.dblclick(box.x + box.width * 0.5, y);
  }
  const frames = await page.evaluate(() => globalThis.frames);
  row("between two frames while zooming it, median", quantile(frames, 0.5), "ms");
  row("  95th percentile", quantile(frames, 0.95), "ms");

  if (minutes > 0) {
    const live = await sft(model_id, 1000, 1000);
    await page.evaluate((hash) => (location.hash = hash), `#/jobs/${live}`);
    await page.locator(".plot canvas").first().waitFor();
    for (let minute = 0; minute <= minutes; minute += 1) {
      if (minute % 10 === 0 || minute === minutes) {
        const { progress } = await server.api("GET", `/v1/preview/training-jobs/${live}`);
        row(`heap after ${minute} minutes and ${progress.steps.toLocaleString("en")} steps`, await heap(page), "MB");
      }
      if (minute < minutes) await pause(60_000);
    }
    await server.api("POST", `/v1/preview/training-jobs/${live}/cancel`);
  }
} finally {
  await browser?.close();
  await server.kill();
  await rm(work, { recursive: true, force: true });
}
