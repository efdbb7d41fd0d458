// SPDX-License-Identifier: MIT
// Where the test runs: the GPU of this browser, or a device of the machine that serves the page.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { gpu, has_webgpu, open_gpu } from "./gpu.js";
import { load_server_devices, server_devices } from "./server.js";

// Of the machine that serves the page; null is the GPU of this browser.
export const server_device = signal<string | null>(null);

export function DeviceChoice() {
  useEffect(() => void load_server_devices().catch(() => undefined), []);
  if (server_devices.value.length === 0) return <DeviceLine />;
  return (
    <>
      <p>
        <label>
          Device{" "}
          <select
            value={server_device.value ?? "browser"}
            onChange={(event) => (server_device.value = event.currentTarget.value === "browser" ? null : event.currentTarget.value)}
          >
            <option value="browser">this browser's GPU</option>
            {server_devices.value.map((device) => (
              <option key={device.id} value={device.id}>
                {device.id}: {device.name}
              </option>
            ))}
          </select>
        </label>
      </p>
      {server_device.value === null ? <DeviceLine /> : null}
    </>
  );
}

function DeviceLine() {
  useEffect(() => {
    if (has_webgpu()) void open_gpu().catch(() => undefined);
  }, []);
  const now = gpu.value;
  if (!has_webgpu() || now.kind === "missing") {
    return (
      <p class="notice" role="status" id="no-gpu">
        {now.kind === "missing" ? `The GPU cannot be used: ${now.reason}.` : "This browser does not have WebGPU, so it cannot run tests."}{" "}
        Everything else on this page works. Recent versions of Chrome, Edge, Safari and Firefox have WebGPU on most
        machines, for pages that came by HTTPS or from this machine itself.
      </p>
    );
  }
  if (now.kind !== "open") return <p class="soft">Opening the GPU…</p>;
  const { name, browser, is_host } = now.device.description;
  return (
    <p>
      <strong>{name}</strong> <span class="soft">in {browser}</span>
      {is_host ? <span class="tag">on the processor</span> : null}
    </p>
  );
}
