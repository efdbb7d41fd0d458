// SPDX-License-Identifier: MIT
// Verdicts of all models at once, by families that fold. A verdict is a word and a sign; colour only repeats them.
import { signal } from "@preact/signals";
import type { Family, Model } from "../core/types.js";
import { Badge } from "../shell/badge.js";
import { checked, model, models, own_model, stale, still_judging, test } from "../shell/state.js";

const FLAGS: Record<string, string> = {
  "data-race": "data race: a program with one has no meaning under this model",
};
const FAMILIES: [Family, string][] = [
  ["gpus", "GPUs and their languages"],
  ["processors", "Processors"],
  ["languages", "Languages of CPU programs"],
  ["general", "Yardsticks"],
];
// Families that the reader opened or closed; the others are open if they have the chosen model.
const folding = signal<Partial<Record<Family | "own", boolean>>>({});

function note(flags: string[], reason: string | undefined): string {
  const words = flags.map((flag) => FLAGS[flag] ?? flag.replaceAll("-", " "));
  if (reason) words.push(reason);
  return words.join("; ");
}

// What a model says, as a word.
export function verdict_word(name: string): string {
  const row = checked.value.verdicts.find((verdict) => verdict.model === name);
  if (still_judging.value.includes(name)) return "judging";
  return row?.verdict ?? (checked.value.refused.some((entry) => entry.model === name) ? "not modelled" : "unknown");
}

function Row({ known }: { known: Model }) {
  const { verdicts, refused } = checked.value;
  const row = verdicts.find((verdict) => verdict.model === known.name);
  const refusal = refused.find((entry) => entry.model === known.name);
  const waits = still_judging.value.includes(known.name);
  const remark = row === undefined ? refusal?.message : waits ? "" : note(row.flags, row.reason);
  const chosen = model.value === known.name;
  return (
    <tr class={chosen ? "chosen" : undefined} data-model={known.name}>
      <th scope="row">
        <button type="button" class="model" aria-pressed={chosen} title={known.description} onClick={() => (model.value = known.name)}>
          {known.title}
        </button>
        {test.value?.model === known.name ? (
          <span class="tag" title="The model of the test's own language: it judges a run unless another is asked for.">
            the test's own
          </span>
        ) : null}
      </th>
      <td>
        <Badge verdict={verdict_word(known.name)} />
        {remark ? <div class="remark">{remark}</div> : null}
      </td>
      <td class="number">{row === undefined || row.verdict === "unknown" ? "" : row.outcomes.length}</td>
    </tr>
  );
}

const TALLIED = ["allowed", "forbidden", "unknown", "judging", "not modelled"];

function Group({ id, title, members }: { id: Family | "own"; title: string; members: Model[] }) {
  if (members.length === 0) return null;
  const words = members.map((known) => verdict_word(known.name));
  const open = folding.value[id] ?? members.some((known) => known.name === model.value);
  return (
    <details open={open} onToggle={(event) => (folding.value = { ...folding.value, [id]: event.currentTarget.open })}>
      <summary>
        <span class="family">{title}</span>
        <span class="tally">
          {TALLIED.filter((word) => words.includes(word)).map((word) => (
            <Badge key={word} verdict={word} count={words.filter((other) => other === word).length} />
          ))}
        </span>
      </summary>
      <table>
        <caption class="visually-hidden">{title}: whether each model allows the outcome that the test asks about</caption>
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
          {members.map((known) => (
            <Row key={known.name} known={known} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

export function Verdicts() {
  const { verdicts, refused } = checked.value;
  if (models.value.length === 0 || (verdicts.length === 0 && refused.length === 0)) return null;
  const own = own_model.value;
  return (
    <div class={`verdicts${stale.value ? " stale" : ""}`} id="verdicts" aria-busy={still_judging.value.length > 0}>
      {own === null ? null : <Group id="own" title="Your own" members={[own]} />}
      {FAMILIES.map(([family, title]) => (
        <Group key={family} id={family} title={title} members={models.value.filter((known) => known.family === family)} />
      ))}
    </div>
  );
}
