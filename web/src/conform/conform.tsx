// SPDX-License-Identifier: MIT
// Does this GPU keep its contract, how sure is that, and where do weak outcomes show most? One button and a time.
import { computed, signal } from "@preact/signals";
import { judge } from "../core/client.js";
import { SavePicture } from "../link/save.js";
import { known, load_environments, shortened } from "../run/environment.js";
import { gpu, has_webgpu } from "../run/gpu.js";
import { duration, short_number } from "../run/histogram.js";
import { Send, type Fields } from "../send/send.js";
import { Badge } from "../shell/badge.js";
import { environment, go, load_test, place } from "../shell/state.js";
import { Picture } from "../write/picture.js";
import { card_svg } from "./card.js";
import { Conform, SEED, SUITE, type ConformState } from "./conduct.js";
import { percent, seconds_of, type Tuned } from "./plan.js";

const SECONDS = [60, 120, 300, 900];
// Null: as the address says, or the shortest.
const chosen = signal<number | null>(null);
const seconds = computed(() => chosen.value ?? seconds_of(place.value.page) ?? 60);
const conduct = signal<Conform | null>(null);
export const state = computed<ConformState | null>(() => conduct.value?.state.value ?? null);
const active = computed(() => ["preparing", "measuring", "testing"].includes(state.value?.phase ?? ""));

function begin(): void {
  conduct.value = new Conform(seconds.value);
  void conduct.value.run();
}

const PHASES: Record<string, string> = {
  preparing: "Preparing…",
  measuring: "Measuring mutants",
  testing: "Running the conformance tests",
  finished: "Finished",
  stopped: "Stopped",
  failed: "Failed",
};

function Controls({ now }: { now: ConformState | null }) {
  return (
    <>
      <p class="actions">
        {active.value ? (
          <button type="button" class="primary" onClick={() => conduct.value?.stop()}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" disabled={!has_webgpu() || judge.state.value.kind === "failed"} onClick={begin}>
            Test this GPU
          </button>
        )}
        <label>
          for{" "}
          <select value={String(seconds.value)} onChange={(event) => (chosen.value = Number(event.currentTarget.value))}>
            {[...(SECONDS.includes(seconds.value) ? [] : [seconds.value]), ...SECONDS].map((value) => (
              <option key={value} value={String(value)}>
                {duration(value)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {now === null ? null : (
        <>
          <p role="status" data-phase={now.phase}>
            {PHASES[now.phase]}
            {active.value ? `, ${duration(now.wanted - now.elapsed)} left` : ""}
          </p>
          {active.value ? (
            <>
              <progress max={now.wanted} value={Math.min(now.elapsed, now.wanted)} aria-label="Progress" />
              <p class="soft code">{now.doing}</p>
            </>
          ) : null}
          {now.message ? <p class="notice">{now.message}</p> : null}
        </>
      )}
    </>
  );
}

function Tests({ now }: { now: ConformState }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Table of conformance tests">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Verdict</th>
            <th scope="col" class="number">
              Confidence
            </th>
            <th scope="col" class="number">
              Instances
            </th>
          </tr>
        </thead>
        <tbody>
          {now.tests.map((one) => (
            <tr key={one.test}>
              <th scope="row" class="code">
                {one.test}
              </th>
              <td>
                <Badge verdict={one.verdict} />
              </td>
              <td class="number">{one.confidence === null ? "" : percent(one.confidence)}</td>
              <td class="number">{one.run === null ? "" : short_number(one.run.instances)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The mutant in the view Run, in the environment where it died fastest.
async function run_there(test: string, text: string): Promise<void> {
  await load_environments();
  const read = await judge.ask("environment", { environment: text });
  load_test(test);
  environment.value = known.value === null ? read.environment : shortened(known.value, read.environment);
  go("run");
}

function Best({ now, tuned }: { now: ConformState; tuned: Tuned }) {
  const text = now.environments[tuned.environment] ?? "basic";
  const test = conduct.value?.texts.get(tuned.mutant);
  return (
    <>
      <span title={text}>{tuned.environment + 1}</span>{" "}
      {test === undefined || active.value ? null : (
        <button type="button" class="quiet" aria-label={`run it: ${tuned.mutant}`} onClick={() => void run_there(test, text)}>
          run it
        </button>
      )}
    </>
  );
}

function Mutants({ now }: { now: ConformState }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Mutants">
      <table class="plain" id="tuned">
        <thead>
          <tr>
            <th scope="col">Mutant</th>
            <th scope="col" class="number">
              Kills
            </th>
            <th scope="col" class="number">
              Best rate, per second
            </th>
            <th scope="col" class="number">
              95 % sure
            </th>
            <th scope="col" class="number">
              Environment
            </th>
          </tr>
        </thead>
        <tbody>
          {now.mutants.map((name) => {
            const runs = now.measured.filter((one) => one.mutant === name);
            const best = now.tuned.find((one) => one.mutant === name);
            return (
              <tr key={name} data-mutant={name} data-rate={best?.rate} data-low={best?.rate_low} data-high={best?.rate_high} data-environment={best?.environment}>
                <th scope="row" class="code">
                  {name}
                </th>
                <td class="number">{runs.length === 0 ? "not run" : short_number(runs.reduce((sum, one) => sum + one.kills, 0))}</td>
                <td class="number">{best === undefined ? "" : short_number(best.rate)}</td>
                <td class="number">{best === undefined ? "" : `${short_number(best.rate_low)} to ${short_number(best.rate_high)}`}</td>
                <td class="number">{best === undefined ? "" : <Best now={now} tuned={best} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function environments_tried(now: ConformState): string {
  const count = new Set(now.measured.map((one) => one.environment)).size;
  return count === 1 ? "One environment" : `${count} environments`;
}

// A submission, as docs/server.md describes it.
function report(now: ConformState): Fields {
  const description = gpu.value.kind === "open" ? gpu.value.device.description : null;
  return {
    format: 1,
    device: {
      vendor: description?.vendor ?? "",
      architecture: description?.architecture ?? "",
      name: description?.name ?? "",
      browser: description?.browser ?? "",
    },
    suite: SUITE,
    seed: SEED,
    started: now.started,
    seconds: Math.round(now.elapsed),
    verdict: now.verdict,
    environments: now.environments.slice(0, 1 + Math.max(0, ...now.measured.map((one) => one.environment))),
    runs: now.runs,
    tests: now.tests.map(({ test, verdict, confidence }) => ({ test, verdict, confidence })),
  };
}

function Report({ now }: { now: ConformState }) {
  const description = gpu.value.kind === "open" ? gpu.value.device.description : null;
  const card = card_svg(now, description?.name ?? "This GPU", description?.browser ?? "");
  return (
    <>
      <section aria-labelledby="card-title">
        <h2 id="card-title">Result</h2>
        <Picture svg={card} />
        <SavePicture svg={card} name="weakspot-card" />
      </section>
      <div class="part-last">
        <Send fields={report(now)} personal={["device.name", "device.browser", "started"]} name="weakspot-conformance" />
      </div>
    </>
  );
}

const VERDICTS: [string, string][] = [
  ["conformant", "The forbidden outcome was never seen, and all mutants died so often that this silence is worth something."],
  ["violation", "The forbidden outcome was seen: a bug of the GPU, its driver or the browser."],
  ["unobservable", "A mutant was never seen in a time that should have shown it, so the silence of the test says nothing."],
  ["inconclusive", "Mutants were not run, or too briefly. A longer time tells more."],
  ["not run", "The time was over before."],
];

// Where the result will stand.
function Legend() {
  return (
    <section aria-labelledby="verdict-words">
      <h2 id="verdict-words">What a test can say</h2>
      <dl class="verdict-words">
        {VERDICTS.map(([word, meaning]) => (
          <div key={word}>
            <dt>
              <Badge verdict={word} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">At the end there is a card to show around. Nothing is sent without a click.</p>
    </section>
  );
}

export function ConformView() {
  const now = state.value;
  const done = now !== null && !active.value && now.tests.length > 0;
  return (
    <div class="split two">
      <div class="left">
        <section aria-labelledby="conform-title">
          <h2 id="conform-title">Does this GPU keep its contract?</h2>
          <p>
            The page runs tests whose outcome WebGPU forbids, and mutants of them, whose outcome it allows. A GPU that shows
            the mutants often and the forbidden outcomes never has passed, and the rates say how much that is worth. Every
            device gets the same environments.
          </p>
          {has_webgpu() ? null : (
            <p class="notice">This browser does not have WebGPU, so it cannot run tests. Everything else on this page works.</p>
          )}
          <Controls now={now} />
        </section>
        {now === null || now.tests.length === 0 ? null : (
          <section aria-labelledby="tests-title" class="part-later">
            <h2 id="tests-title">Conformance tests</h2>
            <Tests now={now} />
            <p class="soft">
              Confidence is the probability that such a run kills the test's slowest mutant. Unobservable: a mutant was
              never seen in a time that should have shown it, so the silence of the test says nothing. Inconclusive
              without a confidence: mutants were not run, or too briefly; a longer time tells more.
            </p>
            {now.left_out.length === 0 ? null : (
              <details class="tool">
                <summary>{now.left_out.length} tests that WGSL cannot express</summary>
                <ul>
                  {now.left_out.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </details>
            )}
          </section>
        )}
        {now === null || now.measured.length === 0 ? null : (
          <section aria-labelledby="mutants-title" class="part-later">
            <h2 id="mutants-title">Where mutants die fastest</h2>
            <p class="soft">
              {environments_tried(now)} drawn from seed {SEED}, the same on every device; the first is "basic". The best one
              for each mutant shows weak outcomes of this GPU soonest.
            </p>
            <Mutants now={now} />
          </section>
        )}
      </div>
      <div class="right">{done ? <Report now={now} /> : now === null ? <Legend /> : null}</div>
    </div>
  );
}
