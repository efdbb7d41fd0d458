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

// Every word must occur in the name, the folder or the description; names that begin with the query come first.
export function search_corpus(tests: CorpusTest[], query: string): CorpusTest[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tests;
  const found = tests.filter((test) => {
    const text = `${test.test} ${test.folder} ${test.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = (test: CorpusTest) => {
    const name = test.test.toLowerCase();
    if (name === words[0]) return 0;
    if (name.startsWith(words[0] ?? "")) return 1;
    return name.includes(words[0] ?? "") ? 2 : 3;
  };
  return found
    .map((test, index) => ({ test, index }))
    .sort((a, b) => rank(a.test) - rank(b.test) || a.index - b.index)
    .map(({ test }) => test);
}
