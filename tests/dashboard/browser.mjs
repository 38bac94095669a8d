/** A browser with the checks that hold on each page: accessible, silent, and nothing asked of another server. */
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { chromium } from "playwright-core";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Directory of the pictures. */
const PICTURES = process.env.TRAINYARD_PICTURES;

export const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** A page in a session of its own. */
export class Visit {
  static async open(browser, { size, scheme, address }) {
    const context = await browser.newContext({ viewport: SIZES[size], colorScheme: scheme, reducedMotion: "reduce", acceptDownloads: true });
    const visit = new Visit();
    Object.assign(visit, { context, size, scheme, address, page: await context.newPage(), faults: [] });
    // A busy machine takes a minute for thousands of tokens.
    visit.page.setDefaultTimeout(120_000);
    visit.page.on("console", (message) => visit.faults.push(`console: ${message.type()} ${message.text()}`));
    visit.page.on("pageerror", (error) => visit.faults.push(`error: ${error}`));
    visit.page.on("dialog", (dialog) => visit.faults.push(`dialog: ${dialog.message()}`));
    visit.page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${address}/`) && !/^(data|blob):/.test(url)) visit.faults.push(`foreign request: ${url}`);
    });
    return visit;
  }

  /** Opens a visit in each size and scheme, one after the other. */
  static async each(browser, address, run) {
    for (const [size, scheme] of [["wide", "light"], ["wide", "dark"], ["phone", "light"], ["phone", "dark"]]) {
      const visit = await Visit.open(browser, { size, scheme, address });
      await run(visit);
      await visit.close();
    }
  }

  async signIn(key) {
    await this.page.getByLabel("API key").fill(key);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("navigation", { name: "Pages" }).waitFor();
  }

  async goto(fragment) {
    await this.page.goto(`${this.address}/dashboard/#/${fragment}`);
  }

  /** Forgets the faults of these kinds, which a step provokes. */
  expectFaults(pattern) {
    const [expected, others] = [this.faults.filter((fault) => pattern.test(fault)), this.faults.filter((fault) => !pattern.test(fault))];
    assert(expected.length > 0, `none of the faults ${JSON.stringify(this.faults)} is ${pattern}`);
    this.faults = others;
  }

  /** Checks the page as it is now, and takes its picture. */
  async check(name) {
    assert.deepEqual(this.faults, [], name);
    await this.page.evaluate(`${AXE};0`);
    const { violations } = await this.page.evaluate(() =>
      globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }),
    );
    const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`);
    assert.deepEqual(found, [], `${name}, ${this.size}, ${this.scheme}`);
    assert.equal(await this.page.evaluate(() => globalThis.hacked), undefined, `${name}: a text was executed`);
    const wide = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const isBeyond = (element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !element.closest(".scroll *, pre");
      const beyond = [...document.body.querySelectorAll("*")].filter(isBeyond);
      return [`${scrollWidth - clientWidth} pixels`, ...beyond.map((element) => element.outerHTML.slice(0, 120))];
    });
    assert.deepEqual(wide, [], `${name}, ${this.size}: the page is too wide`);
    if (PICTURES) {
      await mkdir(PICTURES, { recursive: true });
      await this.page.screenshot({ path: `${PICTURES}/${name}-${this.size}-${this.scheme}.png`, fullPage: true });
    }
  }

  async close() {
    assert.deepEqual(this.faults, []);
    await this.context.close();
  }
}
