// SPDX-License-Identifier: MIT
// The tests that come with Weakspot, which the core carries.
import { signal } from "@preact/signals";
import { judge, Withdrawn } from "./client.js";
import type { CorpusTest } from "./types.js";

export const corpus = signal<CorpusTest[]>([]);
export const corpus_problem = signal<string | null>(null);
let wanted = false;

export async function load_corpus(): Promise<void> {
  if (wanted) return;
  wanted = true;
  try {
    corpus.value = await judge.ask("corpus", {});
    corpus_problem.value = null;
  } catch (error) {
    wanted = false;
    if (error instanceof Withdrawn) return;
    corpus_problem.value = `The list of tests could not be loaded: ${error instanceof Error ? error.message : error}`;
  }
}

// What people call tests whose names begin so.
const CALLED: [RegExp, string][] = [
  [/^MP\b/i, "message passing"],
  [/^SB\b/i, "store buffering dekker"],
  [/^LB\b/i, "load buffering"],
  [/^IRIW\b/i, "independent reads of independent writes"],
  [/^WRC\b/i, "write to read causality"],
  [/lock\b/i, "spinlock mutex"],
];

function called(test: CorpusTest): string {
  return CALLED.filter(([name]) => name.test(test.test)).map(([, words]) => words).join(" ");
}

// Every word must occur in the name, the folder, the description or what people call the test. Names that are the query
// or begin with it come first, and classic tests before others.
export function search_corpus(tests: CorpusTest[], query: string): CorpusTest[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = tests.filter((test) => {
    const text = `${test.test} ${test.folder} ${test.description} ${called(test)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const first = words[0] ?? "";
  const rank = (test: CorpusTest) => {
    const name = test.test.toLowerCase();
    const near = name === first ? 0 : name.startsWith(first) ? 2 : name.includes(first) ? 4 : 6;
    return near + (test.folder === "classic" ? 0 : 1);
  };
  return found
    .map((test, index) => ({ test, index }))
    .sort((a, b) => rank(a.test) - rank(b.test) || a.index - b.index)
    .map(({ test }) => test);
}
