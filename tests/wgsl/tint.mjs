// SPDX-License-Identifier: MIT
// Tint, the compiler of Chrome, as a command: WGSL to SPIR-V.
//
//   node tint.mjs IN OUT
//
// Dawn prints the SPIR-V that it gives to a Vulkan device, so there must be one: Chromium's own unless VK_ICD_FILENAMES
// names another. spirv-as makes words of the text. Each entry point becomes a module of its own, and they stand one
// behind the other.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const SOFTWARE_DEVICE = "/usr/lib/chromium/vk_swiftshader_icd.json";
const [input, output, inner] = process.argv.slice(2);
const source = readFileSync(input, "utf8");

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

// Compiles every entry point. What Dawn prints is read by the process that started this one.
async function compile() {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  // Held until the end: devices do not keep what they come from alive.
  globalThis.gpu = create(["backend=vulkan", "enable-dawn-features=dump_shaders,disable_symbol_renaming"]);
  globalThis.adapter = await gpu.requestAdapter();
  if (!adapter) fail("there is no Vulkan device that Dawn takes");
  globalThis.device = await adapter.requestDevice();
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: source });
  for (const [, entryPoint] of source.matchAll(/@compute @workgroup_size\(\d+\) fn (\w+)\(/g)) {
    device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
  }
  const error = await device.popErrorScope();
  if (error) fail(error.message);
  process.exit(0);
}

// Dawn renames the entry point and numbers the bindings that it uses anew. Blocks keep the names of their variables.
function restored(text) {
  const entry = text.match(/OpEntryPoint GLCompute %(\w+) "/)[1];
  text = text.replace(`"dawn_entry_point"`, `"${entry}"`);
  for (const [, id, name] of text.matchAll(/(%\w+) = OpVariable %_ptr_StorageBuffer_(\w+)_block(?:_\d+)? /g)) {
    const binding = source.match(new RegExp(`@binding\\((\\d+)\\) var<storage, read_write> ${name}:`));
    text = text.replace(new RegExp(`(OpDecorate ${id} Binding) \\d+`), `$1 ${binding[1]}`);
  }
  return text;
}

function assembled(text) {
  const words = spawnSync("spirv-as", ["--target-env", "spv1.4", "-o", "-", "-"], { input: text });
  if (words.error || words.status !== 0) fail(`spirv-as: ${words.error?.message ?? words.stderr}`);
  return words.stdout;
}

function assemble() {
  const environment = { ...process.env };
  if (!environment.VK_ICD_FILENAMES && existsSync(SOFTWARE_DEVICE)) environment.VK_ICD_FILENAMES = SOFTWARE_DEVICE;
  const options = { encoding: "utf8", maxBuffer: 1 << 28, env: environment };
  const done = spawnSync(process.execPath, [process.argv[1], input, output, "inner"], options);
  const messages = (done.stderr ?? "").split("\n").filter((line) => line !== "" && !line.includes("XDG_RUNTIME_DIR"));
  if (done.status !== 0) fail(messages.join("\n").replace(/^error: /, "") || "Dawn ended without a message");
  const texts = done.stdout.split("/* Dumped SPIRV disassembly */").slice(1);
  const modules = texts.map((text) => assembled(restored(text.slice(0, text.lastIndexOf("OpFunctionEnd") + 13))));
  writeFileSync(output, Buffer.concat(modules));
}

if (inner) await compile();
else assemble();
