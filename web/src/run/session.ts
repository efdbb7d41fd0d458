// SPDX-License-Identifier: MIT
// A run of one test in one or two environments. With two, they take turns, a second each, so that both see the same
// machine. A lost device is opened again and the run goes on where it was.
import { signal, type Signal } from "@preact/signals";
import type { CountedOutcome, Decoded, Environment } from "../core/types.js";
import type { Device, Progress } from "../device/index.js";
import { forget_gpu, open_gpu } from "./gpu.js";
import { add_counts } from "./histogram.js";
import { Slice } from "./slice.js";

export interface Side {
  environment: Environment | string;
  title: string;
  counts: Map<string, CountedOutcome>;
  instances: number;
  // Instances and seconds of launches that nothing interrupted: what the rate is made of.
  timed: number;
  seconds: number;
  launches: number;
  unfinished: number;
  model: string;
  remark: string;
}

export type Phase = "preparing" | "running" | "asleep" | "finished" | "stopped" | "failed";

export interface RunState {
  phase: Phase;
  sides: Side[];
  // Seconds of all sides together, without interruptions.
  elapsed: number;
  wanted: number;
  interrupted: number;
  // What happened on the way: a lost device, a sleep.
  remarks: string[];
  message: string;
}

export interface RunWish {
  text: string;
  environments: { environment: Environment | string; title: string }[];
  seconds: number;
  seed: number;
  model: string;
}

const TURN_SECONDS = 1;
const MOST_LOSSES = 3;

function empty_side(wish: RunWish["environments"][number]): Side {
  const nothing = { instances: 0, timed: 0, seconds: 0, launches: 0, unfinished: 0, model: "", remark: "" };
  return { ...wish, ...nothing, counts: new Map() };
}

// The state of a run that has not counted anything.
export function first_state(wish: RunWish): RunState {
  return {
    phase: "preparing",
    sides: wish.environments.map(empty_side),
    elapsed: 0,
    wanted: wish.seconds * wish.environments.length,
    interrupted: 0,
    remarks: [],
    message: "",
  };
}

export class Session {
  readonly state: Signal<RunState>;
  private readonly abort = new AbortController();
  private losses = 0;

  constructor(readonly wish: RunWish) {
    this.state = signal(first_state(wish));
  }

  stop(): void {
    this.abort.abort();
  }

  async run(): Promise<void> {
    try {
      while (!(await this.run_on_one_device())) {
        if (++this.losses >= MOST_LOSSES) throw new Error(`The device was lost ${MOST_LOSSES} times. What was counted until then is shown.`);
      }
      this.change({ phase: this.abort.signal.aborted ? "stopped" : "finished" });
    } catch (error) {
      this.change({ phase: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  // Runs to the end, or until the device is lost: false.
  private async run_on_one_device(): Promise<boolean> {
    const device = await open_gpu();
    const slices: Slice[] = [];
    try {
      const { text, seed, model } = this.wish;
      for (const { environment } of this.wish.environments) {
        slices.push(await Slice.prepare(device, { text, seed, model, environment }));
      }
      this.change({ phase: "running" });
      for (let turn = 0; this.left() > 0 && !this.abort.signal.aborted; ++turn) {
        const at = turn % slices.length;
        if (!(await this.turn(slices[at] as Slice, at, device))) return false;
      }
      return true;
    } finally {
      for (const slice of slices) slice.release();
    }
  }

  private left(): number {
    return this.state.value.wanted - this.state.value.elapsed;
  }

  private async turn(slice: Slice, at: number, device: Device): Promise<boolean> {
    const alone = this.state.value.sides.length === 1;
    const begun = this.state.value;
    const start = begun.sides[at] as Side;
    const sum = (progress: Progress) => {
      this.change({ elapsed: begun.elapsed + progress.wall, interrupted: begun.interrupted + progress.interrupted });
      return {
        instances: start.instances + progress.instances,
        timed: start.timed + progress.timed,
        seconds: start.seconds + progress.seconds,
        launches: start.launches + progress.launches,
      };
    };
    const result = await slice.run({
      seconds: Math.min(this.left(), alone ? Infinity : TURN_SECONDS),
      first_launch: start.launches,
      signal: this.abort.signal,
      taken: (decoded, progress) => this.take(at, decoded, sum(progress)),
      asleep: () => this.change({ phase: "asleep" }),
    });
    sum(result);
    if (result.interrupted > 0) this.remark(`The page slept for ${result.interrupted.toFixed(1)} s, which the times leave out.`);
    if (result.status !== "lost") return true;
    forget_gpu(device);
    this.remark(`The device was lost (${result.message}) and opened again.`);
    this.change({ phase: "preparing" });
    return false;
  }

  private take(at: number, decoded: Decoded, sums: Pick<Side, "instances" | "timed" | "seconds" | "launches">): void {
    const sides = this.state.value.sides.map((side, index) =>
      index !== at
        ? side
        : {
            ...side,
            ...sums,
            counts: add_counts(side.counts, decoded.outcomes),
            unfinished: side.unfinished + decoded.unfinished,
            model: decoded.model,
            remark: decoded.remark,
          },
    );
    this.change({ sides, phase: "running" });
  }

  private remark(text: string): void {
    if (!this.state.value.remarks.includes(text)) this.change({ remarks: [...this.state.value.remarks, text] });
  }

  private change(part: Partial<RunState>): void {
    this.state.value = { ...this.state.value, ...part };
  }
}
