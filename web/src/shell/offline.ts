// SPDX-License-Identifier: MIT
// Keeps the page's own files in this browser, so that it opens again without a network.
import { server_address } from "../run/server.js";

const LATER_MS = 3_000;

// Not beside a program on this machine, which stands behind the page and ends with it.
export function keep_for_later(): void {
  if (!("serviceWorker" in navigator) || server_address() !== null) return;
  setTimeout(() => void navigator.serviceWorker.register("offline.js", { type: "module" }).catch(() => undefined), LATER_MS);
}
