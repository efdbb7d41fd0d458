// SPDX-License-Identifier: MIT
// axe-core finds no serious fault, in any view, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Site } from "./support.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = ["#write", "#run", "#learn", "#learn/message-passing", "#conform", "#explore", "#explore/2026-11-15-tuning"];

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

for (const view of VIEWS) {
  for (const [size, viewport, colorScheme] of [["wide", DESKTOP, "light"], ["narrow", PHONE, "dark"]] as const) {
    test(`no serious fault in ${view}, ${size} and ${colorScheme}`, async () => {
      // The tool needs to run its own script; the policy of the page is tested elsewhere.
      const { page } = await site.visit(view, { viewport, colorScheme, bypassCSP: true });
      await page.waitForTimeout(2500);
      for (const summary of await page.locator("summary").all()) await summary.click();
      await page.addScriptTag({ content: AXE });
      const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)")) as Violation[];
      const serious = found.filter((fault) => ["serious", "critical"].includes(fault.impact));
      const words = serious.map((fault) => `${fault.id}: ${fault.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join("\n  ")}`);
      assert.deepEqual(words, []);
    });
  }
}
