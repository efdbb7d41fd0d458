// SPDX-License-Identifier: MIT
// Run the test on the GPU of this browser and watch its outcomes.
import { computed, signal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { judge, Refused, study } from "../core/client.js";
import type { Environment, Environments } from "../core/types.js";
import { command } from "../link/command.js";
import { Share, verdicts_json } from "../link/share.js";
import { checked_text, environment, errors, go, second_environment, seed, test, test_name, text } from "../shell/state.js";
import { Columns } from "../write/columns.js";
import { DeviceChoice, server_device } from "./device_choice.js";
import { environment_text, known, load_environments, preset_named, problem_of, shortened, value_of } from "./environment.js";
import { EnvironmentForm } from "./environment_form.js";
import { gpu, has_webgpu } from "./gpu.js";
import { duration } from "./histogram.js";
import { Classes, is_active, Legend, Progress, Results, Verdict } from "./results.js";
import { ServerSession } from "./server.js";
import { Session, type RunState } from "./session.js";
import { Tune } from "./tune.js";

const DURATIONS = [2, 5, 10, 60, 300];
const seconds = signal(5);
const session = signal<Session | ServerSession | null>(null);
const state = computed<RunState | null>(() => session.value?.state.value ?? null);
const active = computed(() => is_active(state.value));
// A run speaks of the text that it was begun with.
const of_this_test = computed(() => session.value?.wish.text === text.value);

// Whether the server chooses the environment, the best that it knows for the device and the shape of the test, as the
// command line does: until the reader chooses one.
const automatic = signal(true);
const leaves_choice = computed(
  () => automatic.value && server_device.value !== null && second_environment.value === null && Object.keys(environment.value).length === 0,
);

// As the command line takes them; "" leaves the choice.
function wanted_environments(all: Environments): string[] {
  if (leaves_choice.value) return [""];
  return [environment.value, second_environment.value].filter((one) => one !== null).map((one) => environment_text(all, one));
}

function set_environment(next: Environment, by_itself = false): void {
  automatic.value = by_itself;
  environment.value = next;
}

// What repeats the run as it is set up, judged by the model that judged it here.
function run_command(environments: string[], now: RunState | null): string {
  const judge = now?.sides[0]?.model ?? "";
  return command(
    "run",
    test_name.value,
    "--device",
    server_device.value ?? "webgpu:0",
    ...environments.filter(Boolean).flatMap((one) => ["--env", one]),
    "--seconds",
    seconds.value * environments.length,
    "--seed",
    seed.value,
    ...(judge === "" ? [] : ["--model", judge]),
  );
}

export function stop_run(): void {
  session.value?.stop();
}

function begin(): void {
  const all = known.value;
  if (all === null) return;
  const environments = wanted_environments(all).map((title) => ({ environment: title, title }));
  const wish = { text: text.value, environments, seconds: seconds.value, seed: seed.value, model: "" };
  const next = server_device.value === null ? new Session(wish) : new ServerSession(server_device.value, wish);
  session.value = next;
  void next.run();
}

// Why the test cannot be run as it stands, or null.
function obstacle(): string | null {
  const all = known.value;
  if (judge.state.value.kind === "failed") return "The judge did not start, so the test cannot be compiled.";
  if (all === null || test.value === null) return errors.value.length > 0 ? "The test has mistakes." : "Loading…";
  if (errors.value.length > 0) return "The test has mistakes.";
  if (server_device.value === null && refused.value?.of === text.value) return `${refused.value.reason}.`;
  for (const one of [environment.value, second_environment.value ?? {}]) {
    const wrong = all.parameters.find((parameter) => problem_of(parameter, value_of(parameter, one)) !== null);
    if (wrong !== undefined) return `The parameter ${wrong.name} is outside its range: ${wrong.range}.`;
  }
  return null;
}

// Why WGSL cannot say a text, which a run would only find out at its start.
const refused = signal<{ of: string; reason: string } | null>(null);

async function ask_wgsl(of: string): Promise<void> {
  try {
    await study.ask("emit", { text: of, target: "wgsl" }, 10_000);
  } catch (error) {
    if (!(error instanceof Refused)) return;
    const reason = error.errors[0]?.message ?? error.message;
    refused.value = { of, reason };
  }
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
  const reason = obstacle();
  const gone = server_device.value === null && (!has_webgpu() || gpu.value.kind === "missing");
  return (
    <>
      <p class="actions">
        {active.value ? (
          <button type="button" class="primary" onClick={stop_run}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" disabled={reason !== null || gone} onClick={begin}>
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
          {second_environment.value === null ? null : " in each environment"}
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
      {reason === null || active.value ? null : <p class="soft">{reason}</p>}
    </>
  );
}

export function Run() {
  useEffect(() => void load_environments().catch(() => undefined), []);
  useSignalEffect(() => {
    const of = checked_text.value;
    if (of !== null && of === text.value && errors.value.length === 0 && server_device.value === null) void ask_wgsl(of);
  });
  const all = known.value;
  const now = of_this_test.value ? state.value : null;
  const repeat = run_command(all === null ? [""] : wanted_environments(all), now);
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
          {test.value === null ? null : <Columns test={test.value} old={errors.value.length > 0} />}
          <DeviceChoice />
          <Controls />
          {now === null ? null : <Progress now={now} />}
          {active.value && now === null ? <p role="status">A run of another test is going on.</p> : null}
        </section>
      </div>
      <div class="area-answer">
        {now === null ? (
          <Legend />
        ) : (
          <section aria-labelledby="result-title">
            <h2 id="result-title">Outcomes</h2>
            <p class="soft">Bars grow with the logarithm of the count.</p>
            <Results now={now} />
            <Verdict now={now} text={text.value} />
            <details class="tool">
              <summary>What the words mean</summary>
              <Classes />
            </details>
          </section>
        )}
      </div>
      <div class="area-more">
        <section aria-labelledby="environment-title">
          <h2 id="environment-title">Environment</h2>
          <p class="soft">How the test is run: how many threads meet, and what else keeps the memory busy.</p>
          {all === null ? null : (
            <>
              <EnvironmentForm
                all={all} title={second_environment.value === null ? "This environment" : "First environment"} environment={environment.value} on_change={set_environment}
                {...(server_device.value === null || second_environment.value !== null ? {} : { automatic: leaves_choice.value })}
              />
              {server_device.value === null ? <Tune all={all} disabled={active.value || obstacle() !== null || !has_webgpu()} /> : null}
              <p>
                <label>
                  <input
                    type="checkbox"
                    checked={second_environment.value !== null}
                    onChange={(event) =>
                      (second_environment.value = event.currentTarget.checked
                        ? shortened(all, preset_named(all, "stress"))
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
        <Share view="run" command={repeat} json={() => (now === null ? verdicts_json() : run_json(now))} />
      </div>
    </div>
  );
}
