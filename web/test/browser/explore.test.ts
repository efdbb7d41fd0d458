// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, picture, Site } from "./support.js";

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("published data as a table and a plot", async () => {
  const { page, complaints } = await site.visit("#explore");
  await page.locator(".heat tbody tr").first().waitFor();
  assert.equal(await page.locator(".heat tbody tr").count(), 32);
  await picture(page, "explore");
  assert.match(await page.locator("#alike tbody tr").first().innerText(), /^NVIDIA\s+0\.\d\d, \d+ mutants/);
  await page.getByLabel("Study").selectOption("site_baseline");
  assert.ok((await page.locator(".heat").innerText()).includes("never"));
  await page.setViewportSize(PHONE);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "explore-phone", false);
  assert.deepEqual(complaints, []);
});

test("bugs and devices come first", async () => {
  const { page, complaints } = await site.visit("#explore");
  await page.locator(".bugs li").first().waitFor();
  assert.ok((await page.locator(".bugs li").count()) >= 11);
  assert.ok((await page.locator("#devices-title + .scrolls").innerText()).includes("conformant"));
  assert.deepEqual(complaints, []);
});

test("every page of results can be read", async () => {
  const { page, complaints } = await site.visit("#explore");
  await page.locator(".pages a").first().waitFor();
  const links = await page.locator(".pages a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  assert.ok(links.length > 5);
  for (const link of links) {
    await page.goto(site.address + link);
    await page.locator("article h2").waitFor();
    assert.ok((await page.locator("article").innerText()).length > 200, link);
  }
  assert.deepEqual(complaints, []);
});
