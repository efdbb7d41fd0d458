// SPDX-License-Identifier: MIT
import { Device } from "./device.js";
import { type DeviceDescription, DeviceError } from "./program.js";
import { resident_workgroups } from "./resident.js";

export interface OpenOptions {
  readonly software?: boolean; // the browser's own adapter on the host's processor
}

// What a launch may use: a page does not know how much memory is free.
const MEMORY = 512 << 20;
const HOST_MEMORY = 64 << 20;

const WANTED = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupStorageSize",
] as const;

// "Chromium 150.0.0.0" of a list of brands, without the brand that stands for none.
export function browser_name(brands: readonly { brand: string; version: string }[], agent: string): string {
  const known = brands.filter((one) => !/not.*brand/i.test(one.brand));
  const one = known.find((brand) => brand.brand !== "Chromium") ?? known[0];
  if (one !== undefined) return `${one.brand} ${one.version}`;
  const found = /(Firefox|Version|Chrome)\/([\d.]+)/.exec(agent);
  if (found === null) return "unknown browser";
  return `${found[1] === "Version" ? "Safari" : found[1]} ${found[2]}`;
}

// Whether the adapter computes on the host's processor.
export function is_software(info: Pick<GPUAdapterInfo, "vendor" | "architecture" | "description" | "device">): boolean {
  return /swiftshader|llvmpipe|lavapipe|softpipe|software|basic render/i.test(
    [info.vendor, info.architecture, info.device, info.description].join(" "),
  );
}

export function adapter_name(info: Pick<GPUAdapterInfo, "vendor" | "architecture" | "description" | "device">): string {
  const parts = [info.description || info.device, [info.vendor, info.architecture].filter(Boolean).join(" ")];
  return parts.filter(Boolean).join(", ") || "a device that the browser does not name";
}

// The first adapter of the browser, with all it offers. Fails with a DeviceError.
export async function open_device(gpu: GPU | undefined, options: OpenOptions = {}): Promise<Device> {
  if (gpu === undefined) throw new DeviceError("this browser does not have WebGPU, or not for pages that came without HTTPS");
  const request: GPURequestAdapterOptions = { powerPreference: "high-performance" };
  if (options.software) request.forceFallbackAdapter = true;
  const adapter = await gpu.requestAdapter(request);
  if (adapter === null) throw new DeviceError("the browser has WebGPU but offers no adapter");
  const requiredLimits = Object.fromEntries(WANTED.map((name) => [name, adapter.limits[name]]));
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ requiredLimits });
  } catch (error) {
    throw new DeviceError(`the browser's adapter cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
  return new Device(device, await describe(adapter.info, device));
}

async function describe(info: GPUAdapterInfo, device: GPUDevice): Promise<DeviceDescription> {
  const is_host = is_software(info);
  const limits = device.limits;
  const max_workgroup_size = Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
  const processors = Math.max(1, navigator.hardwareConcurrency || 1);
  const resident = is_host ? processors : await resident_workgroups(device, Math.min(256, max_workgroup_size));
  const brands = (navigator as { userAgentData?: { brands: { brand: string; version: string }[] } }).userAgentData?.brands;
  return {
    name: adapter_name(info),
    vendor: info.vendor,
    architecture: info.architecture,
    browser: browser_name(brands ?? [], navigator.userAgent),
    is_host,
    max_workgroup_size,
    max_shared_bytes: limits.maxComputeWorkgroupStorageSize,
    max_buffer_bytes: Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize),
    memory_bytes: Math.min(limits.maxStorageBufferBindingSize, is_host ? HOST_MEMORY : MEMORY),
    resident_workgroups: resident,
    multiprocessors: is_host ? processors : Math.max(1, Math.ceil(resident / 8)),
  };
}
