// SPDX-License-Identifier: MIT
// axe-core finds no serious fault, in any view, light and dark, wide and narrow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serious_faults } from "./axe.js";
import { DESKTOP, PHONE, picture, Site } from "./support.js";

// Each with what appears in it last, and the name of its picture.
const VIEWS = [
  ["#write", ".picture", "write-dark"],
  ["#run", ".environment", "run-dark"],
  ["#learn", ".lessons li", "learn-dark"],
  ["#learn/message-passing", ".claims .badge", "lesson-dark"],
  ["#conform", "#conform-title", "conform-first-dark"],
  ["#explore", ".heat tbody tr", "explore-dark"],
  ["#explore/h200", "article h2", "explore-h200-dark"],
] as const;

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("no serious fault while the test has a mistake", async () => {
  const { page } = await site.visit("#write", { viewport: DESKTOP, colorScheme: "light", bypassCSP: true });
  await page.locator(".picture").waitFor();
  const editor = page.getByLabel("Litmus test");
  await editor.fill((await editor.inputValue()).replace("st y", "stt y"));
  await page.locator(".error").first().waitFor();
  await page.waitForTimeout(500);
  assert.deepEqual(await serious_faults(page), [], "wide and light");
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await serious_faults(page), [], "narrow and dark");
});

for (const [view, ready, name] of VIEWS) {
  test(`no serious fault in ${view}`, async () => {
    // The tool needs to run its own script; the policy of the page is tested elsewhere.
    const { page } = await site.visit(view, { viewport: DESKTOP, colorScheme: "dark", bypassCSP: true });
    await page.locator(ready).first().waitFor();
    await picture(page, name);
    await page.emulateMedia({ colorScheme: "light" });
    for (const summary of await page.locator("summary").all()) await summary.click();
    assert.deepEqual(await serious_faults(page), [], "wide and light");
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await serious_faults(page), [], "narrow and dark");
  });
}
