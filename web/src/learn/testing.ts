// SPDX-License-Identifier: MIT
// How to look for rare outcomes, and what their absence is worth.
import { run, shown, text, type Lesson } from "./lesson.js";

const S = String.raw`
weakspot S
 P0      | P1       ;
 st x, 2 | ld r0, y ;
 st y, 1 | st x, 1  ;
exists (x=2 /\ 1:r0=1)`;

export const TESTING: Lesson[] = [
  {
    id: "testing",
    title: "Seen, not seen",
    summary: "How to make rare outcomes show, and what it means when they do not.",
    blocks: [
      text("A model says what may happen. A run says what did. The two answer different questions, and it takes both to trust a program."),
      shown(S, { sc: "forbidden", ptx: "allowed", webgpu: "allowed" }),
      text(
        "Weak outcomes need two threads to touch the same memory within nanoseconds. Left alone, that is rare. So a run uses an *environment*: many instances side by side, threads lined up by a barrier, memory spread out, and further threads that keep the memory system busy. A good environment shows in seconds what a plain loop would not show in days.",
      ),
      text(
        "The histogram has four colours. *Sequential*: one thread ran after the other. *Interleaved*: they mixed, in an order that a schedule explains. *Weak*: no schedule explains it, and the model allows it. *FORBIDDEN*: the model does not allow it, so either the machine or the model is wrong.",
      ),
      text(
        "If an allowed outcome never shows, the machine may be stronger than its contract, or the environment may be too gentle. Only the contract will hold on the next machine.",
      ),
      run(S, "Run it twice side by side, with the presets `basic` and `stress`, and compare how often the weak outcome shows."),
    ],
  },
];
