// SPDX-License-Identifier: MIT
// Write a test and see at once what every model says about it.
import { Editor, ErrorList } from "../editor/editor.js";
import { command } from "../link/command.js";
import { Share, verdicts_json } from "../link/share.js";
import { checked, errors, go, model, problem, test_name, text } from "../shell/state.js";
import { Convert, MakeForbidden, Mutants } from "./change.js";
import { Chooser, ChooserButton } from "./chooser.js";
import { DeviceCode } from "./code.js";
import { Compare } from "./compare.js";
import { Outcomes } from "./outcomes.js";
import { OwnModel } from "./own_model.js";
import { Question } from "./question.js";
import { Verdicts } from "./verdicts.js";
import { WhyPanel } from "./why.js";

// Beside each other where there is room; on a phone: question, test, picture, models, and the rest.
export function Write() {
  return (
    <>
      <Chooser />
      <Question />
      <div class="writing two">
        <div class="left">
          <section
            aria-labelledby="test-title"
            class="part-test"
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) go("run");
            }}
          >
            <div class="bar">
              <h2 id="test-title">Test</h2>
              <span class="actions">
                <ChooserButton />
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
          </section>
          {checked.value.verdicts.length + checked.value.refused.length === 0 ? null : (
            <section aria-labelledby="models-title" class="part-models">
              <h2 id="models-title">Models</h2>
              <Verdicts />
            </section>
          )}
          <div class="part-more">
            <Outcomes />
            <section aria-labelledby="change-title">
              <h2 id="change-title">Change it</h2>
              <MakeForbidden />
              <Mutants />
              <Convert />
              <Compare />
              <OwnModel />
            </section>
            <Share view="write" command={command("check", test_name.value, "--model", model.value, "--explain", "--draw")} json={verdicts_json} />
          </div>
        </div>
        <div class="right">
          <WhyPanel />
          <DeviceCode />
        </div>
      </div>
    </>
  );
}
