// SPDX-License-Identifier: MIT
// The page of `weakspot page --open`, and the devices of its machine. PAGE_PROGRAM is the program.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Program, skip } from "./program.js";
import { encode } from "../../src/link/codec.js";
import { counts, finished, picture, store_buffering } from "./support.js";

let program: Program;

before(async () => {
  if (skip === false) program = await Program.start("page", "--open");
});
after(() => program?.close());

test("the processor of the machine runs a test in the view Run", { skip }, async () => {
  const { page, complaints } = await program.site.visit(`#run=${await encode({ text: store_buffering("SB") })}`);
  await page.getByLabel("Device").selectOption("cpu");
  await page.getByLabel("for").selectOption("2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator('[data-phase="running"]').waitFor();
  await page.locator(".histogram tbody tr").first().waitFor();
  await finished(page);
  const seen = await counts(page);
  assert.ok(seen.total > 1000, `${seen.total} instances`);
  assert.equal(seen.forbidden, 0);
  const result = await page.evaluate(() => [...document.querySelectorAll("[data-instances]")].map((one) => Number(one.getAttribute("data-instances"))));
  assert.deepEqual(result, [seen.total], "the counts add up to the instances");
  assert.match(await page.locator(".judged-by").innerText(), /^Judged by (x86-TSO|AArch64)/);
  assert.match(await page.locator(".share pre").innerText(), /--device cpu /);
  // Processors delay stores, and this environment shows it, if the machine is not too busy.
  if (seen.weak > 0) {
    await page.locator("#caught").getByRole("button", { name: "Play again" }).waitFor();
    assert.match(await page.locator("#caught .remarkable").innerText(), /the initial value/);
    await picture(page, "run-caught");
  }
  assert.deepEqual(complaints, []);
});

test("a run on the machine is stopped, and another one begins", { skip }, async () => {
  const { page, complaints } = await program.site.visit("#run");
  await page.getByLabel("Device").selectOption("cpu");
  await page.getByLabel("for").selectOption("300");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".histogram tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator('[data-phase="stopped"]').waitFor({ timeout: 5_000 });
  const stopped = await counts(page);
  assert.ok(stopped.total > 0);
  await page.getByLabel("for").selectOption("2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  assert.deepEqual(complaints, []);
});
