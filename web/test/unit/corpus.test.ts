// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { search_corpus } from "../../src/core/corpus.js";

test("the chooser finds tests by what people call them, classic ones first", () => {
  const tests = ["amdgpu/amdgpu-X", "assumptions/mp", "classic/MP", "classic/MP+acq", "assumptions/sb", "classic/SB", "locks/CAS-spin-lock"].map((path) => {
    const [folder = "", name = ""] = path.split("/");
    return { test: name, folder, description: "", text: "" };
  });
  const first = (query: string) => search_corpus(tests, query)[0]?.test;
  assert.deepEqual(["MP", "mp", "SB", "message passing", "dekker", "spinlock", ""].map(first), ["MP", "MP", "SB", "MP", "SB", "CAS-spin-lock", "MP"]);
  assert.equal(search_corpus(tests, "mp").length, 4);
  assert.equal(search_corpus(tests, "nothing like it").length, 0);
});
