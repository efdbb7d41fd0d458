// SPDX-License-Identifier: MIT
// The GPU of this browser, opened once and again after it was lost.
import { signal } from "@preact/signals";
import { open_device, type Device } from "../device/index.js";

export type GpuState =
  | { kind: "closed" }
  | { kind: "opening" }
  | { kind: "open"; device: Device }
  | { kind: "missing"; reason: string };

export const gpu = signal<GpuState>({ kind: "closed" });

export function has_webgpu(): boolean {
  return typeof navigator !== "undefined" && "gpu" in navigator && navigator.gpu !== undefined;
}

export async function open_gpu(): Promise<Device> {
  if (gpu.value.kind === "open") return gpu.value.device;
  gpu.value = { kind: "opening" };
  try {
    const device = await open_device(has_webgpu() ? navigator.gpu : undefined);
    gpu.value = { kind: "open", device };
    void device.lost.then(() => forget_gpu(device));
    return device;
  } catch (error) {
    gpu.value = { kind: "missing", reason: error instanceof Error ? error.message : String(error) };
    throw error;
  }
}

export function forget_gpu(device: Device): void {
  if (gpu.value.kind === "open" && gpu.value.device === device) gpu.value = { kind: "closed" };
}
