// SPDX-License-Identifier: MIT
// Asks the core in WebAssembly and the native program the same questions about the whole corpus, and compares their
// answers: every verdict, outcome list, explanation, picture, drawing and conversion, byte for byte, without times.
//
//   node compare.mjs --core weakspot.wasm --weakspot PROGRAM [--models NAME,...] [--part NAME]
//
// The closing line is 'wasm: N passed, N failed'.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { loadCore } from "../../src/faces/core/core.mjs";

const LARGEST_CORE = 850_000; // bytes, compressed
const MOST_SHOWN = 10;

const { values: options } = parseArgs({
  options: {
    core: { type: "string" },
    weakspot: { type: "string" },
    models: { type: "string" },
    part: { type: "string" },
  },
});

const bytes = readFileSync(options.core);
const module = await WebAssembly.compile(bytes);
const core = await loadCore(module);
let passed = 0;
const failures = [];

function expect(what, holds, detail = "") {
  if (holds) {
    passed += 1;
  } else {
    failures.push(`${what}${detail ? `: ${detail}` : ""}`);
  }
}

function same(what, ours, native) {
  const difference = () => `\n  core:   ${JSON.stringify(ours)}\n  native: ${JSON.stringify(native)}`;
  expect(what, isDeepStrictEqual(ours, native), isDeepStrictEqual(ours, native) ? "" : difference().slice(0, 4000));
}

// The standard output of the program; tests that a model refuses make it end with 2.
function native(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(options.weakspot, words, { stdio: ["ignore", "pipe", "ignore"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}

const nativeJson = async (...words) => JSON.parse(await native(...words, "--json"));

function ask(request) {
  const reply = core.answer(request);
  if (!reply.ok) throw new Error(`${request.do}: ${JSON.stringify(reply.errors)}`);
  return reply.ok;
}

const listed = await nativeJson("list");
const files = listed.map((test) => test.file);
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

async function lists() {
  const models = await nativeJson("models");
  same("models", ask({ do: "models" }), models);
  const ours = ask({ do: "corpus" });
  same("corpus", ours.map(({ test, folder, description }) => ({ test, folder, description })),
    listed.map(({ test, folder, description }) => ({ test, folder, description })));
  same("texts of the corpus", ours.map((test) => test.text), listed.map((test) => texts.get(test.file)));
}

// What would forbid an allowed outcome is searched for a second at most, so the slower core, or a busy machine, may cut
// it short in large tests. Then the rest must be equal, and there must be few of them.
const MOST_CUT_SHORT = 40;
const without_missing = (verdict) => ({ ...verdict, explanation: verdict?.explanation?.split(/^ {2}missing: /m)[0] });

// The program judges while the core does.
async function verdicts() {
  const names = options.models ? options.models.split(",") : ask({ do: "models" }).map((model) => model.name);
  const judged = nativeJson("check", ...files, "--model", names.join(","), "--explain");
  const ours = new Map();
  const refusals = new Map(); // how often: several models may refuse a test for one reason
  for (const file of files) {
    const reply = ask({
      do: "check", text: texts.get(file), file, models: names, explain: true,
      limits: { seconds: 60, memory: 4 * 2 ** 30 },
    });
    for (const { seconds: _, satisfying: __, ...verdict } of reply.verdicts) {
      ours.set(`${file} ${verdict.test} ${verdict.model}`, verdict);
    }
    expect(`${file}: contradictions`, reply.contradicted.length === 0);
    for (const { message } of reply.refused) {
      refusals.set(`${file} ${message}`, (refusals.get(`${file} ${message}`) ?? 0) + 1);
    }
    await new Promise((resolve) => setImmediate(resolve)); // let the program's output in
  }
  let cut_short = 0;
  for (const { seconds: _, ...entry } of await judged) {
    if (!entry.errors) {
      const key = `${entry.file} ${entry.test} ${entry.model}`;
      const own = ours.get(key);
      const equal = isDeepStrictEqual(own, entry);
      if (!equal) ++cut_short;
      same(key, equal ? own : without_missing(own), equal ? entry : without_missing(entry));
      ours.delete(key);
      continue;
    }
    for (const { message } of entry.errors) {
      const key = `${entry.file} ${message.slice(message.indexOf(": ") + 2)}`;
      expect(`${key}: refused`, (refusals.get(key) ?? 0) > 0);
      refusals.set(key, (refusals.get(key) ?? 0) - 1);
    }
  }
  same("verdicts that the program does not have", [...ours.keys()], []);
  same("refusals that the program does not have", [...refusals].filter(([, count]) => count !== 0), []);
  expect(`${cut_short} searches for what is missing were cut short`, cut_short <= MOST_CUT_SHORT);
}

async function forms() {
  const shown = new Map((await nativeJson("show", ...files)).map((entry) => [`${entry.file} ${entry.test}`, entry]));
  const drawings = [];
  for (const file of files) {
    for (const { dialect, model, drawing, columns, initially, json, ...rest } of
      ask({ do: "read", text: texts.get(file), file })) {
      same(`${file}: description`, rest, shown.get(`${file} ${rest.test}`));
      drawings.push(drawing);
    }
  }
  same("drawings", drawings.join("\n"), await native("show", ...files));
  for (const dialect of ask({ do: "dialects" })) {
    const converted = await nativeJson("convert", "--to", dialect, ...files);
    const ours = files.flatMap((file) => ask({ do: "convert", text: texts.get(file), file, to: dialect }).tests);
    same(`conversion to ${dialect}`, ours, converted);
  }
}

async function pictures() {
  const folder = mkdtempSync(join(tmpdir(), "weakspot-pictures-"));
  const some = files.filter((_, index) => index % 5 === 0);
  for (const [index, file] of some.entries()) {
    const at = join(folder, `${index}`);
    await native("check", file, "--svg", `${at}/`);
    const svgs = ask({ do: "check", text: texts.get(file), file, picture: true }).verdicts.flatMap((v) => v.svg ?? []);
    let drawn = [];
    try {
      drawn = readdirSync(at).map((name) => readFileSync(join(at, name), "utf8"));
    } catch {
      // No execution to draw.
    }
    same(`${file}: picture`, svgs.sort(), drawn.sort());
  }
  rmSync(folder, { recursive: true });
}

async function making() {
  for (const name of ["mc-mutants", "opencl20"]) {
    same(`suite ${name}`, ask({ do: "suite", name }).tests, await nativeJson("suite", name));
  }
  for (const file of files.filter((_, index) => index % 20 === 0)) {
    const { tests } = ask({ do: "mutate", text: texts.get(file), file });
    same(`${file}: mutants`, tests, await nativeJson("mutate", file));
    const found = ask({ do: "fences", text: texts.get(file), file, tests: 200 }).fences;
    for (const { ways } of found) ways.forEach((way) => delete way.litmus);
    same(`${file}: fences`, found, await nativeJson("fences", file, "--tests", "200"));
  }
  for (const target of ["wgsl", "ptx", "opencl"]) {
    for (const test of ["MP", "SB", "IRIW"]) {
      const { file } = listed.find((entry) => entry.test === test);
      const [ours] = ask({ do: "emit", text: texts.get(file), target, environment: "stress" });
      same(`${test} as ${target}`, ours.text, await native("emit", file, "--target", target, "--env", "stress"));
    }
  }
}

// What a page must survive.
async function hostility() {
  const threads = Array.from({ length: 9 }, (_, i) => i);
  const row = (cell) => ` ${threads.map(cell).join(" | ")} ;\n`;
  const runaway = "weakspot Runaway\n" + row((i) => `P${i}`) + row((i) => `st x, ${i + 1}`) + row((i) => `st x, ${i + 11}`) +
    row((i) => `ld r0, x`) + "exists (x=99)\n";
  for (const limits of [{ seconds: 0.2 }, { candidates: 1000 }]) {
    const start = performance.now();
    const [verdict] = ask({ do: "check", text: runaway, models: ["ptx"], limits }).verdicts;
    expect(`runaway with ${JSON.stringify(limits)}`, verdict.verdict === "unknown" && /gave up/.test(verdict.reason),
      JSON.stringify(verdict).slice(0, 300));
    expect("in time", performance.now() - start < 3000, `${performance.now() - start} ms`);
  }
  for (const text of ["", "nonsense", "weakspot", "\0", "weakspot T\n P0 ;\n ld r0 ;\n", "[".repeat(5000), "(".repeat(50_000),
    "weakspot <script>\n P0 ;\n st x, 1 ;\nexists (x=1)\n"]) {
    for (const what of ["read", "check", "convert", "mutate", "fences", "emit", "classify"]) {
      const reply = core.answer({ do: what, text });
      expect(`${what} of ${JSON.stringify(text.slice(0, 20))}`, reply.ok !== undefined || reply.errors.length > 0);
    }
  }
  for (const request of ["", "{", "null", "[1]", '{"do":"check"}', '{"do":"check","text":7}', "\u{1F600}"]) {
    expect(`request ${request}`, JSON.parse(core.answerText(request)).errors.length > 0);
  }
}

function size() {
  const compressed = gzipSync(bytes, { level: 9 }).length;
  console.log(`core: ${bytes.length} bytes, ${compressed} compressed`);
  expect("size of the core", compressed <= LARGEST_CORE, `${compressed} bytes`);
}

const parts = { size, lists, forms, making, pictures, hostility, verdicts };
for (const [name, run] of Object.entries(parts)) {
  if (options.part && options.part !== name) continue;
  const start = performance.now();
  try {
    await run();
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
for (const failure of failures.slice(0, MOST_SHOWN)) console.log(`FAILED ${failure}`);
console.log(`wasm: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
