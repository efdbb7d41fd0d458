// Compiles every .wgsl file of a folder and prints what is wrong with them; exit status 1 if anything is.
//
//   node compile.mjs FOLDER
//
// The compiler is that of Dawn with a device that does nothing: shaders are parsed, checked and made into pipelines as
// far as that needs no GPU. Every entry point becomes a pipeline, so that limits of WebGPU are checked too.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const adapter = await create(["backend=null"]).requestAdapter();
const device = await adapter.requestDevice();
const folder = process.argv[2];
let files = 0;
let entries = 0;
let bad = 0;
for (const name of readdirSync(folder).filter((name) => name.endsWith(".wgsl")).sort()) {
  const code = readFileSync(join(folder, name), "utf8");
  files += 1;
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const names = [...code.matchAll(/@compute[^{]*?\bfn\s+(\w+)/g)].map((match) => match[1]);
  if (names.length === 0) {
    bad += 1;
    console.log(`${name}: no entry point`);
  }
  for (const entryPoint of names) {
    entries += 1;
    device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
  }
  const error = await device.popErrorScope();
  if (error) {
    bad += 1;
    console.log(`${name}: ${error.message}`);
  }
}
console.log(`${files} files, ${entries} entry points, ${bad} refused`);
process.exit(bad === 0 && files > 0 ? 0 : 1);
