// SPDX-License-Identifier: MIT
// The test that a first visit shows, and what the core says of it. The build asks the core and keeps the answers in a
// file beside the page, so that a verdict stands there while the core is still on its way.
import type { Checked, Model, ReadTest } from "./types.js";

export const FIRST_TEST = `weakspot MP
"The reader sees the flag y but not the data x."
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\\ 1:r1=0)
`;
export const FIRST_MODEL = "webgpu";

export const FIRST_QUESTIONS = {
  models: { do: "models" },
  tests: { do: "read", text: FIRST_TEST },
  checked: { do: "check", text: FIRST_TEST, models: "all" },
  why: { do: "check", text: FIRST_TEST, models: [FIRST_MODEL], explain: true, picture: true },
};

export interface FirstAnswers {
  models: Model[];
  tests: ReadTest[];
  checked: Checked;
  why: Checked;
}

// Null where the page was built without a core.
export async function load_first_answers(): Promise<FirstAnswers | null> {
  const answer = await fetch("first.json").catch(() => null);
  return answer?.ok ? ((await answer.json().catch(() => null)) as FirstAnswers | null) : null;
}
