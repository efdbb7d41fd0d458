// SPDX-License-Identifier: MIT
// A WebGPU device of this browser that runs programs. open_device() -> Device; Device.load() compiles -> LoadedProgram;
// LoadedProgram.run() any number of times, one at a time. After the status `lost` the device and its programs can only
// be closed.
import { Pacer } from "./pacing.js";
import { type Answer, type DeviceDescription, DeviceError, type Launch, misfit, type Program, trimmed } from "./program.js";
import { resident_workgroups } from "./resident.js";
import { page_watch } from "./watch.js";

// Submissions under way: one runs while the next is being prepared.
const QUEUED = 2;
// How long a device may keep silent beyond the deadline, in milliseconds. A driver on the host compiles when a program
// first runs, and the host may be busy.
const GRACE = 3000;
const FIRST_GRACE = 60_000;
// How long it takes a browser to say that a device is lost, in milliseconds.
const LOSS_TELLS = 1000;

export interface RunOptions {
  readonly deadline: number; // milliseconds from now; the run ends early at the next chance after it
  readonly signal?: AbortSignal;
}

export class Device {
  readonly description: DeviceDescription;
  // Resolves with the reason when the device is lost, and never otherwise.
  readonly lost: Promise<string>;
  readonly #device: GPUDevice;
  readonly #resident = new Map<number, number>();

  constructor(device: GPUDevice, description: DeviceDescription) {
    this.#device = device;
    this.description = description;
    this.lost = device.lost.then((info) => `the browser lost the device: ${info.message || info.reason || "no reason given"}`);
  }

  async load(program: Program): Promise<LoadedProgram> {
    if (program.format !== 1 || program.target !== "wgsl") {
      throw new DeviceError(`this device runs WGSL programs of format 1, not ${program.target} of format ${program.format}`);
    }
    const module = this.#device.createShaderModule({ code: program.text });
    const messages = (await module.getCompilationInfo()).messages.filter((one) => one.type === "error");
    const first = messages[0];
    if (first !== undefined) {
      throw new DeviceError(`the browser cannot compile the program: line ${first.lineNum}: ${first.message}`);
    }
    try {
      const pipelines = await Promise.all(
        program.entries.map((entry) =>
          this.#device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: entry.name } }),
        ),
      );
      return new LoadedProgram(this.#device, this, program, pipelines);
    } catch (error) {
      throw new DeviceError(`the browser cannot compile the program: ${error instanceof Error ? error.message : error}`);
    }
  }

  // The workgroups of this size that run at the same time.
  async resident_workgroups(size: number): Promise<number> {
    if (this.description.is_host) return this.description.multiprocessors;
    const known = this.#resident.get(size);
    if (known !== undefined) return known;
    const measured = await resident_workgroups(this.#device, size);
    this.#resident.set(size, measured);
    return measured;
  }

  close(): void {
    this.#device.destroy();
  }
}

export class LoadedProgram {
  readonly program: Program;
  readonly #gpu: GPUDevice;
  readonly #device: Device;
  readonly #pipelines: readonly GPUComputePipeline[];
  readonly #pacer = new Pacer();
  #buffers: (GPUBuffer | undefined)[];
  #groups: (GPUBindGroup | undefined)[] = [];
  #numbers: GPUBuffer | undefined; // of the rounds of a submission
  #back: GPUBuffer | undefined;
  #has_run = false;

  constructor(gpu: GPUDevice, device: Device, program: Program, pipelines: readonly GPUComputePipeline[]) {
    this.#gpu = gpu;
    this.#device = device;
    this.program = program;
    this.#pipelines = pipelines;
    this.#buffers = program.buffers.map(() => undefined);
  }

  resident_workgroups(entry: number): Promise<number> {
    return this.#device.resident_workgroups(this.program.entries[entry]?.workgroup_size ?? 1);
  }

  // Fails with a DeviceError if the launch itself is wrong; once a program has started, there is an answer however it
  // ends.
  async run(launch: Launch, options: RunOptions): Promise<Answer> {
    const wrong = misfit(this.program, launch, this.#device.description.max_buffer_bytes);
    if (wrong !== "") throw new DeviceError(wrong);
    const start = performance.now();
    const grace = this.#has_run ? GRACE : FIRST_GRACE;
    page_watch.hold();
    const asleep = page_watch.interrupted();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const silent = new Promise<string>((resolve) => {
        timer = setTimeout(
          () => resolve("the device did not stop at the deadline"),
          Math.max(options.deadline, 0) + grace,
        );
      });
      const work = this.#unless_lost(this.#execute(launch, start + options.deadline, options.signal));
      work.catch(() => undefined); // the race may be over
      const answer = await Promise.race([work, this.#device.lost.then(lost_answer), silent.then(lost_answer)]);
      this.#has_run = true;
      const seconds = (performance.now() - start) / 1000;
      const interrupted = page_watch.interrupted() - asleep;
      return {
        ...answer,
        device_seconds: Math.max(answer.device_seconds - interrupted, 0),
        host_seconds: seconds,
        interrupted_seconds: interrupted,
      };
    } finally {
      clearTimeout(timer);
      page_watch.release();
    }
  }

  // Frees the memory of earlier runs; the next run allocates it again.
  release(): void {
    for (const buffer of [...this.#buffers, this.#numbers, this.#back]) buffer?.destroy();
    this.#buffers = this.program.buffers.map(() => undefined);
    this.#numbers = undefined;
    this.#back = undefined;
    this.#groups = [];
  }

  // ---- memory ----

  async #prepare(launch: Launch): Promise<void> {
    const fits = launch.buffers.every((setup, i) => (this.#buffers[i]?.size ?? 0) >= setup.words * 4);
    const words = launch.buffers.reduce((sum, setup) => sum + (setup.read_back ? setup.words : 0), 0);
    if (fits && (this.#back?.size ?? 0) >= words * 4) return;
    this.#gpu.pushErrorScope("out-of-memory");
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    launch.buffers.forEach((setup, i) => {
      const grown = this.#grown(this.#buffers[i], setup.words, usage);
      if (grown !== this.#buffers[i]) this.#groups = [];
      this.#buffers[i] = grown;
    });
    this.#back = this.#grown(this.#back, words, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    this.#numbers = this.#grown(this.#numbers, 1024, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
    const error = await this.#gpu.popErrorScope();
    if (error !== null) {
      this.release();
      throw new DeviceError(`out of memory: ${error.message}`);
    }
  }

  #grown(buffer: GPUBuffer | undefined, words: number, usage: GPUBufferUsageFlags): GPUBuffer {
    const size = Math.max(words, 4) * 4;
    if (buffer !== undefined && buffer.size >= size) return buffer;
    buffer?.destroy();
    return this.#gpu.createBuffer({ size, usage });
  }

  #buffer(number: number): GPUBuffer {
    const buffer = this.#buffers[number];
    if (buffer === undefined) throw new DeviceError(`there is no buffer ${number}`);
    return buffer;
  }

  #group(entry: number): GPUBindGroup {
    const made = this.#groups[entry];
    if (made !== undefined) return made;
    const group = this.#gpu.createBindGroup({
      layout: this.#pipelines[entry]!.getBindGroupLayout(0),
      entries: this.program.entries[entry]!.buffers.map((binding) => ({
        binding,
        resource: { buffer: this.#buffer(binding) },
      })),
    });
    this.#groups[entry] = group;
    return group;
  }

  // ---- running ----

  // Work on a lost device fails, and may do so before the browser says that the device is lost.
  async #unless_lost(work: Promise<Answer>): Promise<Answer> {
    try {
      return await work;
    } catch (error) {
      const in_time = new Promise<null>((resolve) => setTimeout(() => resolve(null), LOSS_TELLS));
      const message = await Promise.race([this.#device.lost, in_time]);
      if (message === null) throw error;
      return lost_answer(message);
    }
  }

  async #execute(launch: Launch, deadline: number, signal: AbortSignal | undefined): Promise<Answer> {
    await this.#prepare(launch);
    this.#gpu.pushErrorScope("validation");
    this.#fill_once(launch);
    this.#pacer.begin(JSON.stringify([launch.passes, launch.buffers.map((buffer) => buffer.words)]));
    const queue: Promise<void>[] = [];
    const start = performance.now();
    let last = start; // when the submission before ended
    let rounds = 0;
    let stopped = false;
    while (rounds < launch.rounds && !stopped) {
      if (queue.length === QUEUED) await queue.shift();
      stopped = rounds > 0 && (performance.now() > deadline || signal?.aborted === true);
      if (stopped) break;
      const number = this.#pacer.next(launch.rounds - rounds);
      this.#submit(launch, rounds, number);
      const submitted = performance.now();
      queue.push(
        this.#gpu.queue.onSubmittedWorkDone().then(() => {
          const ended = performance.now();
          this.#pacer.took(number, ended - Math.max(last, submitted));
          last = ended;
        }),
      );
      rounds += number;
    }
    const back = this.#read_back(launch);
    const [error, buffers] = await Promise.all([this.#gpu.popErrorScope(), back, ...queue]);
    const seconds = (last - start) / 1000;
    if (error !== null) throw new DeviceError(`the browser refused the launch: ${error.message}`);
    return { ...lost_answer(""), status: stopped ? "stopped" : "finished", rounds, device_seconds: seconds, buffers };
  }

  #fill_once(launch: Launch): void {
    const encoder = this.#gpu.createCommandEncoder();
    launch.buffers.forEach((setup, i) => {
      if (setup.zero_first && setup.words > 0) encoder.clearBuffer(this.#buffer(i), 0, setup.words * 4);
    });
    this.#gpu.queue.submit([encoder.finish()]);
    launch.buffers.forEach((setup, i) => {
      if (setup.content !== undefined) this.#gpu.queue.writeBuffer(this.#buffer(i), 0, new Uint32Array(setup.content));
    });
  }

  #submit(launch: Launch, first: number, rounds: number): void {
    this.#gpu.queue.writeBuffer(this.#numbers!, 0, Uint32Array.from({ length: rounds }, (_, i) => first + i));
    const encoder = this.#gpu.createCommandEncoder();
    for (let round = 0; round < rounds; ++round) {
      encoder.copyBufferToBuffer(this.#numbers!, round * 4, this.#buffer(launch.control), launch.round_word * 4, 4);
      launch.buffers.forEach((setup, i) => {
        if (setup.zero_each_round && setup.words > 0) encoder.clearBuffer(this.#buffer(i), 0, setup.words * 4);
      });
      const compute = encoder.beginComputePass();
      for (const pass of launch.passes) {
        compute.setPipeline(this.#pipelines[pass.entry]!);
        compute.setBindGroup(0, this.#group(pass.entry));
        compute.dispatchWorkgroups(pass.workgroups);
      }
      compute.end();
    }
    this.#gpu.queue.submit([encoder.finish()]);
  }

  async #read_back(launch: Launch): Promise<(number[] | null)[]> {
    const encoder = this.#gpu.createCommandEncoder();
    let at = 0;
    launch.buffers.forEach((setup, i) => {
      if (!setup.read_back || setup.words === 0) return;
      encoder.copyBufferToBuffer(this.#buffer(i), 0, this.#back!, at, setup.words * 4);
      at += setup.words * 4;
    });
    this.#gpu.queue.submit([encoder.finish()]);
    await this.#back!.mapAsync(GPUMapMode.READ, 0, at);
    const words = new Uint32Array(this.#back!.getMappedRange(0, at));
    let from = 0;
    const buffers = launch.buffers.map((setup) => {
      if (!setup.read_back) return null;
      from += setup.words;
      return trimmed(words.subarray(from - setup.words, from));
    });
    this.#back!.unmap();
    return buffers;
  }
}

function lost_answer(message: string): Answer {
  const times = { device_seconds: 0, host_seconds: 0, interrupted_seconds: 0 };
  return { status: "lost", message, rounds: 0, ...times, buffers: [] };
}
