// SPDX-License-Identifier: MIT
// Why a model says what it says: the failing cycle, or an allowed execution, in words and as a picture.
import { signal, useSignalEffect } from "@preact/signals";
import { Refused, study, Withdrawn } from "../core/client.js";
import { FIRST_MODEL, FIRST_TEST } from "../core/first.js";
import type { Step, VerdictRow } from "../core/types.js";
import { SavePicture } from "../link/save.js";
import { own_cat } from "../shell/judging.js";
import { checked_text, first_why, model, selected_row, shown_outcome, stale, text, title_of } from "../shell/state.js";
import { animated } from "./animation.js";
import { Player } from "./player.js";

// The text, the model and the outcome that it speaks of are kept with it: an answer may be old.
interface Why {
  of: string;
  by: string;
  outcome: string | null;
  row?: VerdictRow;
  reason?: string;
}
export const why = signal<Why | null>(null);
const NONE: Step[] = [];

async function explain(of: string, by: string, outcome: string | null): Promise<void> {
  if (first_why.value !== null && of === FIRST_TEST && by === FIRST_MODEL && outcome === null) {
    why.value = { of, by, outcome, row: first_why.value };
    return;
  }
  const current = () => text.peek() === of && model.peek() === by && shown_outcome.peek() === outcome;
  try {
    const answer = await study.ask("check", {
      text: of,
      models: [by],
      explain: true,
      picture: true,
      ...own_cat(),
      ...(outcome === null ? {} : { outcome }),
      limits: { seconds: 5 },
    });
    if (!current()) return;
    const row = answer.verdicts[0];
    const refusal = answer.refused[0];
    const reason = row?.reason ?? refusal?.message;
    why.value = { of, by, outcome, ...(row === undefined ? {} : { row }), ...(reason === undefined ? {} : { reason }) };
  } catch (error) {
    if (error instanceof Withdrawn || !current()) return;
    const in_text = error instanceof Refused && error.errors.some((one) => one.line !== undefined);
    why.value = in_text ? null : { of, by, outcome, reason: String((error as Error).message) };
  }
}

function heading(row: VerdictRow | undefined, title: string, outcome: string | null): string {
  if (outcome !== null) return `How ${title} allows ${outcome.replace(/;$/, "")}`;
  if (row === undefined) return `Why, by ${title}`;
  if (row.verdict === "forbidden") return `Why ${title} forbids it`;
  if (row.verdict === "allowed") return `How ${title} allows it`;
  return `What ${title} says`;
}

export function WhyPanel() {
  useSignalEffect(() => {
    const by = model.value;
    const of = checked_text.value;
    const outcome = shown_outcome.value;
    if (of !== null && of === text.value && selected_row.value !== undefined) void explain(of, by, outcome);
  });
  const now = why.value;
  if (now === null || selected_row.value === undefined) return null;
  const title = title_of(now.by);
  const { row, reason } = now;
  const old = stale.value || now.of !== text.value || now.by !== model.value || now.outcome !== shown_outcome.value;
  return (
    <section aria-labelledby="why-title" aria-busy={old} class={old ? "stale part-why" : "part-why"}>
      <h2 id="why-title">{heading(row, title, now.outcome)}</h2>
      {reason ? <p>{reason}</p> : null}
      {row?.svg ? (
        <>
          <Player svg={row.svg} steps={row.steps ?? NONE} arrows={row.arrows ?? []} />
          <SavePicture svg={row.svg} name={`${row.test}-${row.model}`} animation={animated(row.svg, row.steps ?? NONE, row.arrows ?? [])} />
        </>
      ) : null}
      {row?.explanation ? (
        <pre class="explanation" tabIndex={0} role="region" aria-label="The explanation in words">
          {row.explanation.replace(/\n$/, "")}
        </pre>
      ) : null}
    </section>
  );
}
