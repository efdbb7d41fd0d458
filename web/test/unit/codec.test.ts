// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BadLink, decode, encode } from "../../src/link/codec.js";
import { parse_fragment, print_fragment } from "../../src/link/fragment.js";

const CORPUS = process.env["WEAKSPOT_CORPUS"] ?? "../corpus";

// False, or why links cannot be packed here. Every browser can; node can since 20.12.
function without_packing(): string | false {
  try {
    new CompressionStream("deflate-raw");
    return false;
  } catch {
    return `node ${process.versions.node} has no deflate-raw`;
  }
}

const skip = without_packing();

function base64url(bytes: number[]): string {
  return Buffer.from(bytes).toString("base64url");
}

test("a link gives back what was shared", { skip }, async () => {
  const shared = {
    text: 'weakspot "ü"\n P0 ;\n st x, 1 ;\nexists (x=1)\n',
    model: "ptx",
    environment: { workgroup_size: 64, barrier: "none" },
    second: {},
    seed: 7,
  };
  assert.deepEqual(await decode(await encode(shared)), shared);
});

test("a link to any test of the corpus has at most 2 KB", { skip }, async () => {
  let longest = 0;
  for (const folder of readdirSync(CORPUS, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of readdirSync(join(CORPUS, folder.name)).filter((name) => name.endsWith(".litmus"))) {
      const text = readFileSync(join(CORPUS, folder.name, file), "utf8");
      const payload = await encode({ text, model: "opencl-repaired", environment: { workgroup_size: 64 }, seed: 1 });
      const address = `https://an-address-of-usual-length.example.org/weakspot/#write=${payload}`;
      longest = Math.max(longest, address.length);
      assert.equal((await decode(payload)).text, text);
    }
  }
  assert.ok(longest > 0 && longest <= 2048, `the longest link has ${longest} characters`);
});

test("hostile and damaged links are refused with a sentence", { skip }, async () => {
  const good = await encode({ text: "weakspot X\n".repeat(20) });
  const deflate = async (text: string) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return [1, ...new Uint8Array(await new Response(stream).arrayBuffer())];
  };
  const links = [
    "<script>",
    good.slice(0, good.length / 2),
    base64url([9, 1, 2, 3]),
    base64url([0, ...Buffer.from("not json")]),
    base64url([0, ...Buffer.from('{"t": 7}')]),
    base64url([0, ...Buffer.from("null")]),
    base64url(await deflate(JSON.stringify({ t: "x".repeat(5_000_000) }))),
  ];
  for (const link of links) {
    await assert.rejects(decode(link), (error: Error) => error instanceof BadLink && /^The link .*\.$/.test(error.message));
  }
});

const plain = (shared: object) => base64url([0, ...Buffer.from(JSON.stringify(shared))]);

test("a link cannot bring names that are not parameters", async () => {
  assert.deepEqual(await decode(plain({ t: "x", e: { ok: 1, "__proto__ x": 2, Upper: 1 } })), { text: "x", environment: { ok: 1 } });
});

test("a link with a model, a seed or a value that cannot be one is refused", async () => {
  for (const part of [
    { m: "<b>" }, { m: 1 }, { s: -1 }, { s: "1" }, { s: 1.5 },
    { e: { workgroup_size: "$(touch pwned)" } }, { e: { workgroup_size: "32" } }, { f: { barrier: "none;" } }, { e: { nested: {} } }, { e: { flag: true } },
  ]) {
    await assert.rejects(decode(plain({ t: "x", ...part })), (error: Error) => error instanceof BadLink && /^The link .*\.$/.test(error.message), JSON.stringify(part));
  }
});

test("fragments name places", () => {
  for (const text of ["#write", "#write=AQ-_", "#learn/store-buffering", "#embed=AQ"]) {
    assert.equal(print_fragment(parse_fragment(text)), text);
  }
  for (const text of ["", "#", "#nowhere", "#write=<img>", "#constructor", "#learn/../x"]) {
    assert.deepEqual(parse_fragment(text), { view: "write" });
  }
});
