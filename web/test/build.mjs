// SPDX-License-Identifier: MIT
// Bundles the tests, which are TypeScript, for node's test runner: test/build.mjs OUT.
import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const tests = ["unit", "browser"].flatMap((folder) =>
  readdirSync(join(here, folder)).filter((name) => name.endsWith(".test.ts")).map((name) => join(here, folder, name)),
);
await build({
  entryPoints: tests,
  outbase: here,
  outdir: process.argv[2],
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
