// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { encode } from "../../src/link/codec.js";
import { litmus, PHONE, picture, Site, verdicts } from "./support.js";

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("the first view judges message passing by all models", async () => {
  const { page, complaints } = await site.visit();
  const table = await verdicts(page);
  assert.ok(Object.keys(table).length >= 16);
  assert.equal(table["sc"], "forbidden");
  assert.equal(table["ptx"], "allowed");
  await page.getByRole("button", { name: "Sequential consistency" }).click();
  await page.getByText("these lead in a circle").waitFor();
  const drawn = await page.locator(".picture").evaluate((host) => host.shadowRoot?.querySelectorAll("path").length ?? 0);
  assert.ok(drawn > 3, "the cycle is drawn");
  await picture(page, "write");
  assert.deepEqual(complaints, []);
});

test("the page can be read before the core has loaded", async () => {
  const { page } = await site.visit("", {}, (page) => page.route("**/weakspot.wasm", () => undefined));
  await page.getByText("The judge is loading").waitFor();
  assert.match(await page.getByLabel("Litmus test").inputValue(), /^weakspot MP/);
});

test("without scripts the page says what it is", async () => {
  const { page } = await site.visit("", { javaScriptEnabled: false });
  assert.match(await page.locator("h1").innerText(), /Can this program end like that/);
  assert.match(await page.locator("noscript").innerText(), /needs JavaScript/);
});

test("a mistake is marked while typing, with its line and a caret", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await page.getByLabel("Litmus test").fill(litmus("T").replace("st y, 1", "stt y, 1"));
  await page.getByRole("button", { name: "Line 4" }).waitFor();
  assert.match(await page.locator(".error").first().innerText(), /unknown instruction 'stt'/);
  assert.match(await page.locator(".error pre").first().innerText(), /\n +\^/);
  assert.equal(await page.locator(".copy .wrong").first().innerText(), "stt");
  await picture(page, "write-error");
  await page.getByLabel("Litmus test").fill(litmus("T"));
  assert.equal((await verdicts(page))["sc"], "forbidden");
  assert.equal(await page.locator(".error").count(), 0);
});

test("all models have judged within 50 ms of a keystroke", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  const times: number[] = [];
  for (let round = 0; round < 8; ++round) {
    await page.getByLabel("Litmus test").press("End");
    await page.getByLabel("Litmus test").pressSequentially(" ");
    await verdicts(page);
    times.push(await page.evaluate(() => performance.getEntriesByName("judging").at(-1)?.duration ?? Infinity));
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? Infinity;
  console.log(`# from keystroke to verdicts: median ${median.toFixed(1)} ms, longest ${times.at(-1)?.toFixed(1)} ms`);
  // Other work on the machine may take part of the time; PAGE_SLOW loosens the limit.
  assert.ok(median <= Number(process.env["PAGE_SLOW"] ?? 50), `median of ${median} ms`);
});

test("another dialect, mutants and fences", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await page.getByRole("button", { name: "PTX", exact: true }).click();
  await page.getByText("Convert to another dialect").click();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("st.relaxed.gpu x, 1").waitFor();
  await page.getByText("Break it").click();
  await page.getByRole("button", { name: "Show the mutants" }).click();
  await page.locator("#mutants li").first().waitFor();
  await page.getByText("Make it forbidden").click();
  await page.getByRole("button", { name: "Find the weakest fences" }).click();
  await page.locator("#fences li").first().waitFor();
  assert.match(await page.locator("#fences li").first().innerText(), /st\.rel y, 1/);
  await picture(page, "write-change");
  await page.locator("#fences").getByRole("button", { name: "Open in the editor" }).first().click();
  assert.equal((await verdicts(page))["ptx"], "forbidden");
});

test("a test of the corpus is chosen with the keyboard alone", async () => {
  const { page, complaints } = await site.visit();
  await verdicts(page);
  for (let step = 0; step < 20; ++step) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent)) === "Choose a test…") break;
  }
  await page.keyboard.press("Enter");
  await page.getByText(/of \d+ tests/).waitFor();
  await page.keyboard.type("IRIW+fence.sc+fence.sc");
  await picture(page, "chooser", false);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("weakspot IRIW+fence.sc+fence.sc"));
  assert.equal((await verdicts(page))["ptx"], "forbidden");
  for (let step = 0; step < 60; ++step) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent)) === "x86-TSO") break;
  }
  await page.keyboard.press("Enter");
  await page.getByText("Why x86-TSO forbids it").waitFor();
  assert.deepEqual(complaints, []);
});

test("a link opened in a fresh profile shows the same verdicts", async () => {
  const first = await site.visit();
  await verdicts(first.page);
  await first.page.getByLabel("Litmus test").fill(litmus("Linked").replace("ld r0, y", "ld.acq r0, y"));
  await first.page.getByRole("button", { name: "Vulkan", exact: true }).click();
  const table = await verdicts(first.page);
  await first.page.waitForFunction(() => location.hash.startsWith("#write="));
  await first.page.waitForTimeout(500);
  const fragment = new URL(first.page.url()).hash;
  assert.ok(first.page.url().length < 2048);
  const second = await site.visit(fragment);
  assert.deepEqual(await verdicts(second.page), table);
  assert.equal(await second.page.locator("tr.chosen").getAttribute("data-model"), "vulkan");
  assert.equal(await second.page.getByLabel("Litmus test").inputValue(), await first.page.getByLabel("Litmus test").inputValue());
});

test("everything can be saved, and a link copied", async () => {
  const { page, complaints } = await site.visit("", { permissions: ["clipboard-read", "clipboard-write"] });
  await verdicts(page);
  await page.locator(".picture").waitFor();
  const saved = async (button: string) => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: Buffer.concat((await (await download.createReadStream()).toArray()) as Buffer[]) };
  };
  const svg = await saved("Save SVG");
  assert.deepEqual([svg.name, svg.bytes.toString().slice(0, 4)], ["MP-webgpu.svg", "<svg"]);
  const png = await saved("Save PNG");
  assert.deepEqual([png.name, png.bytes.toString("latin1", 1, 4)], ["MP-webgpu.png", "PNG"]);
  assert.ok(png.bytes.length > 3000, "the picture is not empty");
  const text = await saved("Save .litmus");
  assert.deepEqual([text.name, text.bytes.toString()], ["MP.litmus", await page.getByLabel("Litmus test").inputValue()]);
  const json = JSON.parse((await saved("Save JSON")).bytes.toString()) as { verdicts: unknown[] };
  assert.ok(json.verdicts.length >= 16);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const copied = await site.visit(new URL(link).hash);
  assert.deepEqual(await verdicts(copied.page), await verdicts(page));
  assert.deepEqual(complaints, []);
});

test("hostile tests and links are inert", async () => {
  const evil = "<img/src=x/onerror=alert(1)>";
  const hostile = litmus(evil, "</title></style></svg><script>alert(2)</script><img src=x onerror=alert(3)>");
  const { page, complaints } = await site.visit(`#write=${await encode({ text: hostile, model: "sc" })}`);
  await page.waitForTimeout(1500);
  assert.ok((await page.locator("body").innerText()).includes("alert(2)"), "the text is shown as text");
  assert.equal(await page.locator("#page img, #page script").count(), 0);
  const inside = await page.locator(".picture").evaluateAll((hosts) => hosts.flatMap((host) => [...(host.shadowRoot?.querySelectorAll("*") ?? [])].map((one) => one.localName)));
  assert.ok(!inside.includes("script") && !inside.includes("img") && !inside.includes("image"));
  assert.deepEqual(complaints, []);
  for (const fragment of ["#write=AAAA", "#write=<script>", "#embed=%00", "#javascript:alert(1)", "#write=" + "A".repeat(9000)]) {
    const opened = await site.visit(fragment);
    await opened.page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    assert.deepEqual(opened.complaints, [], fragment);
  }
});

test("a test without end does not freeze the page", async () => {
  const threads = 8;
  const row = (cell: (thread: number) => string) => ` ${Array.from({ length: threads }, (_, thread) => cell(thread)).join(" | ")} ;`;
  const heavy = ["weakspot heavy", row((t) => `P${t}`)];
  for (let step = 0; step < 8; ++step) heavy.push(row((t) => (step % 2 === 0 ? `st x${(t + step) % 4}, ${t + 1}` : `ld r${step}, x${(t + step) % 4}`)));
  heavy.push("exists (0:r1=3 /\\ 1:r1=2)", "");
  const { page } = await site.visit();
  await verdicts(page);
  await page.getByLabel("Litmus test").fill(heavy.join("\n"));
  await page.getByText("Judging…").waitFor();
  const start = Date.now();
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
  assert.ok(Date.now() - start < 1500, "the page still draws");
  await page.locator(".judging").getByRole("button", { name: "Stop" }).click();
  await page.getByText("Judging was stopped").waitFor();
  await page.getByLabel("Litmus test").fill(litmus("after"));
  assert.equal((await verdicts(page))["sc"], "forbidden");
});

test("a browser that blocks the worker gets a sentence", async () => {
  const { page } = await site.visit("", {}, (page) => page.route("**/worker.js", (route) => route.abort()));
  await page.getByText("This browser did not start the judge").waitFor();
  await page.getByLabel("Litmus test").fill("weakspot still-writable\n");
  await page.waitForFunction(() => location.hash.startsWith("#write="));
  await page.getByRole("link", { name: "Learn" }).click();
  await page.getByRole("link", { name: "Coherence" }).click();
  await page.getByText("Once P1 has seen the new value").waitFor();
});

test("a phone has everything within its width", async () => {
  const { page } = await site.visit("", { viewport: PHONE, hasTouch: true, isMobile: true, colorScheme: "dark" });
  await verdicts(page);
  await page.getByText("How WebGPU allows it").waitFor();
  await page.locator(".picture").waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "write-phone");
});

test("the embedded view shows one test and a way out", async () => {
  const { page, complaints } = await site.visit(`#embed=${await encode({ text: litmus("Embedded"), model: "sc" })}`, { viewport: { width: 640, height: 640 } });
  await page.getByText("these lead in a circle").waitFor();
  assert.match((await page.getByRole("link", { name: "Open in Weakspot" }).getAttribute("href")) ?? "", /#write=/);
  await picture(page, "embed");
  assert.deepEqual(complaints, []);
});
