// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { command } from "../../src/link/command.js";

test("commands hold nothing that a shell would obey", () => {
  assert.equal(command("run", "MP+acq", "--seconds", 5, "--env", "stress,size=32"), "weakspot run MP+acq.litmus --seconds 5 --env stress,size=32");
  const hostile = command("check", "-MP;touch${IFS}pwned;`x`", "--model", "a'b $(c)", "--env", "");
  assert.equal(hostile, "weakspot check MP_touch_IFS_pwned_x_.litmus --model 'a'\\''b $(c)' --env ''");
});
