// SPDX-License-Identifier: MIT
// The pages of campaigns, runs and submissions that `weakspot serve` shows. PAGE_PROGRAM is the program.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serious_faults } from "./axe.js";
import { Program, skip } from "./program.js";
import { DESKTOP, PHONE, picture } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "weakspot-campaigns-"));
const store = join(folder, "lab.db");
let program: Program;
let campaign = "";

function weakspot(...words: string[]): string {
  const done = spawnSync(process.env["PAGE_PROGRAM"] ?? "", words, { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

function plan(name: string, seeds: number): string {
  const words = ["MP", "SB", "--store", store, "--devices", "testing", "--seconds", "20ms", "--seeds", String(seeds), "--name", name];
  return (JSON.parse(weakspot("campaign", "init", ...words, "--json")) as { campaign: string }).campaign;
}

before(async () => {
  if (skip !== false) return;
  campaign = plan("nightly", 60);
  plan("weekly", 61);
  weakspot("campaign", "pause", "weekly", "--store", store);
  program = await Program.start("serve", "--store", store, "--port", "0");
});
after(async () => {
  await program?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a campaign is watched from its plan to its end", { skip }, async () => {
  const { page, complaints } = await program.site.visit("campaigns.html");
  await page.locator('[data-state="paused"]').waitFor();
  await picture(page, "campaigns");
  await page.getByRole("link", { name: "nightly" }).click();
  await page.getByText("0 of 120 shards done").waitFor();
  assert.equal(await page.locator('[data-state="waiting"]').count(), 1);
  const words = ["agent", "--store", store, "--campaign", campaign, "--device", "testing:one", "--until-done"];
  const agent = spawn(process.env["PAGE_PROGRAM"] ?? "", words, { stdio: "ignore" });
  const ended = new Promise((settle) => agent.on("exit", settle));
  await page.locator('[data-state="running"]').waitFor();
  await picture(page, "campaign");
  await page.getByText("120 of 120 shards done").waitFor({ timeout: 60_000 });
  await page.locator('[data-state="done"]').waitFor();
  assert.equal(await ended, 0);
  await page.setViewportSize(PHONE);
  await picture(page, "campaign-phone");
  await page.setViewportSize(DESKTOP);

  await page.getByRole("link", { name: "Report" }).click();
  await page.getByRole("heading", { name: "Campaign nightly" }).waitFor();
  await picture(page, "campaign-report");
  await page.goBack();

  await page.getByRole("link", { name: "All campaigns" }).click();
  await page.getByRole("link", { name: "Devices compared" }).click();
  await page.locator("svg").first().waitFor();
  await picture(page, "analysis");
  await page.goBack();
  await page.getByRole("link", { name: "nightly" }).click();

  await page.getByRole("link", { name: "Runs of this campaign" }).click();
  await page.locator("[data-run]").first().waitFor();
  assert.equal(await page.locator("[data-run]").count(), 100);
  assert.match(await page.locator("[data-run] time").first().innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  assert.match((await page.locator("[data-run] a").first().getAttribute("href")) ?? "", /^#campaign\//);
  await picture(page, "runs");
  await page.getByRole("button", { name: "Next 100" }).click();
  await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 20);
  await page.getByLabel("Test").fill("SB");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForFunction(() => document.querySelectorAll("[data-run]").length === 60);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const lines = readFileSync(await (await saving).path(), "utf8").trimEnd().split("\n");
  assert.equal(lines.length, 61);
  assert.deepEqual(complaints, []);
});

test("a missing campaign is said to be missing", { skip }, async () => {
  const { page } = await program.site.visit("campaigns.html#campaign/none");
  await page.getByText("there is no such campaign").waitFor();
});

test("submissions are shown where five devices share them", { skip }, async () => {
  const { page, complaints } = await program.site.visit("campaigns.html#submissions");
  await page.getByText("No row fits.").waitFor();
  const hash = (JSON.parse(weakspot("show", "MP", "--json")) as { hash: string }[])[0]?.hash;
  for (let seed = 0; seed < 5; ++seed) {
    const outcomes = { sequential: 980, weak: 20 };
    const data = {
      format: 1,
      device: { vendor: "apple", architecture: "metal-3" },
      seed,
      runs: [{ hash, instances: 1000, seconds: 0.5, outcomes }],
    };
    const sent = await page.request.post(`${program.site.address}api/1/submissions`, { data });
    assert.equal(sent.status(), 201, await sent.text());
  }
  await page.getByLabel("Vendor").fill("apple");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("cell", { name: "metal-3" }).waitFor();
  await picture(page, "submissions");
  assert.deepEqual(complaints, []);
});

test("a public server wants a token for single runs", { skip }, async () => {
  const token = weakspot("serve", "--store", store, "--new-token", "reader").trim();
  const open = await Program.start("serve", "--store", store, "--port", "0", "--public");
  try {
    const { page, complaints } = await open.site.visit("campaigns.html#runs");
    await page.getByText("This server is public").waitFor();
    await picture(page, "runs-token");
    await page.getByLabel("Token").fill("nonsense");
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByText("This token is not one of them").waitFor();
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Use it" }).click();
    await page.locator("[data-run]").first().waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await open.close();
  }
});

for (const view of ["#campaigns", "#campaign", "#runs", "#submissions"]) {
  test(`no serious fault in ${view} of the campaigns`, { skip }, async () => {
    const place = view === "#campaign" ? `#campaign/${campaign}` : view;
    const { page } = await program.site.visit(`campaigns.html${place}`, { viewport: DESKTOP, colorScheme: "light", bypassCSP: true });
    await page.locator("table").first().waitFor();
    assert.deepEqual(await serious_faults(page), [], "wide and light");
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await serious_faults(page), [], "narrow and dark");
  });
}

test("the first page leads to the campaigns of its server", { skip }, async () => {
  const { page } = await program.site.visit("");
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("heading", { name: "Campaigns" }).waitFor();
});
