// SPDX-License-Identifier: MIT
// Why a model says what it says: the failing cycle, or an allowed execution, in words and as a picture.
import { signal, useSignalEffect } from "@preact/signals";
import { Refused, study, Withdrawn } from "../core/client.js";
import type { VerdictRow } from "../core/types.js";
import { SavePicture } from "../link/save.js";
import { checked_text, model, models, selected_row, stale, test_name, text } from "../shell/state.js";
import { Picture } from "./picture.js";

type Why = { kind: "nothing" } | { kind: "row"; row: VerdictRow } | { kind: "refused"; reason: string };
export const why = signal<Why>({ kind: "nothing" });

async function explain(of: string, by: string): Promise<void> {
  try {
    const answer = await study.ask("check", {
      text: of,
      models: [by],
      explain: true,
      picture: true,
      limits: { seconds: 5 },
    });
    if (text.peek() !== of || model.peek() !== by) return;
    const row = answer.verdicts[0];
    const refusal = answer.refused[0];
    if (row !== undefined) why.value = { kind: "row", row };
    else if (refusal !== undefined) why.value = { kind: "refused", reason: refusal.message };
  } catch (error) {
    if (error instanceof Withdrawn || text.peek() !== of) return;
    why.value = error instanceof Refused && error.errors.length > 0 ? { kind: "nothing" } : { kind: "refused", reason: String((error as Error).message) };
  }
}

function heading(row: VerdictRow | undefined, title: string): string {
  if (row === undefined) return `Why, by ${title}`;
  if (row.verdict === "forbidden") return `Why ${title} forbids it`;
  if (row.verdict === "allowed") return `How ${title} allows it`;
  return `What ${title} says`;
}

export function WhyPanel() {
  useSignalEffect(() => {
    const by = model.value;
    const of = checked_text.value;
    if (of !== null && of === text.value && selected_row.value !== undefined) void explain(of, by);
  });
  const title = models.value.find((known) => known.name === model.value)?.title ?? model.value;
  const now = why.value;
  if (now.kind === "nothing" || selected_row.value === undefined) return null;
  return (
    <section aria-labelledby="why-title" class={stale.value ? "stale" : undefined}>
      <h2 id="why-title">{heading(now.kind === "row" ? now.row : undefined, title)}</h2>
      {now.kind === "refused" ? <p>{now.reason}</p> : null}
      {now.kind === "row" && now.row.svg ? (
        <>
          <div class="scrolls" tabIndex={0} role="region" aria-label="Picture of the execution">
            <Picture svg={now.row.svg} />
          </div>
          <SavePicture svg={now.row.svg} name={`${test_name.value}-${model.value}`} />
        </>
      ) : null}
      {now.kind === "row" && now.row.explanation ? (
        <pre class="explanation" tabIndex={0} role="region" aria-label="The explanation in words">
          {now.row.explanation.replace(/\n$/, "")}
        </pre>
      ) : null}
    </section>
  );
}
