// SPDX-License-Identifier: MIT
// What a lesson is made of. Claims about verdicts stand beside the tests; the page shows what the core says, and a test
// holds every claim against it.

export interface TestBlock {
  kind: "test";
  litmus: string;
  // Model -> what the lesson says about the test.
  claims: Record<string, "allowed" | "forbidden">;
}

export interface TextBlock {
  kind: "text";
  // `code` stands between backticks.
  words: string;
}

// What the reader runs at the end, on their own machine.
export interface RunBlock {
  kind: "run";
  litmus: string;
  words: string;
}

export type Block = TestBlock | TextBlock | RunBlock;

export interface Lesson {
  id: string;
  title: string;
  summary: string;
  blocks: Block[];
}

export function text(words: string): TextBlock {
  return { kind: "text", words };
}

export function shown(litmus: string, claims: TestBlock["claims"]): TestBlock {
  return { kind: "test", litmus: litmus.trim() + "\n", claims };
}

export function run(litmus: string, words: string): RunBlock {
  return { kind: "run", litmus: litmus.trim() + "\n", words };
}
