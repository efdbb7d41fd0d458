// SPDX-License-Identifier: MIT
// Numbers and states as people read them.
import type { CampaignStatus, ClassStatus } from "./server.js";

export function state_of(status: CampaignStatus): "done" | "paused" | "running" | "waiting" {
  if (status.over) return "done";
  if (status.paused) return "paused";
  return status.classes.some((one) => one.running > 0) ? "running" : "waiting";
}

export function total(one: ClassStatus): number {
  return one.done + one.running + one.left + one.quarantined;
}

export function sum(status: CampaignStatus, count: (one: ClassStatus) => number): number {
  return status.classes.reduce((before, one) => before + count(one), 0);
}

export function time_text(seconds: number): string {
  if (seconds < 1) return "below 1 s";
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

export function time_left(one: ClassStatus): string {
  if (one.running + one.left === 0) return "none";
  // Shards with a number of instances have no planned time.
  return one.seconds_left > 0 && one.time_left !== null ? time_text(one.time_left) : "unknown";
}

// The latest end of all classes; null if one of them is unknown.
export function whole_time_left(status: CampaignStatus): number | null {
  const open = status.classes.filter((one) => one.running + one.left > 0);
  if (open.some((one) => one.seconds_left <= 0 || one.time_left === null)) return null;
  return Math.max(0, ...open.map((one) => one.time_left ?? 0));
}

// "2026-11-19T17:00:00Z" -> "2026-11-19 17:00 UTC"
export function minute_text(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : time;
}

export function count_text(count: number): string {
  return count.toLocaleString("en").replaceAll(",", "\u202f");
}

// Per second of device time.
export function rate_text(count: number, seconds: number): string {
  if (count === 0 || seconds <= 0) return "none";
  const rate = count / seconds;
  return `${rate >= 100 ? count_text(Math.round(rate)) : rate.toPrecision(3)} /s`;
}
