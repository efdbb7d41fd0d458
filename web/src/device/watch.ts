// SPDX-License-Identifier: MIT
// Notices when the page slept: a hidden tab, whose timers and work browsers slow down, a stopped process or a closed lid,
// a clock that was set. Times measured across such a moment mean nothing.

// A moment, in milliseconds: of a clock that never goes back, and of the clock on the wall.
export interface Moment {
  readonly steady: number;
  readonly wall: number;
}

export interface Interruption {
  readonly kind: "hidden" | "asleep" | "clock";
  readonly seconds: number;
}

// Ticks come every TICK milliseconds; the page slept if none came for LONGEST.
export const TICK = 200;
export const LONGEST = 2500;
export const JUMP = 1000;

export class Watch {
  #last: Moment;
  #hidden: boolean;
  #interruptions: Interruption[] = [];

  constructor(now: Moment, hidden: boolean) {
    this.#last = now;
    this.#hidden = hidden;
  }

  // What happened since the last tick.
  tick(now: Moment, hidden: boolean): void {
    const steady = now.steady - this.#last.steady;
    const wall = now.wall - this.#last.wall;
    if (this.#hidden || hidden) this.#add("hidden", steady);
    else if (steady > LONGEST) this.#add("asleep", steady);
    else if (Math.abs(wall - steady) > JUMP) this.#add("clock", steady);
    this.#last = now;
    this.#hidden = hidden;
  }

  get hidden(): boolean {
    return this.#hidden;
  }

  // Seconds of the steady clock so far that mean nothing.
  interrupted(): number {
    return this.#interruptions.reduce((sum, one) => sum + one.seconds, 0);
  }

  interruptions(): readonly Interruption[] {
    return this.#interruptions;
  }

  #add(kind: Interruption["kind"], milliseconds: number): void {
    const last = this.#interruptions.at(-1);
    const seconds = milliseconds / 1000;
    if (last?.kind === kind && kind === "hidden") {
      this.#interruptions[this.#interruptions.length - 1] = { kind, seconds: last.seconds + seconds };
    } else {
      this.#interruptions.push({ kind, seconds });
    }
  }
}

export function now(): Moment {
  return { steady: performance.now(), wall: Date.now() };
}

function is_hidden(): boolean {
  return typeof document !== "undefined" && document.visibilityState === "hidden";
}

// The watch of this page. It ticks for as long as somebody holds it.
class PageWatch {
  #watch = new Watch(now(), is_hidden());
  #holders = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #tick = () => this.#watch.tick(now(), is_hidden());

  hold(): void {
    if (this.#holders++ > 0) return;
    this.#watch = new Watch(now(), is_hidden());
    this.#timer = setInterval(this.#tick, TICK);
    if (typeof document !== "undefined") document.addEventListener("visibilitychange", this.#tick);
  }

  release(): void {
    if (--this.#holders > 0) return;
    clearInterval(this.#timer);
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.#tick);
  }

  interrupted(): number {
    this.#tick();
    return this.#watch.interrupted();
  }

  // Resolves when the page is visible, or when the signal aborts.
  async visible(signal?: AbortSignal): Promise<void> {
    while (is_hidden() && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        document.addEventListener("visibilitychange", () => resolve(), { once: true });
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  get hidden(): boolean {
    return is_hidden();
  }
}

export const page_watch = new PageWatch();
