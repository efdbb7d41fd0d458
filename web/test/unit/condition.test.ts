// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { condition_words, listed } from "../../src/write/condition.js";

test("a condition is told in words, by thread", () => {
  assert.equal(condition_words("exists (1:r0=1 /\\ 1:r1=0)"), "With r0 = 1 and r1 = 0 in P1.");
  assert.equal(condition_words("exists (0:r0=0 /\\ 1:r0=-1 /\\ x=2 /\\ 0:r1=3)"), "With r0 = 0 and r1 = 3 in P0, and r0 = -1 in P1, and x = 2 in memory.");
  assert.equal(condition_words("exists (1:%r5=0x10)"), "With %r5 = 0x10 in P1.");
});

test("what is more than values that hold together is left to its formula", () => {
  for (const condition of ["exists (x=1 \\/ x=2)", "~exists (x=1)", "forall (x=1)", "exists (not (x=1))", "exists (true)", "exists (x=y+1)", ""]) {
    assert.equal(condition_words(condition), null, condition);
  }
});

test("names in a row", () => {
  assert.deepEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["", "a", "a and b", "a, b and c"]);
});
