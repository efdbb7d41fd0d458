// SPDX-License-Identifier: MIT
// One test in one environment on one device: compiled once, then run as often and as long as somebody likes.
import { Lane, start_worker } from "../core/client.js";
import type { Decoded, Environment } from "../core/types.js";
import {
  run_test,
  type Answer,
  type Device,
  type LoadedProgram,
  type PlannedRun,
  type PlanOptions,
  type Progress,
  type RunResult,
  type TestCore,
} from "../device/index.js";

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
  private constructor(
    private readonly wish: SliceWish,
    private readonly device: Device,
    private readonly program: LoadedProgram,
    private readonly handle: number,
  ) {}

  static async prepare(device: Device, wish: SliceWish): Promise<Slice> {
    const { text, environment, model } = wish;
    const { handle, program } = await runner.ask("compile", { text, environment, model, device: device.description });
    try {
      return new Slice(wish, device, await device.load(program), handle);
    } catch (error) {
      void runner.ask("release", { handle });
      throw error;
    }
  }

  run({ seconds, first_launch, signal, taken, asleep }: SliceRun): Promise<RunResult> {
    return run_test<Decoded>(this, this.program, this.device.description, {
      seconds,
      seed: this.wish.seed,
      first_launch,
      signal,
      taken,
      ...(asleep === undefined ? {} : { asleep }),
    });
  }

  release(): void {
    this.program.release();
    void runner.ask("release", { handle: this.handle }).catch(() => undefined);
  }

  plan(options: PlanOptions): Promise<PlannedRun> {
    return runner.ask("plan", { handle: this.handle, options });
  }

  decode(buffers: Answer["buffers"]): Promise<Decoded> {
    return runner.ask("decode", { handle: this.handle, buffers });
  }
}
