// SPDX-License-Identifier: MIT
// What the page asks the core and what it answers; docs/page-core.md describes each request.
import type { DeviceDescription, PlannedRun, PlanOptions, Program } from "../device/program.js";

// A line of a program, from 1, that an instruction of the test became.
export interface CodeLine {
  line: number;
  thread: number;
  instruction: number;
}

export interface Model {
  name: string;
  title: string;
  family: Family;
  description: string;
}

// Whose memory a model describes.
export type Family = "general" | "processors" | "languages" | "gpus";

export interface SourceError {
  message: string;
  line?: number;
  column?: number;
  length?: number;
}

// A step of the story of an allowed execution; `event` is the place of a box in the picture.
export interface Step {
  event: number;
  letter: string;
  words: string;
  remarkable: boolean;
}

export interface VerdictRow {
  test: string;
  model: string;
  verdict: "allowed" | "forbidden" | "unknown";
  condition: string;
  outcomes: string[];
  satisfying?: number[];
  executions: number;
  flags: string[];
  reason?: string;
  explanation?: string;
  svg?: string;
  steps?: Step[];
  // By arrow of the picture: the places of the boxes it joins.
  arrows?: [number, number][];
}

export interface Refusal extends SourceError {
  test: string;
  model: string;
}

export interface Checked {
  verdicts: VerdictRow[];
  refused: Refusal[];
  contradicted: { message: string }[];
}

export interface ReadTest {
  test: string;
  description?: string;
  arch: string;
  threads: number;
  locations: string[];
  observed: string[];
  condition: string;
  dialect: string;
  model: string;
  drawing: string;
  columns: string[][];
  initially: string;
  scopes: string;
}

export interface CorpusTest {
  test: string;
  folder: string;
  description: string;
  text: string;
}

export interface Converted {
  tests: { test: string; dialect: string; text: string }[];
  left_out: { test: string; dialect: string; reason: string }[];
}

export interface MadeTest {
  test: string;
  hash: string;
  dialect: string;
  info: Record<string, string>;
  text: string;
}

export interface Change {
  thread: number;
  instruction: number;
  replaces?: string;
  before?: string;
  text: string;
}

export interface FencesEntry {
  test: string;
  model: string;
  verdict: string;
  judged: number;
  complete: boolean;
  reason?: string;
  ways: { changes: Change[]; litmus?: string }[];
}

export type EnvironmentValue = string | number;
export type Environment = Record<string, EnvironmentValue>;

export interface Parameter {
  name: string;
  group: string;
  kind: "number" | "percent" | "power_of_two" | "choice";
  low: number;
  high: number;
  automatic: boolean;
  choices: string[];
  default: EnvironmentValue;
  range: string;
  meaning: string;
}

export interface Environments {
  parameters: Parameter[];
  presets: { name: string; meaning: string; environment: Environment }[];
  sweep: string[];
}

export type OutcomeClass = "sequential" | "interleaved" | "weak" | "forbidden" | "unknown";

export interface CountedOutcome {
  outcome: string;
  count: number;
  class: OutcomeClass;
  matches: boolean;
}

export interface Decoded {
  instances: number;
  unfinished: number;
  barrier_timeouts: number;
  model: string;
  remark: string;
  outcomes: CountedOutcome[];
}

export interface Statistics {
  rate: number;
  rate_low: number;
  rate_high: number;
  fraction: number;
  fraction_low: number;
  fraction_high: number;
  reproducibility: number;
}

export interface Limits {
  seconds?: number;
  candidates?: number;
  memory?: number;
}

// Every question that the page asks: 'do' -> [the other fields, the result].
export interface Methods {
  version: [object, { version: string; revision: string }];
  models: [object, Model[]];
  model: [{ name: string }, { name: string; text: string }];
  corpus: [object, CorpusTest[]];
  read: [{ text: string }, ReadTest[]];
  check: [{ text: string; models: string[] | "all"; cat?: Record<string, string>; explain?: boolean; picture?: boolean; outcome?: string; limits?: Limits }, Checked];
  convert: [{ text: string; to: string }, Converted];
  mutate: [{ text: string; keep_forbidden?: boolean; limit?: number }, { tests: MadeTest[]; dropped: number }];
  fences: [{ text: string; models: string[]; cat?: Record<string, string>; limits?: Limits }, { fences: FencesEntry[]; refused: Refusal[] }];
  suite: [{ name: string; limit?: number }, { tests: MadeTest[] }];
  emit: [{ text: string; target: string; environment?: string }, { test: string; target: string; text: string; lines: CodeLine[] }[]];
  environments: [object, Environments];
  environment: [{ environment: string | Environment }, { text: string; environment: Environment }];
  draw_environments: [
    { seed: number; count: number; from?: number; around?: string; max_workgroups?: number; max_workgroup_size?: number },
    { text: string; environment: Environment }[],
  ];
  compile: [
    { text: string; environment: string | Environment; device: DeviceDescription; model: string; limits?: Limits },
    { handle: number; program: Program },
  ];
  plan: [{ handle: number; options: PlanOptions }, PlannedRun];
  decode: [{ handle: number; buffers: readonly (readonly number[] | null)[] }, Decoded];
  release: [{ handle: number }, boolean];
  statistics: [{ count: number; instances: number; seconds: number; confidence?: number }, Statistics];
}

export type Method = keyof Methods;
export type Given<M extends Method> = Methods[M][0];
export type Answer<M extends Method> = Methods[M][1];

export interface CoreRequest {
  id: number;
  question: { do: Method } & object;
}

export type CoreAnswer = { ok: unknown } | { errors: SourceError[] };

// A worker says once whether it is ready, then answers in order. "broken": the instance is lost and was made again.
export type CoreReply = { ready: true } | { failed: string } | { id: number; answer: CoreAnswer } | { id: number; broken: string };
