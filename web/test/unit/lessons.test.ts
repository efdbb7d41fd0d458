// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialect_of } from "../../src/editor/highlight.js";
import { LESSONS } from "../../src/learn/lessons.js";
import { parse_fragment } from "../../src/link/fragment.js";

test("there are at least ten lessons, each with a test and something to run at its end", () => {
  assert.ok(LESSONS.length >= 10);
  assert.equal(new Set(LESSONS.map((lesson) => lesson.id)).size, LESSONS.length);
  for (const lesson of LESSONS) {
    assert.ok(lesson.blocks.some((block) => block.kind === "test"), lesson.id);
    assert.equal(lesson.blocks.at(-1)?.kind, "run", lesson.id);
    assert.equal(parse_fragment(`#learn/${lesson.id}`).page, lesson.id);
    for (const block of lesson.blocks) if (block.kind !== "text") assert.equal(dialect_of(block.litmus), "weakspot");
  }
});
