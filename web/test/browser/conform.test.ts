// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, picture, Site } from "./support.js";

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("one button tests this GPU, and the file holds what is shown", async () => {
  const { page, complaints } = await site.visit("#conform");
  await page.getByRole("button", { name: "Test this GPU" }).click();
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 180_000 });
  const rows = await page.locator("table tbody tr").count();
  assert.ok(rows > 14, `${rows} rows`);
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
  await picture(page, "conform");
  await page.setViewportSize(PHONE);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "conform-phone");
  assert.deepEqual(complaints, []);
});
