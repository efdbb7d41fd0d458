// SPDX-License-Identifier: MIT
// The browser's part of rate.mjs. The first case runs as a device of ours runs it. The others do what pages that collect
// weak behaviours do: per iteration one submission, and a trip to the host for its results.
import { type Device, open_device, type PlannedRun, type Program } from "../../web/src/device/index.js";

interface Case {
  readonly name: string;
  readonly program: Program;
  readonly planned: PlannedRun;
}

interface Rate {
  readonly name: string;
  readonly instances: number;
  readonly seconds: number;
  readonly counts: readonly number[];
}

const PASSES = 3; // of all cases, in turn: the machine may be busy with something else for a while
const SECONDS = 3; // of each

async function loop(device: Device, one: Case, seconds: number): Promise<Rate> {
  const program = await device.load(one.program);
  let rounds = 8;
  await program.run({ ...one.planned.launch, rounds }, { deadline: 10_000 });
  let instances = 0;
  let counts: readonly number[] = [];
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    const answer = await program.run({ ...one.planned.launch, rounds }, { deadline: 10_000 });
    if (answer.status !== "finished") throw new Error(answer.message);
    instances += answer.rounds * one.planned.instances_per_round;
    counts = answer.buffers.find((words) => words !== null) ?? [];
    rounds = Math.max(1, Math.min(rounds * 4, Math.floor((answer.rounds * 0.25) / answer.device_seconds)));
  }
  const took = (performance.now() - start) / 1000;
  program.release();
  return { name: one.name, instances, seconds: took, counts: counts.slice(0, 16) };
}

async function round_trips(gpu: GPUDevice, one: Case, seconds: number): Promise<Rate> {
  const { program, planned } = one;
  const launch = planned.launch;
  const module = gpu.createShaderModule({ code: program.text });
  const pipelines = await Promise.all(
    program.entries.map((entry) => gpu.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: entry.name } })),
  );
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffers = launch.buffers.map((setup) => gpu.createBuffer({ size: Math.max(setup.words, 4) * 4, usage }));
  const counted = launch.buffers.findIndex((setup) => setup.read_back);
  const size = launch.buffers[counted]!.words * 4;
  const back = gpu.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const groups = program.entries.map((entry, i) =>
    gpu.createBindGroup({
      layout: pipelines[i]!.getBindGroupLayout(0),
      entries: entry.buffers.map((binding) => ({ binding, resource: { buffer: buffers[binding]! } })),
    }),
  );
  launch.buffers.forEach((setup, i) => {
    if (setup.content) gpu.queue.writeBuffer(buffers[i]!, 0, new Uint32Array(setup.content));
  });
  let counts: number[] = [];
  const iterate = async (): Promise<void> => {
    const encoder = gpu.createCommandEncoder();
    launch.buffers.forEach((setup, i) => {
      if (setup.zero_each_round && setup.words > 0) encoder.clearBuffer(buffers[i]!, 0, setup.words * 4);
    });
    const compute = encoder.beginComputePass();
    for (const pass of launch.passes) {
      compute.setPipeline(pipelines[pass.entry]!);
      compute.setBindGroup(0, groups[pass.entry]!);
      compute.dispatchWorkgroups(pass.workgroups);
    }
    compute.end();
    encoder.copyBufferToBuffer(buffers[counted]!, 0, back, 0, size);
    gpu.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    counts = Array.from(new Uint32Array(back.getMappedRange()).subarray(0, 16));
    back.unmap();
  };
  await iterate();
  let instances = 0;
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    await iterate();
    instances += planned.instances_per_round;
  }
  const took = (performance.now() - start) / 1000;
  for (const buffer of [...buffers, back]) buffer.destroy();
  return { name: one.name, instances, seconds: took, counts };
}

async function measure(): Promise<unknown> {
  const cases = (await (await fetch("cases.json")).json()) as Case[];
  const device = await open_device(navigator.gpu);
  const adapter = await navigator.gpu.requestAdapter();
  const gpu = await adapter!.requestDevice();
  const rates: Rate[] = [];
  for (let pass = 0; pass < PASSES; ++pass) {
    for (const [i, one] of cases.entries()) {
      rates.push(i === 0 ? await loop(device, one, SECONDS) : await round_trips(gpu, one, SECONDS));
    }
  }
  return { device: device.description, rates };
}

measure()
  .catch((error: unknown) => ({ error: String(error) }))
  .then((result) => fetch("result", { method: "POST", body: JSON.stringify(result) }));
