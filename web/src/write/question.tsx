// SPDX-License-Identifier: MIT
// The question that a test asks, in words, and the answer in a line.
import { judge } from "../core/client.js";
import { Badge } from "../shell/badge.js";
import { stop_judging } from "../shell/judging.js";
import { checked_text, errors, go, model, models, selected_row, stale, still_judging, test, title_of } from "../shell/state.js";
import { condition_words, listed } from "./condition.js";
import { verdict_word } from "./verdicts.js";

// The few are named: "Sequential consistency and x86-TSO forbid it." Of many, their number says enough. Models without a
// meaning for the test are not counted as if they forbade it.
function Tally() {
  const by = (word: string) => models.value.filter((known) => verdict_word(known.name) === word).map((known) => known.title);
  const allow = by("allowed");
  const forbid = by("forbidden");
  const silent = by("not modelled").length;
  const few = (names: string[], verb: string) =>
    names.length === 0 || names.length > 3 ? "" : ` ${listed(names)} ${verb}${names.length === 1 ? "s" : ""} it.`;
  return (
    <>
      <strong>
        {allow.length} of {models.value.length} models {allow.length === 1 ? "allows" : "allow"} it.
      </strong>
      {forbid.length <= allow.length ? few(forbid, "forbid") : few(allow, "allow")}
      {silent === 0 ? "" : ` ${silent} ${silent === 1 ? "does" : "do"} not model it.`}
    </>
  );
}

// What a condition on all executions is told beside the verdict, which says whether some execution ends so.
function Always() {
  const row = selected_row.value;
  if (row === undefined || row.verdict === "unknown" || !test.value?.condition.startsWith("forall")) return null;
  return <>{row.condition === "always" ? " Every execution ends so" : " Not every execution ends so"}</>;
}

function Answer() {
  const state = judge.state.value;
  const loading = state.kind === "loading";
  if (state.kind === "failed") return null;
  if (loading && checked_text.value === null) return null;
  if (errors.value.length > 0 && !stale.value) return <p class="soft">The models wait until the test can be read.</p>;
  const slow = still_judging.value.length;
  return (
    <>
      {test.value === null ? null : (
        <p class={stale.value ? "answer stale" : "answer"}>
          {title_of(model.value)}: <Badge verdict={verdict_word(model.value)} />
          <Always />
          {" · "}
          <Tally />
        </p>
      )}
      {!loading && (stale.value || slow > 0) ? (
        <p class="soft judging" role="status">
          {slow > 0 ? `Judging… ${slow} ${slow === 1 ? "model needs" : "models need"} longer.` : "Judging…"}{" "}
          <button type="button" onClick={stop_judging}>
            Stop
          </button>
        </p>
      ) : null}
    </>
  );
}

export function Question() {
  const known = test.value;
  const words = known === null ? null : known.description || condition_words(known.condition);
  return (
    <section aria-labelledby="verdicts-title" class="question">
      <p class="soft">
        A litmus test is a concurrent program of a few instructions and a question about how it may end. Memory models of
        GPUs and CPUs answer it here while you type, with reasons, and this browser's GPU runs it.
      </p>
      <h2 id="verdicts-title">Can it end like that?</h2>
      {known === null ? null : (
        <p class={errors.value.length > 0 ? "stale" : undefined}>
          {errors.value.length > 0 ? <em>Before the mistake: </em> : null}
          {words === null ? "" : `${words} `}
          <span class="code">{known.condition}</span>
        </p>
      )}
      <Answer />
      <p class="actions">
        <button type="button" class="primary" onClick={() => go("run")}>
          Run on this GPU
        </button>
        {judge.state.value.kind === "loading" ? (
          <span class="soft" role="status">
            The judge is loading…
          </span>
        ) : null}
      </p>
    </section>
  );
}
