// SPDX-License-Identifier: MIT
// What a check found, in the lines of the program.
import { effect, signal } from "@preact/signals";
import { Copy } from "../shell/copy.js";
import { answer, answered, marks_of, summary, type Finding, type ProofReport, type Property, type RaceReport, type Spot } from "./ask.js";
import { go, load_test, model } from "../shell/state.js";
import { SourceView } from "./source_view.js";

// The finding or the property that the source is marked for.
const chosen = signal(0);
effect(() => {
  void answer.value;
  chosen.value = 0;
});

function at(spot: Spot): string {
  return `${spot.file}:${spot.line}`;
}

function Files({ spots }: { spots: (Spot & { label: string })[] }) {
  const shown = answered.value.filter((file) => marks_of(spots, file.name).length > 0);
  const foreign = [...new Set(spots.filter((spot) => spot.line > 0 && !answered.value.some((file) => file.name === spot.file)).map(at))];
  return (
    <>
      {shown.map((file) => (
        <SourceView key={file.name} file={file} marks={marks_of(spots, file.name)} />
      ))}
      {foreign.length === 0 ? null : <p class="soft">Not among these files: {foreign.join(", ")}</p>}
    </>
  );
}

function FindingText({ finding, index }: { finding: Finding; index: number }) {
  const open = chosen.value === index;
  return (
    <li class={`finding is-${finding.severity}`}>
      <button type="button" class="quiet" aria-expanded={open} onClick={() => (chosen.value = index)}>
        <b>{finding.class}</b> {finding.message} <span class="soft">{at(finding)}</span>
      </button>
      {open ? (
        <div class="more">
          {finding.why === "" ? null : (
            <p>
              <b>Why:</b> {finding.why}
            </p>
          )}
          {finding.fix === "" ? null : (
            <p>
              <b>A fix:</b> {finding.fix}
            </p>
          )}
          {finding.hint === undefined ? null : (
            <p>
              <b>To look at:</b> {finding.hint}
            </p>
          )}
          <p class="soft">
            <code>{finding.kernel}</code> with {finding.launch}. <Copy text={finding.replay} label="Copy the command that shows it again" />
          </p>
        </div>
      ) : null}
    </li>
  );
}

const WORDS: Record<RaceReport["verdict"], string> = {
  clean: "No finding in what was executed",
  "not exercised": "No finding, but kernels or branches did not run",
  incomplete: "No finding, but something is missing",
  found: "Found",
};

function Executed({ report }: { report: RaceReport }) {
  const { executed, not_modelled, not_exercised } = report;
  return (
    <>
      {executed === undefined ? null : (
        <p class="soft">
          Executed: {executed.kernels.done} of {executed.kernels.all} kernels, {executed.blocks.done} of {executed.blocks.all} blocks to
          their end
          {executed.values === "partial" ? "; some values were not computed" : ""}.
        </p>
      )}
      {not_exercised.map((one) => (
        <p key={one.kernel} class="soft">
          <code>{one.kernel}</code>: {one.reason}
        </p>
      ))}
      {not_modelled.length === 0 ? null : (
        <details>
          <summary>{not_modelled.length} operations are not modelled</summary>
          <ul class="made">
            {not_modelled.map((one, index) => (
              <li key={index}>
                <code>{one.what}</code> <span class="soft">{one.line === 0 ? "" : at(one)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Races({ report }: { report: RaceReport }) {
  const finding = report.findings[chosen.value];
  return (
    <>
      <p class="answer" data-verdict={report.verdict}>
        <span class={`badge ${report.verdict === "found" ? "is-forbidden" : report.verdict === "clean" ? "is-allowed" : ""}`}>
          {report.verdict === "found" ? summary(report.findings) : report.verdict}
        </span>{" "}
        {report.verdict === "found" ? null : WORDS[report.verdict]}
      </p>
      <ol class="findings">
        {report.findings.map((one, index) => (
          <FindingText key={index} finding={one} index={index} />
        ))}
      </ol>
      {finding === undefined ? null : <Files spots={finding.other === null ? [finding] : [finding, finding.other]} />}
      <Executed report={report} />
      {report.output === "" ? null : (
        <details>
          <summary>What the program printed</summary>
          <pre tabIndex={0}>{report.output}</pre>
        </details>
      )}
    </>
  );
}

function Witness({ property }: { property: Property }) {
  const threads = property.witness ?? [];
  const spots = threads.flatMap(({ block, steps }) => steps.map((step) => ({ ...step.place, label: `block ${block}: ${step.text}` })));
  return (
    <>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Execution">
        <table class="plain witness">
          <caption>An execution that the model allows, thread by thread</caption>
          <tbody>
            {threads.map(({ block, thread, steps }) => (
              <tr key={`${block}:${thread}`}>
                <th scope="row">
                  block {block}, thread {thread}
                </th>
                <td>
                  <ol class="made">
                    {steps.map((step, index) => (
                      <li key={index}>
                        {step.text}
                        <span class="soft">
                          {" "}
                          at line {step.place.line}
                          {step.from === undefined ? (step.initial ? ", the initial value" : "") : `, from line ${step.from.line}`}
                        </span>
                      </li>
                    ))}
                  </ol>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Files spots={spots} />
    </>
  );
}

function Proof({ report }: { report: ProofReport }) {
  const badge = (verdict: string) => (verdict === "proved" ? "is-allowed" : verdict === "violated" ? "is-forbidden" : "");
  const property = report.properties[chosen.value];
  return (
    <>
      <p class="answer" data-verdict={report.verdict}>
        <span class={`badge ${badge(report.verdict)}`}>{report.verdict}</span> for <code>{report.kernel}</code> with {report.launch}, by the
        model {report.model}
      </p>
      {report.reason === undefined ? null : <p>{report.reason}</p>}
      <ul class="findings">
        {report.properties.map((one, index) => (
          <li key={index} class="finding">
            <button type="button" class="quiet" aria-pressed={chosen.value === index} onClick={() => (chosen.value = index)}>
              {one.what}: <span class={`badge ${badge(one.verdict)}`}>{one.verdict}</span>
            </button>
            {one.reason === undefined ? null : <p class="more">{one.reason}</p>}
          </li>
        ))}
      </ul>
      {report.holds_for === undefined ? null : <p class="soft">Holds for {report.holds_for}.</p>}
      {report.test === undefined ? null : (
        <p>
          <button
            type="button"
            onClick={() => {
              load_test(report.test ?? "");
              model.value = report.model;
              go("write");
            }}
          >
            Open the litmus test that was judged
          </button>
        </p>
      )}
      {property?.witness === undefined || property.witness.length === 0 ? null : <Witness property={property} />}
    </>
  );
}

export function Report() {
  const said = answer.value;
  return (
    <section aria-labelledby="report-title" aria-live="polite">
      <h2 id="report-title">{said?.kind === "proof" ? "Proof" : "Findings"}</h2>
      {said === null ? <p class="soft">What is found stands here, with the lines of both threads.</p> : null}
      {said?.kind === "race" ? <Races report={said.report} /> : null}
      {said?.kind === "proof" ? <Proof report={said.report} /> : null}
    </section>
  );
}
