// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LESSONS } from "../../src/learn/lessons.js";
import { PHONE, picture, Site, verdicts } from "./support.js";

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("every claim of every lesson is what the judge says", async () => {
  const { page, complaints } = await site.visit("#learn");
  await page.locator(".lessons li").first().waitFor();
  assert.equal(await page.locator(".lessons li").count(), LESSONS.length);
  await picture(page, "learn");
  for (const lesson of LESSONS) {
    await page.goto(`${site.address}#learn/${lesson.id}`);
    await page.getByRole("heading", { name: lesson.title, exact: true, level: 2 }).waitFor();
    const expected = lesson.blocks.flatMap((block) => (block.kind === "test" ? Object.values(block.claims) : []));
    await page.waitForFunction((count) => document.querySelectorAll(".claims .badge").length === count, expected.length);
    const said = await page.locator(".claims .badge").evaluateAll((badges) => badges.map((badge) => badge.textContent?.slice(2).trim()));
    assert.deepEqual(said, expected, lesson.id);
    if (lesson.id !== "scopes") continue;
    // The lesson's two tests differ in nothing else.
    await page.getByText("scopes (wg P0) (wg P1)").waitFor();
    await picture(page, "lesson");
  }
  assert.deepEqual(complaints, []);
});

test("a lesson leads to the editor and to the machine", async () => {
  const { page } = await site.visit("#learn/locks", { viewport: PHONE });
  await page.getByText("Locks without fences").first().waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await page.waitForFunction(() => [...document.querySelectorAll(".claims li")].every((claim) => claim.querySelector(".badge") !== null));
  await page.getByText("Sequential consistency").first().waitFor();
  await picture(page, "lesson-phone");
  await page.getByRole("button", { name: "Open in the editor" }).click();
  assert.equal((await verdicts(page))["ptx"], "allowed");
  await page.goBack();
  await page.getByRole("button", { name: "Run it here" }).click();
  await page.getByRole("heading", { name: "Run it here" }).waitFor();
});
