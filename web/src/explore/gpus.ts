// SPDX-License-Identifier: MIT
// What the GPUs of others showed, from the server that the page came from: a GPU is a vendor and an architecture.
import { signal } from "@preact/signals";
import type { SharedRow, SharedRows } from "../lab/server.js";
import { submissions_address } from "../send/server.js";

export interface Gpu {
  name: string; // as a link has it
  title: string;
  vendor: string;
  devices: number; // the most that share a row
  tests: Map<string, SharedRow>;
}

export const gpus = signal<Gpu[]>([]);
export const fewest_devices = signal(5);
export const gpus_problem = signal<string | null>(null);
// Without a server there is nobody to ask.
export const has_results = (): boolean => submissions_address() !== null;

export function by_gpu(rows: SharedRow[]): Gpu[] {
  const found = new Map<string, Gpu>();
  for (const row of rows) {
    let gpu = found.get(row.gpu);
    if (gpu === undefined) {
      const title = [row.vendor, row.architecture].filter(Boolean).join(" ") || "not named";
      gpu = { name: row.gpu, title, vendor: row.vendor, devices: 0, tests: new Map() };
      found.set(row.gpu, gpu);
    }
    gpu.devices = Math.max(gpu.devices, row.devices);
    gpu.tests.set(row.test, row);
  }
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title));
}

// The server shows what is known of the GPU to chats and searches, which see no fragment of an address.
export function gpu_address(gpu: Gpu): string {
  return new URL(`../../${gpu.name}`, new URL(submissions_address() ?? "", location.href)).href;
}

// Weak outcomes per instance; null: not run.
export function weak_fraction(row: SharedRow | undefined): number | null {
  return row === undefined || row.instances === 0 ? null : row.weak / row.instances;
}

// From nothing seen to every instance in eight steps, one for each power of ten.
export function fraction_heat(fraction: number | null): number {
  return fraction === null || fraction <= 0 ? 0 : Math.max(1, Math.min(7, Math.floor(Math.log10(fraction)) + 8));
}

export interface Likeness {
  correlation: number;
  tests: number;
}

export const FEWEST_TESTS = 5;

// The correlation of the logarithms of two GPUs' rates, a pair for each test, over the tests whose weak outcome both
// showed. Null: too few of them, or all with one rate.
export function correlation(rates: readonly (readonly [number, number])[]): Likeness | null {
  const pairs = rates.filter(([a, b]) => a > 0 && b > 0).map(([a, b]) => [Math.log10(a), Math.log10(b)] as const);
  if (pairs.length < FEWEST_TESTS) return null;
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (term: (a: number, b: number) => number) => pairs.reduce((total, [a, b]) => total + term(a - x, b - y), 0);
  const spread = sum((a) => a * a) * sum((_, b) => b * b);
  if (spread <= 0) return null;
  return { correlation: sum((a, b) => a * b) / Math.sqrt(spread), tests: pairs.length };
}

export function likeness(one: Gpu, other: Gpu): Likeness | null {
  const rate = (row: SharedRow | undefined) => weak_fraction(row) ?? 0;
  return correlation([...one.tests.values()].map((row) => [rate(row), rate(other.tests.get(row.test))] as const));
}

export interface Group {
  gpus: Gpu[];
  least: number; // the lowest correlation of two of them
}

const ALIKE = 0.9;

// GPUs of which each is like each other one: the two groups whose least alike members are most alike become one, as
// long as those are alike. GPUs that cannot be compared are never in one group. Only groups of several.
export function groups_of(all: readonly Gpu[]): Group[] {
  const groups: Group[] = all.map((gpu) => ({ gpus: [gpu], least: 1 }));
  const apart = (one: Group, other: Group) =>
    Math.min(...one.gpus.flatMap((a) => other.gpus.map((b) => likeness(a, b)?.correlation ?? -1)), one.least, other.least);
  for (;;) {
    let best = { least: ALIKE, one: -1, other: -1 };
    for (const [one, group] of groups.entries()) {
      for (let other = one + 1; other < groups.length; ++other) {
        const least = apart(group, groups[other] as Group);
        if (least >= best.least) best = { least, one, other };
      }
    }
    const from = groups[best.other];
    const into = groups[best.one];
    if (from === undefined || into === undefined) return groups.filter((group) => group.gpus.length > 1);
    into.gpus.push(...from.gpus);
    into.least = best.least;
    groups.splice(best.other, 1);
  }
}

export async function load_gpus(): Promise<void> {
  if (!has_results()) return;
  try {
    const answer = await fetch(`${submissions_address()}results`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const found = (await answer.json()) as SharedRows;
    fewest_devices.value = found.fewest_devices;
    gpus.value = by_gpu(found.rows);
    gpus_problem.value = null;
  } catch (error) {
    gpus_problem.value = `The results of others could not be loaded: ${error instanceof Error ? error.message : error}`;
  }
}
