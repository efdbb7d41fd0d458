#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Judges the corpus by every model in WebAssembly and natively, side by side.
//
//   bench/compare_wasm.mjs [--core build-wasm/weakspot.wasm] [--weakspot build/weakspot] [--rounds N] [--json]
//
// Times are those of the judge itself, as both report them, the shortest of N rounds (default 3) for each verdict; a
// busy machine lengthens some of them. The time of a keystroke is that of a whole request: reading the test, the
// verdicts of all models, and JSON in and out.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const { loadCore } = await import("../src/faces/core/core.mjs");

const { values: options } = parseArgs({
  options: {
    core: { type: "string", default: "build-wasm/weakspot.wasm" },
    weakspot: { type: "string", default: "build/weakspot" },
    rounds: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);

function native(...words) {
  try {
    return execFileSync(options.weakspot, words, { maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return error.stdout; // 2: some model refuses some test
  }
}

// The shortest time by file and model.
class Times {
  shortest = new Map();

  add({ file, model, seconds }) {
    const key = `${model} ${file}`;
    this.shortest.set(key, Math.min(seconds, this.shortest.get(key) ?? Infinity));
  }

  sum(model) {
    let sum = 0;
    for (const [key, seconds] of this.shortest) if (!model || key.startsWith(`${model} `)) sum += seconds;
    return sum;
  }
}

const bytes = readFileSync(options.core);
const core = await loadCore(bytes);
const files = JSON.parse(native("list", "--json")).map((test) => test.file);
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const models = core.answer({ do: "models" }).ok.map((model) => model.name);

const ours = new Times();
const theirs = new Times();
const keystrokes = new Map();
for (let round = 0; round < rounds; ++round) {
  for (const entry of JSON.parse(native("check", ...files, "--model", models.join(","), "--json", "--jobs", "1"))) {
    if (!entry.errors) theirs.add(entry);
  }
  for (const file of files) {
    const start = performance.now();
    const reply = core.answer({ do: "check", text: texts.get(file), file, models });
    const taken = performance.now() - start;
    keystrokes.set(file, Math.min(taken, keystrokes.get(file) ?? Infinity));
    for (const verdict of reply.ok.verdicts) ours.add(verdict);
  }
}

const sorted = [...keystrokes.values()].sort((a, b) => a - b);
const quantile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
const slowest = [...keystrokes].sort((a, b) => b[1] - a[1]).slice(0, 5);
const result = {
  tests: files.length,
  bytes: bytes.length,
  compressed: gzipSync(bytes, { level: 9 }).length,
  native_seconds: theirs.sum(),
  wasm_seconds: ours.sum(),
  ratio: ours.sum() / theirs.sum(),
  models: models.map((model) => ({ model, ratio: ours.sum(model) / theirs.sum(model) })),
  keystroke_ms: { median: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), most: sorted.at(-1) },
  slowest: slowest.map(([file, ms]) => ({ file, ms })),
};
if (options.json) {
  console.log(JSON.stringify(result, null, 2));
} else {
  const ms = (value) => value.toFixed(2);
  console.log(`core: ${result.bytes} bytes, ${result.compressed} compressed`);
  console.log(`${result.tests} tests by ${models.length} models: native ${ms(1e3 * result.native_seconds)} ms, ` +
    `WebAssembly ${ms(1e3 * result.wasm_seconds)} ms, ${ms(result.ratio)} times`);
  for (const { model, ratio } of result.models) console.log(`  ${model.padEnd(16)} ${ms(ratio)} times`);
  const key = result.keystroke_ms;
  console.log(`all models after a keystroke: median ${ms(key.median)} ms, 95% ${ms(key.p95)} ms, ` +
    `99% ${ms(key.p99)} ms, most ${ms(key.most)} ms`);
  for (const { file, ms: taken } of result.slowest) console.log(`  ${ms(taken)} ms  ${file}`);
}
