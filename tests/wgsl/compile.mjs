// SPDX-License-Identifier: MIT
// Compiles every .wgsl file of a folder and prints what is wrong with them; exit status 1 if anything is.
//
//   node compile.mjs FOLDER
//
// The compiler is that of Dawn, with a device that does nothing: shaders are parsed and checked, which needs no GPU.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
// Held until the end: devices do not keep what they come from alive.
globalThis.gpu = create(["backend=null"]);
globalThis.adapter = await gpu.requestAdapter();
globalThis.device = await adapter.requestDevice();
const folder = process.argv[2];
let files = 0;
let bad = 0;
for (const name of readdirSync(folder).filter((name) => name.endsWith(".wgsl")).sort()) {
  const code = readFileSync(join(folder, name), "utf8");
  files += 1;
  device.pushErrorScope("validation");
  device.createShaderModule({ code });
  const error = await device.popErrorScope();
  const problem = error ? error.message : code.includes("@compute") ? null : "no entry point";
  if (problem !== null) {
    bad += 1;
    console.log(`${name}: ${problem}`);
  }
}
console.log(`${files} files, ${bad} refused`);
process.exit(bad === 0 && files > 0 ? 0 : 1);
