// SPDX-License-Identifier: MIT
// The network comes first; what it does not bring comes from the files as they were seen last. Only files of the page are
// kept, never an answer of a server's interface.

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Waiting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const CACHE = "weakspot";
// What no click has to wait for: the build names all files of the page.
declare const PAGE_FILES: string[];
const base = new URL("./", self.location.href);
const known = new Set(PAGE_FILES.map((file) => new URL(file, base).pathname));

// The browser has most of these files from the first visit, and need not load them again.
async function keep_all(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(PAGE_FILES.map((file) => cache.add(new Request(new URL(file, base), { cache: "force-cache" }))));
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) void cache.put(request, fresh.clone()).catch(() => undefined);
    return fresh;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

self.addEventListener("install", (event) => (event as Waiting).waitUntil(keep_all()));
self.addEventListener("fetch", (event) => {
  const asked = event as Fetching;
  const address = new URL(asked.request.url);
  const ours = asked.request.method === "GET" && address.origin === base.origin && known.has(address.pathname);
  if (ours) asked.respondWith(answer(asked.request));
});
