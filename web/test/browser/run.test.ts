// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { encode } from "../../src/link/codec.js";
import { counts, DESKTOP, finished, litmus, PHONE, picture, picture_of, Site, store_buffering, verdicts } from "./support.js";

let site: Site;
before(async () => {
  site = await Site.open();
});
after(() => site.close());

test("three clicks and ten seconds to the outcomes of this machine", async () => {
  const { page, complaints } = await site.visit();
  await verdicts(page);
  await page.getByRole("button", { name: "Run on this GPU" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".histogram tbody tr").first().waitFor({ timeout: 30_000 });
  await finished(page);
  const seen = await counts(page);
  assert.ok(seen.total > 1000, `${seen.total} instances`);
  assert.equal(seen.forbidden, 0);
  assert.match(await page.locator(".share pre").innerText(), /--seed 1 --model webgpu /);
  console.log(`# MP in ${seen.instances} instances: ${seen.weak} weak`);
  await picture(page, "run");
  assert.deepEqual(complaints, []);
});

test("what a browser cannot run is said before a run begins", async () => {
  const text = "weakspot T\n P0 | P1 ;\n st.rel.cluster x, 1 | ld.acq.cluster r0, x ;\nexists (1:r0=1)\n";
  const { page } = await site.visit(`#run=${await encode({ text })}`);
  await page.getByText("cannot run: WGSL has").waitFor();
  assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
  await page.getByRole("button", { name: "Edit the test" }).click();
  await page.getByLabel("Litmus test").fill(litmus("MP"));
  await verdicts(page);
  await page.getByRole("button", { name: "Run on this GPU" }).click();
  await page.locator(".columns").waitFor();
  assert.equal(await page.getByText("cannot run: WGSL has").count(), 0);
});

test("two environments side by side, stopped early", async () => {
  const { page } = await site.visit("#run");
  await page.getByLabel("Compare with a second environment").check();
  await page.getByLabel("for").selectOption("60");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".side").nth(1).locator(".histogram tbody tr").first().waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator('[data-phase="stopped"]').waitFor({ timeout: 30_000 });
  assert.ok((await counts(page, 0)).total > 0 && (await counts(page, 1)).total > 0);
  await page.getByText("in each environment").waitFor();
  await page.getByText("What the words mean").click();
  await page.getByText("No schedule explains it, and the model allows it.").waitFor();
  await picture(page, "run-two");
});

test("parameters have ranges and a link brings them along", async () => {
  const link = await encode({ text: litmus("Linked"), environment: { workgroup_size: 32 }, seed: 9 });
  const { page } = await site.visit(`#run=${link}`, { viewport: PHONE });
  await page.getByText("All parameters").click();
  const size = page.getByLabel("workgroup_size", { exact: true });
  assert.equal(await size.inputValue(), "32");
  assert.equal(await page.getByLabel("Seed").inputValue(), "9");
  await size.fill("100000");
  await page.getByText("expected 1 to").first().waitFor();
  assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
  await size.fill("16");
  assert.match(await page.locator(".share pre").innerText(), /--env workgroup_size=16 /);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
});

test("what a link plants does not get into a copied command", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const text = litmus("MP;touch${IFS}pwned;");
  const { page } = await site.visit(`#run=${await encode({ text, environment: { workgroup_size: 32 }, second: {} })}`, { permissions });
  await page.locator(".environment").first().waitFor();
  await page.locator(".columns").waitFor();
  await page.getByRole("button", { name: "Copy command" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, "weakspot run MP_touch_IFS_pwned_.litmus --device webgpu:0 --env workgroup_size=32 --env basic --seconds 10 --seed 1");
  const planted = Buffer.concat([Buffer.from([0]), Buffer.from(JSON.stringify({ t: text, e: { workgroup_size: "$(touch pwned)" } }))]);
  const refused = await site.visit(`#run=${planted.toString("base64url")}`);
  await refused.page.getByRole("alert").getByText("The link sets workgroup_size to something that is not a number.").waitFor();
  assert.doesNotMatch(await refused.page.locator(".share pre").innerText(), /touch/);
});

test("a phone runs a test", async () => {
  const { page } = await site.visit(`#run=${await encode({ text: litmus("MP") })}`, { viewport: PHONE, colorScheme: "dark" });
  await page.getByLabel("for").selectOption("2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width);
  await picture(page, "run-phone");
});

test("a lost device is opened again and the run goes on", async () => {
  const spy = async (page: Page) =>
    page.addInitScript(() => {
      const opened: GPUDevice[] = [];
      const original = GPUAdapter.prototype.requestDevice;
      GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, ...rest) {
        const device = await original.apply(this, rest);
        opened.push(device);
        return device;
      };
      (globalThis as unknown as { opened: GPUDevice[] }).opened = opened;
    });
  const { page } = await site.visit(`#run=${await encode({ text: litmus("MP") })}`, {}, spy);
  await page.getByLabel("for").selectOption("2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".histogram tbody tr").first().waitFor({ timeout: 30_000 });
  await page.evaluate(() => (globalThis as unknown as { opened: GPUDevice[] }).opened.at(-1)?.destroy());
  await page.getByText("opened again").waitFor({ timeout: 30_000 });
  await finished(page);
  assert.ok((await counts(page)).total > 0);
});

test("a tab that sleeps is noticed, and the run goes on when it wakes", async () => {
  const { page } = await site.visit(`#run=${await encode({ text: litmus("MP") })}`);
  await page.getByLabel("for").selectOption("2");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".histogram tbody tr").first().waitFor({ timeout: 30_000 });
  const hide = (hidden: boolean) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden ? "hidden" : "visible");
  await hide(true);
  await page.locator('[data-phase="asleep"]').waitFor({ timeout: 30_000 });
  await page.waitForTimeout(1500);
  await hide(false);
  await finished(page);
  await page.getByText(/The page slept for \d/).waitFor();
});

test("a browser without WebGPU gets a sentence and everything else", async () => {
  const hide = async (page: Page) => page.addInitScript(() => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined }));
  const { page } = await site.visit(`#run=${await encode({ text: litmus("MP") })}`, {}, hide);
  await page.getByText("This browser does not have WebGPU").waitFor();
  assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
  await page.locator(".environment").first().waitFor();
  await picture(page, "run-without-webgpu", false);
  await page.getByRole("link", { name: "Write" }).click();
  assert.equal((await verdicts(page))["sc"], "forbidden");
});

// As long as those that servers choose.
const ENVIRONMENT = "stress,testing_workgroups=24,workgroup_size=2,pairing=half,barrier=partner,layout_stride=64,role_order=by_block";

// A page whose machine has one device, which sees the weak outcome of MP three times.
function with_machine(orders: unknown[]) {
  const result = (count: number, status: string) => ({
    test: "MP", device: "cpu", environment: ENVIRONMENT, seed: 1, model: "aarch64", remark: "", instances: 10 + count, seconds: 1, unfinished: 0, status, message: "",
    outcomes: [
      { outcome: "1:r0=0; 1:r1=0;", count: 10, class: "sequential", matches: false },
      { outcome: "1:r0=1; 1:r1=0;", count, class: "weak", matches: true },
    ],
  });
  return async (page: Page) => {
    await page.route(site.address, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace("<head>", '<head><meta name="weakspot-server" content="api/1/">');
      await route.fulfill({ response: answer, body });
    });
    await page.route("**/api/1/devices", (route) => route.fulfill({ json: [{ id: "cpu", name: "A processor with a name (that is long) and its clock @ 2.50GHz, one of many", driver: "", is_host: false }] }));
    await page.route("**/api/1/runs", (route) => {
      orders.push(route.request().postDataJSON());
      const events = [`event: progress\ndata: ${JSON.stringify(result(1, "running"))}`, `event: done\ndata: ${JSON.stringify(result(3, "finished"))}`];
      return route.fulfill({ contentType: "text/event-stream", body: events.map((event) => `${event}\n\n`).join("") });
    });
  };
}

test("devices of the machine that serves the page run in the same view", async () => {
  const orders: unknown[] = [];
  const { page, complaints } = await site.visit("#run", {}, with_machine(orders));
  await page.getByLabel("Device").selectOption("cpu");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  assert.deepEqual(await counts(page), { total: 13, weak: 3, forbidden: 0, instances: "13" });
  assert.equal((orders[0] as { device: string }).device, "cpu");
  assert.match((orders[0] as { test: string }).test, /^weakspot MP/);
  assert.ok(!("environment" in (orders[0] as object)), "the server chooses, as the command line does");
  await page.getByRole("heading", { name: ENVIRONMENT }).waitFor();
  assert.equal((await page.locator(".share pre").innerText()).trim(), "weakspot run MP.litmus --device cpu --seconds 5 --seed 1 --model aarch64");
  await page.getByLabel("Preset").selectOption("basic");
  assert.match(await page.locator(".share pre").innerText(), /--device cpu --env basic /);
  assert.equal(await page.getByRole("button", { name: "Copy embed code" }).count(), 0, "nobody may frame this page");
  for (const width of [DESKTOP.width, 1000, PHONE.width]) {
    await page.setViewportSize({ width, height: 900 });
    const right = await page.locator("main select, main h3").evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right - (one.parentElement?.closest("div")?.getBoundingClientRect().right ?? 0))));
    assert.ok(right <= 0, `something leaves its column by ${right} at ${width}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  }
  assert.deepEqual(complaints, []);
});

test("a weak outcome that a run catches is played, for those who like motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const { page, complaints } = await site.visit("#run", { reducedMotion }, with_machine([]));
    await page.getByLabel("Device").selectOption("cpu");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const caught = page.locator("#caught");
    await caught.getByRole("heading", { name: "Caught: 1:r0=1; 1:r1=0" }).waitFor();
    assert.match(await caught.innerText(), /seen 3 times/);
    if (reducedMotion === "no-preference") {
      await caught.locator(".story li").nth(1).waitFor();
      await caught.getByRole("button", { name: "Pause" }).click();
      const told = await caught.locator(".story li").count();
      await page.waitForTimeout(2500);
      assert.equal(await caught.locator(".story li").count(), told, "a paused story waits");
    } else {
      await caught.getByRole("button", { name: "Play step by step" }).waitFor();
      await page.waitForTimeout(2500);
      assert.equal(await caught.locator(".story").count(), 0, "it waits for a click");
    }
    await caught.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("End");
    assert.match(await caught.locator(".remarkable").innerText(), /It does not see a, although P1 has seen b/);
    await finished(page);
    assert.deepEqual(complaints, []);
  }
});

test("tuning draws each environment that it tried, and can be stopped", async () => {
  const { page, complaints } = await site.visit(`#run=${await encode({ text: store_buffering("SB") })}`);
  await page.getByText("Tune it to this test").click();
  await page.getByRole("button", { name: "Tune", exact: true }).click();
  await page.locator(".plot circle").nth(2).waitFor({ timeout: 60_000 });
  if (process.env["PAGE_PICTURES"] === undefined) await page.locator("#tune").getByRole("button", { name: "Stop" }).click();
  await page.locator('[data-tuning="stopped"], [data-tuning="finished"]').waitFor({ timeout: 60_000 });
  const tried = await page.locator(".plot circle").count();
  assert.match(await page.locator("[data-tuning]").innerText(), new RegExp(`^${tried} environments tried`));
  await picture_of(page.locator("#tune"), "run-tune");
  assert.deepEqual(complaints, []);
});
