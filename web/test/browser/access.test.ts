// SPDX-License-Identifier: MIT
// axe-core finds no serious fault, in any view, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE, Site } from "./support.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// Each with what appears in it last.
const VIEWS = [
  ["#write", ".picture"],
  ["#run", ".environment"],
  ["#learn", ".lessons li"],
  ["#learn/message-passing", ".claims .badge"],
  ["#conform", "#conform-title"],
  ["#explore", ".heat tbody tr"],
  ["#explore/2026-11-15-tuning", "article h2"],
] as const;

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

async function serious_faults(page: Page): Promise<string[]> {
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)")) as Violation[];
  return found
    .filter((fault) => ["serious", "critical"].includes(fault.impact))
    .map((fault) => `${fault.id}: ${fault.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join("\n  ")}`);
}

for (const [view, ready] of VIEWS) {
  test(`no serious fault in ${view}`, async () => {
    // The tool needs to run its own script; the policy of the page is tested elsewhere.
    const { page } = await site.visit(view, { viewport: DESKTOP, colorScheme: "light", bypassCSP: true });
    await page.locator(ready).first().waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
    await page.addScriptTag({ content: AXE });
    assert.deepEqual(await serious_faults(page), [], "wide and light");
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await serious_faults(page), [], "narrow and dark");
  });
}
