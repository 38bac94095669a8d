/** The pages of recorded sessions: the list, and a session as the tree that its requests are. */
import assert from "node:assert/strict";

import { Visit } from "./browser.mjs";

/** Runs as code if a page makes HTML of it; the direction marks turn the text around it. */
const HOSTILE = "<img src=x onerror=window.hacked=1> \u202eevil\u2066";
const SHOWN = "<img src=x onerror=window.hacked=1> ⟨U+202E⟩evil⟨U+2066⟩";
const GROUP = `attempts <b onclick=hacked=1> \u202e`;

/** Opens a session, and returns it with a function that samples in it. */
async function open(server, labels) {
  const session = await server.api("POST", "/v1/preview/sessions", { model: "default/demo/recorded", ...labels });
  const headers = { "x-trainyard-session": session.id };
  const ask = async (messages, options = {}) => {
    const body = { model: "any", messages, max_tokens: 8, temperature: 1, ...options };
    const { choices } = await server.api("POST", "/v1/chat/completions", body, headers);
    return { role: "assistant", content: choices[0].message.content };
  };
  return { session, headers, ask };
}

/** Samples as programs do: a conversation with a retried turn, a sub-agent, and a stream that nobody reads to its end. */
async function record(server) {
  const { session, headers, ask } = await open(server, { name: HOSTILE, group: GROUP, tags: [HOSTILE.slice(0, 40)], metadata: { [HOSTILE]: HOSTILE } });
  const messages = [{ role: "system", content: "Answer briefly." }, { role: "user", content: `${HOSTILE} ${"long ".repeat(600)}` }];
  messages.push(await ask(messages, { seed: 1 }), { role: "user", content: "sure?" });
  await ask(messages, { seed: 2 });
  messages.push(await ask(messages, { seed: 3, n: 1 }), { role: "user", content: HOSTILE });
  await ask(messages, { seed: 4, stop: [HOSTILE] });
  const agent = [{ role: "system", content: "You are a part of another agent." }, { role: "user", content: "yes or no?" }];
  await ask(agent, { seed: 5, n: 2 });
  const abort = new AbortController();
  const request = { method: "POST", headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", ...headers }, signal: abort.signal };
  const body = { model: "any", messages: agent, stream: true, seed: 6, ignore_eos: true, max_tokens: 3000 };
  const response = await fetch(`${server.address}/v1/chat/completions`, { ...request, body: JSON.stringify(body) });
  assert.equal(response.status, 200);
  await response.body.getReader().read();
  abort.abort();
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { generations } = await server.api("GET", `/v1/preview/sessions/${session.id}`);
    if (generations.length === 6) {
      assert.equal(generations[5].status, "abandoned");
      await server.api("POST", `/v1/preview/sessions/${session.id}/reward`, { reward: 0.25, metrics: { [HOSTILE]: true }, generation_id: generations[3].id });
      await server.api("POST", `/v1/preview/sessions/${session.id}/reward`, { reward: 1 });
      return { id: session.id, generations };
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error("the abandoned stream was not recorded");
}

export async function sessions({ server, browser, step }) {
  const { id: model_id } = await server.model("recorded");
  const { id, generations } = await record(server);
  const { session: other, ask } = await open(server, { group: GROUP });
  await ask([{ role: "user", content: "yes or no?" }], { seed: 7 });
  await server.api("POST", `/v1/preview/sessions/${other.id}/reward`, { reward: 0 });
  await open(server, { name: "alone" });
  const { id: job } = await server.api("POST", "/v1/preview/training-jobs", { model_id, group: GROUP });
  assert.equal((await server.ended(job)).status, "succeeded");

  await Visit.each(browser, server.address, async (visit) => {
    const { page, size, scheme } = visit;
    const rows = (number) => page.waitForFunction((number) => document.querySelectorAll("tbody tr").length === number, number);
    const turns = async (branch) => page.locator(`[aria-label="Branch ${branch}"] [data-turn]`).evaluateAll((all) => all.map((turn) => turn.dataset.turn).join(" "));

    await step(`${size}, ${scheme}: sessions are listed, of a model and of a group`, async () => {
      await visit.goto(`models/${model_id}`);
      await visit.signIn(server.key);
      await page.getByRole("link", { name: "Sessions", exact: true }).last().click();
      await rows(3);
      await page.getByText(SHOWN).first().waitFor();
      await visit.check("sessions");
      await page.getByRole("searchbox", { name: "Model" }).fill("demo/none");
      await page.getByRole("searchbox", { name: "Model" }).press("Enter");
      await page.getByText("No session has these properties.").waitFor();
      await visit.check("sessions-none");
      await page.getByRole("button", { name: "Show all sessions" }).click();
      await rows(3);
      await page.getByRole("searchbox", { name: "Group" }).fill(GROUP);
      await page.getByRole("searchbox", { name: "Group" }).press("Enter");
      await rows(2);
      await page.getByText("mean reward 0.5").waitFor();
      await visit.check("sessions-group");
    });

    await step(`${size}, ${scheme}: a session is the tree of its requests`, async () => {
      await page.getByRole("link", { name: SHOWN }).click();
      await page.getByRole("heading", { name: "branch 4" }).waitFor();
      assert.deepEqual([await turns(1), await turns(2), await turns(3), await turns(4)], ["1 3 4", "2", "5", "6"]);
      await page.locator("[data-turn='6']").getByText("abandoned").waitFor();
      await page.locator("[data-turn='4']").getByText("reward 0.25").waitFor();
      assert.equal(await page.locator("[data-turn='5'] .choice").count(), 2);
      // A turn shows what is new in it, and what was sampled.
      const third = await page.locator("[data-turn='3']").innerText();
      assert(third.includes("sure?") && !third.includes("Answer briefly."), third);
      await page.getByRole("button", { name: /more characters/ }).first().click();
      for (const summary of ["Tools and options", "Messages as they were sent"]) await page.locator("[data-turn='4']").getByText(summary).click();
      await page.locator("[data-turn='4'] pre").nth(1).waitFor();
      await visit.check("session");
      await page.getByRole("button", { name: "branch 2 goes on from here" }).click();
      await page.waitForFunction(() => document.activeElement?.dataset.turn === "2");
      await page.getByRole("button", { name: "goes on from request 1" }).click();
      await page.waitForFunction(() => document.activeElement?.dataset.turn === "1");
    });

    await step(`${size}, ${scheme}: a request shows its tokens with their log-probabilities`, async () => {
      const turn = page.locator("[data-turn='4']");
      await turn.getByText("Tokens", { exact: true }).click();
      const tokens = turn.locator(".tokens [class*=level]");
      await tokens.first().waitFor();
      assert.equal(await tokens.count(), generations[3].completion_tokens, "each sampled token is shown once");
      assert.match(await tokens.first().getAttribute("title"), /^token \d+ · logprob -?[\d.]+ · [\d.]+ %$/);
      const context = await turn.locator(".tokens .context").first().innerText();
      assert(context.includes("<img src=x"), context);
      await visit.check("session-tokens");
    });

    await step(`${size}, ${scheme}: a job of a group leads to its sessions, and a rollout to its session`, async () => {
      await visit.goto(`jobs/${job}`);
      await page.locator("main").getByRole("link", { name: "Sessions", exact: true }).click();
      await rows(2);
      await visit.goto(`jobs/${job}/groups/0`);
      await page.getByRole("link", { name: "session", exact: true }).first().click();
      await page.getByRole("heading", { name: "branch 4" }).waitFor();
    });

    await step(`${size}, ${scheme}: requests that are too large at once are read one by one`, async () => {
      const body = { error: { message: "the answer takes more than 64 MiB", type: "invalid_request_error", param: "", code: "answer_too_large" } };
      await page.route(/sessions\/[^?]+\?requests=true$/, (route) => route.fulfill({ status: 422, json: body }));
      await visit.goto("sessions");
      // Two addresses in one turn of the page's loop would leave the session as it is.
      await page.getByRole("heading", { name: "branch 4" }).waitFor({ state: "hidden" });
      await visit.goto(`sessions/${id}`);
      await page.getByText("too large to be read at once").waitFor();
      visit.expectFaults(/422 \(Unprocessable/);
      assert.equal(await turns(1), "1 2 3 4 5 6");
      await page.locator("[data-turn='2']").getByText("Tokens and request").click();
      await page.locator("[data-turn='2']").getByText("sure?").first().waitFor();
      await visit.check("session-large");
      await page.unrouteAll();
    });

    await step(`${size}, ${scheme}: a session is deleted`, async () => {
      const { session } = await open(server, { name: "to be deleted" });
      await visit.goto(`sessions/${session.id}`);
      await page.getByText("Nothing was sampled in this session.").waitFor();
      await visit.check("session-empty");
      await page.getByRole("button", { name: "Delete session" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete session" }).click();
      await rows(3);
      await assert.rejects(server.api("GET", `/v1/preview/sessions/${session.id}`), /404/);
      // The page of the session may ask for it once more while it is deleted.
      visit.faults = visit.faults.filter((fault) => !/404 \(Not Found\)/.test(fault));
    });
  });
}
