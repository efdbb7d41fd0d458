// SPDX-License-Identifier: MIT
// Instances per second of a test in one browser: looping on the device, and with a dispatch and a host round trip per
// iteration; and on lavapipe through Vulkan, if that is a device of this machine.
//
//   tools/plain_cpu node bench/webgpu/rate.mjs [TEST.litmus [BROWSER]]
//
// Needs the packages of the page (web/build installs them) and build/bench/webgpu_launches.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const test = process.argv[2] ?? join(root, "corpus/classic/MP.litmus");
const browser = process.argv[3] ?? "chromium";
const { build } = createRequire(join(root, "web/package.json"))("esbuild");

const bundled = await build({ entryPoints: [join(root, "bench/webgpu/page.ts")], bundle: true, format: "esm", write: false });
const cases = execFileSync(join(root, "build/bench/webgpu_launches"), [test, String(availableParallelism())]);
const files = {
  "/": ["text/html", '<!doctype html><script type="module" src="page.js"></script>'],
  "/page.js": ["text/javascript", bundled.outputFiles[0].text],
  "/cases.json": ["application/json", cases],
};

const result = await new Promise((resolve, reject) => {
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        response.end();
        server.close();
        resolve(JSON.parse(body));
      });
      return;
    }
    const [type, content] = files[request.url] ?? ["text/plain", ""];
    response.setHeader("Content-Type", type);
    response.end(content);
  });
  server.listen(0, "127.0.0.1", () => {
    const profile = mkdtempSync(join(tmpdir(), "weakspot-rate-"));
    const words = ["--headless", "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--disable-quic"];
    words.push("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync");
    words.push("--disable-gpu-watchdog", `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`);
    const child = spawn(browser, words, { stdio: "ignore" });
    child.on("error", reject);
    server.on("close", () => child.kill());
    child.on("exit", () => {
      rmSync(profile, { recursive: true, force: true });
      reject(new Error("the browser ended"));
    });
  });
});
if (result.error) throw new Error(result.error);

console.log(`${result.device.name}, ${result.device.browser}, ${availableParallelism()} processors`);
const rates = new Map();
for (const one of result.rates) {
  const rate = one.instances / one.seconds;
  rates.set(one.name, [...(rates.get(one.name) ?? []), rate]);
}
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const ours = median([...rates.values()][0]);
for (const [name, all] of rates) {
  const list = all.map((rate) => rate.toExponential(2)).join(", ");
  console.log(`${name}: ${median(all).toExponential(2)} instances/s (${list}); ours is ${(ours / median(all)).toFixed(1)} times that`);
}

const program = process.env.WEAKSPOT ?? join(root, "build/weakspot");
const devices = JSON.parse(execFileSync(program, ["devices", "--json"]));
const lavapipe = devices.find((device) => device.driver.includes("llvmpipe"));
if (lavapipe === undefined) {
  console.log("there is no lavapipe on this machine");
} else {
  const words = ["run", test, "--device", lavapipe.id, "--env", "default", "--seconds", "5", "--json"];
  const [run] = JSON.parse(execFileSync(program, words));
  console.log(`${lavapipe.id}, ${lavapipe.driver}: ${(run.instances / run.seconds).toExponential(2)} instances/s`);
}
