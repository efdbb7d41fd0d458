// SPDX-License-Identifier: MIT
// Makes the folder of the page. web/build calls it.
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [out, core] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// Pages of docs/results that a visitor of Explore looks for, in this order; those about our own speed and builds are not.
const SHOWN = ["conformance", "h200", "asynchronous", "assumptions", "cpu-gpu", "compile-check", "optcheck", "nvcc", "race", "cpus"];

// What the view Explore shows.
function explore() {
  const root = dirname(here);
  const read = (...path) => readFileSync(join(root, ...path), "utf8");
  // Titles and questions are those of the index.
  const rows = read("docs", "results", "README.md").matchAll(/^\| \[(.+)\]\((.+)\.md\) \| (.+) \|$/gm);
  const pages = new Map([...rows].map(([, title, name, about]) => [name, { name, title, about }]));
  return {
    death_rates: read("tests", "data", "mc-mutants", "death_rates.csv"),
    found: read("FOUND.md"),
    results: SHOWN.map((name) => ({ ...pages.get(name), text: read("docs", "results", `${name}.md`) })),
  };
}

// What the core says of the test of a first visit, without the times that it took.
async function first_answers() {
  const { outputFiles } = await build({ ...shared, entryPoints: ["src/core/first.ts"], write: false });
  const { FIRST_QUESTIONS } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const { loadCore } = await import("../src/faces/core/core.mjs");
  const { answer } = await loadCore(readFileSync(core));
  const answers = Object.entries(FIRST_QUESTIONS).map(([name, question]) => [name, answer(question).ok]);
  return JSON.stringify(Object.fromEntries(answers), (key, value) => (key === "seconds" ? undefined : value));
}

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ["es2022"],
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
};
// Lessons, and views that a first visit does not show, become files of their own.
const split = { splitting: true, chunkNames: "part-[name]-[hash]" };
await build({ ...shared, ...split, entryPoints: { page: "src/main.tsx" }, outdir: out, jsx: "automatic", jsxImportSource: "preact" });
await build({ ...shared, entryPoints: { worker: "src/core/worker.ts" }, outdir: out });
await build({ ...shared, entryPoints: { page: "src/style/page.css" }, outdir: out });
for (const file of ["index.html", "icon.svg", "card.png"]) copyFileSync(join(here, "src", file), join(out, file));
// The campaigns of a server: pages of their own, which the first view does not load.
await build({ ...shared, entryPoints: { campaigns: "src/lab/main.tsx" }, outdir: out, jsx: "automatic", jsxImportSource: "preact" });
await build({ ...shared, entryPoints: { campaigns: "src/style/campaigns.css" }, outdir: out });
copyFileSync(join(here, "src", "lab", "campaigns.html"), join(out, "campaigns.html"));
// What the browser runs that `weakspot run --device webgpu:0` starts.
await build({ ...shared, entryPoints: { device: "src/device/job.ts" }, outdir: out });
copyFileSync(join(here, "src", "device", "device.html"), join(out, "device.html"));
writeFileSync(join(out, "explore.json"), JSON.stringify(explore()));
if (existsSync(core)) {
  copyFileSync(core, join(out, "weakspot.wasm"));
  writeFileSync(join(out, "first.json"), await first_answers());
} else console.error(`web/build: ${core} is missing; the page will say that it cannot judge`);
// What a browser keeps to open the page without a network: everything but the pages of a server and of a device,
// and the picture that others show of it.
const kept = readdirSync(out).filter((file) => !/^(campaigns|card|device|offline)\./.test(file));
await build({
  ...shared,
  entryPoints: { offline: "src/shell/offline_worker.ts" },
  outdir: out,
  define: { PAGE_FILES: JSON.stringify(["./", ...kept]) },
});
for (const file of ["page.js", "page.css", "worker.js"]) console.log(`${file}: ${statSync(join(out, file)).size} bytes`);
