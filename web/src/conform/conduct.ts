// SPDX-License-Identifier: MIT
// One button: measures mutants in seeded environments, the same on every device, for half of the time, then runs the
// conformance tests where their mutants died fastest.
import { signal, type Signal } from "@preact/signals";
import type { Device } from "../device/index.js";
import { forget_gpu, open_gpu } from "../run/gpu.js";
import { Slice, runner } from "../run/slice.js";
import {
  best_environment,
  device_verdict,
  fastest,
  is_unobservable,
  reproducibility,
  TimeBudget,
  verdict,
  type ConformVerdict,
  type CountedRun,
  type Measurement,
  type SuiteTest,
  type TestRun,
  type Tuned,
} from "./plan.js";

export interface TestReport {
  test: string;
  verdict: ConformVerdict;
  confidence: number | null;
  mutants: string[];
  run: TestRun | null;
}

export interface ConformState {
  phase: "preparing" | "measuring" | "testing" | "finished" | "stopped" | "failed";
  doing: string;
  elapsed: number;
  wanted: number;
  environments: string[];
  // All of the suite, run or not.
  mutants: string[];
  measured: Measurement[];
  // Mutants and tests, in the order in which they ran.
  runs: CountedRun[];
  // By mutant, those that died.
  tuned: Tuned[];
  tests: TestReport[];
  left_out: string[];
  verdict: "violation" | "inconclusive" | "conformant" | null;
  message: string;
  started: string;
}

export const SUITE = "mc-mutants";
export const SEED = 1;
// The default limits of WebGPU, so that every device gets the same environments.
const LIMITS = { max_workgroups: 64, max_workgroup_size: 256 };
const MOST_ENVIRONMENTS = 150;
const SLICE_SECONDS = 0.3;
const LEAST_SECONDS = 0.1;
const MEASURING_SHARE = 0.5;
const MOST_FAILURES = 5;

export class Conform {
  readonly state: Signal<ConformState>;
  private readonly abort = new AbortController();
  private readonly time: TimeBudget;
  private readonly refused = new Set<string>();
  private failures = 0;

  // By name of a test.
  readonly texts = new Map<string, string>();

  constructor(seconds: number) {
    this.time = new TimeBudget(seconds);
    this.state = signal<ConformState>({
      phase: "preparing",
      doing: "",
      elapsed: 0,
      wanted: seconds,
      environments: [],
      mutants: [],
      measured: [],
      runs: [],
      tuned: [],
      tests: [],
      left_out: [],
      verdict: null,
      message: "",
      started: new Date().toISOString(),
    });
  }

  stop(): void {
    this.abort.abort();
  }

  async run(): Promise<void> {
    try {
      const suite = await this.suite();
      const drawn = await runner.ask("draw_environments", { seed: SEED, count: MOST_ENVIRONMENTS, ...LIMITS });
      const environments = ["basic", ...drawn.map((one) => one.text)];
      const mutants = suite.filter((one) => one.parent !== null);
      this.change({ environments, mutants: mutants.map((one) => one.test) });
      const tests = suite.filter((one) => one.parent === null);
      this.change({ phase: "measuring" });
      await this.measure(mutants, environments);
      this.change({ phase: "testing" });
      await this.conclude(tests, mutants, environments);
      this.change({ phase: this.abort.signal.aborted ? "stopped" : "finished", doing: "" });
    } catch (error) {
      this.change({ phase: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  private async suite(): Promise<SuiteTest[]> {
    const { tests } = await runner.ask("suite", { name: SUITE });
    for (const one of tests) this.texts.set(one.test, one.text);
    return tests.map((one) => ({ test: one.test, hash: one.hash, text: one.text, parent: one.info["Parent"] ?? null }));
  }

  private async measure(mutants: SuiteTest[], environments: string[]): Promise<void> {
    for (const [number, environment] of environments.entries()) {
      for (const mutant of mutants) {
        if (this.abort.signal.aborted || !this.time.fits(SLICE_SECONDS, MEASURING_SHARE)) return;
        this.change({ doing: `environment ${number + 1}: ${mutant.test}` });
        const counted = await this.slice(mutant, { number, text: environment }, SLICE_SECONDS);
        if (counted === null) continue;
        const { kills, run: { instances, seconds } } = counted;
        const one = { mutant: mutant.test, environment: number, kills, instances, seconds };
        this.change({ measured: [...this.state.value.measured, one] });
        await this.tune(one);
      }
    }
  }

  private async tune(last: Measurement): Promise<void> {
    if (fastest(last.mutant, this.state.value.measured) !== last) return;
    const { rate, rate_low, rate_high } = await this.statistics(last);
    const best = { mutant: last.mutant, environment: last.environment, rate, rate_low, rate_high };
    this.change({ tuned: [...this.state.value.tuned.filter((one) => one.mutant !== last.mutant), best] });
  }

  private statistics({ kills, instances, seconds }: Measurement) {
    return runner.ask("statistics", { count: kills, instances, seconds });
  }

  private async conclude(tests: SuiteTest[], mutants: SuiteTest[], environments: string[]): Promise<void> {
    const { measured } = this.state.value;
    const planned = tests.map((test) => {
      const own = mutants.filter((one) => one.parent === test.test && !this.refused.has(one.test)).map((one) => one.test);
      return { test, own, best: best_environment(own, measured) };
    });
    // If the time does not suffice for all: those first that can say something.
    planned.sort((a, b) => Number(a.best === null) - Number(b.best === null));
    const reports: TestReport[] = [];
    for (const [at, { test, own, best }] of planned.entries()) {
      const seconds = this.abort.signal.aborted ? 0 : this.time.share(planned.length - at, LEAST_SECONDS);
      this.change({ doing: test.test, elapsed: this.time.elapsed() });
      const environment = best ?? 0;
      const place = { number: environment, text: environments[environment] ?? "basic" };
      const counted = seconds === 0 ? null : await this.slice(test, place, seconds);
      if (counted === null && this.refused.has(test.test)) continue;
      const run: TestRun | null =
        counted === null
          ? null
          : { test: test.test, environment, instances: counted.run.instances, seconds: counted.run.seconds, forbidden: counted.run.outcomes.forbidden };
      const confidence = best === null || run === null ? null : await this.confidence(own, best, run.seconds);
      const unobservable = is_unobservable(own, measured, run?.seconds ?? 0);
      reports.push({ test: test.test, verdict: verdict(run, unobservable, confidence), confidence, mutants: own, run });
      this.change({ tests: [...reports], verdict: device_verdict(reports.map((one) => one.verdict)) });
    }
  }

  // That of the slowest mutant.
  private async confidence(mutants: string[], environment: number, seconds: number): Promise<number> {
    const confidences = [1];
    for (const one of this.state.value.measured) {
      if (one.environment !== environment || !mutants.includes(one.mutant)) continue;
      const { rate_low } = await this.statistics(one);
      confidences.push(reproducibility(rate_low, seconds));
    }
    return Math.min(...confidences);
  }

  private async slice(test: SuiteTest, environment: { number: number; text: string }, seconds: number) {
    if (this.refused.has(test.test)) return null;
    const outcomes = { sequential: 0, interleaved: 0, weak: 0, forbidden: 0, unknown: 0 };
    const run: CountedRun = { test: test.test, hash: test.hash, environment: environment.number, instances: 0, unfinished: 0, seconds: 0, outcomes };
    let kills = 0;
    const begun = this.time.elapsed();
    let device: Device | null = null;
    let slice: Slice | null = null;
    try {
      device = await open_gpu();
      slice = await Slice.prepare(device, { text: test.text, environment: environment.text, seed: SEED, model: "" });
      const result = await slice.run({
        seconds,
        first_launch: 0,
        signal: this.abort.signal,
        taken: (decoded) => {
          for (const one of decoded.outcomes) {
            if (one.matches) kills += one.count;
            outcomes[one.class] += one.count;
            run.instances += one.count;
          }
          run.unfinished += decoded.unfinished;
          run.instances += decoded.unfinished;
          this.change({ elapsed: this.time.elapsed() });
        },
      });
      this.time.note(this.time.elapsed() - begun - seconds - result.interrupted);
      if (result.status === "lost") forget_gpu(device);
      run.seconds = result.seconds;
      if (run.instances === 0) return null;
      this.change({ runs: [...this.state.value.runs, run] });
      return { kills, run };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // WGSL cannot say every test; one that it refuses is left out everywhere.
      if (/cannot run: /.test(reason)) {
        this.refused.add(test.test);
        this.change({ left_out: [...this.state.value.left_out, `${test.test}: ${reason.replace(/^.*cannot run: /, "")}`] });
      } else if (device === null || ++this.failures > MOST_FAILURES) {
        throw error;
      }
      return null;
    } finally {
      slice?.release();
    }
  }

  private change(part: Partial<ConformState>): void {
    this.state.value = { ...this.state.value, ...part };
  }
}
