// SPDX-License-Identifier: MIT
// Judges the text by all models whenever it changes. Models that need long are asked again one by one, so that the quick
// ones are there at once; the model that the reader looks at comes first.
import { batch, effect } from "@preact/signals";
import { judge, Refused, Withdrawn } from "../core/client.js";
import { FIRST_MODEL, FIRST_TEST, load_first_answers } from "../core/first.js";
import type { Checked, ReadTest, VerdictRow } from "../core/types.js";
import { checked, checked_text, errors, first_why, model, models, notice, OWN_MODEL, own_errors, own_model, own_text, problem, stale, still_judging, test, text } from "./state.js";

// A judge that is still busy with an older text after this time is ended.
const PATIENCE_MS = 300;
const FIRST_PATIENCE_MS = 1_000;
// For each verdict: of all models together, then of one after the other. Sixteen slow models show a table in a third of
// a second, and one that needs very long does not keep the others waiting.
const QUICK_SECONDS = 0.02;
const LONGER_SECONDS = [0.5, 10];
let asked = 0;

function of_first(tests: ReadTest[], all: Checked): Checked {
  if (tests.length <= 1) return all;
  const first = tests[0]?.test;
  return { ...all, verdicts: all.verdicts.filter((row) => row.test === first), refused: all.refused.filter((row) => row.test === first) };
}

function show(now: string, tests: ReadTest[], verdicts: Checked): void {
  batch(() => {
    checked.value = of_first(tests, verdicts);
    errors.value = [];
    test.value = tests[0] ?? null;
    checked_text.value = now;
    problem.value = tests.length > 1 ? `The text holds ${tests.length} tests. The page shows the first, ${tests[0]?.test}.` : null;
  });
}

function show_failure(now: string, error: unknown): void {
  const in_text = error instanceof Refused ? error.errors : [];
  batch(() => {
    checked.value = { verdicts: [], refused: [], contradicted: [] };
    errors.value = in_text;
    checked_text.value = now;
    problem.value = in_text.length > 0 ? null : error instanceof Error ? error.message : String(error);
  });
}

// The model that the reader chose, the test's own, then the others.
function nearest_first(names: string[]): string[] {
  const near = [model.peek(), test.peek()?.model];
  return [...names.filter((name) => near.includes(name)), ...names.filter((name) => !near.includes(name))];
}

function replace_verdict(better: VerdictRow, contradicted: Checked["contradicted"]): void {
  const { verdicts, refused, contradicted: before } = checked.value;
  const replaced = verdicts.map((row) => (row.model === better.model ? better : row));
  checked.value = { verdicts: replaced, refused, contradicted: [...before, ...contradicted] };
}

// The fields of a question that bring the reader's own model.
export function own_cat(): { cat?: Record<string, string> } {
  return own_model.peek() === null || own_text.peek() === null ? {} : { cat: { [OWN_MODEL]: own_text.peek() ?? "" } };
}

// Whether the reader looked at their own model before a mistake in it, and has not chosen another one since.
let returns = false;

// Another model stands for the reader's own while that cannot be read.
function leave_own_model(): void {
  own_model.value = null;
  if (model.peek() !== OWN_MODEL) return;
  returns = true;
  model.value = FIRST_MODEL;
}

// Reads the reader's own model, with the test at hand. Mistakes in it are shown beside it; the other models go on.
async function read_own_model(cat: string | null, of: string): Promise<void> {
  if (cat === null) {
    batch(() => {
      own_errors.value = [];
      leave_own_model();
      returns = false;
    });
    return;
  }
  try {
    await judge.ask("check", { text: of, models: [OWN_MODEL], cat: { [OWN_MODEL]: cat }, limits: { seconds: QUICK_SECONDS } }, 5_000);
    const title = /^\s*"([^"]*)"/.exec(cat)?.[1] ?? "Your model";
    batch(() => {
      own_errors.value = [];
      own_model.value = { name: OWN_MODEL, title, family: "general", description: "the model below" };
      if (returns && model.peek() === FIRST_MODEL) model.value = OWN_MODEL;
      returns = false;
    });
  } catch (error) {
    if (error instanceof Withdrawn) return;
    const wrong = error instanceof Refused && error.errors.length > 0 ? error.errors : [{ message: String((error as Error).message) }];
    batch(() => {
      own_errors.value = wrong;
      leave_own_model();
    });
  }
}

async function judge_longer(now: string, mine: number, names: string[]): Promise<void> {
  still_judging.value = names;
  for (const [step, seconds] of LONGER_SECONDS.entries()) {
    const last = step + 1 === LONGER_SECONDS.length;
    for (const name of nearest_first(still_judging.value)) {
      const answer = await judge.ask("check", { text: now, models: [name], ...own_cat(), limits: { seconds } }, 5_000 + 2_000 * seconds);
      if (mine !== asked) return;
      const better = answer.verdicts[0];
      batch(() => {
        if (last || better?.verdict !== "unknown") still_judging.value = still_judging.value.filter((other) => other !== name);
        if (better !== undefined) replace_verdict(better, answer.contradicted);
      });
    }
  }
}

// A link may name a model of another version of the page.
function require_known_model(): void {
  const name = model.peek();
  if (name === OWN_MODEL && own_model.peek() !== null) return;
  if (models.value.some((known) => known.name === name)) return;
  batch(() => {
    model.value = FIRST_MODEL;
    notice.value = `The link asks for the model ${name}, which this page does not have. ${FIRST_MODEL} stands for it.`;
  });
}

async function judge_text(now: string): Promise<void> {
  const mine = ++asked;
  still_judging.value = [];
  const start = performance.now();
  while (judge.busy && performance.now() - start < PATIENCE_MS) {
    await new Promise((resume) => setTimeout(resume, 5));
    if (mine !== asked) return;
  }
  if (judge.busy) judge.cancel(["check", "read"]);
  try {
    if (models.value.length === 0) models.value = await judge.ask("models", {});
    require_known_model();
    const tests = await judge.ask("read", { text: now }, 5_000);
    if (mine !== asked) return;
    await read_own_model(own_text.peek(), now);
    const names = [...models.value.map((known) => known.name), ...(own_model.peek() === null ? [] : [OWN_MODEL])];
    const verdicts = await judge.ask("check", { text: now, models: names, ...own_cat(), limits: { seconds: QUICK_SECONDS } }, 20_000);
    if (mine !== asked) return;
    show(now, tests, verdicts);
    performance.measure("judging", { start, end: performance.now() });
    await judge_longer(now, mine, checked.value.verdicts.filter((row) => row.verdict === "unknown").map((row) => row.model));
  } catch (error) {
    if (error instanceof Withdrawn || mine !== asked) return;
    still_judging.value = [];
    show_failure(now, error);
  }
}

export function stop_judging(): void {
  ++asked;
  judge.cancel(["check", "read"]);
  const stopped = "Judging was stopped. It starts again when the text changes.";
  batch(() => {
    still_judging.value = [];
    if (stale.value) show_failure(text.value, new Error(stopped));
    else problem.value = stopped;
  });
}

// A first visit need not wait for the core.
async function show_first_answers(): Promise<void> {
  if (text.peek() !== FIRST_TEST) return;
  const first = await load_first_answers();
  if (first === null || judge.state.value.kind !== "loading" || checked_text.peek() !== null || text.peek() !== FIRST_TEST) return;
  batch(() => {
    models.value = first.models;
    first_why.value = first.why.verdicts[0] ?? null;
    show(FIRST_TEST, first.tests, first.checked);
  });
}

export function start_judging(): void {
  // The core is much longer and would share the line with these few bytes, so it waits for them, but not for long.
  const late = new Promise((resume) => setTimeout(resume, FIRST_PATIENCE_MS));
  void Promise.race([show_first_answers(), late]).then(() => {
    judge.warm();
    effect(() => {
      void own_text.value;
      void judge_text(text.value);
    });
  });
}
