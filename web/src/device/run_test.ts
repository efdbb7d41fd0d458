// SPDX-License-Identifier: MIT
// A whole run of a test: plans, runs and decodes launch after launch until the time is over.
import type { LoadedProgram } from "./device.js";
import { LaunchPacer } from "./pacing.js";
import type { Answer, DeviceDescription, PlanOptions, PlannedRun } from "./program.js";
import { page_watch } from "./watch.js";

// The core's part. `decode` takes the words of the launch that was planned last.
export interface TestCore<Decoded> {
  plan(options: PlanOptions): Promise<PlannedRun>;
  decode(buffers: Answer["buffers"], rounds: number): Promise<Decoded>;
}

export interface Progress {
  readonly state: "running" | "asleep";
  readonly instances: number; // all that ran; what they ended in is what decode() gave
  readonly timed: number; // of those: in launches without an interruption
  readonly seconds: number; // of the device, for the timed instances
  readonly wall: number; // seconds that the run has lasted, interruptions left out
  readonly interrupted: number; // seconds left out
  readonly launches: number;
}

export interface RunResult extends Progress {
  readonly status: Answer["status"];
  readonly message: string;
}

export interface TestRun<Decoded> {
  readonly seconds: number;
  readonly seed: number;
  readonly first_launch?: number; // where a run that lost its device goes on
  readonly signal?: AbortSignal;
  taken(decoded: Decoded, progress: Progress): void;
  asleep?(progress: Progress): void;
}

// What run_test() asks of a program; a fake one in its tests.
export type RunnableProgram = Pick<LoadedProgram, "run" | "resident_workgroups"> & { readonly program: { readonly run_entry?: number } };

interface Sums {
  instances: number;
  timed: number;
  seconds: number;
  launches: number;
}

export async function run_test<Decoded>(
  core: TestCore<Decoded>,
  program: RunnableProgram,
  device: DeviceDescription,
  run: TestRun<Decoded>,
): Promise<RunResult> {
  const resident = await program.resident_workgroups(program.program.run_entry ?? 0);
  const pacer = new LaunchPacer();
  const sums: Sums = { instances: 0, timed: 0, seconds: 0, launches: 0 };
  page_watch.hold();
  const start = performance.now() / 1000;
  const before = page_watch.interrupted();
  const progress = (state: Progress["state"]): Progress => {
    const interrupted = page_watch.interrupted() - before;
    return { state, ...sums, wall: performance.now() / 1000 - start - interrupted, interrupted };
  };
  const ended = (status: Answer["status"], message = ""): RunResult => ({ ...progress("running"), status, message });
  try {
    while (true) {
      if (page_watch.hidden) {
        run.asleep?.(progress("asleep"));
        await page_watch.visible(run.signal);
      }
      const left = run.seconds - progress("running").wall;
      if (run.signal?.aborted) return ended("stopped", "stopped");
      if (left <= 0 && sums.launches > 0) return ended("finished");
      const planned = await core.plan({
        resident_workgroups: resident,
        multiprocessors: device.multiprocessors,
        memory_bytes: device.memory_bytes,
        rounds: 1,
        most_instances: pacer.most_instances(),
        seed: run.seed,
        launch: (run.first_launch ?? 0) + sums.launches,
      });
      const launch = { ...planned.launch, rounds: pacer.rounds(planned.instances_per_round, left) };
      const answer = await program.run(launch, {
        deadline: Math.max(left, 0.5) * 1000,
        ...(run.signal ? { signal: run.signal } : {}),
      });
      if (answer.status === "lost") return ended("lost", answer.message);
      const instances = answer.rounds * planned.instances_per_round;
      sums.instances += instances;
      sums.launches += 1;
      if (answer.interrupted_seconds === 0) {
        sums.timed += instances;
        sums.seconds += answer.device_seconds;
        pacer.took(instances, answer.device_seconds);
      }
      run.taken(await core.decode(answer.buffers, answer.rounds), progress("running"));
    }
  } finally {
    page_watch.release();
  }
}
