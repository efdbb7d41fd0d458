// SPDX-License-Identifier: MIT
// The view Check of `weakspot page --open`: programs, their findings and proofs. PAGE_PROGRAM is the program.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serious_faults } from "./axe.js";
import { Program, skip } from "./program.js";
import { PHONE, picture, Site } from "./support.js";

let program: Program;

before(async () => {
  if (skip === false) program = await Program.start("page", "--open");
});
after(() => program?.close());

test("a race is shown in the lines of both threads", { skip }, async () => {
  const { page, complaints } = await program.site.visit("#check");
  await page.getByRole("button", { name: "Look for races" }).click();
  await page.locator('[data-verdict="found"]').waitFor({ timeout: 60_000 });
  assert.match(await page.locator(".answer").innerText(), /1 error/);
  const marked = await page.locator(".source .marked").allInnerTexts();
  assert.equal(marked.length, 2);
  assert.match(marked[0] ?? "", /\*data = 42;\s+write by threadIdx=0 blockIdx=0/);
  assert.match(marked[1] ?? "", /assert\(\*data == 42\);\s+read by threadIdx=0 blockIdx=1/);
  await picture(page, "check");
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "check-phone");
  assert.deepEqual(complaints, []);
});

test("findings and proofs have no serious fault of access", { skip }, async () => {
  const { page } = await program.site.visit("#check", { bypassCSP: true });
  for (const [button, verdict] of [["Look for races", "found"], ["Prove", "violated"]] as const) {
    await page.getByRole("button", { name: button }).click();
    await page.locator(`[data-verdict="${verdict}"]`).waitFor({ timeout: 60_000 });
    assert.deepEqual(await serious_faults(page), []);
  }
});

test("a proof shows the execution that breaks the assertion", { skip }, async () => {
  const { page, complaints } = await program.site.visit("#check");
  await page.getByRole("button", { name: "Prove" }).click();
  await page.locator('[data-verdict="violated"]').waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: /assert\(\*data == 42\)/ }).click();
  assert.match(await page.locator(".witness").innerText(), /reads data = 0 at line 15, the initial value/);
  await picture(page, "check-proof");
  await page.getByRole("button", { name: "Open the litmus test that was judged" }).click();
  await page.getByText("PTX:").first().waitFor();
  assert.deepEqual(complaints, []);
});

test("a repaired program is proved, and a mistake is shown as the compiler says it", { skip }, async () => {
  const { page } = await program.site.visit("#check");
  const area = page.getByRole("textbox", { name: "Program" });
  const text = await area.inputValue();
  await area.fill(text.replace("*data = 42;", "*data = 42;\n    __threadfence();"));
  await page.getByRole("button", { name: "Prove" }).click();
  await page.locator('[data-verdict="proved"]').waitFor({ timeout: 60_000 });
  await area.fill(text.replace("*data = 42;", "*dato = 42;"));
  await page.getByRole("button", { name: "Look for races" }).click();
  assert.match(await page.locator(".problem").innerText({ timeout: 60_000 }), /^handshake\.cu:9:6: error: .*'dato'/);
});

test("files of a folder are checked together", { skip }, async () => {
  const { page } = await program.site.visit("#check");
  const kernel = (name: string) => `.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry ${name}()\n{\n  ret;\n}\n`;
  await page.locator('input[type="file"]').first().setInputFiles([
    { name: "one.ptx", mimeType: "text/plain", buffer: Buffer.from(kernel("one")) },
    { name: "two.ptx", mimeType: "text/plain", buffer: Buffer.from(kernel("two")) },
  ]);
  await page.getByText("2 files, checked together").waitFor();
  await page.getByRole("button", { name: "Look for races" }).click();
  await page.locator("[data-verdict]").waitFor({ timeout: 60_000 });
  assert.match(await page.locator("#report-title ~ p").last().innerText(), /2 of 2 kernels/);
});

test("a page without a machine says what checks programs", { skip }, async () => {
  const site = await Site.open();
  const { page } = await site.visit("#check");
  await page.getByText("no machine is behind this page").waitFor();
  assert.equal(await page.getByRole("link", { name: "Check" }).count(), 0);
  await site.close();
});
