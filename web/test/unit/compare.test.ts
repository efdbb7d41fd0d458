// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { caught_outcome } from "../../src/run/caught.js";
import { roles_of } from "../../src/write/code.js";
import { line_changes } from "../../src/write/compare.js";

const shown = (before: string, after: string) => line_changes(before.split(""), after.split("")).map(({ sign, line }) => sign + line).join("");

test("changed lines are as few as possible", () => {
  assert.equal(shown("abc", "abc"), " a b c");
  assert.equal(shown("abc", "axc"), " a-b+x c");
  assert.equal(shown("", "ab"), "+a+b");
  assert.equal(shown("ab", ""), "-a-b");
  assert.equal(shown("abcd", "bcde"), "-a b c d+e");
});

test("the parts of a program that threads run", () => {
  const code = "head\n  // role 0\n    st a\n    st b\n  // end of role 0\nmid\n  // role 1\n  ld\n  // end of role 1\ntail";
  assert.deepEqual(roles_of(code), ["st a\nst b", "ld"]);
  assert.deepEqual(roles_of("no roles"), []);
  assert.deepEqual(roles_of("// role 0\nnever ends"), []);
});

test("the outcome that is told is the one that was asked about, or the most frequent weak one", () => {
  const one = (outcome: string, count: number, kind: "weak" | "interleaved", matches = false) => ({ outcome, count, class: kind, matches });
  assert.equal(caught_outcome([one("a", 9, "interleaved", true)]), null);
  assert.equal(caught_outcome([one("a", 9, "weak"), one("b", 1, "weak", true)])?.outcome, "b");
  assert.equal(caught_outcome([one("a", 9, "weak"), one("b", 0, "weak", true)])?.outcome, "a");
});
