// SPDX-License-Identifier: MIT
// The core in a worker. A lane is one worker that answers one question after the other. Judging cannot be
// interrupted from outside, so a question that lasts too long, or that nobody needs any more, ends the worker, and
// the next question starts a new one. The page itself never waits.
import { signal, type Signal } from "@preact/signals";
import type { Answer, CoreReply, CoreRequest, Given, Method, SourceError } from "./types.js";

export type CoreState = { kind: "loading" } | { kind: "ready" } | { kind: "failed"; reason: string };

// The question was withdrawn; whoever asked has nothing to show.
export class Withdrawn extends Error {}

// The core refused the question or did not answer in time; the message is a sentence for the reader. Errors of a text
// have places.
export class Refused extends Error {
  constructor(
    message: string,
    readonly errors: SourceError[] = [],
  ) {
    super(message);
  }
}

const BROKEN = "The judge ran out of memory or failed on this test. It has been started again.";

function refusal(errors: SourceError[]): Refused {
  return new Refused(errors.map((error) => error.message).join("\n"), errors);
}

interface Waiting {
  request: CoreRequest;
  budget: number;
  settle: (answer: unknown) => void;
  fail: (error: Error) => void;
}

// What the lane needs of a worker, so that tests can give it another one.
export interface Port {
  postMessage(message: CoreRequest): void;
  terminate(): void;
  onmessage: ((event: { data: CoreReply }) => void) | null;
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null;
}

export class Lane {
  readonly state: Signal<CoreState> = signal<CoreState>({ kind: "loading" });
  private port: Port | null = null;
  private ready = false;
  private queue: Waiting[] = [];
  private current: Waiting | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextId = 1;

  constructor(private readonly start: () => Port) {}

  // Starts the worker before the first question.
  warm(): void {
    if (this.port === null && this.state.value.kind !== "failed") this.open();
  }

  ask<M extends Method>(method: M, given: Given<M>, budget = 20_000): Promise<Answer<M>> {
    return new Promise((settle, fail) => {
      if (this.state.value.kind === "failed") {
        fail(new Refused(this.state.value.reason));
        return;
      }
      const request = { id: this.nextId++, question: { ...given, do: method } };
      this.queue.push({ request, budget, settle: (answer) => settle(answer as Answer<M>), fail });
      this.warm();
      this.step();
    });
  }

  // Withdraws open questions: all, or those of some kinds. One that is being answered ends the worker; the others are
  // asked again.
  cancel(kinds?: Method[]): void {
    const meant = (waiting: Waiting) => kinds === undefined || kinds.includes(waiting.request.question.do);
    const withdrawn = this.queue.filter(meant);
    this.queue = this.queue.filter((waiting) => !meant(waiting));
    if (this.current !== null && meant(this.current)) {
      withdrawn.push(this.current);
      this.close();
      if (this.queue.length > 0) this.open();
    }
    for (const waiting of withdrawn) waiting.fail(new Withdrawn());
  }

  get busy(): boolean {
    return this.current !== null || this.queue.length > 0;
  }

  private open(): void {
    try {
      this.port = this.start();
    } catch (error) {
      this.give_up(error instanceof Error ? error.message : String(error));
      return;
    }
    this.port.onmessage = (event) => this.receive(event.data);
    this.port.onerror = (event) => {
      event.preventDefault?.();
      this.crash(event.message ?? "");
    };
  }

  private close(): void {
    clearTimeout(this.timer);
    this.port?.terminate();
    this.port = null;
    this.ready = false;
    this.current = null;
  }

  private receive(reply: CoreReply): void {
    if ("ready" in reply) {
      this.ready = true;
      this.state.value = { kind: "ready" };
    } else if ("failed" in reply) {
      this.give_up(reply.failed);
    } else if (this.current !== null && reply.id === this.current.request.id) {
      clearTimeout(this.timer);
      const answered = this.current;
      this.current = null;
      if ("broken" in reply) answered.fail(new Refused(BROKEN));
      else if ("ok" in reply.answer) answered.settle(reply.answer.ok);
      else answered.fail(refusal(reply.answer.errors));
    }
    this.step();
  }

  private step(): void {
    if (!this.ready || this.current !== null || this.port === null) return;
    const next = this.queue.shift();
    if (next === undefined) return;
    this.current = next;
    this.timer = setTimeout(() => this.overdue(), next.budget);
    this.port.postMessage(next.request);
  }

  private overdue(): void {
    const late = this.current;
    this.close();
    late?.fail(new Refused(`No answer within ${Math.round((late.budget / 1000) * 10) / 10} s; the question was stopped.`));
    if (this.queue.length > 0) this.open();
  }

  // A worker that dies before it is ready will not do better next time; a later death costs one question.
  private crash(message: string): void {
    if (!this.ready) {
      this.give_up(message);
      return;
    }
    const lost = this.current;
    this.close();
    lost?.fail(new Refused(BROKEN));
    if (this.queue.length > 0) this.open();
  }

  private give_up(reason: string): void {
    const open = this.queue.splice(0);
    if (this.current !== null) open.push(this.current);
    this.close();
    this.state.value = { kind: "failed", reason: reason || "the worker could not be started" };
    for (const waiting of open) waiting.fail(new Refused(reason));
  }
}

export function start_worker(): Port {
  return new Worker("worker.js", { type: "module", name: "weakspot core" }) as unknown as Port;
}

// Judging as the reader types, and everything that may take seconds.
export const judge = new Lane(start_worker);
export const study = new Lane(start_worker);
