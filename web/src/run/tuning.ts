// SPDX-License-Identifier: MIT
// Looks for the environment in which a test shows its weak outcomes most often: many drawn ones for a moment each, then
// the best few again for longer. What is said of the best one comes from that second run alone, since the best of many
// short runs is in part the luckiest.
import { signal, type Signal } from "@preact/signals";
import { open_gpu } from "./gpu.js";
import { Slice, runner } from "./slice.js";

export interface Tried {
  environment: string;
  weak: number;
  instances: number;
  seconds: number;
}

export interface Confirmed extends Tried {
  rate_low: number;
  rate_high: number;
}

export interface TuningState {
  phase: "preparing" | "searching" | "confirming" | "finished" | "stopped" | "failed";
  elapsed: number;
  wanted: number;
  tried: Tried[];
  // Best first.
  confirmed: Confirmed[];
  message: string;
}

const SLICE_SECONDS = 0.25;
const SEARCH_SHARE = 0.7;
const FINALISTS = 3;
const MOST = 2_000;
const MOST_FAILURES = 5;

export function rate_of(one: Tried): number {
  return one.seconds > 0 ? one.weak / one.seconds : 0;
}

// Those that showed something, best first.
export function finalists(tried: Tried[]): Tried[] {
  return tried.filter((one) => one.weak > 0).sort((a, b) => rate_of(b) - rate_of(a)).slice(0, FINALISTS);
}

export class Tuning {
  readonly state: Signal<TuningState>;
  private readonly abort = new AbortController();
  private readonly start = performance.now();
  private failures = 0;

  constructor(
    readonly text: string,
    seconds: number,
    private readonly seed: number,
  ) {
    this.state = signal({ phase: "preparing", elapsed: 0, wanted: seconds, tried: [], confirmed: [], message: "" });
  }

  stop(): void {
    this.abort.abort();
  }

  async run(): Promise<void> {
    try {
      const device = await open_gpu();
      const limits = { max_workgroup_size: Math.min(device.description.max_workgroup_size, 256) };
      const drawn = await runner.ask("draw_environments", { seed: this.seed, count: MOST, ...limits });
      this.change({ phase: "searching" });
      for (const { text } of drawn) {
        if (this.over(SEARCH_SHARE)) break;
        const tried = await this.try_one(text, SLICE_SECONDS);
        if (tried !== null) this.change({ tried: [...this.state.value.tried, tried] });
      }
      this.change({ phase: "confirming" });
      await this.confirm();
      this.change({ phase: this.abort.signal.aborted ? "stopped" : "finished" });
    } catch (error) {
      this.change({ phase: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  private over(share: number): boolean {
    this.change({ elapsed: (performance.now() - this.start) / 1000 });
    return this.abort.signal.aborted || this.state.value.elapsed >= share * this.state.value.wanted;
  }

  private async confirm(): Promise<void> {
    const best = finalists(this.state.value.tried);
    for (const [at, { environment }] of best.entries()) {
      if (this.over(1)) return;
      const left = this.state.value.wanted - this.state.value.elapsed;
      const again = await this.try_one(environment, Math.max(SLICE_SECONDS, left / (best.length - at)), 1);
      if (again === null) continue;
      const { rate_low, rate_high } = await runner.ask("statistics", { count: again.weak, instances: again.instances, seconds: again.seconds });
      const confirmed = [...this.state.value.confirmed, { ...again, rate_low, rate_high }];
      this.change({ confirmed: confirmed.sort((a, b) => rate_of(b) - rate_of(a)) });
    }
  }

  // The second time it begins with other launches than the first.
  private async try_one(environment: string, seconds: number, round = 0): Promise<Tried | null> {
    let slice: Slice | null = null;
    try {
      const device = await open_gpu();
      slice = await Slice.prepare(device, { text: this.text, environment, seed: this.seed + round, model: "" });
      const tried = { environment, weak: 0, instances: 0, seconds: 0 };
      const result = await slice.run({
        seconds,
        first_launch: 0,
        signal: this.abort.signal,
        taken: (decoded) => {
          for (const one of decoded.outcomes) {
            if (one.class === "weak" || one.class === "forbidden") tried.weak += one.count;
            tried.instances += one.count;
          }
          this.change({ elapsed: (performance.now() - this.start) / 1000 });
        },
      });
      if (result.status === "lost") throw new Error(`the device was lost: ${result.message}`);
      return tried.instances === 0 ? null : { ...tried, seconds: result.seconds };
    } catch (error) {
      // One environment that cannot be compiled or loses the device is not the end of the search.
      if (slice === null || ++this.failures > MOST_FAILURES) throw error;
      return null;
    } finally {
      slice?.release();
    }
  }

  private change(part: Partial<TuningState>): void {
    this.state.value = { ...this.state.value, ...part };
  }
}
