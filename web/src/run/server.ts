// SPDX-License-Identifier: MIT
// Devices of the machine that serves the page, where it is `weakspot page --open`. docs/webgpu.md has the requests.
import { signal, type Signal } from "@preact/signals";
import type { CountedOutcome } from "../core/types.js";
import { first_state, type RunState, type RunWish } from "./session.js";

export interface ServerDevice {
  id: string;
  name: string;
  driver: string;
  is_host: boolean;
}

// A result as `weakspot run --json` has it.
interface ServerResult {
  model: string;
  remark: string;
  environment: string;
  instances: number;
  seconds: number;
  unfinished: number;
  outcomes: CountedOutcome[];
  status: string;
  message: string;
}

export interface ServerEvent {
  name: string;
  data: string;
}

export const server_devices = signal<ServerDevice[]>([]);

// Where the server answers, or null for a folder that came from a file server.
export function server_address(): string | null {
  return document.querySelector('meta[name="weakspot-server"]')?.getAttribute("content") ?? null;
}

export async function load_server_devices(): Promise<void> {
  const address = server_address();
  if (address === null || server_devices.value.length > 0) return;
  const answer = await fetch(`${address}devices`);
  if (answer.ok) server_devices.value = (await answer.json()) as ServerDevice[];
}

// Takes whole events off the front of a text and gives back the rest.
export function take_events(text: string): { events: ServerEvent[]; rest: string } {
  const parts = text.split("\n\n");
  const rest = parts.pop() ?? "";
  const events = parts.map((part) => {
    const field = (name: string) =>
      part
        .split("\n")
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart())
        .join("\n");
    return { name: field("event"), data: field("data") };
  });
  return { events, rest };
}

// What an answer that refuses says.
export async function refusal(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { error?: string }).error ?? text;
  } catch {
    return text || `the server answered ${answer.status}`;
  }
}

// A run on one of those devices, environment after environment.
export class ServerSession {
  readonly state: Signal<RunState>;
  private readonly abort = new AbortController();

  constructor(
    private readonly device: string,
    readonly wish: RunWish,
  ) {
    this.state = signal(first_state(wish));
  }

  stop(): void {
    this.abort.abort();
  }

  async run(): Promise<void> {
    try {
      for (const [at, { environment }] of this.wish.environments.entries()) await this.run_one(at, String(environment));
      this.change({ phase: "finished" });
    } catch (error) {
      if (this.abort.signal.aborted) this.change({ phase: "stopped" });
      else this.change({ phase: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  private async run_one(at: number, environment: string): Promise<void> {
    const { text, seconds, seed, model } = this.wish;
    const order = { test: text, device: this.device, seconds, seed, ...(environment === "" ? {} : { environment }), ...(model === "" ? {} : { model }) };
    const answer = await fetch(`${server_address()}runs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(order),
      signal: this.abort.signal,
    });
    if (!answer.ok || answer.body === null) throw new Error(await refusal(answer));
    let rest = "";
    let done = false;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const piece = await reader.read();
      if (piece.done) break;
      const taken = take_events(rest + piece.value);
      rest = taken.rest;
      for (const event of taken.events) done = this.take(at, event) || done;
    }
    if (!done) throw new Error("The server ended the run before its result.");
  }

  // Whether the run is over.
  private take(at: number, event: ServerEvent): boolean {
    if (event.name === "error") throw new Error((JSON.parse(event.data) as { error: string }).error);
    const result = JSON.parse(event.data) as ServerResult;
    const sides = this.state.value.sides.map((side, index) =>
      index !== at
        ? side
        : {
            ...side,
            title: result.environment,
            counts: new Map(result.outcomes.map((one) => [one.outcome, one])),
            instances: result.instances,
            timed: result.instances,
            seconds: result.seconds,
            unfinished: result.unfinished,
            model: result.model,
            remark: result.remark,
          },
    );
    const elapsed = sides.reduce((sum, side) => sum + side.seconds, 0);
    this.change({ sides, elapsed, phase: "running" });
    if (event.name !== "done") return false;
    if (!["finished", "stopped"].includes(result.status)) throw new Error(result.message || `The run ended: ${result.status}.`);
    return true;
  }

  private change(part: Partial<RunState>): void {
    this.state.value = { ...this.state.value, ...part };
  }
}
