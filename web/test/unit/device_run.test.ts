// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { adapter_name, browser_name, is_software, open_device } from "../../src/device/open.js";
import {
  type Answer,
  type DeviceDescription,
  DeviceError,
  type Launch,
  misfit,
  type PlanOptions,
  type PlannedRun,
  type Program,
  trimmed,
} from "../../src/device/program.js";
import { largest } from "../../src/device/resident.js";
import { run_test, type RunnableProgram, type TestCore } from "../../src/device/run_test.js";

const PROGRAM: Program = {
  format: 1,
  target: "wgsl",
  text: "",
  entries: [{ name: "run", workgroup_size: 64, shared_bytes: 0, buffers: [0, 1] }],
  buffers: ["control", "counts"],
  run_entry: 0,
};

const LAUNCH: Launch = {
  buffers: [{ words: 4, content: [1] }, { words: 8, read_back: true }],
  passes: [{ entry: 0, workgroups: 2 }],
  rounds: 1,
  control: 0,
  round_word: 0,
};

test("a launch must fit its program and the device", () => {
  assert.equal(misfit(PROGRAM, LAUNCH, 64), "");
  assert.match(misfit(PROGRAM, LAUNCH, 31), /^out of memory: buffer 'counts' needs 32 bytes/);
  assert.match(misfit(PROGRAM, { ...LAUNCH, buffers: [] }, 64), /has 0 buffers, the program 2/);
  assert.match(misfit(PROGRAM, { ...LAUNCH, passes: [{ entry: 1, workgroups: 1 }] }, 64), /unknown entry/);
  assert.match(misfit(PROGRAM, { ...LAUNCH, buffers: [{ words: 1, content: [1, 2] }, { words: 1 }] }, 64), /more content/);
});

test("zeros at the end of a buffer are left out", () => {
  assert.deepEqual(trimmed(new Uint32Array([0, 3, 0, 0])), [0, 3]);
  assert.deepEqual(trimmed(new Uint32Array([0, 0])), []);
  assert.deepEqual(trimmed(new Uint32Array([4294967295])), [4294967295]);
});

test("the number of resident workgroups is found within a sixteenth", async () => {
  for (const resident of [1, 2, 3, 7, 64, 100, 1056, 16384]) {
    const found = await largest(async (number) => number <= resident, 16384);
    assert.ok(found <= resident && found >= resident - Math.max(1, resident / 16), `${found} for ${resident}`);
  }
});

test("adapters and browsers have names", () => {
  const info = { vendor: "google", architecture: "swiftshader", device: "", description: "" };
  assert.equal(adapter_name(info), "google swiftshader");
  assert.ok(is_software(info));
  assert.ok(!is_software({ vendor: "nvidia", architecture: "hopper", device: "", description: "NVIDIA H200" }));
  assert.equal(adapter_name({ vendor: "", architecture: "", device: "", description: "" }), "a device that the browser does not name");
  assert.equal(browser_name([{ brand: "Not)A;Brand", version: "8" }, { brand: "Chromium", version: "150" }], ""), "Chromium 150");
  assert.equal(browser_name([], "Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox 140.0");
});

test("a browser without WebGPU, and one without an adapter, give a sentence", async () => {
  await assert.rejects(open_device(undefined), (error) => error instanceof DeviceError && /does not have WebGPU/.test(error.message));
  const gpu = { requestAdapter: async () => null } as unknown as GPU;
  await assert.rejects(open_device(gpu), /offers no adapter/);
});

// ---- whole runs on a fake device ----

const DEVICE: DeviceDescription = {
  name: "fake",
  vendor: "",
  architecture: "",
  browser: "",
  is_host: true,
  max_workgroup_size: 256,
  max_shared_bytes: 16384,
  max_buffer_bytes: 1 << 20,
  memory_bytes: 1 << 20,
  resident_workgroups: 2,
  multiprocessors: 2,
};

class FakeCore implements TestCore<number> {
  readonly asked: PlanOptions[] = [];
  async plan(options: PlanOptions): Promise<PlannedRun> {
    this.asked.push(options);
    const instances_per_round = Math.min(options.most_instances, 50_000);
    return { launch: LAUNCH, instances_per_round, iterations: 1, workgroups: 2, testing_workgroups: 2, bytes: 48 };
  }
  async decode(buffers: Answer["buffers"]): Promise<number> {
    return buffers[1]?.[0] ?? 0;
  }
}

function fake(answer: (launch: Launch, number: number) => Partial<Answer>): RunnableProgram {
  let number = 0;
  const base = { status: "finished", message: "", host_seconds: 0, interrupted_seconds: 0 } as const;
  return {
    program: { run_entry: 0 },
    resident_workgroups: async () => 2,
    run: async (launch) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const more = answer(launch, number++);
      return { ...base, rounds: launch.rounds, device_seconds: 0.005, buffers: [null, [launch.rounds]], ...more };
    },
  };
}

test("a run goes on until its time is over, and every launch has its own number", async () => {
  const core = new FakeCore();
  let rounds = 0;
  const result = await run_test(core, fake(() => ({})), DEVICE, { seconds: 0.1, seed: 7, taken: (decoded) => (rounds += decoded) });
  assert.equal(result.status, "finished");
  assert.ok(result.launches > 2 && rounds >= result.launches);
  assert.equal(result.instances, result.timed);
  assert.deepEqual(core.asked.map((one) => one.launch), core.asked.map((_, i) => i));
  assert.ok(core.asked.every((one) => one.seed === 7 && one.resident_workgroups === 2));
});

test("counts of an interrupted launch are kept, its time is not", async () => {
  const program = fake((_, number) => (number === 1 ? { interrupted_seconds: 3, device_seconds: 9 } : {}));
  const result = await run_test(new FakeCore(), program, DEVICE, { seconds: 0.05, seed: 1, taken: () => undefined });
  assert.ok(result.instances > result.timed);
  assert.ok(result.seconds < 1);
});

test("a lost device ends the run with the reason, and an abort stops it", async () => {
  const lost = fake((_, number) => (number === 2 ? { status: "lost", message: "gone" } : {}));
  const result = await run_test(new FakeCore(), lost, DEVICE, { seconds: 10, seed: 1, taken: () => undefined });
  assert.deepEqual([result.status, result.message, result.launches], ["lost", "gone", 2]);

  const controller = new AbortController();
  const stopped = await run_test(new FakeCore(), fake(() => ({})), DEVICE, {
    seconds: 10,
    seed: 1,
    signal: controller.signal,
    taken: () => controller.abort(),
  });
  assert.deepEqual([stopped.status, stopped.launches], ["stopped", 1]);
});
