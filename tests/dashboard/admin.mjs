/** The pages of operators: keys, workers and the jobs of every entity, and what other keys see of them. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Visit } from "./browser.mjs";

/** Returns the key that a text is of, or the status of the refusal. */
async function keyOf(server, text) {
  const response = await fetch(`${server.address}/v1/preview/key`, { headers: { authorization: `Bearer ${text}` } });
  return response.ok ? response.json() : response.status;
}

export async function admin({ server, browser, step }) {
  const operator = await server.operatorKey();
  const { id: model_id } = await server.model("held");
  const file = join(server.work, "held.jsonl");
  const row = JSON.stringify({ messages: [{ role: "user", content: "yes or no?" }, { role: "assistant", content: "yes" }] });
  // Steps for longer than the flow takes.
  await writeFile(file, `${row}\n`.repeat(100_000));
  const body = { model_id, training_data_url: `file://${file}`, config: { batch_size: 2 } };
  const { id: job } = await server.api("POST", "/v1/preview/sft-training-jobs", body);

  await Visit.each(browser, server.address, async (visit) => {
    const { page, context, size, scheme } = visit;
    const entity = `team-${size}-${scheme}`;

    await step(`${size}, ${scheme}: the admin pages are refused to other keys`, async () => {
      await visit.goto("admin/keys");
      await visit.signIn(server.key);
      await page.getByText("These pages are for operators.").waitFor();
      assert.equal(await page.getByRole("link", { name: "Admin", exact: true }).count(), 0);
      await visit.check("admin-refused");
      await page.getByRole("button", { name: "Sign out" }).click();
      await visit.signIn(operator);
      await page.getByRole("link", { name: "Admin", exact: true }).waitFor();
    });

    await step(`${size}, ${scheme}: a key is created, limited and revoked`, async () => {
      await page.getByText("Create a key").click();
      await page.getByLabel("Entity", { exact: true }).fill("not an entity");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("alert").waitFor();
      visit.expectFaults(/422 \(Unprocessable/);
      await page.getByLabel("Entity", { exact: true }).fill(entity);
      await page.getByLabel("Name of the key").fill("<b>laptop\u202e");
      await page.getByLabel("Requests a minute").fill("600");
      await visit.check("admin-create-key");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("heading", { name: `Key <b>laptop⟨U+202E⟩ of ${entity}` }).waitFor();
      await visit.check("admin-created-key");
      const text = await page.locator(".created code").innerText();
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
      await page.getByRole("button", { name: "Hide" }).click();
      assert(!(await page.content()).includes(text), "the key stays in the page");
      const key = await keyOf(server, text);
      assert.deepEqual([key.entity, key.admin, key.limits], [entity, false, { requests_per_minute: 600 }]);

      await page.getByLabel("Entity of the keys").fill(entity);
      await page.getByLabel("Entity of the keys").press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      assert(page.url().endsWith(`entity=${entity}`), page.url());
      await page.getByRole("button", { name: /^Limits of/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Requests a minute").fill("");
      await dialog.getByLabel("Unfinished jobs").fill("10");
      await visit.check("admin-limits");
      await dialog.getByRole("button", { name: "Set limits" }).click();
      await page.getByText("10 unfinished jobs").waitFor();
      assert.deepEqual((await keyOf(server, text)).limits, { queued_jobs: 10 });

      await page.getByRole("button", { name: /^Revoke/ }).click();
      const confirm = dialog.getByRole("button", { name: "Revoke key" });
      assert(await confirm.isDisabled(), "a key can be revoked without its name");
      await dialog.getByRole("textbox").fill("<b>laptop⟨U+202E⟩");
      await visit.check("admin-revoke");
      await confirm.click();
      await page.getByText(/^revoked /).waitFor();
      await visit.check("admin-keys");
      for (let attempt = 0; (await keyOf(server, text)) !== 401; attempt += 1) {
        assert(attempt < 100, "the revoked key is valid");
        await new Promise((resume) => setTimeout(resume, 50));
      }
    });

    await step(`${size}, ${scheme}: workers with the jobs that they hold, and the jobs of all`, async () => {
      await page.getByRole("link", { name: "Workers" }).click();
      await page.getByText("✓ runs").waitFor();
      await page.getByText(job.slice(-12)).waitFor();
      await visit.check("admin-workers");
      await page.getByRole("link", { name: "All jobs", exact: true }).click();
      await page.getByRole("columnheader", { name: "Entity" }).waitFor({ state: "attached" });
      await page.getByLabel("Status").selectOption("running");
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
      await page.getByText(job.slice(-12)).waitFor();
      assert.equal(await page.getByRole("link", { name: job.slice(-12) }).count(), 0, "a job of another entity has no page");
      await visit.check("admin-jobs");
    });
  });
  await server.api("POST", `/v1/preview/training-jobs/${job}/cancel`);
  await server.ended(job);
}
