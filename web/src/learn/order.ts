// SPDX-License-Identifier: MIT
// How programs ask for order.
import { run, shown, text, type Lesson } from "./lesson.js";

const MP_RA = String.raw`
weakspot MP+rel+acq
 P0          | P1           ;
 st x, 1     | ld.acq r0, y ;
 st.rel y, 1 | ld r1, x     ;
exists (1:r0=1 /\ 1:r1=0)`;

const CAS_LOCK = String.raw`
weakspot CAS-lock
 P0                   | P1                   ;
 atom.cas r0, m, 0, 1 | atom.cas r0, m, 0, 1 ;
 bne r0, 0, end       | bne r0, 0, end       ;
 ld r1, x             | ld r1, x             ;
 add r2, r1, 1        | add r2, r1, 1        ;
 st x, r2             | st x, r2             ;
 st m, 0              | st m, 0              ;
 end:                 | end:                 ;
exists (0:r0=0 /\ 1:r0=0 /\ x=1)`;

export const ORDER: Lesson[] = [
  {
    id: "release-acquire",
    title: "Release and acquire",
    summary: "The cheapest way to pass a message, and it needs both halves.",
    blocks: [
      text("Message passing works if the flag is written with *release* and read with *acquire*."),
      shown(MP_RA, { c11: "forbidden", ptx: "forbidden", vulkan: "forbidden", aarch64: "forbidden" }),
      text(
        "A release store says: everything I did before is done. An acquire load that reads from it says: I see all of that. The pair *synchronises*. Each half alone promises nothing:",
      ),
      shown(
        String.raw`
weakspot MP+rel+po
 P0          | P1       ;
 st x, 1     | ld r0, y ;
 st.rel y, 1 | ld r1, x ;
exists (1:r0=1 /\ 1:r1=0)`,
        { c11: "allowed", ptx: "allowed", vulkan: "allowed" },
      ),
      text(
        "The writer is in order now, but the reader may still load the data before the flag. Bugs of this kind survive for years, because the missing half costs nothing on x86.",
      ),
      text("The language of your browser's GPU, WGSL, has only relaxed atomics: neither half exists. WebGPU therefore allows even the first test."),
      run(
        String.raw`
weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\ 1:r1=0)`,
        "Run message passing as WGSL can say it, without release and acquire, and see what they would have prevented.",
      ),
    ],
  },
  {
    id: "fences",
    title: "Fences",
    summary: "Order between all accesses before and all accesses after.",
    blocks: [
      text("A fence is an instruction of its own. It orders whatever stands before it with whatever stands behind it. Store buffering needs the strongest one:"),
      shown(
        String.raw`
weakspot SB+fence.sc+fence.sc
 P0       | P1       ;
 st x, 1  | st y, 1  ;
 fence.sc | fence.sc ;
 ld r0, y | ld r0, x ;
exists (0:r0=0 /\ 1:r0=0)`,
        { c11: "forbidden", ptx: "forbidden", aarch64: "forbidden", vulkan: "allowed" },
      ),
      text("With a weaker fence the outcome is back, since release and acquire never order a store before a later load:"),
      shown(
        String.raw`
weakspot SB+fence.acqrel+fence.acqrel
 P0           | P1           ;
 st x, 1      | st y, 1      ;
 fence.acqrel | fence.acqrel ;
 ld r0, y     | ld r0, x     ;
exists (0:r0=0 /\ 1:r0=0)`,
        { c11: "allowed", ptx: "allowed" },
      ),
      text(
        "Vulkan allows the outcome with either fence: its model has no sequential consistency, so a fence there is at most acquire and release. A lock that relies on store buffering being impossible cannot be written in Vulkan with fences alone.",
      ),
      run(
        String.raw`
weakspot SB+exch+exch
 P0                 | P1                 ;
 atom.exch r1, x, 1 | atom.exch r1, y, 1 ;
 ld r0, y           | ld r0, x           ;
exists (0:r0=0 /\ 1:r0=0)`,
        "WGSL has no fences. A common trick is to store with an exchange instead, which acts as a fence on x86. Run it and see whether the trick holds on your GPU. The model promises nothing.",
      ),
    ],
  },
  {
    id: "scopes",
    title: "Scopes",
    summary: "Order for whom? On a GPU the answer is part of the instruction.",
    blocks: [
      text(
        "GPU threads live in workgroups, and a workgroup shares a cache that others do not see. So synchronisation can be cheap among neighbours. The *scope* of an instruction says who takes part: `wg` is the workgroup, `dev` the device.",
      ),
      shown(
        String.raw`
weakspot MP+rel.wg+acq.wg-same-wg
 P0             | P1              ;
 st x, 1        | ld.acq.wg r0, y ;
 st.rel.wg y, 1 | ld r1, x        ;
scopes (wg P0 P1)
exists (1:r0=1 /\ 1:r1=0)`,
        { ptx: "forbidden", vulkan: "forbidden", opencl: "forbidden" },
      ),
      text("Both threads are in one workgroup, and workgroup scope is enough. Now move them apart and leave the instructions as they are:"),
      shown(
        String.raw`
weakspot MP+rel.wg+acq.wg-diff-wg
 P0             | P1              ;
 st x, 1        | ld.acq.wg r0, y ;
 st.rel.wg y, 1 | ld r1, x        ;
scopes (wg P0) (wg P1)
exists (1:r0=1 /\ 1:r1=0)`,
        { ptx: "allowed", opencl: "allowed", c11: "forbidden" },
      ),
      text(
        "The synchronisation no longer reaches the reader. C11 knows no scopes and would forbid the outcome, which is why code moved from a CPU breaks here. OpenCL and Vulkan go further and call the program racy: it has no meaning at all.",
      ),
      run(
        String.raw`
weakspot MP-same-wg
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
scopes (wg P0 P1)
exists (1:r0=1 /\ 1:r1=0)`,
        "Run message passing within one workgroup. Then remove the line `scopes` in the editor and run it between workgroups. On most GPUs the second shows far more weak outcomes.",
      ),
    ],
  },
  {
    id: "locks",
    title: "Locks without fences",
    summary: "A lock that excludes perfectly and protects nothing.",
    blocks: [
      text(
        "A compare-and-swap takes the lock `m`, the critical section increments `x`, a relaxed store gives the lock back. The question: both threads held the lock in turn, and yet one increment was lost.",
      ),
      shown(CAS_LOCK, { sc: "forbidden", tso: "forbidden", ptx: "allowed", webgpu: "allowed" }),
      text(
        "The lock itself works: two threads never hold it at once. But nothing ties the data to the lock. The store to `x` may arrive after the lock is free, and the load of `x` may be answered before the lock is taken. Published GPU code contained exactly this mistake.",
      ),
      shown(
        String.raw`
weakspot CAS-lock+acq+rel
 P0                       | P1                       ;
 atom.cas.acq r0, m, 0, 1 | atom.cas.acq r0, m, 0, 1 ;
 bne r0, 0, end           | bne r0, 0, end           ;
 ld r1, x                 | ld r1, x                 ;
 add r2, r1, 1            | add r2, r1, 1            ;
 st x, r2                 | st x, r2                 ;
 st.rel m, 0              | st.rel m, 0              ;
 end:                     | end:                     ;
exists (0:r0=0 /\ 1:r0=0 /\ x=1)`,
        { c11: "forbidden", ptx: "forbidden", vulkan: "forbidden", opencl: "forbidden", webgpu: "allowed" },
      ),
      text("Taking the lock must acquire, giving it back must release. Leave out either one in the editor and see which models still protect the counter."),
      run(
        CAS_LOCK,
        "Run the broken lock. A weak bar is a lost increment inside a critical section. If you see none, remember that a test which passes on one GPU says nothing about the next.",
      ),
    ],
  },
  {
    id: "barriers",
    title: "Barriers",
    summary: "All threads of a workgroup meet, and memory with them.",
    blocks: [
      text("A barrier makes every thread of a workgroup wait for the others. In WGSL, it also orders memory: what was written before is visible after."),
      shown(
        String.raw`
weakspot BAR-WR
 P0         | P1          ;
 st.na x, 1 | bar         ;
 bar        | ld.na r0, x ;
scopes (wg P0 P1)
exists (1:r0=0)`,
        { ptx: "forbidden", opencl: "forbidden", webgpu: "forbidden" },
      ),
      text(
        "The accesses are not even atomic (`na`), and need not be: the barrier stands between them, so they never happen at the same time. This is how most GPU programs share data, and it is the only synchronisation that WGSL has.",
      ),
      text("A barrier ends at the edge of the workgroup:"),
      shown(
        String.raw`
weakspot BAR-WR-diff-wg
 P0      | P1       ;
 st x, 1 | bar      ;
 bar     | ld r0, x ;
scopes (wg P0) (wg P1)
exists (1:r0=0)`,
        { sc: "allowed", ptx: "allowed", webgpu: "allowed" },
      ),
      text("Two workgroups do not wait for each other, and they need not even run at the same time. Nothing in WGSL lets them."),
      run(
        String.raw`
weakspot BAR-WR
 P0         | P1          ;
 st.na x, 1 | bar         ;
 bar        | ld.na r0, x ;
scopes (wg P0 P1)
exists (1:r0=0)`,
        "Run the barrier. There is exactly one outcome, a million times. A second bar would be a bug worth reporting.",
      ),
    ],
  },
  {
    id: "races",
    title: "Data races",
    summary: "Two threads, one location, no agreement: the program means nothing.",
    blocks: [
      text(
        "An access can be atomic or plain. Plain accesses (`na`) are what compilers optimise freely. When two threads touch one location, at least one of them writes, at least one access is plain, and nothing orders them, the program has a *data race*.",
      ),
      shown(
        String.raw`
weakspot MP-plain
 P0         | P1          ;
 st.na x, 1 | ld.na r0, y ;
 st.na y, 1 | ld.na r1, x ;
exists (1:r0=1 /\ 1:r1=0)`,
        { sc: "forbidden", ptx: "allowed", vulkan: "allowed", webgpu: "allowed" },
      ),
      text(
        "In C11, OpenCL, Vulkan and WebGPU, the table says *data race* beside the verdict. A racy program has no guarantees in those languages, whatever the outcome you ask about. PTX and the processors are lenient: they promise something about single accesses even then.",
      ),
      text("Making the flag atomic is not enough to make the data safe. This reader looks at `x` even if the flag is down:"),
      shown(
        String.raw`
weakspot MP-plain-data
 P0          | P1           ;
 st.na x, 1  | ld.acq r0, y ;
 st.rel y, 1 | ld.na r1, x  ;
exists (1:r0=1 /\ 1:r1=0)`,
        { c11: "forbidden", vulkan: "forbidden", ptx: "forbidden" },
      ),
      text("The outcome is forbidden and the race remains: if the flag is still down, the two plain accesses of `x` meet. Correct code checks the flag before it touches the data."),
      run(
        String.raw`
weakspot MP-plain
 P0         | P1          ;
 st.na x, 1 | ld.na r0, y ;
 st.na y, 1 | ld.na r1, x ;
exists (1:r0=1 /\ 1:r1=0)`,
        "Run the racy version. The compiler inside your driver may reorder plain accesses on its own, before the hardware sees them, so the numbers may differ from those of the atomic version.",
      ),
    ],
  },
  {
    id: "who-saw-it-first",
    title: "Who saw it first?",
    summary: "Two readers disagree about the order of two independent writes.",
    blocks: [
      text("P0 writes `x`, P1 writes `y`. Two further threads read both, in opposite orders. One sees `x` first, the other sees `y` first."),
      shown(
        String.raw`
weakspot IRIW+acq+acq
 P0      | P1      | P2           | P3           ;
 st x, 1 | st y, 1 | ld.acq r0, x | ld.acq r0, y ;
         |         | ld r1, y     | ld r1, x     ;
exists (2:r0=1 /\ 2:r1=0 /\ 3:r0=1 /\ 3:r1=0)`,
        { sc: "forbidden", tso: "forbidden", aarch64: "forbidden", c11: "allowed", ptx: "allowed", vulkan: "allowed" },
      ),
      text(
        "The readers load in order, so they really disagree. On x86 and Arm a store becomes visible to all other threads at once; these machines are *multi-copy atomic*, and the outcome cannot happen. GPUs make no such promise: two threads that share a cache may see a store before the rest of the device does.",
      ),
      text("A sequentially consistent fence between the loads restores one order for all, where the model has one:"),
      shown(
        String.raw`
weakspot IRIW+fence.sc+fence.sc
 P0      | P1      | P2       | P3       ;
 st x, 1 | st y, 1 | ld r0, x | ld r0, y ;
         |         | fence.sc | fence.sc ;
         |         | ld r1, y | ld r1, x ;
exists (2:r0=1 /\ 2:r1=0 /\ 3:r0=1 /\ 3:r1=0)`,
        { c11: "forbidden", ptx: "forbidden", vulkan: "allowed", opencl: "allowed" },
      ),
      run(
        String.raw`
weakspot IRIW
 P0      | P1      | P2       | P3       ;
 st x, 1 | st y, 1 | ld r0, x | ld r0, y ;
         |         | ld r1, y | ld r1, x ;
exists (2:r0=1 /\ 2:r1=0 /\ 3:r0=1 /\ 3:r1=0)`,
        "Run the version that WGSL can say, with relaxed loads. Four threads must meet for one instance, so weak outcomes are rare. Give it ten seconds.",
      ),
    ],
  },
];
