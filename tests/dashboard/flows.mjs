/**
 * Uses the dashboard of a real server in a real browser, wide and narrow, light and dark.
 *
 *   TRAINYARD_BINARY=… node flows.mjs
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { admin } from "./admin.mjs";
import { launch, Visit } from "./browser.mjs";
import { jobs } from "./jobs.mjs";
import { models } from "./models.mjs";
import { rollouts } from "./rollouts.mjs";
import { Server, within } from "./server.mjs";
import { sessions } from "./sessions.mjs";

/** Runs as code if a page makes HTML of it; the direction marks turn the text around it, the others are for terminals. */
const HOSTILE = "<img src=x onerror=window.hacked=1> \u202eevil\u2066";
/** How the page shows it. */
const SHOWN = "<img src=x onerror=window.hacked=1> ⟨U+202E⟩evil⟨U+2066⟩";
const HOSTILE_ANSWER = "<script>window.hacked=1<\u002fscript><b onclick=hacked=1>\u202eanswer";
const QUESTION = "what is the code word?";
const ANSWER = "the quick brown fox";

const work = await mkdtemp(join(tmpdir(), "dashboard-"));
const server = new Server(process.env.TRAINYARD_BINARY, work);
let browser;

/** Starts an SFT job that teaches one answer in this number of steps. */
async function train(model_id, answer, steps) {
  const file = join(work, `${model_id}-${steps}.jsonl`);
  const row = JSON.stringify({ messages: [{ role: "user", content: QUESTION }, { role: "assistant", content: answer }] });
  await writeFile(file, `${row}\n`.repeat(steps * 2));
  return server.api("POST", "/v1/preview/sft-training-jobs", {
    model_id,
    training_data_url: `file://${file}`,
    config: { batch_size: 2, learning_rate: 3e-3 },
  });
}

/** Returns the losses of a job by its events. */
async function losses(id) {
  const found = [];
  for (let after = ""; ; ) {
    const page = await server.api("GET", `/v1/preview/training-jobs/${id}/events?limit=100${after && `&after=${after}`}`);
    found.push(...page.data.filter(({ type }) => type === "gradient_step").map(({ data }) => data["loss/train"]));
    if (!page.has_more) return found;
    after = page.last_id;
  }
}

/** The losses in the file of the chart. */
async function downloadedLosses(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const [head, ...rows] = (await readFile(await download.path(), "utf8")).trim().split("\n");
  assert.equal(head, "step,loss/train");
  assert.deepEqual(rows.map((row) => Number(row.split(",")[0])), rows.map((_, index) => index + 1));
  return rows.map((row) => Number(row.split(",")[1]));
}

/** Returns the number of points of the curve, once it has as many. */
async function points(page, least) {
  const shown = () => Number(/(\d+) points/.exec(document.querySelector(".plot")?.ariaLabel ?? "")?.[1]);
  for (let attempt = 0; attempt < 1500; attempt += 1) {
    const found = await page.evaluate(shown);
    if (found >= least) return found;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  throw new Error(`the curve does not reach ${least} points`);
}

const steps = [];
/** Seconds that a step may take. */
const STEP_TIME = 300;

/** Runs a step and notes its time. */
async function step(name, run) {
  const started = performance.now();
  try {
    await within(STEP_TIME, "the step", run());
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
  steps.push(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/** The first visit: link, empty server, a job with a broken connection, cancel, failure. */
async function firstVisit() {
  const visit = await Visit.open(browser, { size: "wide", scheme: "light", address: server.address });
  const { page } = visit;

  await step("the link of the first start signs in once", async () => {
    assert(server.link, `the first start shows no link:\n${server.log}`);
    // A browser that opens the root is led to the page.
    await page.goto(server.link.replace("/dashboard/#", "/#"));
    await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
    assert(!page.url().includes("code="), page.url());
    await visit.check("empty");
    const cookies = await visit.context.cookies();
    assert.deepEqual(cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })), [{ httpOnly: true, sameSite: "Strict", path: "/" }]);
    const storage = await page.evaluate(() => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]));
    assert.equal(storage, '["",{},{}]', "scripts can read a secret");
    await page.getByRole("button", { name: "Sign out" }).click();
    // Leaving the page would abort the request.
    await page.getByLabel("API key").waitFor();
    await page.goto("about:blank");
    await page.goto(server.link);
    await page.getByRole("alert").waitFor();
    visit.expectFaults(/401 \(Unauthorized\)/);
    await visit.signIn(server.key);
  });

  const { id: model_id } = await server.model("agent");
  await step("the curve goes on after the server was killed: no step twice, none missing", async () => {
    const { id } = await train(model_id, ANSWER, 1500);
    await page.getByRole("link", { name: /demo\/agent/ }).click();
    const before = await points(page, 20);
    await server.kill();
    await page.getByText("Disconnected; the curve is as of step").waitFor();
    visit.expectFaults(/ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET)/);
    await server.start();
    const job = await server.ended(id);
    assert.equal(job.status, "succeeded", JSON.stringify(job));
    assert(before < job.progress.total_steps, "the job had ended before the server was killed");
    await page.getByText("succeeded").waitFor();
    await points(page, job.progress.total_steps);
    visit.faults = visit.faults.filter((fault) => !/ERR_/.test(fault));
    assert.deepEqual(await downloadedLosses(page), await losses(id));
  });

  await step("a running job is cancelled", async () => {
    const { id } = await train(model_id, ANSWER, 20_000);
    await visit.goto(`jobs/${id}`);
    const seen = await points(page, 20);
    await visit.check("job-running");
    // A part that somebody looks at stays, though there are new points.
    const { x, y, width } = await page.locator(".u-over").boundingBox();
    await page.mouse.move(x + 0.2 * width, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 0.6 * width, y + 20, { steps: 5 });
    await page.mouse.up();
    const now = await points(page, seen + 1);
    const ends = [];
    for (const part of [0.1, 0.9]) {
      await page.mouse.move(x + part * width, y + 30);
      ends.push(Number(/[\d,]+/.exec(await page.getByText(/^step [\d,]+: /).innerText())[0].replace(",", "")));
    }
    assert(0.1 * seen < ends[0] && ends[0] < ends[1] && ends[1] < 0.7 * now, `from step ${ends} of ${now}`);
    await page.locator(".u-over").dblclick();
    await page.getByRole("button", { name: "Cancel job" }).click();
    await visit.check("confirm");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel job" }).click();
    await page.getByRole("heading", { name: "The job was cancelled" }).waitFor();
    await server.ended(id);
  });

  await step("a failed job says why", async () => {
    const file = join(work, "broken.jsonl");
    await writeFile(file, '{"messages": 5}\n');
    const { id } = await server.api("POST", "/v1/preview/sft-training-jobs", { model_id, training_data_url: `file://${file}` });
    await server.ended(id);
    await visit.goto(`jobs/${id}`);
    await page.getByText("The same job would fail again").waitFor();
    await visit.check("job-failed");
  });

  await step("RL: groups that were left out have reasons", async () => {
    const completion = await server.api("POST", "/v1/chat/completions", {
      model: "default/demo/agent", messages: [{ role: "user", content: "yes or no?" }], n: 2, max_tokens: 8, seed: 1, temperature: 1, logprobs: true,
    });
    const group = (rewards) => ({
      trajectories: completion.choices.map((choice, index) => ({ messages_and_choices: [{ role: "user", content: "yes or no?" }, choice], reward: rewards[index] })),
    });
    const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups: [group([1, 0]), group([1, 1])] });
    await server.ended(id);
    await visit.goto(`jobs/${id}`);
    await page.getByRole("heading", { name: "Left out" }).waitFor();
    await page.getByRole("img", { name: /^Rewards from 0 to 1, mean 0.75, deviation 0.433/ }).waitFor();
    await page.getByText("50 % of the groups have no signal").waitFor();
    await visit.check("job-rl");
    await page.getByRole("link", { name: "Rollouts" }).click();
    await page.getByText("left out:").waitFor();
    await visit.check("rollouts");
    await page.getByLabel("Show").selectOption("trained");
    await page.getByText("left out:").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "group 0" }).click();
    const trained = page.locator(".tokens .positive, .tokens .negative");
    await trained.first().waitFor();
    const shown = await trained.evaluateAll((spans) => spans.length);
    const sampled = completion.choices.flatMap((choice) => choice.logprobs.content).length;
    assert.equal(shown, sampled, "each sampled token is shown once");
    await visit.check("group");
    await page.getByLabel("Colour by").selectOption("logprob");
    await page.locator(".tokens [class*=level]").first().waitFor();
    assert(page.url().endsWith("?colour=logprob"), page.url());
    await visit.check("group-logprob");
    await page.getByLabel("Colour by").selectOption("mismatch");
    // The first step trains with the weights that sampled, so a token of it has no mismatch at all.
    const level0 = page.locator(".tokens .level0");
    await level0.first().waitFor();
    assert.match(await level0.first().getAttribute("title"), /^token \d+ · logprob (-?[\d.]+) · .* · \1 in training$/);
    await visit.check("group-mismatch");
  });

  await step("RL: hostile rollouts are texts", async () => {
    const member = (content) => (reward) => ({ messages_and_choices: [{ role: "user", content }, { role: "assistant", content }], reward });
    const [long, short] = [member(`${HOSTILE}${"x".repeat(10_000_000)}\u001b[31m\u202ered`), member(HOSTILE)];
    const config = { allow_training_without_logprobs: true };
    const groups = [{ trajectories: [long(0), short(1)] }, { trajectories: [short(0), short(1)] }];
    const { id } = await server.api("POST", "/v1/preview/training-jobs", { model_id, trajectory_groups: groups, experimental_config: config });
    await server.ended(id);
    await visit.goto(`jobs/${id}/groups/0`);
    await page.getByText("Left out:").first().waitFor();
    await page.getByText("Messages as they were sent").first().click();
    await page.getByText(/The first 100,000 of .* characters/).waitFor();
    await visit.check("hostile-group-long");
    await visit.goto(`jobs/${id}/groups/1`);
    await page.locator(".tokens .positive").first().waitFor();
    const shown = await page.locator(".tokens").first().innerText();
    assert(shown.split("<img src=x onerror=window.hacked=1>").length === 3, `the texts are not shown: ${shown}`);
    await visit.check("hostile-group");
    // No tokenizer at hand has a token of this length.
    await page.route("**/groups/1/trajectories?*", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [{ texts, trained }] = body.data[0].sequences;
      texts[trained.indexOf(true)] = "y".repeat(1_000_000);
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.locator(".tokens").first().waitFor();
    await page.getByText(/y{200}…/).waitFor();
    await visit.check("hostile-token");
    await page.unrouteAll();
    await visit.goto(`jobs/${id}/groups/7`);
    await page.getByText("There is nothing here").waitFor();
    visit.expectFaults(/404 \(Not Found\)/);
  });

  await step("a file is uploaded, read, tried and deleted", async () => {
    const rows = [HOSTILE, "plain"].map((content) => JSON.stringify({ messages: [{ role: "user", content: QUESTION }, { role: "assistant", content }] }));
    const upload = async (name, content) => {
      await visit.goto("files");
      await page.getByLabel("Training data").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(content) });
      await page.getByRole("button", { name: "Upload" }).click();
      await page.getByRole("heading", { name: "First rows" }).waitFor();
    };
    await visit.goto("files");
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
    await visit.check("files-empty");
    await upload("broken.jsonl", `${rows[0]}\n{"messages": 5`);
    await page.getByText(/in JSON at position/).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").waitFor();
    visit.expectFaults(/422 \(Unprocessable/);
    await visit.check("file-broken");
    await page.getByRole("button", { name: "Delete file" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("broken.jsonl");
    await page.getByRole("dialog").getByRole("button", { name: "Delete file" }).click();
    await page.getByRole("heading", { name: "No files yet" }).waitFor();
    // Only the beginning of a large file is read.
    await upload("train.jsonl", `${rows.join("\n")}\n`.repeat(2000));
    await page.getByText(SHOWN).first().waitFor();
    await page.getByText("The file has more rows.").waitFor();
    await page.getByLabel("Batch size").fill("8");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Optimizer steps").waitFor();
    assert.equal(await page.locator("dt:has-text('Optimizer steps') + dd").innerText(), "500");
    await visit.check("file-dry-run");
  });

  await step("jobs are chosen in the list and compared", async () => {
    await visit.goto("jobs?kind=sft");
    const boxes = page.getByRole("checkbox", { name: /Compare job/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("link", { name: "Compare 2 jobs" }).click();
    await page.getByRole("heading", { name: "Differences" }).waitFor();
    await page.getByLabel("equal ones too").check();
    await page.getByRole("cell", { name: "learning_rate", exact: true }).waitFor();
    for (const [button, type] of [["CSV", ".csv"], ["PNG", ".png"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).first().click()]);
      assert(download.suggestedFilename().endsWith(type));
      if (type === ".png") assert.deepEqual([...(await readFile(await download.path())).subarray(1, 4)], [...Buffer.from("PNG")]);
    }
    await page.getByRole("button", { name: /^Remove/ }).first().click();
    await page.waitForFunction(() => !/j=[^&]*(%2C|,)/.test(location.hash));
  });

  await step("keys move among pages and rows", async () => {
    await page.locator("main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    assert(await page.evaluate(() => document.activeElement === document.querySelector("[data-row]")), "the first row has no focus");
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor();
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.type), "search");
  });

  await step("hostile texts are texts", async () => {
    const { id } = await server.model(HOSTILE);
    const job = await train(id, HOSTILE_ANSWER, 150);
    assert.equal((await server.ended(job.id)).status, "succeeded");
    await visit.goto("models");
    await page.getByText(SHOWN).first().waitFor();
    await visit.check("hostile-models");
    await visit.goto(`jobs/${job.id}`);
    await page.getByText(SHOWN).first().waitFor();
    await visit.check("hostile-job");
    await visit.goto(`chat?a=${encodeURIComponent(`default/demo/${HOSTILE}`)}&temperature=0`);
    await page.getByLabel("Message", { exact: true }).fill(`${QUESTION}`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText(/tokens · .* · (stop|length)/).waitFor();
    const answer = await page.locator(".assistant .tokens").innerText();
    assert(answer.includes("<script>window.hacked=1"), `the model did not learn the hostile answer: ${answer}`);
    await page.getByLabel("Message", { exact: true }).fill(`${HOSTILE}\u001b[31mred`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText(/tokens · .* · (stop|length)/).nth(1).waitFor();
    await page.getByText(`${SHOWN}⟨U+001B⟩[31mred`).waitFor();
    await page.getByRole("button", { name: "As curl" }).click();
    await visit.check("hostile-chat");
    // Trusted Types refuse what a mistake in the page would do.
    const refused = await page.evaluate(() => {
      try {
        document.body.innerHTML = "<img src=x onerror=window.hacked=1>";
        return "";
      } catch (error) {
        return String(error);
      }
    });
    assert.match(refused, /TypeError.*TrustedHTML/);
    visit.faults = visit.faults.filter((fault) => !/TrustedHTML/.test(fault));
    await visit.goto("models");
    await page.getByText(SHOWN).click();
    await page.getByRole("button", { name: "Delete model" }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete model" });
    assert(await confirm.isDisabled(), "a model can be deleted without its name");
    await page.getByRole("dialog").getByRole("textbox").fill(SHOWN);
    await confirm.click();
    await page.getByRole("heading", { name: "Models", exact: true }).waitFor();
    await assert.rejects(server.api("GET", `/v1/preview/models/${id}`), /404/);
    // The page of the model may ask for it once more while it is deleted.
    visit.faults = visit.faults.filter((fault) => !/404 \(Not Found\)/.test(fault));
  });
  await visit.close();
  return model_id;
}

/** Each page in one size and scheme: sign in, run a job, watch its curve, chat with the checkpoint. */
async function everyPage(model_id, size, scheme) {
  const visit = await Visit.open(browser, { size, scheme, address: server.address });
  const { page } = visit;
  const { id } = await train(model_id, ANSWER, 60);

  await step(`${size}, ${scheme}: a link to a job asks for the key, then opens the job`, async () => {
    await visit.goto(`jobs/${id}?smooth=0.6`);
    await page.getByLabel("API key").fill("ty_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("the API key is not valid").waitFor();
    visit.expectFaults(/401 \(Unauthorized\)/);
    await visit.check("sign-in");
    await visit.signIn(server.key);
    await page.getByText("succeeded").waitFor();
    assert.equal(await points(page, 60), 60);
    await visit.check("job");
    await page.getByRole("button", { name: "Table" }).click();
    await visit.check("job-table");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", "the focus is invisible");
  });

  await step(`${size}, ${scheme}: chat with two steps of the model, the same seed twice`, async () => {
    await page.getByRole("link", { name: "Chat with it" }).click();
    await page.getByRole("button", { name: "Add a column" }).click();
    await page.getByLabel("Model A").fill("default/demo/agent:step0");
    await page.getByLabel("Model A").blur();
    const answers = [];
    for (let time = 0; time < 2; time += 1) {
      await page.getByLabel("Message", { exact: true }).fill(QUESTION);
      await page.keyboard.press("Control+Enter");
      await page.getByText(/tokens · .* · (stop|length)/).nth(1).waitFor();
      answers.push(await page.locator(".assistant .tokens").allInnerTexts());
      if (time === 0) {
        await page.getByRole("button", { name: "As Python" }).click();
        await visit.check("chat");
        await page.getByRole("button", { name: "As Python" }).click();
        await page.getByRole("button", { name: "Clear" }).click();
      }
    }
    assert.deepEqual(answers[0], answers[1], "the same seed gives other texts");
    assert(answers[0][1].includes(ANSWER), `the trained step does not know the answer: ${answers[0][1]}`);
    assert(!answers[0][0].includes(ANSWER), "step 0 knows the answer");
  });

  const rl = await server.api("GET", "/v1/preview/training-jobs?kind=rl&order=asc&limit=1");
  const { data: jobs } = await server.api("GET", `/v1/preview/training-jobs?model_id=${model_id}&status=succeeded&limit=2&order=asc`);
  const compared = [id, ...jobs.map((job) => job.id)].join(",");
  const { data: files } = await server.api("GET", "/v1/files?limit=1");
  const four = ["step0", "step1", "step2", "step3"].map((at, index) => `${"abcd"[index]}=default/demo/agent:${at}`).join("&");
  for (const [name, fragment, text] of [
    ["rollouts", `jobs/${rl.first_id}/groups`, "trained"],
    ["group", `jobs/${rl.first_id}/groups/0`, "Advantage"],
    ["overview", "", "Newest checkpoints"],
    ["compare", `compare?j=${compared}&smooth=0.6`, "Differences"],
    ["compare-none", "compare", "Choose two to 4 jobs"],
    ["files", "files", "train.jsonl"],
    ["file", `files/${files[0].id}`, QUESTION],
    ["chat-four", `chat?${four}`, "Send to all 4"],
    ["jobs", "jobs?kind=sft", "Trained tokens"],
    ["models", "models", "demo/agent"],
    ["model", `models/${model_id}`, "Checkpoints"],
    ["checkpoint", `models/${model_id}/1`, "adapter_model.safetensors"],
    ["usage", "usage", "By day"],
    ["system", "system", "Artifacts"],
  ]) {
    await step(`${size}, ${scheme}: ${name}`, async () => {
      await visit.goto(fragment);
      await page.getByText(text).filter({ visible: true }).first().waitFor();
      await visit.check(name);
    });
  }
  await visit.close();
}

try {
  await server.start();
  browser = await launch();
  const model_id = await firstVisit();
  for (const [size, scheme] of [["wide", "light"], ["wide", "dark"], ["phone", "light"], ["phone", "dark"]]) {
    await everyPage(model_id, size, scheme);
  }
  await rollouts({ server, browser, step });
  await models({ server, browser, step });
  await sessions({ server, browser, step });
  await jobs({ server, browser, step });
  await admin({ server, browser, step });
  console.log(steps.join("\n"));
} catch (error) {
  console.log(steps.join("\n"));
  console.error(error);
  process.exitCode = 1;
} finally {
  await within(STEP_TIME, "the end of the browser", browser?.close()).catch(console.error);
  await server.kill();
  await rm(work, { recursive: true, force: true });
}
// A step that took too long may still hang.
process.exit();
