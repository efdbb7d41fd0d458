// SPDX-License-Identifier: MIT
// Commands to copy into a shell. Tests, and so their names, come from links that anybody can make: every word of every
// command goes through here.
import { file_name } from "./save.js";

function shell_word(word: string): string {
  return /^[A-Za-z0-9@%_+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// The file is the one that "Save .litmus" makes.
export function command(verb: string, test: string, ...options: (string | number)[]): string {
  return ["weakspot", verb, file_name(`${test}.litmus`), ...options].map((word) => shell_word(String(word))).join(" ");
}
