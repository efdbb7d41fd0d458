// SPDX-License-Identifier: MIT
// naga, the compiler of wgpu and Firefox, as a command: WGSL to SPIR-V.
//
//   node naga.mjs IN OUT
import { readFileSync, writeFileSync } from "node:fs";
import { translate } from "naga-wasm";

const [input, output] = process.argv.slice(2);
try {
  const words = translate({ from: "wgsl", to: "spirv", source: readFileSync(input, "utf8") });
  writeFileSync(output, new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
} catch (error) {
  console.error(`error: ${error.formatted ?? error.message}`);
  process.exit(1);
}
