// SPDX-License-Identifier: MIT
// What a conformance run measures and concludes. Mutants are tests whose outcome is allowed; how often they die says
// how much the silence of the test that they were made from is worth (docs/conformance.md).
import type { OutcomeClass } from "../core/types.js";

export interface SuiteTest {
  test: string;
  hash: string;
  text: string;
  // Of a mutant: the conformance test it was made from.
  parent: string | null;
}

export interface Measurement {
  mutant: string;
  environment: number;
  kills: number;
  instances: number;
  seconds: number;
}

export interface TestRun {
  test: string;
  environment: number;
  instances: number;
  seconds: number;
  forbidden: number;
}

// A run as a submission has it (docs/server.md): counts by class, which add up with the unfinished ones.
export interface CountedRun {
  test: string;
  hash: string;
  environment: number;
  instances: number;
  unfinished: number;
  seconds: number;
  outcomes: Record<OutcomeClass, number>;
}

// Where a mutant dies fastest, and the interval that holds its true rate with a probability of 95 %.
export interface Tuned {
  mutant: string;
  environment: number;
  rate: number;
  rate_low: number;
  rate_high: number;
}

export type ConformVerdict = "violation" | "inconclusive" | "unobservable" | "conformant" | "not run";

export const WANTED_CONFIDENCE = 0.99999;

export function rate(measured: Pick<Measurement, "kills" | "seconds">): number {
  return measured.seconds > 0 ? measured.kills / measured.seconds : 0;
}

// The measurement in which a mutant died fastest, or null if it never died.
export function fastest(mutant: string, measured: Measurement[]): Measurement | null {
  let best: Measurement | null = null;
  for (const one of measured) {
    if (one.mutant === mutant && one.kills > 0 && rate(one) > (best === null ? 0 : rate(best))) best = one;
  }
  return best;
}

// The environment in which the slowest mutant of a test dies fastest, or null if some mutant never died anywhere.
export function best_environment(mutants: string[], measured: Measurement[]): number | null {
  let best: number | null = null;
  let best_rate = 0;
  for (const environment of new Set(measured.map((one) => one.environment))) {
    const rates = mutants.map((mutant) =>
      Math.max(0, ...measured.filter((one) => one.mutant === mutant && one.environment === environment).map(rate)),
    );
    const slowest = rates.length === 0 ? 0 : Math.min(...rates);
    if (slowest > best_rate) {
      best = environment;
      best_rate = slowest;
    }
  }
  return best;
}

// The probability that such a run kills a mutant at least once, by the lower end of the interval of its rate.
export function reproducibility(rate_low: number, seconds: number): number {
  return 1 - Math.exp(-rate_low * seconds);
}

// The kills that the wanted confidence needs, and the upper end of the interval of a count of none.
const NEEDED_KILLS = -Math.log(1 - WANTED_CONFIDENCE);
const MOST_OF_NONE = 3.689;

// Whether all mutants of a test were run, and one was silent for so long that its rate is too low to tell anything in
// the seconds of the test. What did not run, or only briefly, is not unobservable.
export function is_unobservable(mutants: string[], measured: Measurement[], seconds: number): boolean {
  const sums = mutants.map((mutant) => {
    const runs = measured.filter((one) => one.mutant === mutant);
    return { kills: runs.reduce((sum, one) => sum + one.kills, 0), seconds: runs.reduce((sum, one) => sum + one.seconds, 0) };
  });
  const silent = sums.some((one) => one.kills === 0 && MOST_OF_NONE * seconds < NEEDED_KILLS * one.seconds);
  return mutants.length === 0 || (silent && sums.every((one) => one.seconds > 0));
}

export function verdict(run: TestRun | null, unobservable: boolean, confidence: number | null): ConformVerdict {
  if (run === null) return "not run";
  if (run.forbidden > 0) return "violation";
  if (confidence === null) return unobservable ? "unobservable" : "inconclusive";
  return confidence >= WANTED_CONFIDENCE ? "conformant" : "inconclusive";
}

// Of the device: the worst of its tests. Those that cannot tell do not count; those that were not run do.
export function device_verdict(verdicts: ConformVerdict[]): "violation" | "inconclusive" | "conformant" {
  if (verdicts.includes("violation")) return "violation";
  const telling = verdicts.filter((one) => one !== "unobservable");
  if (telling.length === 0 || telling.some((one) => one !== "conformant")) return "inconclusive";
  return "conformant";
}

// "14 tests", then how many of them had each verdict.
export function tally(verdicts: ConformVerdict[]): string[] {
  const kinds = new Map<string, number>();
  for (const word of ["conformant", "inconclusive", "unobservable", "not run", "violation"]) kinds.set(word, 0);
  for (const one of verdicts) kinds.set(one, (kinds.get(one) ?? 0) + 1);
  return [...kinds].filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
}

// The time that was asked for. Compiling a program takes from a millisecond to seconds, which nothing can interrupt: a
// run is begun only if it would end in time, by what the programs so far have cost.
export class TimeBudget {
  private readonly begun: number;
  private first = 0;
  private spent = 0;
  private programs = 0;

  constructor(
    readonly wanted: number,
    private readonly now = () => performance.now() / 1000,
  ) {
    this.begun = now();
  }

  elapsed(): number {
    return this.now() - this.begun;
  }

  // What a program cost beyond the seconds that it was to run. The first one also opens the device, and counts until others are known.
  note(around: number): void {
    const seconds = Math.max(0, around);
    if (this.programs++ === 0) this.first = seconds;
    else this.spent += seconds;
  }

  private around(): number {
    return this.programs > 1 ? this.spent / (this.programs - 1) : this.first;
  }

  fits(seconds: number, part = 1): boolean {
    return this.elapsed() + this.around() + seconds <= part * this.wanted;
  }

  // The seconds of the next of so many runs, which take at least `least` each; 0: there is no time.
  share(runs: number, least: number): number {
    const left = this.wanted - this.elapsed();
    const affordable = Math.min(runs, Math.floor(left / (this.around() + least)));
    return affordable < 1 ? 0 : left / affordable - this.around();
  }
}

// "#conform/30s", "#conform/5min": up to 15 minutes.
export function seconds_of(page: string | undefined): number | null {
  const match = /^([0-9]{1,3})(s|min)$/.exec(page ?? "");
  if (match === null) return null;
  return Math.min(900, Math.max(5, Number(match[1]) * (match[2] === "min" ? 60 : 1)));
}

export function percent(probability: number): string {
  if (probability > WANTED_CONFIDENCE) return "> 99.999 %";
  const digits = probability > 0.999 ? 3 : probability > 0.9 ? 2 : 1;
  return `${(100 * probability).toFixed(digits)} %`;
}
