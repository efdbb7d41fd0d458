// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { serve_slowly, Site, verdicts } from "./support.js";

const FIRST_VIEW = ["index.html", "icon.svg", "page.css", "worker.js", "first.json", "weakspot.wasm"];

// A script and those that it cannot begin without.
function with_imports(folder: string, name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(join(folder, name), "utf8");
  for (const [, next = ""] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) with_imports(folder, next, known);
  return known;
}

test("the first view has at most 900 KB, gzipped", { skip: process.env["PAGE_ADDRESS"] !== undefined }, () => {
  const folder = process.env["PAGE_FOLDER"] ?? "";
  const scripts = [...with_imports(folder, "page.js")];
  assert.ok(scripts.length < readdirSync(folder).filter((name) => name.startsWith("part-")).length, "some views come later");
  const sizes = [...FIRST_VIEW, ...scripts].filter((name) => existsSync(join(folder, name))).map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`# gzipped: ${sizes.map(([name, size]) => `${name} ${size}`).join(", ")}; together ${total} bytes`);
  assert.equal(sizes.length, FIRST_VIEW.length + scripts.length);
  assert.ok(total <= 900_000, `${total} bytes`);
});

test("at 1.6 Mbit/s the first verdict does not wait for the core", { skip: process.env["PAGE_ADDRESS"] !== undefined }, async () => {
  const begun = performance.now();
  const since = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const taken: string[] = [];
  const server = await serve_slowly(process.env["PAGE_FOLDER"] ?? "", 200_000, (name) => taken.push(name));
  const site = await Site.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const opened = since();
  const { page } = await site.visit();
  await verdicts(page);
  await page.locator(".picture").waitFor();
  const first = since();
  assert.ok(!taken.includes("weakspot.wasm"), "the core is still on its way");
  await page.getByText("The judge is loading").waitFor({ state: "detached" });
  console.log(`# at 1.6 Mbit/s: browser open after ${opened}, first verdict and picture after ${first}, the judge after ${since()}`);
  await site.close();
  server.closeAllConnections();
  server.close();
});
