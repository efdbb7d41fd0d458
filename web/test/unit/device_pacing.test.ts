// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { GROWTH, LaunchPacer, MOST, Pacer, TARGET } from "../../src/device/pacing.js";

test("submissions grow towards the time they should take, step by step", () => {
  const pacer = new Pacer();
  pacer.begin("a");
  assert.equal(pacer.next(1000), 1);
  pacer.took(1, 0.1);
  assert.equal(pacer.next(1000), GROWTH);
  pacer.took(GROWTH, GROWTH * 1);
  assert.equal(pacer.next(1000), Math.min(TARGET, GROWTH * GROWTH));
});

test("a submission that took too long makes the next one shorter, down to one round", () => {
  const pacer = new Pacer();
  pacer.begin("a");
  pacer.took(64, 64);
  assert.equal(pacer.next(1000), TARGET);
  pacer.took(TARGET, 40 * TARGET);
  assert.equal(pacer.next(1000), 1);
  pacer.took(1, 5000);
  assert.equal(pacer.next(1000), 1);
});

test("a submission is never longer than what is left, nor than the most", () => {
  const pacer = new Pacer();
  pacer.begin("a");
  for (let i = 0; i < 20; ++i) pacer.took(pacer.next(1e9), 0.001);
  assert.equal(pacer.next(1e9), MOST);
  assert.equal(pacer.next(3), 3);
});

test("another launch starts with one round again, the same one goes on", () => {
  const pacer = new Pacer();
  pacer.begin("a");
  pacer.took(8, 1);
  pacer.begin("a");
  assert.equal(pacer.next(100), 8 * GROWTH);
  pacer.begin("b");
  assert.equal(pacer.next(100), 1);
});

test("rounds and launches are as long as measured rates say", () => {
  const pacer = new LaunchPacer();
  assert.equal(pacer.most_instances(), LaunchPacer.first_instances);
  assert.equal(pacer.rounds(1000, 10), 1);
  pacer.took(1000, 0.001); // a million per second
  assert.equal(pacer.most_instances(), 1000 * LaunchPacer.growth);
  pacer.took(1_000_000, 1);
  assert.equal(pacer.most_instances(), 1e6 * LaunchPacer.round_seconds);
  assert.equal(pacer.rounds(1000, 10), 1000 * LaunchPacer.launch_seconds);
  assert.equal(pacer.rounds(1000, 0.01), 10);
  assert.equal(pacer.rounds(1000, -1), 1);
});
