// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { bring_axe, serious_faults } from "./axe.js";
import { DESKTOP, PHONE, picture, Site } from "./support.js";

interface Report {
  verdict: string;
  tests: { test: string; verdict: string }[];
  environments: string[];
  runs: { test: string; hash: string; environment: number; instances: number; unfinished: number; seconds: number; outcomes: Record<string, number> }[];
}

interface Row {
  mutant: string;
  rate: number;
  low: number;
  high: number;
  environment: number;
}

// Where mutants die fastest, as the table says; those that died.
function tuned(page: Page): Promise<Row[]> {
  return page.locator("#tuned tbody tr[data-rate]").evaluateAll((rows) =>
    rows.map((row) => {
      const number = (name: string) => Number(row.getAttribute(`data-${name}`));
      return { mutant: row.getAttribute("data-mutant") ?? "", rate: number("rate"), low: number("low"), high: number("high"), environment: number("environment") };
    }),
  );
}

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

// Pictures show a run that lasted as long as a reader's does.
const FOR = process.env["PAGE_PICTURES"] === undefined ? "10s" : "60s";

test("one button tests and tunes this GPU, and the file holds what is shown", async () => {
  const { page, complaints } = await site.visit(`#conform/${FOR}`, {}, bring_axe);
  const begun = Date.now();
  await page.getByRole("button", { name: "Test this GPU" }).click();
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 180_000 });
  const took = (Date.now() - begun) / 1000;
  assert.ok(took < 1.5 * parseFloat(FOR) + 5, `${took} s for ${FOR}`);
  const tests = await page.getByRole("region", { name: "Table of conformance tests" }).locator("tbody tr").count();
  assert.ok(tests >= 14, `${tests} tests`);
  assert.equal(await page.locator(".badge.is-violation").count(), 0);
  const shown = await page.locator("#sent").innerText();
  const sent = JSON.parse(shown) as Record<string, unknown>;
  assert.ok(!("started" in sent) && !shown.includes('"name"'), "personal fields are left out at first");
  await page.getByLabel("device.vendor").uncheck();
  assert.ok(!(await page.locator("#sent").innerText()).includes('"vendor"'));
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save this file" }).click();
  const stream = await (await waiting).createReadStream();
  const saved = (await stream.toArray()).map(String).join("");
  assert.deepEqual(JSON.parse(saved), JSON.parse(await page.locator("#sent").innerText()));
  const report = JSON.parse(saved) as Report;
  assert.ok(report.runs.length > 0 && report.environments.length > 0, `${report.runs.length} runs`);
  for (const { test, hash, environment, instances, unfinished, outcomes } of report.runs) {
    assert.equal(Object.values(outcomes).reduce((sum, count) => sum + count, unfinished), instances, test);
    assert.ok(/^[0-9a-f]{32}$/.test(hash) && environment < report.environments.length, test);
  }
  // A device is never conformant by what did not run.
  const measured = new Set(report.runs.map((run) => run.test));
  const mutants = await page.locator("#tuned tbody tr").evaluateAll((rows) => rows.map((row) => ({ name: row.getAttribute("data-mutant") ?? "", kills: row.children[1]?.textContent })));
  for (const { name, kills } of mutants) assert.equal(kills === "not run", !measured.has(name), name);
  const parent = (mutant: string) => report.tests.map((one) => one.test).filter((name) => mutant.startsWith(`${name}-`)).sort((a, b) => b.length - a.length)[0];
  for (const one of report.tests) {
    const own = mutants.filter(({ name }) => parent(name) === one.test);
    const all_run = own.every(({ name }) => measured.has(name));
    if (!all_run) assert.ok(["inconclusive", "not run", "violation"].includes(one.verdict), `${one.test}: ${one.verdict}`);
    assert.equal(one.verdict === "not run", !measured.has(one.test), one.test);
  }
  const words = report.tests.map((one) => one.verdict);
  if (words.some((word) => ["inconclusive", "not run"].includes(word))) assert.equal(report.verdict, "inconclusive");
  const best = await tuned(page);
  for (const { mutant, rate, low, high, environment } of best) {
    assert.ok(0 < rate && low <= rate && rate <= high && environment < report.environments.length, mutant);
    assert.ok(report.runs.some((run) => run.test === mutant && run.environment === environment), mutant);
  }
  console.log(`# conform for ${FOR} took ${took.toFixed(1)} s: ${report.runs.length} runs, ${best.length} mutants killed, ${tests} tests`);
  await picture(page, "conform");
  await page.setViewportSize(PHONE);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  const top = (name: string) => page.locator(name).evaluate((element) => element.getBoundingClientRect().top);
  assert.ok((await top("#card-title")) < (await top("#tests-title")), "a phone shows the card first");
  await picture(page, "conform-phone");
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "conform-dark");
  assert.deepEqual(await serious_faults(page), [], "with a result");
  const [first] = best;
  if (first !== undefined) {
    await page.getByRole("button", { name: `run it: ${first.mutant}`, exact: true }).click();
    await page.getByRole("heading", { name: "Run it here" }).waitFor();
    const wanted = report.environments[first.environment] ?? "";
    await page.waitForFunction((text) => document.querySelector(".share pre")?.textContent?.includes(`--env ${text} `), wanted);
  }
  assert.deepEqual(complaints, []);
});
