/**
 * Opens the page at `/docs` of a running service, and expects code samples in each language at every operation that has
 * a path of its own.
 *
 *   TRAINYARD_BASE_URL=… node docs_page.mjs
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

import { JSDOM } from "jsdom";

const page = `${process.env["TRAINYARD_BASE_URL"]}/docs/`;
const { paths } = await (await fetch(new URL("openapi.json", page))).json();
const operations = Object.values(paths).flatMap((item) =>
  Object.values(item).filter((operation) => operation["x-codeSamples"]),
);
assert(operations.length > 40, `only ${operations.length} operations have samples`);

/** What the page needs and jsdom lacks. */
function complete(window) {
  const { Headers, Request, Response, structuredClone, TextDecoder, TextEncoder } = globalThis;
  Object.assign(window, { Headers, Request, Response, structuredClone, TextDecoder, TextEncoder });
  window.fetch = (target, options) => fetch(new URL(target.url ?? target, page), options);
  window.scrollTo = () => {};
}

const options = { runScripts: "dangerously", resources: "usable", pretendToBeVisual: true, beforeParse: complete };
const { window } = await JSDOM.fromURL(page, options);

/** Waits until the page has elements of this kind. */
async function elements(parent, selector) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const found = [...parent.querySelectorAll(selector)];
    if (found.length > 0) return found;
    await setTimeout(100);
  }
  throw new Error(`the page has no ${selector}`);
}

for (const { operationId, tags, "x-codeSamples": samples } of operations) {
  await elements(window.document, ".opblock");
  const block = window.document.getElementById(`operations-${tags[0].replaceAll(" ", "_")}-${operationId}`);
  assert(block, `${operationId} is not on the page`);
  block.querySelector(".opblock-summary-control").click();
  for (const { label, source } of samples) {
    const tabs = await elements(block, ".code-samples [role=tab]");
    tabs.find((tab) => tab.textContent === label).click();
    await setTimeout(0);
    assert.equal(block.querySelector(".code-samples pre").textContent, source, `${operationId} in ${label}`);
  }
  block.querySelector(".opblock-summary-control").click();
}
console.log(`${operations.length} operations with samples`);
window.close();
process.exit(0);
