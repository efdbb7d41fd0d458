// SPDX-License-Identifier: MIT
// How much work is handed to the device at once. Browsers and drivers end work that lasts for seconds, and nothing can
// stop work that was submitted; but each submission costs time of its own.

// A submission should take this long, in milliseconds.
export const TARGET = 40;
// The most rounds of a submission, and how much it may grow at once: estimates from short ones are poor.
export const MOST = 1024;
export const GROWTH = 4;

// Chooses the rounds of each submission by the time that earlier ones took.
export class Pacer {
  #rounds = 1;
  #key = "";

  // For a launch. A launch that does the same work as the last one starts where that ended.
  begin(key: string): void {
    if (key !== this.#key) this.#rounds = 1;
    this.#key = key;
  }

  next(left: number): number {
    return Math.max(1, Math.min(this.#rounds, left));
  }

  // Reports what a submission took. A short last one tells little and does not shrink what follows.
  took(rounds: number, milliseconds: number): void {
    const wanted = Math.floor((rounds * TARGET) / Math.max(milliseconds, 0.01));
    this.#rounds = Math.max(1, Math.min(wanted, Math.max(rounds * GROWTH, 1), MOST));
  }
}

// The instances of the next round and the rounds of the next launch, for run_test().
export class LaunchPacer {
  static readonly round_seconds = 0.1; // the most that one round should take: it cannot be stopped
  static readonly launch_seconds = 0.25;
  static readonly first_instances = 65536;
  static readonly growth = 8;
  #rate = 0; // instances per second
  #last = 0; // instances of the last launch

  most_instances(): number {
    if (this.#rate === 0) return LaunchPacer.first_instances;
    return Math.max(1, Math.floor(Math.min(this.#rate * LaunchPacer.round_seconds, this.#last * LaunchPacer.growth)));
  }

  rounds(instances_per_round: number, seconds_left: number): number {
    if (this.#rate === 0) return 1;
    const seconds = Math.min(LaunchPacer.launch_seconds, Math.max(seconds_left, 0));
    const instances = Math.min(this.#rate * seconds, this.#last * LaunchPacer.growth);
    return Math.max(1, Math.floor(instances / Math.max(instances_per_round, 1)));
  }

  took(instances: number, seconds: number): void {
    if (instances === 0) return;
    this.#rate = instances / Math.max(seconds, 1e-4);
    this.#last = instances;
  }
}
