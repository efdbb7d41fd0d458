// SPDX-License-Identifier: MIT
// Bugs found, what devices show, and published figures, in one file beside the page that is fetched when somebody looks.
import { signal } from "@preact/signals";

export interface DeathRate {
  study: string;
  device: string;
  test: string;
  rate: number;
}

export interface ResultPage {
  name: string;
  title: string;
  about: string; // the question that the page answers
  text: string;
}

interface ExploreFile {
  death_rates: string;
  found: string;
  results: ResultPage[];
}

export const FOUND = "found";

export const death_rates = signal<DeathRate[]>([]);
export const results = signal<ResultPage[]>([]);
export const explore_problem = signal<string | null>(null);
let wanted = false;

export function read_death_rates(csv: string): DeathRate[] {
  const [, ...lines] = csv.trim().split("\n");
  return lines.map((line) => {
    const [study = "", device = "", test = "", rate = "0"] = line.split(",");
    return { study, device, test, rate: Number(rate) };
  });
}

export async function load_explore(): Promise<void> {
  if (wanted) return;
  wanted = true;
  try {
    const answer = await fetch("explore.json");
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const file = (await answer.json()) as ExploreFile;
    death_rates.value = read_death_rates(file.death_rates);
    results.value = [{ name: FOUND, title: "Bugs found", about: "in GPUs, compilers and programs", text: file.found }, ...file.results];
  } catch (error) {
    wanted = false;
    explore_problem.value = `The data could not be loaded: ${error instanceof Error ? error.message : error}`;
  }
}

// The page that a link on another page leads to, if Explore has it.
export function linked_page(target: string): string | null {
  const name = /^(?:\.\.\/)*(\w[\w-]*)\.md(?:#.*)?$/.exec(target)?.[1]?.toLowerCase();
  return results.value.some((page) => page.name === name) ? (name ?? null) : null;
}

// One line for each bug: the headings of the list, without their numbers.
export function bugs(): string[] {
  const text = results.value.find((page) => page.name === FOUND)?.text ?? "";
  return [...text.matchAll(/^## \d+\. (.+)$/gm)].map((heading) => heading[1] ?? "");
}

// The share of mutants that died at least once, and the mean of the rates, as the paper counts them.
export function score(rates: DeathRate[]): { score: number; mean: number } {
  const died = rates.filter((one) => one.rate > 0);
  const mean = rates.reduce((sum, one) => sum + one.rate, 0) / Math.max(1, rates.length);
  return { score: died.length / Math.max(1, rates.length), mean };
}
