// SPDX-License-Identifier: MIT
// The server that this page came from. docs/server.md has the requests.
import { signal } from "@preact/signals";

const API = "api/1/";

export interface ClassStatus {
  device_class: string;
  done: number;
  running: number;
  left: number;
  quarantined: number;
  seconds_done: number;
  seconds_left: number;
  rate: number;
  time_left: number | null;
}

export interface CampaignStatus {
  campaign: string;
  name: string;
  paused: boolean;
  over: boolean;
  classes: ClassStatus[];
}

export interface Counts {
  instances: number;
  seconds: number;
  sequential: number;
  interleaved: number;
  weak: number;
  forbidden: number;
  unknown: number;
}

export interface RunRow extends Counts {
  id: number;
  campaign: string;
  test: string;
  device: string;
  device_name: string;
  class: string;
  model: string;
  environment: string;
  time: string;
  status: string;
}

export interface Runs {
  rows: RunRow[];
  next: number | null;
}

export interface SharedRow extends Counts {
  vendor: string;
  architecture: string;
  gpu: string; // as a link has it
  test: string;
  devices: number;
}

export interface SharedRows {
  fewest_devices: number;
  rows: SharedRow[];
}

// What a public server asks for before it shows single runs. It is kept for as long as this page is open.
export const token = signal("");

export class Refused extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

async function answer(path: string): Promise<Response> {
  const headers: Record<string, string> = token.value === "" ? {} : { Authorization: `Bearer ${token.value}` };
  const found = await fetch(API + path, { headers });
  if (found.ok) return found;
  let sentence = `the server answered ${found.status}`;
  try {
    sentence = ((await found.json()) as { error?: string }).error ?? sentence;
  } catch {
    // A proxy on the way, or a file server without this interface.
  }
  throw new Refused(found.status, sentence);
}

export async function load<T>(path: string): Promise<T> {
  return (await (await answer(path)).json()) as T;
}

// Saves what the server sends; a link could not bring the token.
export async function save(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await (await answer(path)).blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function address_of(path: string): string {
  return API + path;
}

// Calls `heard` with each status, and `lost` while the server does not answer. Gives what ends it.
export function watch(campaign: string, heard: (status: CampaignStatus) => void, lost: (gone: boolean) => void): () => void {
  const events = new EventSource(`${API}campaigns/${encodeURIComponent(campaign)}/events`);
  events.addEventListener("status", (event) => {
    lost(false);
    heard(JSON.parse((event as MessageEvent<string>).data) as CampaignStatus);
  });
  events.addEventListener("error", () => lost(true));
  return () => events.close();
}

// "name=value&..." of those that have a value.
export function query_of(fields: Record<string, string>): string {
  const given = Object.entries(fields).filter(([, value]) => value.trim() !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, value.trim()])).toString();
}
