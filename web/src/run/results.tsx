// SPDX-License-Identifier: MIT
// What a run shows while it goes on and at its end.
import { Caught } from "./caught.js";
import { Histogram, SideSummary } from "./bars.js";
import { title_of } from "../shell/state.js";
import { server_device } from "./device_choice.js";
import { duration } from "./histogram.js";
import type { RunState } from "./session.js";

export function is_active(now: RunState | null): boolean {
  return now !== null && ["preparing", "running", "asleep"].includes(now.phase);
}

const PHASES: Record<string, string> = {
  preparing: "Preparing…",
  running: "Running",
  asleep: "Asleep: the tab is hidden. The run goes on when it is visible again.",
  finished: "Finished",
  stopped: "Stopped",
  failed: "Failed",
};

export function Progress({ now }: { now: RunState }) {
  const left = Math.max(0, now.wanted - now.elapsed);
  return (
    <div>
      <p role="status" data-phase={now.phase}>
        {PHASES[now.phase]}
        {now.phase === "running" ? `, ${duration(left)} left` : ""}
      </p>
      {is_active(now) ? (
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

export function Results({ now }: { now: RunState }) {
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

export function Verdict({ now, text }: { now: RunState; text: string }) {
  const model = now.sides.find((side) => side.model !== "")?.model;
  if (model === undefined) return null;
  const title = title_of(model);
  return (
    <>
      <p class="soft judged-by">Judged by {title}.</p>
      {is_active(now) ? null : <Meaning now={now} model={title} />}
      <Caught now={now} text={text} model={model} title={title} />
    </>
  );
}

function Meaning({ now, model }: { now: RunState; model: string }) {
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
      {!seen("weak") && server_device.value === null ? (
        <>
          {" "}
          <em>Tune it to this test</em> looks for such an environment.
        </>
      ) : null}
    </p>
  );
}

const CLASSES: [string, string][] = [
  ["sequential", "One thread ran after the other."],
  ["interleaved", "The threads took turns, in an order that some schedule explains."],
  ["weak", "No schedule explains it, and the model allows it."],
  ["forbidden", "The model does not allow it: a bug of the machine, or of the model."],
];

export function Classes() {
  return (
    <dl class="legend">
      {CLASSES.map(([name, meaning]) => (
        <div key={name} class={`is-${name}`}>
          <dt>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class="bar-fill" width="10" height="10" />
            </svg>
            {name === "forbidden" ? "FORBIDDEN" : name}
          </dt>
          <dd class="soft">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Legend() {
  return (
    <section aria-labelledby="legend-title">
      <h2 id="legend-title">What a run shows</h2>
      <p>A run repeats the test many times, side by side, and counts how each instance ended.</p>
      <Classes />
    </section>
  );
}
