// SPDX-License-Identifier: MIT
// Sending a result to `weakspot serve`. PAGE_PROGRAM is the program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bring_axe, serious_faults } from "./axe.js";
import { Program, skip } from "./program.js";
import { PHONE, picture } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "weakspot-send-"));
let program: Program;

before(async () => {
  if (skip === false) program = await Program.start("serve", "--store", join(folder, "results.db"), "--port", "0");
});
after(async () => {
  await program?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Status {
  submissions: number;
}

test("a result is sent as it is shown, after a click, and deleted again", { skip }, async () => {
  const { page, complaints } = await program.site.visit("#conform/5s");
  const status = async () => (await (await page.request.get(`${program.site.address}api/1/status`)).json()) as Status;
  const sent: { body: string | null; token: string | undefined }[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push({ body: request.postData(), token: request.headers()["deletion-token"] });
  });
  await page.getByRole("button", { name: "Test this GPU" }).click();
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 120_000 });
  await page.getByText("You give the data to everybody under CC0").waitFor();
  await page.getByLabel("device.vendor").uncheck();
  await page.getByLabel("tests", { exact: true }).uncheck();
  assert.equal(sent.length, 0, "nothing leaves without a click");
  const shown = await page.locator("#sent").innerText();
  await page.getByRole("button", { name: "Send this" }).click();
  await page.locator('[data-sending="sent"]').waitFor();
  assert.equal(sent.length, 1);
  assert.equal(sent[0]?.body, shown);
  assert.ok(!shown.includes('"vendor"') && !shown.includes('"tests"'));
  assert.equal(await page.locator("#token").innerText(), sent[0]?.token);
  assert.ok(await page.getByRole("button", { name: "Send this" }).isDisabled());
  await picture(page, "send");
  assert.equal((await status()).submissions, 1);
  await page.getByRole("button", { name: "Delete it again" }).click();
  await page.getByText("Nothing of it is left on the server").waitFor();
  assert.equal((await status()).submissions, 0);

  // Without its runs there is nothing to store, and the server says so.
  await page.getByLabel("runs", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Send this" }).click();
  await page.getByText("Nothing was stored: ").waitFor();
  assert.match(await page.locator('[data-sending="failed"]').innerText(), /runs/);
  assert.deepEqual(complaints, []);
});

// Weak outcomes in a million instances of MP, SB, LB, S, R and 2+2W, by kind of GPU.
const SHARED: [string, string, number[]][] = [
  ["maker", "metal-3", [2_000, 31_000, 5, 400, 12_000, 60]],
  ["other maker", "gen-12", [900, 9_000, 9, 110, 4_000, 80]],
  ["third maker", "iris", [3, 150, 8_000, 0, 40, 900]],
];

// The hashes of the tests that Explore has a column for.
function hashes(): string[] {
  const done = spawnSync(process.env["PAGE_PROGRAM"] ?? "", ["suite", "mc-mutants", "--json"], { encoding: "utf8", maxBuffer: 1 << 26 });
  const suite = JSON.parse(done.stdout) as { test: string; hash: string }[];
  return ["MP", "SB", "LB", "S", "R", "2+2W"].map((shape) => suite.find((one) => one.test === `${shape}-CO-split`)?.hash ?? "");
}

test("GPUs of others are a table, and a page for each", { skip }, async () => {
  const { page, complaints } = await program.site.visit("#conform/5s", {}, bring_axe);
  await page.getByRole("button", { name: "Test this GPU" }).click();
  await page.locator('[data-phase="finished"]').waitFor({ timeout: 120_000 });
  const tests = hashes();
  for (const [vendor, architecture, weak] of SHARED) {
    const runs = tests.map((hash, at) => ({ hash, instances: 1_000_000, seconds: 1, outcomes: { sequential: 1_000_000 - (weak[at] ?? 0), weak: weak[at] } }));
    for (let seed = 0; seed < 5; ++seed) {
      const answer = await page.request.post(`${program.site.address}api/1/submissions`, { data: { format: 1, device: { vendor, architecture }, seed, runs } });
      assert.equal(answer.status(), 201, await answer.text());
    }
  }
  await page.getByRole("link", { name: "Explore" }).click();
  const table = page.getByRole("region", { name: "Table of GPUs" });
  await table.getByRole("link", { name: "other maker gen-12" }).waitFor();
  assert.equal(await table.locator("tbody tr").count(), 4, "three kinds, and the GPU of this tab");
  assert.match(await table.locator("tbody tr", { hasText: "other maker" }).innerText(), /5\s+1 in 1,111\s+0\.90 %\s+1 in 111 k\s+1 in 9,091\s+0\.40 %\s+1 in 12\.5 k/);
  // The third is unlike the others.
  assert.match(await page.locator("#others-title ~ ul li").innerText(), /^maker metal-3, other maker gen-12 at least 0\.9\d$/);
  await picture(page, "explore-gpus");
  assert.deepEqual(await serious_faults(page), []);
  await page.getByLabel("Vendor").selectOption("maker");
  assert.equal(await table.locator("tbody tr").count(), 2);
  await table.getByRole("link", { name: "maker metal-3" }).click();
  await page.getByRole("heading", { name: "maker metal-3" }).waitFor();
  assert.deepEqual(await serious_faults(page), []);
  assert.match(await page.locator(".gpu").innerText(), /5 devices[^]*other maker gen-12: correlation 0\.9\d of the rates of 6 tests/);
  // The link leads there as well.
  const link = page.url();
  const friend = await program.site.visit(link.slice(program.site.address.length));
  await friend.page.getByRole("heading", { name: "maker metal-3" }).waitFor();
  await friend.page.setViewportSize(PHONE);
  assert.ok((await friend.page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(friend.page, "explore-gpu");
  assert.deepEqual([...complaints, ...friend.complaints], []);

  // The link that is copied shows chats what is known, and leads there too.
  const card = await (await page.request.get(`${program.site.address}gpu-maker-metal-3`)).text();
  assert.match(card, /og:description" content="[^"]*Not run: \d+ tests\."/);
  assert.match(card, /<meta property="og:title" content="maker metal-3: weak outcomes in 6 of 6 tests">/);
  assert.equal((await page.request.get(`${program.site.address}gpu-nobody`)).status(), 404);
  const other = await program.site.visit("gpu-maker-metal-3");
  await other.page.getByRole("heading", { name: "maker metal-3" }).waitFor();
  assert.ok(other.page.url().endsWith("/#explore/gpu-maker-metal-3"), other.page.url());
  assert.deepEqual(other.complaints, []);
});

test("another site shows a test in a frame, and nothing else of the page", { skip }, async () => {
  const { page } = await program.site.visit("#write");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy embed code" }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const frame = /src="([^"]+embed\.html)(#embed=[^"]+)"/.exec(code);
  assert.ok(frame, code);
  const other = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(`${code}<iframe src="${frame[1]}#conform"></iframe>`));
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const address = other.address();
  assert.ok(address !== null && typeof address === "object");
  await page.goto(`http://localhost:${address.port}/`);
  for (const at of [0, 1]) {
    const inner = page.frameLocator("iframe").nth(at);
    await inner.getByText("ld r0, y").first().waitFor();
    assert.equal(await inner.getByRole("button", { name: "Test this GPU" }).count(), 0);
    const out = await inner.getByRole("link", { name: "Open in Weakspot" }).getAttribute("href");
    assert.ok(out?.startsWith(`${program.site.address}#write=`), out ?? "");
  }
  other.close();
});
