// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { caught_outcome } from "../../src/run/caught.js";
import { code_of } from "../../src/write/code.js";
import { line_changes } from "../../src/write/compare.js";

const shown = (before: string, after: string) => line_changes(before.split(""), after.split("")).map(({ sign, line }) => sign + line).join("");

test("changed lines are as few as possible", () => {
  assert.equal(shown("abc", "abc"), " a b c");
  assert.equal(shown("abc", "axc"), " a-b+x c");
  assert.equal(shown("", "ab"), "+a+b");
  assert.equal(shown("ab", ""), "-a-b");
  assert.equal(shown("abcd", "bcde"), "-a b c d+e");
});

test("what each instruction of a thread became, once", () => {
  const text = "head\n    if (a) {\n      st a\n    }\n  ld\n    if (a) {\n      st a\n    }";
  const line = (line: number, thread: number, instruction: number) => ({ line, thread, instruction });
  const lines = [line(2, 0, 0), line(3, 0, 0), line(4, 0, 0), line(5, 1, 1), line(6, 0, 0), line(7, 0, 0), line(8, 0, 0)];
  assert.deepEqual(code_of(text, lines, 0, 1), ["if (a) {\n  st a\n}"]);
  assert.deepEqual(code_of(text, lines, 1, 2), ["", "ld"]);
});

test("the outcome that is told is the one that was asked about, or the most frequent weak one", () => {
  const one = (outcome: string, count: number, kind: "weak" | "interleaved", matches = false) => ({ outcome, count, class: kind, matches });
  assert.equal(caught_outcome([one("a", 9, "interleaved", true)]), null);
  assert.equal(caught_outcome([one("a", 9, "weak"), one("b", 1, "weak", true)])?.outcome, "b");
  assert.equal(caught_outcome([one("a", 9, "weak"), one("b", 0, "weak", true)])?.outcome, "a");
});
