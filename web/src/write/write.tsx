// SPDX-License-Identifier: MIT
// Write a test and see at once what every model says about it.
import { judge } from "../core/client.js";
import { Editor, ErrorList } from "../editor/editor.js";
import { command } from "../link/command.js";
import { Share, verdicts_json } from "../link/share.js";
import { stop_judging } from "../shell/judging.js";
import { checked, errors, go, model, problem, stale, still_judging, test, test_name, text } from "../shell/state.js";
import { Convert, MakeForbidden, Mutants } from "./change.js";
import { Chooser, ChooserButton } from "./chooser.js";
import { Columns } from "./columns.js";
import { Outcomes } from "./outcomes.js";
import { Verdicts } from "./verdicts.js";
import { WhyPanel } from "./why.js";

function CoreNote() {
  const state = judge.state.value;
  if (state.kind === "failed") return null;
  if (state.kind === "loading") return <p class="soft" role="status">The judge is loading…</p>;
  if (errors.value.length > 0 && !stale.value) {
    return <p class="soft">The models wait until the test can be read.</p>;
  }
  const slow = still_judging.value.length;
  if (stale.value || slow > 0) {
    return (
      <p class="soft judging" role="status">
        {slow > 0 ? `Judging… ${slow} ${slow === 1 ? "model needs" : "models need"} longer.` : "Judging…"}{" "}
        <button type="button" onClick={stop_judging}>
          Stop
        </button>
      </p>
    );
  }
  return null;
}

export function Write() {
  const known = test.value;
  return (
    <>
      <Chooser />
      <div class="writing">
        <div class="area-test">
          <section aria-labelledby="test-title">
            <div class="bar">
              <h2 id="test-title">Test</h2>
              <span class="actions">
                <ChooserButton />
                <button type="button" class="primary" onClick={() => go("run")}>
                  Run on this GPU
                </button>
              </span>
            </div>
            <Editor text={text.value} errors={errors.value} label="Litmus test" on_change={(now) => (text.value = now)} />
            <ErrorList text={text.value} errors={errors.value} />
            {problem.value === null ? null : <p role="status">{problem.value}</p>}
            {checked.value.contradicted.map((entry, index) => (
              <p key={index} role="status">
                {entry.message}
              </p>
            ))}
            {known === null ? null : <Columns test={known} old={errors.value.length > 0} />}
          </section>
        </div>
        <div class="area-answer">
          <section aria-labelledby="verdicts-title">
            <h2 id="verdicts-title">Can it end like that?</h2>
            <CoreNote />
            <Verdicts />
          </section>
          <WhyPanel />
        </div>
        <div class="area-more">
          <Outcomes />
          <section aria-labelledby="change-title">
            <h2 id="change-title">Change it</h2>
            <MakeForbidden />
            <Mutants />
            <Convert />
          </section>
          <Share view="write" command={command("check", test_name.value, "--model", model.value, "--explain", "--draw")} json={verdicts_json} />
        </div>
      </div>
    </>
  );
}
