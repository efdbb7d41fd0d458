// SPDX-License-Identifier: MIT
// Counts of outcomes, and how long their bars are.
import type { CountedOutcome, OutcomeClass } from "../core/types.js";

export interface Bar {
  outcome: string;
  count: number;
  class: OutcomeClass;
  matches: boolean;
  // Of the full width, from 0 to 1.
  length: number;
}

const ORDER: OutcomeClass[] = ["sequential", "interleaved", "weak", "forbidden", "unknown"];

// Adds counts to counts, outcome by outcome.
export function add_counts(sum: Map<string, CountedOutcome>, more: CountedOutcome[]): Map<string, CountedOutcome> {
  const added = new Map(sum);
  for (const one of more) {
    const before = added.get(one.outcome);
    added.set(one.outcome, { ...one, count: one.count + (before?.count ?? 0) });
  }
  return added;
}

// One bar per outcome. A bar grows with the logarithm of its count, since one weak outcome among millions is the news;
// a single count is still visible.
export function bars(counts: Iterable<CountedOutcome>, largest: number): Bar[] {
  const full = Math.log10(Math.max(largest, 10)) + 1;
  return [...counts]
    .map((one) => ({ ...one, length: one.count === 0 ? 0 : (Math.log10(one.count) + 1) / full }))
    .sort((a, b) => ORDER.indexOf(a.class) - ORDER.indexOf(b.class) || a.outcome.localeCompare(b.outcome));
}

export function total(counts: Iterable<CountedOutcome>, of?: OutcomeClass): number {
  let sum = 0;
  for (const one of counts) if (of === undefined || one.class === of) sum += one.count;
  return sum;
}

// Never with an exponent: toPrecision(2) makes "1.0e+2" of a hundred.
export function rounded(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  return text.includes("e") ? Number(text).toLocaleString("en", { maximumSignificantDigits: digits }) : text;
}

// 1234567 -> "1.23 M"; below ten thousand every digit counts.
export function short_number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) < 10_000) return value < 100 && !Number.isInteger(value) ? rounded(value, 2) : Math.round(value).toLocaleString("en");
  const units: [number, string][] = [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  // What is rounded up to a thousand of a unit is one of the next: 999 999 is "1.00 M".
  const [size, letter] = units.find(([unit]) => value >= 0.9995 * unit) ?? [1, ""];
  return `${rounded(value / size, 3)} ${letter}`;
}

// "12 %", "1 in 83.3 k"; what was not seen is not called 0 %.
export function fraction_text(fraction: number | null): string {
  if (fraction === null) return "not run";
  if (fraction === 0) return "not seen";
  return fraction >= 0.001 ? `${rounded(100 * fraction, 2)} %` : `1 in ${short_number(1 / fraction)}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.ceil(seconds))} s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`;
}
