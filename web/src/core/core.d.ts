// SPDX-License-Identifier: MIT
declare module "*/faces/core/core.mjs" {
  import type { CoreAnswer } from "./types.js";
  export function loadCore(source: WebAssembly.Module): Promise<{ answer(question: object): CoreAnswer }>;
}
