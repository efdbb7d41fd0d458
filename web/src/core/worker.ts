// SPDX-License-Identifier: MIT
// The worker's side of client.ts: loads the core and answers one question after the other.
import { loadCore } from "../../../src/faces/core/core.mjs";
import type { CoreReply, CoreRequest } from "./types.js";

function reply(message: CoreReply): void {
  postMessage(message);
}

async function fetch_module(): Promise<WebAssembly.Module> {
  const answer = await fetch("weakspot.wasm");
  if (!answer.ok) throw new Error(`weakspot.wasm: the server answered ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

async function serve(): Promise<void> {
  const module = await fetch_module();
  let core = await loadCore(module);
  const waiting: CoreRequest[] = [];
  let reloading = false;
  async function answer(request: CoreRequest): Promise<void> {
    try {
      reply({ id: request.id, answer: core.answer(request.question) });
    } catch (error) {
      // After a trap the instance is unusable.
      reloading = true;
      core = await loadCore(module);
      reloading = false;
      reply({ id: request.id, broken: String(error) });
      for (const next of waiting.splice(0)) void answer(next);
    }
  }
  onmessage = (event: MessageEvent<CoreRequest>) => {
    if (reloading) waiting.push(event.data);
    else void answer(event.data);
  };
  reply({ ready: true });
}

serve().catch((error: unknown) => reply({ failed: error instanceof Error ? error.message : String(error) }));
