// SPDX-License-Identifier: MIT
// A weak outcome that a run has caught, told as an execution that the model allows. The run saw how it ended, not how it
// came about: the story is one of those that end so.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { study } from "../core/client.js";
import type { CountedOutcome, VerdictRow } from "../core/types.js";
import { Player } from "../write/player.js";
import { duration } from "./histogram.js";
import type { RunState } from "./session.js";

// The one that the test asks about, or else the most frequent one.
export function caught_outcome(counts: Iterable<CountedOutcome>): CountedOutcome | null {
  const weak = [...counts].filter((one) => one.class === "weak" && one.count > 0);
  weak.sort((a, b) => Number(b.matches) - Number(a.matches) || b.count - a.count);
  return weak[0] ?? null;
}

export function Caught({ now, text, model, title }: { now: RunState; text: string; model: string; title: string }) {
  const row = useSignal<VerdictRow | null>(null);
  const caught = caught_outcome(now.sides.flatMap((side) => [...side.counts.values()]));
  const outcome = caught?.outcome ?? null;
  useEffect(() => {
    row.value = null;
    if (outcome === null) return;
    let current = true;
    void study
      .ask("check", { text, models: [model], picture: true, outcome, limits: { seconds: 5 } })
      .then((answer) => {
        if (current) row.value = answer.verdicts[0] ?? null;
      })
      // The device may have run a weaker test than this one, whose outcomes the model does not know. Then nothing is told.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [text, model, outcome]);
  const told = row.value;
  if (caught === null || told?.svg === undefined || told.steps === undefined || told.steps.length === 0) return null;
  const seconds = Math.max(...now.sides.map((side) => side.seconds));
  return (
    <section aria-labelledby="caught-title" id="caught">
      <h2 id="caught-title">Caught: {caught.outcome.replace(/;$/, "")}</h2>
      <p class="soft">
        No order in which the threads take turns explains it. It was seen{" "}
        {caught.count === 1 ? "once" : `${caught.count.toLocaleString("en")} times`} in {duration(Math.max(1, Math.round(seconds)))}. The steps are one
        way in which {title} allows it; what went on inside the machine is not known.
      </p>
      <Player svg={told.svg} steps={told.steps} arrows={told.arrows ?? []} playing />
    </section>
  );
}
