// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { card_svg, escape_xml } from "../../src/conform/card.js";
import { best_environment, device_verdict, fastest, is_unobservable, reproducibility, seconds_of, tally, TimeBudget, verdict, type Measurement } from "../../src/conform/plan.js";
import type { ConformState } from "../../src/conform/conduct.js";
import type { Environments, Parameter } from "../../src/core/types.js";
import { environment_text, preset_of, problem_of, shortened } from "../../src/run/environment.js";
import { add_counts, bars, duration, fraction_text, short_number, total } from "../../src/run/histogram.js";
import { take_events } from "../../src/run/server.js";
import { without } from "../../src/send/send.js";

const counted = (outcome: string, count: number, kind: "sequential" | "weak" | "forbidden") => ({ outcome, count, class: kind, matches: kind === "weak" });

test("counts add up and bars are ordered by class", () => {
  let sum = add_counts(new Map(), [counted("a", 1, "weak"), counted("b", 999_999, "sequential")]);
  sum = add_counts(sum, [counted("b", 1, "sequential"), counted("c", 2, "forbidden")]);
  assert.equal(total(sum.values()), 1_000_003);
  assert.equal(total(sum.values(), "weak"), 1);
  const rows = bars(sum.values(), 1_000_000);
  assert.deepEqual(rows.map((row) => row.outcome), ["b", "a", "c"]);
  assert.equal(rows[0]?.length, 1);
  assert.ok((rows[1]?.length ?? 0) > 0.1, "one weak outcome among a million is visible");
});

test("numbers and times for people", () => {
  assert.deepEqual([0, 9999, 12_345, 1_234_567, 2.5e9, 0.25].map(short_number), ["0", "9,999", "12.3 k", "1.23 M", "2.50 G", "0.25"]);
  assert.deepEqual([999_499, 999_999, 999_999_999, 99.97].map(short_number), ["999 k", "1.00 M", "1.00 G", "100"]);
  assert.deepEqual([1, 0.9999, 0.12, 0.001, 1.2e-5, 0].map(fraction_text), ["100 %", "100 %", "12 %", "0.10 %", "1 in 83.3 k", "not seen"]);
  assert.deepEqual([0.2, 59, 61, 300].map(duration), ["1 s", "59 s", "1 min 1 s", "5 min"]);
});

const parameter = (part: Partial<Parameter>): Parameter => ({
  name: "size", group: "threads", kind: "number", low: 1, high: 256, automatic: false, choices: [], default: 64, range: "1 to 256", meaning: "", ...part,
});
const ALL: Environments = {
  parameters: [parameter({}), parameter({ name: "barrier", kind: "choice", choices: ["none", "grid"], default: "grid" })],
  presets: [
    { name: "basic", meaning: "", environment: { size: 64, barrier: "grid" } },
    { name: "loose", meaning: "", environment: { size: 64, barrier: "none" } },
  ],
  sweep: [],
};

test("environments are written as short as can be", () => {
  assert.deepEqual(shortened(ALL, { size: 64, barrier: "none", unheard: 1 }), { barrier: "none" });
  assert.equal(preset_of(ALL, {}), "basic");
  assert.equal(environment_text(ALL, { barrier: "none" }), "loose");
  assert.equal(environment_text(ALL, { barrier: "none", size: 32 }), "size=32,barrier=none");
});

test("parameters outside their range are refused", () => {
  assert.equal(problem_of(parameter({}), 256), null);
  for (const value of [0, 257, 1.5, NaN]) assert.ok(problem_of(parameter({}), value));
  assert.equal(problem_of(parameter({ automatic: true }), 0), null);
  assert.ok(problem_of(parameter({ kind: "power_of_two" }), 48));
  assert.ok(problem_of(parameter({ kind: "choice", choices: ["a"] }), "b"));
});

const measured = (mutant: string, environment: number, kills: number): Measurement => ({ mutant, environment, kills, instances: 1000, seconds: 1 });

test("a test runs where its slowest mutant dies fastest", () => {
  const all = [measured("a", 0, 100), measured("b", 0, 1), measured("a", 1, 5), measured("b", 1, 4), measured("c", 1, 0)];
  assert.equal(best_environment(["a", "b"], all), 1);
  assert.equal(best_environment(["a"], all), 0);
  assert.equal(best_environment(["c"], all), null);
  assert.equal(best_environment([], all), null);
});

test("a mutant is tuned to where it dies fastest, if it dies at all", () => {
  const all = [measured("a", 0, 3), measured("a", 1, 5), measured("a", 2, 5), measured("b", 0, 0)];
  assert.equal(fastest("a", all)?.environment, 1);
  assert.equal(fastest("b", all), null);
  assert.equal(fastest("c", all), null);
});

test("the address may say how long a GPU is tested", () => {
  assert.deepEqual(["14s", "5min", "99min", "1s", "0min"].map(seconds_of), [14, 300, 900, 5, 5]);
  assert.deepEqual([undefined, "", "5", "min", "-5s", "1e3s", "1000s"].map(seconds_of), [null, null, null, null, null, null, null]);
});

test("verdicts of tests and devices", () => {
  const run = { test: "t", environment: 0, instances: 1, seconds: 1, forbidden: 0 };
  assert.equal(verdict(null, true, null), "not run");
  assert.equal(verdict({ ...run, forbidden: 1 }, false, 1), "violation");
  assert.equal(verdict(run, true, null), "unobservable");
  assert.equal(verdict(run, false, null), "inconclusive");
  assert.equal(verdict(run, true, reproducibility(3, 1)), "inconclusive");
  assert.equal(verdict(run, true, reproducibility(12, 1)), "conformant");
  assert.equal(device_verdict(["conformant", "unobservable"]), "conformant");
  assert.equal(device_verdict(["conformant", "violation", "inconclusive"]), "violation");
  assert.equal(device_verdict(["unobservable"]), "inconclusive");
  assert.equal(device_verdict(["conformant", "not run"]), "inconclusive");
  assert.deepEqual(tally(["not run", "conformant", "violation", "conformant"]), ["2 conformant", "1 not run", "1 violation"]);
});

test("only mutants that were run for long enough are unobservable", () => {
  const all = [measured("seen", 0, 9), measured("silent", 0, 0), measured("silent", 1, 0)];
  assert.ok(is_unobservable(["seen", "silent"], all, 1));
  assert.ok(!is_unobservable(["seen", "silent"], all, 10), "two seconds of silence say little about ten");
  assert.ok(!is_unobservable(["silent", "not run"], all, 1));
  assert.ok(!is_unobservable(["not run"], all, 1));
  assert.ok(!is_unobservable(["seen"], all, 1));
  assert.ok(is_unobservable([], all, 1));
});

test("a conformance run ends in time, however long compiling takes", () => {
  for (const [wanted, compile] of [[5, 2], [8, 0.9], [60, 2], [60, 0.001]] as const) {
    let now = 100;
    const time = new TimeBudget(wanted, () => now);
    let measured = 0;
    for (; time.fits(0.3, 0.5); ++measured) {
      now += (measured === 0 ? 2 : 1) * compile + 0.3;
      time.note((measured === 0 ? 2 : 1) * compile);
    }
    let tests = 0;
    for (let left = 14; left > 0; --left) {
      const seconds = time.share(left, 0.1);
      if (seconds === 0) continue;
      assert.ok(seconds >= 0.1, `${seconds} s`);
      now += compile + seconds;
      time.note(compile);
      ++tests;
    }
    assert.ok(measured > 0 && time.elapsed() <= wanted, `${time.elapsed()} of ${wanted} s, ${measured} mutants, ${tests} tests`);
    if (wanted === 60) assert.ok(tests === 14 && time.elapsed() > 0.95 * wanted, `${tests} tests in ${time.elapsed()} s`);
  }
});

const state: ConformState = {
  phase: "finished", doing: "", elapsed: 1, wanted: 60, environments: [], mutants: [], measured: [], runs: [], tuned: [], tests: [], left_out: [],
  verdict: "inconclusive", message: "", started: "2026-01-01",
};

test("a card counts every test and says which shapes were not run", () => {
  const tests = (["conformant", "not run", "inconclusive", "unobservable", "violation", "not run"] as const).map((word, at) => ({
    test: `t${at}`, verdict: word, confidence: null, mutants: [], run: null,
  }));
  const svg = card_svg({ ...state, tests, measured: [measured("SB-CO-split", 0, 0), measured("MP-CO-split", 0, 500)] }, "GPU", "x");
  assert.ok(svg.includes("6 tests: 1 conformant, 1 inconclusive, 1 unobservable,") && svg.includes("2 not run, 1 violation"), svg);
  assert.equal(svg.match(/>not run</g)?.length, 4);
  assert.equal(svg.match(/>not seen</g)?.length, 1);
  assert.ok(svg.includes(">50 %<"));
  const told = tests.filter((one) => one.verdict === "conformant" || one.verdict === "unobservable");
  assert.ok(card_svg({ ...state, tests: told, verdict: "conformant" }, "GPU", "x").includes(">conformant in 1 of 2 tests<"));
  assert.ok(card_svg({ ...state, tests: told.slice(0, 1), verdict: "conformant" }, "GPU", "x").includes(">conformant<"));
});

test("a card escapes what the browser calls its device", () => {
  const svg = card_svg(state, '<script>"&', "x");
  assert.ok(!svg.includes("<script>") && svg.includes(escape_xml('<script>"&')));
});

test("fields that were left out are not sent", () => {
  const fields = { device: { vendor: "v", name: "n" }, started: "now", list: [1] };
  assert.deepEqual(without(fields, new Set(["device.name", "started"])), { device: { vendor: "v" }, list: [1] });
  assert.deepEqual(without(fields, new Set(["device.name", "device.vendor"])), { started: "now", list: [1] });
});

test("events of a server are taken whole", () => {
  const { events, rest } = take_events('event: progress\ndata: {"a":1}\n\nevent: done\ndata: {}\n\nevent: er');
  assert.deepEqual(events, [{ name: "progress", data: '{"a":1}' }, { name: "done", data: "{}" }]);
  assert.equal(rest, "event: er");
  assert.deepEqual(take_events("event: er"), { events: [], rest: "event: er" });
});
