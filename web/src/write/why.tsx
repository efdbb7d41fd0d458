// SPDX-License-Identifier: MIT
// Why a model says what it says: the failing cycle, or an allowed execution, in words and as a picture.
import { signal, useSignalEffect } from "@preact/signals";
import { Refused, study, Withdrawn } from "../core/client.js";
import type { VerdictRow } from "../core/types.js";
import { SavePicture } from "../link/save.js";
import { checked_text, model, models, selected_row, stale, text } from "../shell/state.js";
import { Picture } from "./picture.js";

// The text and the model that it speaks of are kept with it: an answer may be old.
interface Why {
  of: string;
  by: string;
  row?: VerdictRow;
  reason?: string;
}
export const why = signal<Why | null>(null);

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
    const reason = row?.reason ?? refusal?.message;
    why.value = { of, by, ...(row === undefined ? {} : { row }), ...(reason === undefined ? {} : { reason }) };
  } catch (error) {
    if (error instanceof Withdrawn || text.peek() !== of) return;
    why.value = error instanceof Refused && error.errors.length > 0 ? null : { of, by, reason: String((error as Error).message) };
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
  const now = why.value;
  if (now === null || selected_row.value === undefined) return null;
  const title = models.value.find((known) => known.name === now.by)?.title ?? now.by;
  const { row, reason } = now;
  const old = stale.value || now.of !== text.value || now.by !== model.value;
  return (
    <section aria-labelledby="why-title" aria-busy={old} class={old ? "stale" : undefined}>
      <h2 id="why-title">{heading(row, title)}</h2>
      {reason ? <p>{reason}</p> : null}
      {row?.svg ? (
        <>
          <div class="scrolls" tabIndex={0} role="region" aria-label="Picture of the execution">
            <Picture svg={row.svg} />
          </div>
          <SavePicture svg={row.svg} name={`${row.test}-${row.model}`} />
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
