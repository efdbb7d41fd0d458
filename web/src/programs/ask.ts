// SPDX-License-Identifier: MIT
// Has a program checked by the machine that serves the page. docs/webgpu.md has the request.
import { signal } from "@preact/signals";
import { refusal, server_address } from "../run/server.js";

export interface ProgramFile {
  name: string;
  text: string;
}

export interface Spot {
  file: string;
  line: number;
  column: number;
}

// A finding as `weakspot race --json` has it; of a place, what happens there.
export interface Finding extends Spot {
  class: string;
  severity: "error" | "warning" | "hint";
  message: string;
  label: string;
  other: (Spot & { label: string }) | null;
  kernel: string;
  launch: string;
  why: string;
  fix: string;
  hint?: string;
  replay: string;
}

interface Share {
  all: number;
  done: number;
}

export interface RaceReport {
  command: string;
  verdict: "clean" | "not exercised" | "incomplete" | "found";
  findings: Finding[];
  not_modelled: (Spot & { what: string })[];
  not_exercised: { kernel: string; reason: string }[];
  executed?: { blocks: Share; kernels: Share; values?: string };
  output: string;
}

export interface Step {
  place: Spot;
  text: string;
  from?: Spot;
  initial: boolean;
}

export interface Property {
  what: string;
  verdict: "proved" | "violated" | "unknown";
  reason?: string;
  place?: Spot;
  witness?: { block: number; thread: number; steps: Step[] }[];
}

export interface ProofReport {
  verdict: "proved" | "violated" | "unknown";
  kernel: string;
  launch: string;
  model: string;
  reason?: string;
  holds_for?: string;
  properties: Property[];
  test?: string; // the litmus test that was judged
}

export type Answer = { kind: "race"; report: RaceReport } | { kind: "proof"; report: ProofReport };

export const FIRST_PROGRAM: ProgramFile = {
  name: "handshake.cu",
  text: `// One block hands data to another: the producer lacks its fence.
// weakspot: launch grid=2 block=1
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
#include <cassert>

__global__ void handshake(int* data, volatile int* flag) {
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    assert(*data == 42);
  }
}
`,
};

export const files = signal<ProgramFile[]>([FIRST_PROGRAM]);
export const launch = signal("");
export const condition = signal("");
export const asking = signal<"race" | "proof" | null>(null);
export const answer = signal<Answer | null>(null);
// The files that the answer speaks of.
export const answered = signal<ProgramFile[]>([]);
export const problem = signal<string | null>(null);
let abort = new AbortController();

export function stop_asking(): void {
  abort.abort();
}

export async function ask(kind: "race" | "proof"): Promise<void> {
  abort = new AbortController();
  const given = files.value;
  asking.value = kind;
  answer.value = null;
  problem.value = null;
  try {
    const order = {
      files: given,
      ...(kind === "proof" ? { prove: true } : {}),
      ...(launch.value.trim() === "" ? {} : { launch: launch.value.trim() }),
      ...(kind === "race" || condition.value.trim() === "" ? {} : { assert: condition.value.trim() }),
    };
    const said = await fetch(`${server_address()}checks`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(order),
      signal: abort.signal,
    });
    if (!said.ok) throw new Error(await refusal(said));
    const report: unknown = await said.json();
    answered.value = given;
    answer.value = { kind, report } as Answer;
  } catch (error) {
    if (!abort.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
  } finally {
    asking.value = null;
  }
}

// What a line of a file has to do with a finding or a step.
export interface Mark {
  line: number;
  label: string;
}

export function marks_of(spots: (Spot & { label: string })[], file: string): Mark[] {
  return spots.filter((spot) => spot.file === file && spot.line > 0).map(({ line, label }) => ({ line, label }));
}

export function summary(findings: Finding[]): string {
  const count = (severity: Finding["severity"]) => findings.filter((one) => one.severity === severity).length;
  const words = (["error", "warning", "hint"] as const)
    .map((severity) => [count(severity), severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => `${number} ${severity}${number === 1 ? "" : "s"}`);
  return words.join(", ");
}
