// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { bugs, linked_page, read_death_rates, results, score } from "../../src/explore/data.js";
import { inlines, read_markdown } from "../../src/explore/markdown.js";

test("documents are read into blocks", () => {
  const blocks = read_markdown("# T `c`\n\none\ntwo **b**\n\n- a\n  b\n- c\n\n```\nx | y\n```\n\n| h | i |\n|---|---|\n| 1 | `2` |\n");
  assert.deepEqual(blocks.map((block) => block.kind), ["heading", "paragraph", "list", "code", "table"]);
  assert.deepEqual(blocks[2], { kind: "list", ordered: false, items: [inlines("a b"), inlines("c")] });
  assert.deepEqual(blocks[4], { kind: "table", head: [inlines("h"), inlines("i")], rows: [[inlines("1"), inlines("`2`")]] });
});

test("markup stays text", () => {
  assert.deepEqual(inlines("<b>x</b>"), [{ kind: "text", text: "<b>x</b>" }]);
});

test("a mutation score counts mutants that died", () => {
  const rates = read_death_rates("study,device,test,kills_per_second\np,amd,A,2.000\np,amd,B,0.000\n");
  assert.deepEqual(score(rates), { score: 0.5, mean: 1 });
});

test("links lead to the pages that are there", () => {
  results.value = [{ name: "found", title: "", about: "", text: "# Found\n\n## 1. A: b\n\n- c\n\n## 2. D\n" }];
  assert.equal(linked_page("../../FOUND.md#1-a-b"), "found");
  assert.equal(linked_page("../stress.md"), null);
  assert.deepEqual(bugs(), ["A: b", "D"]);
});
