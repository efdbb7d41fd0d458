// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { JUMP, LONGEST, TICK, Watch } from "../../src/device/watch.js";

function started(hidden = false): Watch {
  return new Watch({ steady: 1000, wall: 5000 }, hidden);
}

test("regular ticks are not interruptions", () => {
  const watch = started();
  for (let i = 1; i <= 50; ++i) watch.tick({ steady: 1000 + i * TICK, wall: 5000 + i * TICK }, false);
  assert.deepEqual(watch.interruptions(), []);
  assert.equal(watch.interrupted(), 0);
});

test("a hidden tab is an interruption from the moment it was hidden until it is shown", () => {
  const watch = started();
  watch.tick({ steady: 1200, wall: 5200 }, false);
  watch.tick({ steady: 1300, wall: 5300 }, true);
  watch.tick({ steady: 2300, wall: 6300 }, true);
  watch.tick({ steady: 3300, wall: 7300 }, false);
  watch.tick({ steady: 3500, wall: 7500 }, false);
  assert.deepEqual(watch.interruptions(), [{ kind: "hidden", seconds: 2.1 }]);
});

test("a long silence means that the page slept", () => {
  const watch = started();
  watch.tick({ steady: 1000 + LONGEST + 1, wall: 5000 + LONGEST + 1 }, false);
  assert.equal(watch.interruptions()[0]?.kind, "asleep");
  assert.equal(watch.interrupted(), (LONGEST + 1) / 1000);
});

test("a clock that was set, and a lid that was closed, show in the difference of the clocks", () => {
  for (const wall of [5000 + TICK + JUMP + 1, 5000 + TICK - JUMP - 1]) {
    const watch = started();
    watch.tick({ steady: 1000 + TICK, wall }, false);
    assert.deepEqual(watch.interruptions(), [{ kind: "clock", seconds: TICK / 1000 }]);
  }
});
