// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const FIRST_VIEW = ["index.html", "icon.svg", "page.js", "page.css", "worker.js", "first.json", "weakspot.wasm"];

test("the first view has at most 900 KB, gzipped", { skip: process.env["PAGE_ADDRESS"] !== undefined }, () => {
  const folder = process.env["PAGE_FOLDER"] ?? "";
  const sizes = FIRST_VIEW.filter((name) => existsSync(join(folder, name))).map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`# gzipped: ${sizes.map(([name, size]) => `${name} ${size}`).join(", ")}; together ${total} bytes`);
  assert.equal(sizes.length, FIRST_VIEW.length);
  assert.ok(total <= 900_000, `${total} bytes`);
});
