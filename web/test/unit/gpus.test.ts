// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { by_gpu, fraction_heat, groups_of, likeness, weak_fraction } from "../../src/explore/gpus.js";
import type { SharedRow } from "../../src/lab/server.js";

function row(vendor: string, architecture: string, name: string, weak: number, devices = 5, instances = 1000): SharedRow {
  const gpu = ["gpu", vendor, architecture].filter(Boolean).join("-");
  return { vendor, architecture, gpu, test: name, devices, instances, sequential: instances - weak, interleaved: 0, weak, forbidden: 0, unknown: 0, seconds: 1 } as SharedRow;
}

test("rows of one vendor and architecture are a GPU, by name", () => {
  const found = by_gpu([row("b", "x", "MP", 1), row("a", "metal-3", "MP", 2, 7), row("a", "metal-3", "SB", 0, 6), row("", "", "MP", 0)]);
  assert.deepEqual(found.map((gpu) => [gpu.name, gpu.title, gpu.devices]), [
    ["gpu-a-metal-3", "a metal-3", 7],
    ["gpu-b-x", "b x", 5],
    ["gpu", "not named", 5],
  ]);
  assert.deepEqual([...(found[0]?.tests.keys() ?? [])], ["MP", "SB"]);
});

test("what was not run has no rate", () => {
  assert.equal(weak_fraction(undefined), null);
  assert.equal(weak_fraction(row("a", "x", "MP", 0, 5, 0)), null);
  assert.equal(weak_fraction(row("a", "x", "MP", 0)), 0);
  assert.equal(weak_fraction(row("a", "x", "MP", 10)), 0.01);
  assert.deepEqual([null, 0, 1e-9, 1e-3, 0.5, 1].map(fraction_heat), [0, 0, 1, 5, 7, 7]);
});

test("GPUs behave alike where their rates rise and fall together", () => {
  const rates = [1, 3, 10, 30, 100];
  const gpus = by_gpu([
    ...rates.map((weak, index) => row("a", "x", `T${index}`, weak)),
    ...rates.map((weak, index) => row("b", "x", `T${index}`, 4 * weak)),
    ...rates.map((weak, index) => row("c", "x", `T${index}`, 300 / weak)),
    ...rates.map((_, index) => row("d", "x", `T${index}`, 7)),
    ...rates.slice(0, 4).map((weak, index) => row("e", "x", `T${index}`, weak)),
  ]);
  const [a, b, c, d, e] = gpus;
  assert.ok(a && b && c && d && e);
  assert.ok(Math.abs((likeness(a, b)?.correlation ?? 0) - 1) < 1e-9);
  assert.ok(Math.abs((likeness(a, c)?.correlation ?? 0) + 1) < 1e-9);
  assert.equal(likeness(a, d), null, "one rate says nothing");
  assert.equal(likeness(a, e), null, "four tests are too few");
  assert.equal(likeness(a, b)?.tests, 5);
});

test("in a group each GPU is like each other one", () => {
  const rates = [1, 3, 10, 30, 100, 300];
  const like = (vendor: string, of: number[]) => of.map((weak, index) => row(vendor, "x", `T${index}`, weak));
  const gpus = by_gpu([
    ...like("a", rates),
    ...like("b", rates.map((weak) => 2 * weak)),
    ...like("c", [...rates].reverse()),
    ...like("d", [1, 4, 9, 30, 120, 200]),
    ...like("e", rates.slice(0, 4)),
  ]);
  const groups = groups_of(gpus);
  assert.deepEqual(groups.map((group) => group.gpus.map((gpu) => gpu.vendor).sort().join("")), ["abd"]);
  const [a, b, , d] = gpus;
  assert.ok(a && b && d);
  assert.ok(Math.abs((groups[0]?.least ?? 0) - Math.min(likeness(a, d)?.correlation ?? 0, likeness(b, d)?.correlation ?? 0, 1)) < 1e-9);
  assert.deepEqual(groups_of([]), []);
});
