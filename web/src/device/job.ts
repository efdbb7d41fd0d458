// SPDX-License-Identifier: MIT
// The page that `weakspot run --device webgpu:0` opens: it asks its host for jobs, does them one after the other, and
// sends each answer along with the question for the next job. Everything is relative to the page's own address, which
// contains a secret.
import { type Device, type LoadedProgram } from "./device.js";
import { open_device } from "./open.js";
import { DeviceError, type Launch, type Program } from "./program.js";

type Job =
  | { readonly job: "open"; readonly software: boolean }
  | { readonly job: "load"; readonly number: number; readonly program: Program }
  | { readonly job: "run"; readonly number: number; readonly launch: Launch; readonly deadline: number }
  | { readonly job: "release"; readonly number: number }
  | { readonly job: "unload"; readonly number: number }
  | { readonly job: "wait" };

let device: Device | undefined;
const programs = new Map<number, LoadedProgram>();

function opened(): Device {
  if (device === undefined) throw new DeviceError("the device is not open");
  return device;
}

function program(number: number): LoadedProgram {
  const found = programs.get(number);
  if (found === undefined) throw new DeviceError(`there is no program ${number}`);
  return found;
}

async function perform(job: Job): Promise<unknown> {
  switch (job.job) {
    case "open":
      device = await open_device(navigator.gpu, { software: job.software });
      return device.description;
    case "load": {
      const loaded = await opened().load(job.program);
      programs.set(job.number, loaded);
      const resident = await Promise.all(job.program.entries.map((_, i) => loaded.resident_workgroups(i)));
      return { resident_workgroups: resident };
    }
    case "run":
      return await program(job.number).run(job.launch, { deadline: job.deadline });
    case "release":
      program(job.number).release();
      return {};
    case "unload":
      programs.get(job.number)?.release();
      programs.delete(job.number);
      return {};
    case "wait":
      return {};
  }
}

async function answer_of(job: Job): Promise<string> {
  try {
    return JSON.stringify({ answer: await perform(job) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) });
  }
}

async function serve(): Promise<void> {
  let body = JSON.stringify({ answer: {} });
  while (true) {
    const response = await fetch("next", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (!response.ok) return;
    body = await answer_of((await response.json()) as Job);
  }
}

// Without its host the page has nothing to do; the host ends the browser.
serve().catch(() => window.close());
