// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, picture, Site } from "./support.js";

interface Report {
  environments: string[];
  mutants: { mutant: string; environment: number; kills: number; seconds: number }[];
  tuned: { mutant: string; environment: number; rate: number; rate_low: number; rate_high: number }[];
}

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

// Pictures show a run that lasted as long as a reader's does.
const FOR = process.env["PAGE_PICTURES"] === undefined ? "10s" : "60s";

test("one button tests and tunes this GPU, and the file holds what is shown", async () => {
  const { page, complaints } = await site.visit(`#conform/${FOR}`);
  await page.getByRole("button", { name: "Test this GPU" }).click();
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 180_000 });
  const tests = await page.getByRole("region", { name: "Conformance tests" }).locator("tbody tr").count();
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
  assert.ok(report.mutants.length > 0 && report.environments.length > 0, `${report.mutants.length} measurements`);
  const killed = new Set(report.mutants.filter((one) => one.kills > 0).map((one) => one.mutant));
  assert.deepEqual(new Set(report.tuned.map((one) => one.mutant)), killed);
  for (const { mutant, rate, rate_low, rate_high, environment } of report.tuned) {
    assert.ok(rate_low <= rate && rate <= rate_high && environment < report.environments.length, mutant);
    const best = Math.max(...report.mutants.filter((one) => one.mutant === mutant).map((one) => one.kills / one.seconds));
    assert.ok(Math.abs(rate - best) <= 1e-9 * best, mutant);
  }
  console.log(`# conform for ${FOR}: ${report.mutants.length} measurements, ${killed.size} mutants killed, ${tests} tests`);
  await picture(page, "conform");
  await page.setViewportSize(PHONE);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "conform-phone");
  if (killed.size > 0) {
    const [first] = report.tuned;
    await page.getByRole("button", { name: `Run ${first?.mutant} there` }).click();
    await page.getByRole("heading", { name: "Run it here" }).waitFor();
    const wanted = report.environments[first?.environment ?? 0] ?? "";
    await page.waitForFunction((text) => document.querySelector(".share pre")?.textContent?.includes(`--env ${text} `), wanted);
  }
  assert.deepEqual(complaints, []);
});
