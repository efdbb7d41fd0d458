// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane, type Port, Refused, Withdrawn } from "../../src/core/client.js";
import type { CoreReply, CoreRequest } from "../../src/core/types.js";

class FakePort implements Port {
  onmessage: ((event: { data: CoreReply }) => void) | null = null;
  onerror: ((event: { message?: string }) => void) | null = null;
  asked: CoreRequest[] = [];
  ended = false;
  postMessage(request: CoreRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.ended = true;
  }
  say(reply: CoreReply): void {
    this.onmessage?.({ data: reply });
  }
}

function lane_with_ports(): { lane: Lane; ports: FakePort[] } {
  const ports: FakePort[] = [];
  const lane = new Lane(() => {
    const port = new FakePort();
    ports.push(port);
    return port;
  });
  return { lane, ports };
}

test("questions are asked one by one and answered in order", async () => {
  const { lane, ports } = lane_with_ports();
  const first = lane.ask("models", {});
  const second = lane.ask("corpus", {});
  assert.equal(ports[0]?.asked.length, 0);
  ports[0]?.say({ ready: true });
  assert.deepEqual(ports[0]?.asked.map((request) => request.question.do), ["models"]);
  ports[0]?.say({ id: 1, answer: { ok: [] } });
  assert.deepEqual(await first, []);
  ports[0]?.say({ id: 2, answer: { errors: [{ message: "no" }] } });
  await assert.rejects(second, (error) => error instanceof Refused && error.errors.length === 1);
});

test("a cancelled question ends the worker and the next one starts another", async () => {
  const { lane, ports } = lane_with_ports();
  const slow = lane.ask("models", {});
  ports[0]?.say({ ready: true });
  lane.cancel();
  await assert.rejects(slow, Withdrawn);
  assert.equal(ports[0]?.ended, true);
  const next = lane.ask("models", {});
  ports[1]?.say({ ready: true });
  ports[1]?.say({ id: 2, answer: { ok: [] } });
  assert.deepEqual(await next, []);
});

test("questions of other kinds outlive a cancelled one", async () => {
  const { lane, ports } = lane_with_ports();
  const slow = lane.ask("check", { text: "", models: "all" });
  const other = lane.ask("corpus", {});
  ports[0]?.say({ ready: true });
  lane.cancel(["check"]);
  await assert.rejects(slow, Withdrawn);
  ports[1]?.say({ ready: true });
  ports[1]?.say({ id: 2, answer: { ok: [] } });
  assert.deepEqual(await other, []);
});

test("a question that takes too long is stopped, those behind it are answered", async () => {
  const { lane, ports } = lane_with_ports();
  const slow = lane.ask("models", {}, 5);
  const next = lane.ask("corpus", {});
  ports[0]?.say({ ready: true });
  await assert.rejects(slow, /No answer within/);
  ports[1]?.say({ ready: true });
  ports[1]?.say({ id: 2, answer: { ok: [] } });
  assert.deepEqual(await next, []);
});

test("a worker that cannot start is a state with a reason", async () => {
  const lane = new Lane(() => {
    throw new Error("workers are blocked");
  });
  await assert.rejects(lane.ask("models", {}), /workers are blocked/);
  assert.deepEqual(lane.state.value, { kind: "failed", reason: "workers are blocked" });
});

test("a worker that dies later costs one question", async () => {
  const { lane, ports } = lane_with_ports();
  const lost = lane.ask("models", {});
  ports[0]?.say({ ready: true });
  ports[0]?.onerror?.({ message: "out of memory" });
  await assert.rejects(lost, /started again/);
  assert.equal(lane.state.value.kind, "ready");
});
