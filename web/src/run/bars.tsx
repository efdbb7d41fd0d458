// SPDX-License-Identifier: MIT
// The histogram of a run: a bar per outcome on a logarithmic scale, its class as a word, a sign and a colour.
import type { CountedOutcome } from "../core/types.js";
import { bars, fraction_text, short_number, total } from "./histogram.js";
import type { Side } from "./session.js";

const SIGNS: Record<string, string> = { sequential: "▤", interleaved: "▥", weak: "◆", forbidden: "✕", unknown: "?" };

export function Histogram({ counts, largest, label }: { counts: CountedOutcome[]; largest: number; label: string }) {
  const rows = bars(counts, largest);
  const most = 40;
  return (
    <table class="histogram" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Outcome</th>
          <th scope="col">Class</th>
          <th scope="col" class="number">
            Count
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, most).map((row) => (
          <tr key={row.outcome} class={`is-${row.class}`} data-class={row.class} data-count={row.count}>
            <th scope="row" class="code">
              {row.outcome}
              {row.matches ? <span title="what the test asks about"> ★</span> : null}
            </th>
            <td>
              <span class="class-word">
                <span aria-hidden="true">{SIGNS[row.class]}</span> {row.class === "forbidden" ? "FORBIDDEN" : row.class}
              </span>
            </td>
            <td class="number">{row.count.toLocaleString("en")}</td>
            <td class="bar-cell" aria-hidden="true">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none">
                <rect class="bar-fill" width={(100 * row.length).toFixed(2)} height="4" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function SideSummary({ side }: { side: Side }) {
  const weak = total(side.counts.values(), "weak");
  const bad = total(side.counts.values(), "forbidden");
  const rate = side.seconds > 0 ? side.timed / side.seconds : 0;
  return (
    <>
      <p class="figures">
        <span>
          <strong data-figure="instances" data-instances={side.instances}>{short_number(side.instances)}</strong> instances
        </span>
        <span>
          <strong>{short_number(rate)}</strong> per second
        </span>
        <span>
          <strong class={weak > 0 ? "weak-word" : undefined}>{short_number(weak)}</strong> weak
          {weak > 0 && side.instances > 0 ? ` (${fraction_text(weak / side.instances)})` : ""}
        </span>
        {bad > 0 ? (
          <span>
            <strong class="no">{short_number(bad)} FORBIDDEN</strong>
          </span>
        ) : null}
      </p>
      {side.unfinished > 0 ? <p class="soft">{short_number(side.unfinished)} instances did not finish and are not counted.</p> : null}
      {side.remark ? <p class="soft">{side.remark}</p> : null}
    </>
  );
}
