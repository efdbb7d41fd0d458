// SPDX-License-Identifier: MIT
// The test beside another version of it: which lines differ, and what each model says of both.
import { signal } from "@preact/signals";
import type { VerdictRow } from "../core/types.js";
import { Badge } from "../shell/badge.js";
import { checked, errors, load_test, models, stale, test_name, text } from "../shell/state.js";

interface Version {
  name: string;
  text: string;
  verdicts: VerdictRow[];
}
const kept = signal<Version | null>(null);

export interface LineChange {
  sign: " " | "-" | "+";
  line: string;
}

// The lines of both texts in one list, as few of them changed as possible.
export function line_changes(before: string[], after: string[]): LineChange[] {
  const same: number[][] = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => same[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; --i) {
    for (let j = after.length - 1; j >= 0; --j) {
      (same[i] as number[])[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      changes.push({ sign: " ", line: before[i++] ?? "" });
      ++j;
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ sign: "-", line: before[i++] ?? "" });
    } else {
      changes.push({ sign: "+", line: after[j++] ?? "" });
    }
  }
  return changes;
}

function lines_of(of: string): string[] {
  return of.replace(/\n$/, "").split("\n");
}

// Outcomes that one version has and the other has not.
function beyond(row: VerdictRow, other: VerdictRow): string[] {
  return row.outcomes.filter((outcome) => !other.outcomes.includes(outcome));
}

function Differences({ old }: { old: Version }) {
  const pairs = models.value.flatMap((known) => {
    const before = old.verdicts.find((row) => row.model === known.name);
    const after = checked.value.verdicts.find((row) => row.model === known.name);
    return before === undefined || after === undefined ? [] : [{ known, before, after, gone: beyond(before, after), come: beyond(after, before) }];
  });
  const differing = pairs.filter((pair) => pair.before.verdict !== pair.after.verdict || pair.gone.length + pair.come.length > 0);
  if (pairs.length === 0) return <p class="soft">No model judges both.</p>;
  if (differing.length === 0) return <p>All {pairs.length} models that judge both say the same of them.</p>;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="What models say of both versions">
      <table class="outcomes" id="differences">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Kept</th>
            <th scope="col">Now</th>
            <th scope="col">Outcomes only then</th>
            <th scope="col">Outcomes only now</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(({ known, before, after, gone, come }) => (
            <tr key={known.name}>
              <th scope="row">{known.title}</th>
              <td>
                <Badge verdict={before.verdict} />
              </td>
              <td>
                <Badge verdict={after.verdict} />
              </td>
              <td class="code">{gone.slice(0, 4).join(" ")}{gone.length > 4 ? ` and ${gone.length - 4} more` : ""}</td>
              <td class="code">{come.slice(0, 4).join(" ")}{come.length > 4 ? ` and ${come.length - 4} more` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Compare() {
  const old = kept.value;
  const ready = !stale.value && errors.value.length === 0;
  return (
    <details class="tool" id="compare">
      <summary>Compare with another version</summary>
      <p class="actions">
        <button
          type="button"
          disabled={!ready}
          onClick={() => (kept.value = { name: test_name.value, text: text.value, verdicts: checked.value.verdicts })}
        >
          {old === null ? "Keep this version" : "Keep this one instead"}
        </button>
        {old === null ? null : (
          <button type="button" onClick={() => load_test(old.text)}>
            Go back to it
          </button>
        )}
      </p>
      {old === null ? (
        <p class="soft">Then change the test, or choose another: what differs appears here.</p>
      ) : (
        <>
          <pre tabIndex={0} role="region" aria-label={`What changed since ${old.name}`}>
            {line_changes(lines_of(old.text), lines_of(text.value)).map((change, index) => (
              <div key={index} class={change.sign === "+" ? "added" : change.sign === "-" ? "removed" : undefined}>
                {change.sign} {change.line}
              </div>
            ))}
          </pre>
          {ready ? <Differences old={old} /> : <p class="soft">The models wait until the test can be read.</p>}
        </>
      )}
    </details>
  );
}
