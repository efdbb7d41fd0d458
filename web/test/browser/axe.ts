// SPDX-License-Identifier: MIT
// What axe-core finds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

// Brings the tool along although the policy of the page would not run it.
export async function bring_axe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
}

// The page must have been opened with the tool, or without its policy.
export async function serious_faults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ content: AXE });
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)")) as Violation[];
  return found
    .filter((fault) => ["serious", "critical"].includes(fault.impact) || fault.id === "landmark-unique")
    .map((fault) => `${fault.id}: ${fault.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join("\n  ")}`);
}
