// SPDX-License-Identifier: MIT
// Verdicts of all models at once. A verdict is a word and a sign; colour only repeats them.
import { checked, model, models, stale, still_judging, test } from "../shell/state.js";
import { Badge } from "../shell/badge.js";

const FLAGS: Record<string, string> = {
  "data-race": "data race: a program with one has no meaning under this model",
};

function note(flags: string[], reason: string | undefined): string {
  const words = flags.map((flag) => FLAGS[flag] ?? flag.replaceAll("-", " "));
  if (reason) words.push(reason);
  return words.join("; ");
}

export function Verdicts() {
  const { verdicts, refused } = checked.value;
  const own = test.value?.model;
  if (models.value.length === 0 || (verdicts.length === 0 && refused.length === 0)) return null;
  return (
    <table class={`verdicts${stale.value ? " stale" : ""}`} id="verdicts" aria-busy={still_judging.value.length > 0}>
      <caption class="visually-hidden">Whether each memory model allows the outcome that the test asks about</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Verdict</th>
          <th scope="col" class="number">
            Outcomes
          </th>
        </tr>
      </thead>
      <tbody>
        {models.value.map((known) => {
          const row = verdicts.find((verdict) => verdict.model === known.name);
          const refusal = refused.find((entry) => entry.model === known.name);
          const waits = still_judging.value.includes(known.name);
          const remark = row === undefined ? refusal?.message : waits ? "" : note(row.flags, row.reason);
          const chosen = model.value === known.name;
          return (
            <tr key={known.name} class={chosen ? "chosen" : undefined} data-model={known.name}>
              <th scope="row">
                <button
                  type="button"
                  class="model"
                  aria-pressed={chosen}
                  title={known.description}
                  onClick={() => (model.value = known.name)}
                >
                  {known.title}
                </button>
                {own === known.name ? (
                  <span class="tag" title="the model that judges this test unless another is asked for">
                    default
                  </span>
                ) : null}
              </th>
              <td>
                <Badge verdict={waits ? "judging" : (row?.verdict ?? (refusal ? "not modelled" : "unknown"))} />
                {remark ? <div class="remark">{remark}</div> : null}
              </td>
              <td class="number">{row === undefined || row.verdict === "unknown" ? "" : row.outcomes.length}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
