// SPDX-License-Identifier: MIT
// Every outcome that some model allows, and whether the chosen model does.
import { checked, model, selected_row, shown_outcome, title_of } from "../shell/state.js";

interface Row {
  outcome: string;
  values: string[];
  allowed: boolean;
  asked: boolean;
  others: number;
}

// "1:r0=0; 1:r1=1;" -> [["1:r0", "0"], ["1:r1", "1"]]
export function split_outcome(outcome: string): [string, string][] {
  return outcome
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)];
    });
}

function show(outcome: string): void {
  shown_outcome.value = shown_outcome.value === outcome ? null : outcome;
  document.getElementById("why-title")?.scrollIntoView({ block: "nearest" });
}

export function Outcomes() {
  const chosen = selected_row.value;
  if (chosen === undefined || chosen.verdict === "unknown") return null;
  const asked = new Set<string>();
  const by = new Map<string, number>();
  for (const row of checked.value.verdicts) {
    row.outcomes.forEach((outcome, index) => {
      by.set(outcome, (by.get(outcome) ?? 0) + 1);
      if (row.satisfying?.includes(index)) asked.add(outcome);
    });
  }
  const names = split_outcome([...by.keys()][0] ?? "").map(([name]) => name);
  const rows: Row[] = [...by.keys()].sort().map((outcome) => ({
    outcome,
    values: split_outcome(outcome).map(([, value]) => value),
    allowed: chosen.outcomes.includes(outcome),
    asked: asked.has(outcome),
    others: by.get(outcome) ?? 0,
  }));
  const title = title_of(model.value);
  const most = 64;
  return (
    <section aria-labelledby="outcomes-title">
      <h2 id="outcomes-title">Outcomes</h2>
      <p class="soft">
        {title} allows {chosen.outcomes.length} of the {rows.length} outcomes that some model allows.
        {asked.size > 0 ? " ★ marks what the test asks about." : ""} A click on an allowed one shows how it comes about.
      </p>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Table of outcomes">
        <table class="outcomes">
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col" class="code">
                  {name}
                </th>
              ))}
              <th scope="col">{title}</th>
              <th scope="col" class="number">
                Models
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <tr key={row.outcome} class={row.asked ? "asked" : undefined}>
                {row.values.map((value, index) => (
                  <td key={index} class="code">
                    {value}
                  </td>
                ))}
                <td>
                  {row.allowed ? (
                    <button
                      type="button"
                      class="quiet yes"
                      aria-pressed={shown_outcome.value === row.outcome}
                      title="show an execution that ends so"
                      onClick={() => show(row.outcome)}
                    >
                      ○ allowed
                    </button>
                  ) : (
                    <span class="no">✕ forbidden</span>
                  )}
                  {row.asked ? <span title="what the test asks about"> ★</span> : null}
                </td>
                <td class="number">{row.others}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most ? <p class="soft">and {rows.length - most} more</p> : null}
    </section>
  );
}
