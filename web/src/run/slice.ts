// SPDX-License-Identifier: MIT
// One test in one environment on one device: compiled once, then run as often and as long as somebody likes.
import { Lane, start_worker } from "../core/client.js";
import type { Decoded, Environment, RunRequest } from "../core/types.js";
import { runTest, type Device, type LoadedProgram, type PlanOptions, type Progress, type RunResult, type TestCore } from "../device/index.js";

// Runs have a worker of their own, so that they never wait for the judge.
export const runner = new Lane(start_worker);

export interface SliceWish {
  text: string;
  environment: Environment | string;
  seed: number;
  model: string;
}

export interface SliceRun {
  seconds: number;
  first_launch: number;
  signal: AbortSignal;
  taken: (decoded: Decoded, progress: Progress) => void;
  asleep?: () => void;
}

export class Slice implements TestCore<Decoded> {
  private last: RunRequest | null = null;
  private program: LoadedProgram | null = null;

  private constructor(
    private readonly wish: SliceWish,
    private readonly device: Device,
  ) {}

  static async prepare(device: Device, wish: SliceWish): Promise<Slice> {
    const slice = new Slice(wish, device);
    const { resident_workgroups, multiprocessors, memory_bytes } = device.description;
    const options = { resident_workgroups, multiprocessors, memory_bytes, rounds: 1, most_instances: 0, seed: wish.seed, launch: 0 };
    const planned = await runner.ask("program", slice.request(options));
    slice.program = await device.load(planned.program);
    return slice;
  }

  run({ seconds, first_launch, signal, taken, asleep }: SliceRun): Promise<RunResult> {
    if (this.program === null) throw new Error("the program was released");
    return runTest<Decoded>(this, this.program, this.device.description, {
      seconds,
      seed: this.wish.seed,
      firstLaunch: first_launch,
      signal,
      taken,
      ...(asleep === undefined ? {} : { asleep }),
    });
  }

  release(): void {
    this.program?.release();
    this.program = null;
  }

  async plan(options: PlanOptions) {
    this.last = this.request(options);
    return runner.ask("program", this.last);
  }

  decode(buffers: readonly (readonly number[] | null)[], rounds: number): Promise<Decoded> {
    if (this.last === null) throw new Error("nothing was planned");
    return runner.ask("decode", { ...this.last, rounds, buffers: buffers.map((words) => words ?? []), model: this.wish.model });
  }

  private request(options: PlanOptions): RunRequest {
    const { max_workgroup_size, max_shared_bytes } = this.device.description;
    return {
      text: this.wish.text,
      environment: this.wish.environment,
      device: { max_workgroup_size, max_shared_bytes },
      resident_workgroups: options.resident_workgroups,
      multiprocessors: options.multiprocessors,
      memory: options.memory_bytes,
      most_instances: options.most_instances,
      rounds: options.rounds,
      seed: options.seed,
      launch: options.launch,
    };
  }
}
