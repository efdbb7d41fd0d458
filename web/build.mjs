// SPDX-License-Identifier: MIT
// Makes the folder of the page. web/build calls it.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [out, core] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ["es2022"],
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
};
await build({ ...shared, entryPoints: { page: "src/main.tsx" }, outdir: out, jsx: "automatic", jsxImportSource: "preact" });
await build({ ...shared, entryPoints: { worker: "src/core/worker.ts" }, outdir: out });
await build({ ...shared, entryPoints: { page: "src/style/page.css" }, outdir: out });
for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", file), join(out, file));
if (existsSync(core)) copyFileSync(core, join(out, "weakspot.wasm"));
else console.error(`web/build: ${core} is missing; the page will say that it cannot judge`);
for (const file of ["page.js", "page.css", "worker.js"]) console.log(`${file}: ${statSync(join(out, file)).size} bytes`);
