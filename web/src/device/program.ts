// SPDX-License-Identifier: MIT
// Programs, launches and answers as docs/webgpu.md describes them: what the core and a device of this browser exchange.

export interface Entry {
  readonly name: string;
  readonly workgroup_size: number;
  readonly shared_bytes: number;
  readonly buffers: readonly number[];
}

export interface Program {
  readonly format: number;
  readonly target: string;
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly buffers: readonly string[];
  readonly run_entry?: number;
}

export interface BufferSetup {
  readonly words: number;
  readonly content?: readonly number[];
  readonly zero_first?: boolean;
  readonly zero_each_round?: boolean;
  readonly read_back?: boolean;
}

export interface Pass {
  readonly entry: number;
  readonly workgroups: number;
}

export interface Launch {
  readonly buffers: readonly BufferSetup[];
  readonly passes: readonly Pass[];
  readonly rounds: number;
  readonly control: number;
  readonly round_word: number;
}

export interface PlanOptions {
  readonly resident_workgroups: number;
  readonly multiprocessors: number;
  readonly memory_bytes: number;
  readonly rounds: number;
  readonly most_instances: number;
  readonly seed: number;
  readonly launch: number;
}

export interface PlannedRun {
  readonly launch: Launch;
  readonly instances_per_round: number;
  readonly iterations: number;
  readonly workgroups: number;
  readonly testing_workgroups: number;
  readonly bytes: number;
}

export type Status = "finished" | "stopped" | "lost";

export interface Answer {
  readonly status: Status;
  readonly message: string;
  readonly rounds: number;
  readonly device_seconds: number;
  readonly host_seconds: number;
  readonly interrupted_seconds: number;
  readonly buffers: readonly (readonly number[] | null)[];
}

export interface DeviceDescription {
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly browser: string;
  readonly is_host: boolean;
  readonly max_workgroup_size: number;
  readonly max_shared_bytes: number;
  readonly max_buffer_bytes: number;
  readonly memory_bytes: number;
  readonly resident_workgroups: number;
  readonly multiprocessors: number;
}

// A failure of the device or of the browser. The message is a sentence for people.
export class DeviceError extends Error {
  override readonly name = "DeviceError";
}

// The words without the zeros at their end.
export function trimmed(words: Uint32Array): number[] {
  let length = words.length;
  while (length > 0 && words[length - 1] === 0) --length;
  return Array.from(words.subarray(0, length));
}

// Why the launch does not fit the program or the device, or "".
export function misfit(program: Program, launch: Launch, most_bytes: number): string {
  if (launch.buffers.length !== program.buffers.length) {
    return `the launch has ${launch.buffers.length} buffers, the program ${program.buffers.length}`;
  }
  for (const [i, buffer] of launch.buffers.entries()) {
    if (buffer.words * 4 > most_bytes) {
      return `out of memory: buffer '${program.buffers[i]}' needs ${buffer.words * 4} bytes, and this browser binds at most ${most_bytes}`;
    }
    if ((buffer.content?.length ?? 0) > buffer.words) return `buffer '${program.buffers[i]}' has more content than words`;
  }
  if (launch.passes.some((pass) => program.entries[pass.entry] === undefined)) return "the launch runs an unknown entry";
  return "";
}
