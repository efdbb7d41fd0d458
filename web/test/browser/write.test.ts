// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { encode } from "../../src/link/codec.js";
import { choose_model, counts, DESKTOP, finished, litmus, PHONE, picture, picture_of, Site, store_buffering, verdicts } from "./support.js";

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
  await choose_model(page, "Sequential consistency");
  await page.getByText("these lead in a circle").waitFor();
  const drawn = await page.locator(".picture").evaluate((host) => host.shadowRoot?.querySelectorAll("path").length ?? 0);
  assert.ok(drawn > 3, "the cycle is drawn");
  await picture(page, "write");
  assert.deepEqual(complaints, []);
});

test("the answer stands in one line, and the picture beside the test", async () => {
  const { page } = await site.visit();
  const table = await verdicts(page);
  const allow = Object.values(table).filter((word) => word === "allowed").length;
  const answer = await page.locator(".answer").innerText();
  assert.match(answer, new RegExp(`${allow} of ${Object.keys(table).length} models allow it`));
  assert.match(answer, /Sequential consistency and x86-TSO forbid it/);
  await page.locator(".picture").waitFor();
  const below = await page.locator(".picture").evaluate((element) => element.getBoundingClientRect().bottom);
  assert.ok(below <= DESKTOP.height, `the picture ends at ${below}`);
  await page.setViewportSize(PHONE);
  const phone = await page.locator(".picture").evaluate((element) => element.getBoundingClientRect().bottom);
  assert.ok(phone <= 2 * PHONE.height, `the picture ends at ${phone} on a phone`);
});

test("an allowed execution is told step by step", async () => {
  const { page, complaints } = await site.visit("", { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Play step by step" }).waitFor();
  const faint = () => page.locator(".picture").evaluate((host) => host.shadowRoot?.querySelectorAll("g.event.untold").length);
  assert.equal(await faint(), 0);
  const next = page.getByRole("button", { name: "Next" });
  await next.click();
  assert.equal(await faint(), 3);
  for (let step = 1; step < 4; ++step) await next.click();
  assert.equal(await next.getAttribute("aria-disabled"), "true");
  assert.equal(await faint(), 0);
  assert.match(await page.locator(".story .remarkable").innerText(), /reads x=0, the initial value. It does not see a, although P1 has seen b/);
  await picture(page, "write-story");
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".story").count(), 0);
  // Any other outcome that the model allows has its own execution.
  await page.locator(".outcomes tbody tr", { hasText: "0" }).first().getByRole("button").click();
  await page.getByText("How WebGPU allows 1:r0=0; 1:r1=0").waitFor();
  await page.locator("#why-title + p, .player").first().waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Next" }).click();
  assert.deepEqual(complaints, []);
});

test("a model that cannot say a test is not counted as if it forbade it", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await page.getByLabel("Litmus test").fill("weakspot T\n P0 | P1 ;\n st.rel.cluster x, 1 | ld.acq.cluster r0, x ;\nexists (1:r0=1)\n");
  await page.locator(".answer", { hasText: "not model it" }).waitFor();
  const table = Object.values(await verdicts(page));
  const count = (word: string) => table.filter((other) => other === word).length;
  const silent = count("not modelled");
  assert.ok(silent > 0);
  const answer = await page.locator(".answer").innerText();
  assert.match(answer, new RegExp(`${count("allowed")} of ${table.length} models allow it\\. ${silent} do(es)? not model it\\.$`));
});

test("a condition on all executions is answered as one", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  const editor = page.getByLabel("Litmus test");
  const text = (condition: string) => `weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nforall (${condition})\n`;
  await editor.fill(text("1:r0=1"));
  await page.locator(".answer", { hasText: "allowed Not every execution ends so · 21 of 21" }).waitFor();
  await editor.fill(text("1:r0=1 \\/ 1:r0=0"));
  await page.locator(".answer", { hasText: "allowed Every execution ends so · 21 of 21" }).waitFor();
});

test("the code that runs stands beside its threads", async () => {
  const { page } = await site.visit();
  await page.locator(".role pre").first().waitFor();
  assert.match(await page.locator(".role").nth(1).innerText(), /ld r0, y[^]*atomicLoad[^]*ld r1, x[^]*atomicLoad/);
  // An instruction and its lines in the whole program stand out together.
  await page.locator(".part-code summary").click();
  await page.locator(".role li").nth(3).hover();
  assert.match(await page.locator(".linked.pointed").innerText(), /v25 = atomicLoad/);
  const [line, program] = await Promise.all([page.locator(".linked.pointed").boundingBox(), page.locator(".program-text").boundingBox()]);
  assert.ok(line !== null && program !== null && line.y >= program.y && line.y + line.height <= program.y + program.height, "it is in sight");
  await page.locator(".linked", { hasText: "atomicStore" }).first().hover();
  assert.match(await page.locator(".role li.pointed").innerText(), /st x, 1/);
  await picture_of(page.locator(".part-code"), "write-code");
  await page.getByLabel("For").selectOption("ptx");
  await page.locator(".role pre", { hasText: "st.relaxed.gpu" }).first().waitFor();
  assert.match(await page.locator(".part-code summary").innerText(), /The whole program, \d+ lines/);
  await page.getByLabel("For").selectOption("spirv-asm");
  await page.locator(".part-code details pre", { hasText: "OpCapability" }).waitFor();
});

test("two versions of a test are compared", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await page.getByText("Compare with another version").click();
  await page.getByRole("button", { name: "Keep this version" }).click();
  await page.getByText("All 21 models that judge both say the same of them").waitFor();
  const editor = page.getByLabel("Litmus test");
  await editor.fill((await editor.inputValue()).replace("st y", "st.rel y").replace("ld r0", "ld.acq r0"));
  await page.locator("#differences tbody tr", { hasText: "PTX" }).first().waitFor();
  assert.match(await page.locator("#differences tbody tr", { hasText: /^AArch64/ }).innerText(), /allowed[^]*forbidden[^]*1:r0=1; 1:r1=0;/);
  assert.equal(await page.locator("#compare .added").count(), 2);
  await picture_of(page.locator("#compare"), "write-compare");
  await page.getByRole("button", { name: "Go back to it" }).click();
  await page.getByText("All 21 models that judge both say the same of them").waitFor();
});

test("a model can be changed, and mistakes in it are shown while typing", async () => {
  const { page, complaints } = await site.visit();
  await verdicts(page);
  await page.getByText("Change a model").click();
  await page.getByLabel("Begin with").selectOption("tso");
  await page.getByRole("button", { name: "Copy it" }).click();
  const cat = page.getByLabel("Your model, in cat");
  await cat.waitFor();
  await page.locator('#verdicts tr[data-model="own.cat"]').waitFor();
  assert.equal((await verdicts(page))["own.cat"], "forbidden");
  assert.match(await page.locator(".answer").innerText(), /^x86-TSO/);
  // It judges mutants as well, and a link leaves it out.
  await page.getByText("Break it").click();
  await page.getByRole("button", { name: "Show the mutants" }).click();
  await page.locator("#mutants .is-forbidden").first().waitFor();
  await cat.fill((await cat.inputValue()).replace("acyclic", "acyclics"));
  await page.locator("#own-errors .error").first().waitFor();
  await picture_of(page.locator("#own-model"), "write-model");
  await page.waitForTimeout(500);
  const link = await site.visit(new URL(page.url()).hash);
  await verdicts(link.page);
  assert.equal(await link.page.getByRole("alert").count(), 0);
  await cat.fill('"Nothing"\nacyclic po & id as nothing\n');
  await page.locator('#verdicts tr[data-model="own.cat"]', { hasText: "allowed" }).waitFor();
  await page.getByText("How Nothing allows it").waitFor();
  await cat.fill('"Nothing"\nacyclic poo as nothing\n');
  await page.locator("#own-errors", { hasText: "Line 2" }).waitFor();
  assert.equal((await verdicts(page))["own.cat"], undefined);
  await page.getByRole("button", { name: "Put it away" }).click();
  assert.equal(await cat.count(), 0);
  assert.deepEqual(complaints, []);
});

test("the page opens again without a network", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  assert.equal((await verdicts(page))["sc"], "forbidden");
  await page.getByRole("link", { name: "Explore" }).click();
  await page.locator(".bugs li").first().waitFor();
});

test("a first visit has its verdicts and its picture before the core has loaded", async () => {
  const { page, complaints } = await site.visit("", {}, (page) => page.route("**/weakspot.wasm", () => undefined));
  await page.getByText("The judge is loading").waitFor();
  const early = await verdicts(page);
  await page.getByRole("button", { name: "Play step by step" }).waitFor();
  const { page: later } = await site.visit();
  await later.getByText("The judge is loading").waitFor({ state: "detached" });
  assert.deepEqual(await verdicts(later), early);
  // Another test has to wait.
  await page.getByLabel("Litmus test").fill(litmus("Other"));
  await page.locator("#verdicts.stale").waitFor();
  await page.getByText("The judge is loading").waitFor();
  assert.deepEqual(complaints, []);
});

test("the page can be read before the core has loaded", async () => {
  const blocked = (page: Page) => page.route(/weakspot\.wasm|first\.json/, () => undefined);
  const { page } = await site.visit("", {}, blocked);
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
  assert.match(await page.locator(".question").innerText(), /Before the mistake:/);
  await page.getByText("The command line is shown once the test can be read.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Copy command" }).count(), 0);
  await picture(page, "write-error");
  await page.getByLabel("Litmus test").fill(litmus("T"));
  assert.equal((await verdicts(page))["sc"], "forbidden");
  assert.equal(await page.locator(".error").count(), 0);
  assert.equal(await page.getByRole("button", { name: "Copy command" }).count(), 1);
});

test("all models judge after each keystroke, and the time is measured", async () => {
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
  assert.ok(times.every(Number.isFinite), "each keystroke was judged");
});

test("another dialect, mutants and fences", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  await choose_model(page, "PTX");
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
  await page.keyboard.type("dekker");
  await page.locator("#chooser li", { hasText: /^SB/ }).first().waitFor();
  await picture(page, "chooser", false);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("IRIW+fence.sc+fence.sc");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("weakspot IRIW+fence.sc+fence.sc"));
  assert.equal((await verdicts(page))["ptx"], "forbidden");
  for (const wanted of ["Processors", "x86-TSO"]) {
    for (let step = 0; step < 60; ++step) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.textContent))?.startsWith(wanted)) break;
    }
    await page.keyboard.press("Enter");
  }
  await page.getByText("Why x86-TSO forbids it").waitFor();
  assert.deepEqual(complaints, []);
});

test("a friend opens a link on a phone, with the same verdicts, and runs it", async () => {
  const first = await site.visit();
  await verdicts(first.page);
  const mine = store_buffering("Linked");
  await first.page.getByLabel("Litmus test").fill(mine);
  await choose_model(first.page, "Vulkan");
  const table = await verdicts(first.page);
  await first.page.waitForFunction(() => location.hash.startsWith("#write="));
  await first.page.waitForTimeout(500);
  const fragment = new URL(first.page.url()).hash;
  assert.ok(first.page.url().length < 2048);
  const second = await site.visit(fragment, { viewport: PHONE, hasTouch: true, isMobile: true });
  assert.deepEqual(await verdicts(second.page), table);
  assert.equal(await second.page.locator("tr.chosen").getAttribute("data-model"), "vulkan");
  assert.equal(await second.page.getByLabel("Litmus test").inputValue(), mine);
  assert.match(await second.page.locator(".question").innerText(), /With r0 = 0 in P0, and r0 = 0 in P1\./);
  await second.page.locator(".picture").waitFor();
  await picture(second.page, "write-friend");
  await second.page.getByRole("button", { name: "Run on this GPU" }).click();
  await second.page.getByLabel("for").selectOption("2");
  await second.page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(second.page);
  assert.ok((await counts(second.page)).total > 0);
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

test("reasons of the test before are never shown as those of a new one", async () => {
  const { page } = await site.visit();
  await page.locator(".picture").waitFor();
  const row = (cell: (thread: number) => string) => ` ${Array.from({ length: 12 }, (_, thread) => cell(thread)).join(" | ")} ;`;
  const wide = ["weakspot wide", row((t) => `P${t}`), row((t) => `st x, ${t + 1}`), row(() => "ld r0, x"), "exists (0:r0=3 /\\ 1:r0=4 /\\ 2:r0=1)", ""].join("\n");
  await page.getByLabel("Litmus test").fill(wide);
  await page.locator(".question .code", { hasText: "2:r0=1" }).waitFor();
  for (let step = 0; step < 200; ++step) {
    const why = await page.evaluate(() => {
      const section = document.querySelector("#why-title")?.parentElement;
      const label = section?.querySelector(".picture")?.shadowRoot?.querySelector("svg")?.getAttribute("aria-label") ?? "";
      return section === null || section === undefined ? null : { old: section.classList.contains("stale"), label, text: section.innerText };
    });
    if (why !== null && !why.old) {
      assert.ok(!why.label.startsWith("MP") && !why.text.includes("MP"), why.text);
      assert.ok(why.text.includes("\n"), `a heading over nothing: ${why.text}`);
      return;
    }
    await page.waitForTimeout(100);
  }
  assert.fail("no reason, old or new, was shown within 20 s");
});

// Nodes of the document that are kept for each edit of its text area.
async function nodes_per_edit(page: Page): Promise<number> {
  const tools = await page.context().newCDPSession(page);
  const area = page.locator("textarea").first();
  const text = await area.inputValue();
  const nodes = async () => {
    await tools.send("HeapProfiler.collectGarbage");
    await page.waitForTimeout(300);
    return (await tools.send("Memory.getDOMCounters")).nodes;
  };
  const edit = async (times: number) => {
    for (let round = 0; round < times; ++round) {
      await area.fill(text.replace("st x, 1", `st x, ${2 + (round % 5)}`));
      await page.waitForTimeout(40);
    }
  };
  await edit(10);
  const before = await nodes();
  await edit(40);
  return ((await nodes()) - before) / 40;
}

test("edits leave no more nodes behind than the browser's own undo", async () => {
  const { page } = await site.visit();
  await verdicts(page);
  const ours = await nodes_per_edit(page);
  const bare = await page.context().newPage();
  await bare.setContent("<textarea rows=20 cols=80></textarea>");
  await bare.locator("textarea").fill(litmus("MP", "The reader sees the flag y but not the data x."));
  const least = await nodes_per_edit(bare);
  console.log(`# nodes kept per edit: ${ours.toFixed(1)}, of a text area alone ${least.toFixed(1)}`);
  assert.ok(ours <= least + 6, `${ours} beside ${least}`);
});

test("own text comes back after another test was chosen", async () => {
  const { page, complaints } = await site.visit();
  await verdicts(page);
  const editor = page.getByLabel("Litmus test");
  await editor.fill(litmus("Mine"));
  await verdicts(page);
  await page.waitForTimeout(500);
  const choose = async () => {
    await page.getByRole("button", { name: "Choose a test…" }).click();
    await page.getByText(/of \d+ tests/).waitFor();
    await page.getByRole("searchbox").fill("SB");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("weakspot SB\n"));
  };
  await choose();
  await editor.focus();
  await page.keyboard.press("Control+z");
  assert.equal(await editor.inputValue(), litmus("Mine"));
  await page.waitForTimeout(500);
  await choose();
  await page.waitForTimeout(500);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("textarea")?.value.startsWith("weakspot Mine\n"));
  assert.deepEqual(complaints, []);
});

test("a link with a model that the page does not have says so", async () => {
  const { page } = await site.visit(`#write=${await encode({ text: litmus("MP"), model: "nosuchmodel" })}`);
  await page.getByRole("alert").getByText("the model nosuchmodel, which this page does not have").waitFor();
  await verdicts(page);
  assert.equal(await page.locator("tr.chosen").getAttribute("data-model"), "webgpu");
  assert.match(await page.locator(".share pre").innerText(), /--model webgpu /);
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

const BLOCKED: [string, (page: Page) => Promise<unknown>][] = [
  ["does not load the worker", (page) => page.route("**/worker.js", (route) => route.abort())],
  ["refuses to make a worker", (page) => page.addInitScript(() => Object.defineProperty(globalThis, "Worker", { value: class { constructor() { throw new Error("workers are disabled"); } } }))],
  ["has a policy against workers", (page) => page.route(site.address, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), "content-security-policy": "worker-src 'none'" } });
  })],
];

for (const [how, block] of BLOCKED) {
  test(`a browser that ${how} gets a sentence and everything that needs no judge`, async () => {
    const { page } = await site.visit("", {}, block);
    const sentence = page.getByText("This browser did not start the judge");
    await sentence.waitFor();
    await page.getByLabel("Litmus test").fill("weakspot still-writable\n");
    await page.waitForFunction(() => location.hash.startsWith("#write="));
    assert.equal(await page.locator(".judging").count(), 0, "nobody waits for a verdict");
    await page.getByRole("link", { name: "Learn" }).click();
    await page.getByRole("link", { name: "Coherence" }).click();
    await page.getByText("Once P1 has seen the new value").waitFor();
    await page.getByRole("link", { name: "Run" }).click();
    await page.getByText("The judge did not start, so the test cannot be compiled.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await page.getByRole("link", { name: "Conform" }).click();
    assert.ok(await page.getByRole("button", { name: "Test this GPU" }).isDisabled());
    await sentence.waitFor();
    await page.getByRole("link", { name: "Explore" }).click();
    await page.locator(".heat tbody tr").first().waitFor();
  });
}

test("a lock that takes seconds shows verdicts as they come, the chosen model first", async () => {
  const text = readFileSync(join(process.env["WEAKSPOT_CORPUS"] ?? "../corpus", "locks", "MCS-lock+3.litmus"), "utf8");
  const { page } = await site.visit();
  await verdicts(page);
  await page.evaluate(() => {
    const seen: { at: number; judged: string[] }[] = [];
    Object.assign(globalThis, { seen });
    const judged = () => [...document.querySelectorAll('#verdicts:not(.stale) tbody tr:not(:has(.is-judging))')].map((row) => row.getAttribute("data-model") ?? "");
    document.addEventListener("input", () => seen.push({ at: performance.now(), judged: [] }));
    new MutationObserver(() => seen.push({ at: performance.now(), judged: judged() })).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.getByLabel("Litmus test").fill(text);
  await page.locator("#verdicts:not(.stale)").waitFor();
  const table = await verdicts(page);
  assert.ok(!Object.values(table).includes("unknown"), JSON.stringify(table));
  const { shown, chosen, all } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { at: number; judged: string[] }[] };
    const start = seen[0]?.at ?? 0;
    // What came before the old table was marked as stale speaks of the old test.
    const stale = seen.findIndex((one, index) => index > 0 && one.judged.length === 0);
    const when = (enough: (judged: string[]) => boolean) => (seen.slice(stale).find((one) => enough(one.judged))?.at ?? Infinity) - start;
    const count = seen.at(-1)?.judged.length ?? 0;
    return { shown: when((judged) => judged.length > 0), chosen: when((judged) => judged.includes("webgpu")), all: when((judged) => judged.length === count) };
  });
  console.log(`# MCS-lock+3: first verdicts after ${shown.toFixed(0)} ms, the chosen model after ${chosen.toFixed(0)} ms, all after ${all.toFixed(0)} ms`);
  assert.ok(shown < all / 2 && chosen <= all, `${shown} ms, ${chosen} ms`);
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

test("Ctrl and Enter lead from the editor to the run", async () => {
  const { page, complaints } = await site.visit("#write");
  await page.locator("#test-text").press("Control+Enter");
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  assert.match(page.url(), /#run/);
  assert.deepEqual(complaints, []);
});
