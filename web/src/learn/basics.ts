// SPDX-License-Identifier: MIT
// The shapes that everything else is made of.
import { run, shown, text, type Lesson } from "./lesson.js";

const MP = String.raw`
weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\ 1:r1=0)`;

const SB = String.raw`
weakspot SB
 P0       | P1       ;
 st x, 1  | st y, 1  ;
 ld r0, y | ld r0, x ;
exists (0:r0=0 /\ 1:r0=0)`;

const LB = String.raw`
weakspot LB
 P0       | P1       ;
 ld r0, x | ld r0, y ;
 st y, 1  | st x, 1  ;
exists (0:r0=1 /\ 1:r0=1)`;

export const BASICS: Lesson[] = [
  {
    id: "message-passing",
    title: "Message passing",
    summary: "A flag says that the data is ready. It may be wrong.",
    blocks: [
      text(
        "Thread P0 writes data to `x` and then raises a flag, `y`. Thread P1 reads the flag and then the data. The question at the end asks: can P1 see the flag up and still read the old data?",
      ),
      shown(MP, { sc: "forbidden", tso: "forbidden", ptx: "allowed", webgpu: "allowed" }),
      text(
        "Most people expect one thread after the other, in some interleaving. That is *sequential consistency*, and it forbids this end. An x86 processor forbids it as well. GPUs do not: the two stores go to different places in memory and may become visible in either order, and the two loads may be answered in either order.",
      ),
      text(
        "An outcome that no interleaving explains is called *weak*. A memory model is the contract that says which weak outcomes a program must expect. The picture in the Write view shows the cycle that an interleaving would need: each event would have to come before itself.",
      ),
      run(
        MP,
        "Run it. A run repeats the test millions of times, with many copies side by side. Look for the bar called weak: that is your machine, passing a message out of order.",
      ),
    ],
  },
  {
    id: "store-buffering",
    title: "Store buffering",
    summary: "Both threads write, then look, and neither sees the other.",
    blocks: [
      text(
        "Each thread stores to its own location and then loads the location of the other. Whichever store comes first, the other thread should see it. So at least one thread should read 1.",
      ),
      shown(SB, { sc: "forbidden", tso: "allowed", ptx: "allowed", webgpu: "allowed" }),
      text(
        "Almost every machine breaks this rule. A store waits in a buffer until the memory system takes it, and the loads behind it do not wait. This is the one reordering that x86 permits, and it is the reason why Dekker's and Peterson's locks need fences.",
      ),
      text(
        "Open the test, choose *Make it forbidden*, and the judge finds the weakest fences that restore order. Release and acquire are not enough here. Only a fence that is sequentially consistent makes a store wait for a later load.",
      ),
      run(SB, "Run it. On many GPUs this is the most common weak outcome of all, seen in up to a tenth of the instances."),
    ],
  },
  {
    id: "coherence",
    title: "Coherence",
    summary: "The rule that nearly every model keeps: each location alone is orderly.",
    blocks: [
      text("With so much freedom, what can a program rely on? One location by itself. Here one thread writes `x`, the other reads it twice."),
      shown(
        String.raw`
weakspot CoRR
 P0      | P1       ;
 st x, 1 | ld r0, x ;
         | ld r1, x ;
exists (1:r0=1 /\ 1:r1=0)`,
        { sc: "forbidden", ptx: "forbidden", vulkan: "forbidden", webgpu: "forbidden" },
      ),
      text(
        "Once P1 has seen the new value, it must not see the old one again. All stores to one location have a single order, and every thread follows it forwards. This is *coherence*.",
      ),
      text(
        "It sounds too simple to fail, and it has failed: NVIDIA GPUs of around 2015 reordered two loads of one location, and researchers found coherence violations on three mobile GPUs in 2023. The model of that older hardware, *PTX, 2015*, still allows this outcome.",
      ),
      run(
        String.raw`
weakspot MP-CO
 P0      | P1       ;
 st x, 1 | ld r0, x ;
 st x, 2 | ld r1, x ;
exists (1:r0=2 /\ 1:r1=1)`,
        "Run message passing on a single location. Every model forbids the outcome, so a single bar marked FORBIDDEN would be a bug in your GPU or its driver. No bar is good news, but it is not a proof.",
      ),
    ],
  },
  {
    id: "load-buffering",
    title: "Load buffering",
    summary: "Each load sees a store that comes after it.",
    blocks: [
      text("Each thread reads first and writes afterwards. Both reads return 1: each thread saw the store that the other made after its own load."),
      shown(LB, { sc: "forbidden", tso: "forbidden", c11: "forbidden", ptx: "allowed", webgpu: "allowed" }),
      text(
        "It looks like time travel, and it needs only a store that overtakes a load that is still waiting for memory. GPUs that run loads lazily can do that. Repaired C11 forbids it, at the price of an extra instruction on some hardware.",
      ),
      text("The trouble begins when the stored value depends on the loaded one:"),
      shown(
        String.raw`
weakspot LB+datas
 P0       | P1       ;
 ld r0, x | ld r0, y ;
 st y, r0 | st x, r0 ;
exists (0:r0=1 /\ 1:r0=1)`,
        { sc: "forbidden", ptx: "forbidden", aarch64: "forbidden", c11: "forbidden" },
      ),
      text(
        "Here the value 1 would come out of nowhere. No hardware does this, since a store cannot run before its data exists. Some language models still do not rule it out, because compilers may remove dependencies. This is the *thin air* problem.",
      ),
      run(LB, "Run load buffering. It is rarer than the others: if your GPU never shows it, try the preset `stress` beside `basic`."),
    ],
  },
  {
    id: "lost-updates",
    title: "Lost updates",
    summary: "Why adding one needs an atomic instruction.",
    blocks: [
      text("Two threads increment a counter: load, add, store. Can the counter end at 1?"),
      shown(
        String.raw`
weakspot lost-update
 P0            | P1            ;
 ld r0, x      | ld r0, x      ;
 add r1, r0, 1 | add r1, r0, 1 ;
 st x, r1      | st x, r1      ;
exists (x=1)`,
        { sc: "allowed", ptx: "allowed", webgpu: "allowed" },
      ),
      text(
        "Even sequential consistency allows it. Both threads read 0 and both store 1. No fence helps, since nothing is out of order: the problem is that the other thread fits in between.",
      ),
      shown(
        String.raw`
weakspot atomic-update
 P0                | P1                ;
 atom.add r0, x, 1 | atom.add r0, x, 1 ;
exists (x=1)`,
        { sc: "forbidden", ptx: "forbidden", webgpu: "forbidden" },
      ),
      text("A read-modify-write does all three steps as one. Nothing comes between its load and its store, in any model, with any order."),
      run(
        String.raw`
weakspot lost-update
 P0            | P1            ;
 ld r0, x      | ld r0, x      ;
 add r1, r0, 1 | add r1, r0, 1 ;
 st x, r1      | st x, r1      ;
exists (x=1)`,
        "Run the first version and see how often an update gets lost when thousands of threads try at once.",
      ),
    ],
  },
];
