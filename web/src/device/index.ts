// SPDX-License-Identifier: MIT
export { Device, LoadedProgram, type RunOptions } from "./device.js";
export { open_device, type OpenOptions } from "./open.js";
export * from "./program.js";
export { type Progress, type RunResult, run_test, type RunnableProgram, type TestCore, type TestRun } from "./run_test.js";
export { page_watch } from "./watch.js";
