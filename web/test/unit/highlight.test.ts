// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialect_of, highlight, highlighted_lines } from "../../src/editor/highlight.js";

const TEXTS: Record<string, string> = {
  weakspot: 'weakspot MP\n"why"\nExpect=sc forbidden\n{ x = 5; }\n P0 | P1 ;\n st.rel y, 1 | @q ld r0, y ;\nexists (1:r0=1 /\\ 1:r1=0)\n',
  ptx: "PTX MP\n{ x = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\nexists (1:r0=1)\n",
  "ptx-2015": "GPU_PTX mp\n{0:.reg .s32 r0;}\n T0 | T1 ;\n st.cg.s32 [r1],1 | ld.cg.s32 r1,[r3] ;\nexists (1:r1=1)\n",
  vulkan: "Vulkan MP\n P0@sg 0, wg 0, qf 0 ;\n st.atom.dv.sc0 x, 1 ;\nexists (x=1)\n",
  opencl: "OPENCL MP\n{ }\nP0 (atomic_int* x) {\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\nexists (x=1)\n",
  c: "C MP\n{ }\nP0 (atomic_int* x) {\n  int r0 = *x;\n}\nexists (0:r0=1)\n",
  aarch64: "AArch64 MP\n{ 0:X1=x; }\n P0 ;\n STLR W0,[X1] ;\nexists (x=1)\n",
  "x86-64": "X86_64 SB\n{ }\n P0 ;\n movl $1,(x) ;\nexists (x=1)\n",
  riscv: "RISCV MP\n{ 0:x5=x; }\n P0 ;\n sw x6,0(x5) ;\nexists (x=1)\n",
  json: '{"name": "MP"}\n',
};

test("every dialect is known by its first word and no character is lost", () => {
  for (const [dialect, text] of Object.entries(TEXTS)) {
    assert.equal(dialect_of(text), dialect);
    const tokens = highlight(text);
    assert.equal(tokens.map((token) => token.text).join(""), text, dialect);
    assert.equal(highlighted_lines(text).map((line) => line.map((token) => token.text).join("")).join("\n"), text);
  }
});

test("words have their kinds", () => {
  const kinds = new Map(highlight(TEXTS["weakspot"] ?? "").map((token) => [token.text, token.kind]));
  const expected = { weakspot: "header", MP: "name", '"why"': "string", "Expect=": "key", P0: "thread", st: "instruction" };
  for (const [word, kind] of Object.entries({ ...expected, ".rel": "suffix", r0: "register", exists: "keyword", ld: "instruction" })) {
    assert.equal(kinds.get(word), kind, word);
  }
});

test("unfinished and strange texts are kept", () => {
  for (const text of ["", "\n", "(* open", '"', "weakspot", "weakspot X\n\0\u{1f600} |;", "A=B\nC=D", "x".repeat(20_000)]) {
    assert.equal(highlight(text).map((token) => token.text).join(""), text);
  }
});
