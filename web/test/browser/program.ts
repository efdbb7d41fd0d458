// SPDX-License-Identifier: MIT
// A browser on the page that the program itself serves. PAGE_PROGRAM is the program.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { Site } from "./support.js";

const program = process.env["PAGE_PROGRAM"];
// Why tests of the program cannot run, or false.
export const skip = program === undefined ? "the program was not built" : false;

export class Program {
  private constructor(
    private readonly process: ChildProcess,
    readonly site: Site,
  ) {}

  // Starts the program with these words; the first line that it prints is the address.
  static async start(...words: string[]): Promise<Program> {
    if (program === undefined) throw new Error("the program was not built");
    const started = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
    for await (const line of createInterface(started.stdout)) return new Program(started, await Site.open(line));
    throw new Error("the program ended without an address");
  }

  async close(): Promise<void> {
    await this.site.close();
    this.process.kill();
  }
}
