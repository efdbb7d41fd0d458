// SPDX-License-Identifier: MIT
// Run the test on the GPU of this browser and watch its outcomes.
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Environment } from "../core/types.js";
import { Share, verdicts_json } from "../link/share.js";
import { environment, errors, go, seed, test, test_name, text } from "../shell/state.js";
import { Columns } from "../write/columns.js";
import { Histogram, SideSummary } from "./bars.js";
import { environment_text, known, load_environments, problem_of, value_of } from "./environment.js";
import { EnvironmentForm } from "./environment_form.js";
import { gpu, has_webgpu, open_gpu } from "./gpu.js";
import { duration } from "./histogram.js";
import { load_server_devices, server_devices, ServerSession } from "./server.js";
import { Session, type RunState } from "./session.js";

const DURATIONS = [2, 5, 10, 60, 300];
const seconds = signal(5);
const second_environment = signal<Environment | null>(null);
const session = signal<Session | ServerSession | null>(null);
// Of the machine that serves the page; null is the GPU of this browser.
const server_device = signal<string | null>(null);
const state = computed<RunState | null>(() => session.value?.state.value ?? null);
const active = computed(() => ["preparing", "running", "asleep"].includes(state.value?.phase ?? ""));

export function stop_run(): void {
  session.value?.stop();
}

function begin(): void {
  const all = known.value;
  if (all === null) return;
  const wanted = [environment.value, ...(second_environment.value === null ? [] : [second_environment.value])];
  const environments = wanted.map((one) => {
    const title = environment_text(all, one);
    return { environment: title, title };
  });
  const wish = { text: text.value, environments, seconds: seconds.value, seed: seed.value, model: "" };
  const next = server_device.value === null ? new Session(wish) : new ServerSession(server_device.value, wish);
  session.value = next;
  void next.run();
}

function all_valid(): boolean {
  const all = known.value;
  if (all === null) return false;
  return [environment.value, second_environment.value ?? {}].every((one) =>
    all.parameters.every((parameter) => problem_of(parameter, value_of(parameter, one)) === null),
  );
}

function DeviceChoice() {
  useEffect(() => void load_server_devices().catch(() => undefined), []);
  if (server_devices.value.length === 0) return <DeviceLine />;
  return (
    <>
      <p>
        <label>
          Device{" "}
          <select
            value={server_device.value ?? "browser"}
            onChange={(event) => (server_device.value = event.currentTarget.value === "browser" ? null : event.currentTarget.value)}
          >
            <option value="browser">this browser's GPU</option>
            {server_devices.value.map((device) => (
              <option key={device.id} value={device.id}>
                {device.id}: {device.name}
              </option>
            ))}
          </select>
        </label>
      </p>
      {server_device.value === null ? <DeviceLine /> : null}
    </>
  );
}

function DeviceLine() {
  useEffect(() => {
    if (has_webgpu()) void open_gpu().catch(() => undefined);
  }, []);
  const now = gpu.value;
  if (!has_webgpu() || now.kind === "missing") {
    return (
      <p class="notice" role="status" id="no-gpu">
        {now.kind === "missing" ? `The GPU cannot be used: ${now.reason}.` : "This browser does not have WebGPU, so it cannot run tests."}{" "}
        Everything else on this page works. Recent versions of Chrome, Edge, Safari and Firefox have WebGPU on most
        machines, for pages that came by HTTPS or from this machine itself.
      </p>
    );
  }
  if (now.kind !== "open") return <p class="soft">Opening the GPU…</p>;
  const { name, browser, is_host } = now.device.description;
  return (
    <p>
      <strong>{name}</strong> <span class="soft">in {browser}</span>
      {is_host ? <span class="tag">on the processor</span> : null}
    </p>
  );
}

const PHASES: Record<string, string> = {
  preparing: "Preparing…",
  running: "Running",
  asleep: "Asleep: the tab is hidden. The run goes on when it is visible again.",
  finished: "Finished",
  stopped: "Stopped",
  failed: "Failed",
};

function Progress({ now }: { now: RunState }) {
  const left = Math.max(0, now.wanted - now.elapsed);
  return (
    <div>
      <p role="status" data-phase={now.phase}>
        {PHASES[now.phase]}
        {now.phase === "running" ? `, ${duration(left)} left` : ""}
      </p>
      {active.value ? (
        <progress max={now.wanted} value={Math.min(now.elapsed, now.wanted)} aria-label="Progress of the run" />
      ) : null}
      {now.message ? <p class="notice">{now.message}</p> : null}
      {now.remarks.map((remark) => (
        <p key={remark} class="soft">
          {remark}
        </p>
      ))}
    </div>
  );
}

function Results({ now }: { now: RunState }) {
  const largest = Math.max(1, ...now.sides.flatMap((side) => [...side.counts.values()].map((one) => one.count)));
  // Both sides list the same outcomes, in the same order.
  const every = new Map(now.sides.flatMap((side) => [...side.counts].map(([outcome, one]) => [outcome, { ...one, count: 0 }])));
  return (
    <div class={now.sides.length > 1 ? "split" : undefined}>
      {now.sides.map((side, index) => (
        <div key={index} class="side">
          <h3 class="code">{side.title}</h3>
          <SideSummary side={side} />
          {side.counts.size === 0 ? null : (
            <div class="scrolls" tabIndex={0} role="region" aria-label={`Outcomes in ${side.title}`}>
              <Histogram
                counts={[...every.values()].map((one) => side.counts.get(one.outcome) ?? one)}
                largest={largest}
                label={`Histogram of outcomes in ${side.title}`}
              />
            </div>
          )}
        </div>
      ))}
    </div>
  );
}

function Verdict({ now }: { now: RunState }) {
  const model = now.sides.find((side) => side.model !== "")?.model;
  if (model === undefined || active.value) return null;
  const seen = (kind: string) => now.sides.some((side) => [...side.counts.values()].some((one) => one.class === kind && one.count > 0));
  if (seen("forbidden")) {
    return (
      <p class="notice">
        <strong>An outcome was seen that {model} forbids.</strong> Either this GPU, its driver or the browser breaks the
        contract. Save the result and report it.
      </p>
    );
  }
  return (
    <p>
      {seen("weak")
        ? "Weak outcomes: this machine reorders memory accesses, and the model allows it."
        : "No weak outcome was seen. That is not a proof: a longer run or a rougher environment may still show one."}
    </p>
  );
}

// As `weakspot run --json` has it, as far as a page knows.
function run_json(now: RunState): object[] {
  return now.sides.map((side) => ({
    test: test_name.value,
    device: server_device.value ?? "webgpu:0",
    environment: side.title,
    seed: seed.value,
    model: side.model,
    remark: side.remark,
    instances: side.instances,
    seconds: side.seconds,
    outcomes: [...side.counts.values()],
    unfinished: side.unfinished,
    status: now.phase,
    message: now.message,
  }));
}

function Controls() {
  const usable = known.value !== null && test.value !== null && errors.value.length === 0 && all_valid();
  const gone = server_device.value === null && (!has_webgpu() || gpu.value.kind === "missing");
  return (
    <p class="actions">
      {active.value ? (
        <button type="button" class="primary" onClick={stop_run}>
          Stop
        </button>
      ) : (
        <button type="button" class="primary" disabled={!usable || gone} onClick={begin}>
          Run
        </button>
      )}
      <label>
        for{" "}
        <select value={String(seconds.value)} onChange={(event) => (seconds.value = Number(event.currentTarget.value))}>
          {DURATIONS.map((value) => (
            <option key={value} value={String(value)}>
              {duration(value)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Seed{" "}
        <input
          type="number"
          class="short"
          min="0"
          value={String(seed.value)}
          onInput={(event) => (seed.value = Math.max(0, Math.floor(Number(event.currentTarget.value)) || 0))}
        />
      </label>
    </p>
  );
}

export function Run() {
  useEffect(() => void load_environments().catch(() => undefined), []);
  const all = known.value;
  const now = state.value;
  const line = all === null ? "basic" : environment_text(all, environment.value);
  const command = `weakspot run ${test_name.value}.litmus --device ${server_device.value ?? "webgpu:0"} --env ${line} --seconds ${seconds.value} --seed ${seed.value}`;
  return (
    <div class="writing">
      <div class="area-test">
        <section aria-labelledby="run-title">
          <div class="bar">
            <h2 id="run-title">Run it here</h2>
            <button type="button" onClick={() => go("write")}>
              Edit the test
            </button>
          </div>
          {test.value === null ? null : <Columns test={test.value} />}
          <DeviceChoice />
          <Controls />
          {now === null ? null : <Progress now={now} />}
        </section>
      </div>
      <div class="area-answer">
        {now === null ? null : (
          <section aria-labelledby="result-title">
            <h2 id="result-title">Outcomes</h2>
            <p class="soft">Bars grow with the logarithm of the count.</p>
            <Results now={now} />
            <Verdict now={now} />
          </section>
        )}
        <Share view="run" command={command} json={() => (now === null ? verdicts_json() : run_json(now))} />
      </div>
      <div class="area-more">
        <section aria-labelledby="environment-title">
          <h2 id="environment-title">Environment</h2>
          <p class="soft">How the test is run: how many threads meet, and what else keeps the memory busy.</p>
          {all === null ? null : (
            <>
              <EnvironmentForm all={all} title="Environment" environment={environment.value} on_change={(next) => (environment.value = next)} />
              <p>
                <label>
                  <input
                    type="checkbox"
                    checked={second_environment.value !== null}
                    onChange={(event) =>
                      (second_environment.value = event.currentTarget.checked
                        ? (all.presets.find((preset) => preset.name === "stress")?.environment ?? {})
                        : null)
                    }
                  />{" "}
                  Compare with a second environment
                </label>
              </p>
              {second_environment.value === null ? null : (
                <EnvironmentForm
                  all={all}
                  title="Second environment"
                  environment={second_environment.value}
                  on_change={(next) => (second_environment.value = next)}
                />
              )}
            </>
          )}
        </section>
      </div>
    </div>
  );
}
