// SPDX-License-Identifier: MIT
// Tunes the environment to the test, with the search as a plot.
import { computed, signal } from "@preact/signals";
import { judge } from "../core/client.js";
import type { Environments } from "../core/types.js";
import { environment, seed, test, text } from "../shell/state.js";
import { shortened } from "./environment.js";
import { duration, short_number } from "./histogram.js";
import { Tuning, finalists, rate_of, type Tried } from "./tuning.js";

const DURATIONS = [15, 60, 300];
const seconds = signal(15);
const tuning = signal<Tuning | null>(null);
const state = computed(() => (tuning.value?.text === text.value ? tuning.value.state.value : null));
const active = computed(() => ["preparing", "searching", "confirming"].includes(state.value?.phase ?? ""));

export function stop_tuning(): void {
  tuning.value?.stop();
}

function begin(): void {
  const next = new Tuning(text.value, seconds.value, seed.value);
  tuning.value = next;
  void next.run();
}

const WIDTH = 400;
const HEIGHT = 120;

// A dot per environment, its height the logarithm of its rate; those that showed nothing stand on the ground.
function Plot({ tried }: { tried: Tried[] }) {
  const top = Math.log10(Math.max(10, ...tried.map(rate_of)));
  const best = finalists(tried)[0];
  return (
    <svg class="plot" viewBox={`-8 -8 ${WIDTH + 16} ${HEIGHT + 16}`} role="img" aria-label={`${tried.length} environments tried, the best with ${short_number(best === undefined ? 0 : rate_of(best))} weak outcomes per second`}>
      <path class="ground" d={`M0,${HEIGHT} H${WIDTH}`} />
      {tried.map((one, index) => {
        const height = one.weak === 0 ? 0 : Math.max(0.03, Math.log10(Math.max(1, rate_of(one))) / top);
        const kind = one === best ? "dot best" : one.weak === 0 ? "dot none" : "dot";
        return <circle key={index} class={kind} r={one === best ? 5 : 3} cx={(WIDTH * (index + 0.5)) / tried.length} cy={HEIGHT * (1 - height)} />;
      })}
    </svg>
  );
}

async function use(all: Environments, line: string): Promise<void> {
  environment.value = shortened(all, (await judge.ask("environment", { environment: line })).environment);
}

export function Tune({ all, disabled }: { all: Environments; disabled: boolean }) {
  const now = state.value;
  const shown = now === null ? [] : now.tried.filter((one) => one.weak > 0);
  return (
    <details class="tool" id="tune">
      <summary>Tune it to this test</summary>
      <p class="soft">
        Tries drawn environments on this browser's GPU, keeps the best few and runs those again. The rates below are of the
        second run.
      </p>
      <p class="actions">
        {active.value ? (
          <button type="button" onClick={stop_tuning}>
            Stop
          </button>
        ) : (
          <button type="button" disabled={disabled || test.value === null} onClick={begin}>
            Tune
          </button>
        )}
        <label>
          within{" "}
          <select value={String(seconds.value)} onChange={(event) => (seconds.value = Number(event.currentTarget.value))}>
            {DURATIONS.map((value) => (
              <option key={value} value={String(value)}>
                {duration(value)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {now === null ? null : (
        <>
          <p role="status" data-tuning={now.phase}>
            {now.phase === "confirming" ? "Running the best ones again" : `${now.tried.length} environments tried, ${shown.length} showed weak outcomes`}
            {active.value ? `, ${duration(Math.max(0, now.wanted - now.elapsed))} left` : ""}
          </p>
          {now.message ? <p class="notice">{now.message}</p> : null}
          {now.tried.length === 0 ? null : <Plot tried={now.tried} />}
          {now.confirmed.length === 0 ? null : (
            <ol class="made">
              {now.confirmed.map((one) => (
                <li key={one.environment}>
                  {short_number(rate_of(one))} per second ({short_number(one.rate_low)} to {short_number(one.rate_high)}){" "}
                  <button type="button" onClick={() => void use(all, one.environment)}>
                    Use it
                  </button>
                  <details>
                    <summary class="soft">environment</summary>
                    <p class="code wraps">
                      <span>{one.environment}</span>
                    </p>
                  </details>
                </li>
              ))}
            </ol>
          )}
          {now.phase === "finished" && shown.length === 0 ? (
            <p>No environment showed a weak outcome in this time. That is not a proof that there is none.</p>
          ) : null}
        </>
      )}
    </details>
  );
}
