// SPDX-License-Identifier: MIT
// What can be made of a test: another dialect, a broken version, one whose outcome is forbidden.
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { study, Withdrawn } from "../core/client.js";
import type { Change, Converted, FencesEntry, MadeTest } from "../core/types.js";
import { dialect_of } from "../editor/highlight.js";
import { save_text } from "../link/save.js";
import { Badge } from "../shell/badge.js";
import { Copy } from "../shell/copy.js";
import { own_cat } from "../shell/judging.js";
import { load_test, model, own_text, selected_row, text, title_of } from "../shell/state.js";

export const DIALECTS: [string, string][] = [
  ["weakspot", "Weakspot"],
  ["ptx", "PTX"],
  ["ptx-2015", "PTX of 2015"],
  ["vulkan", "Vulkan"],
  ["opencl", "OpenCL C"],
  ["c", "C11"],
  ["aarch64", "AArch64"],
  ["x86-64", "x86-64"],
  ["riscv", "RISC-V"],
  ["linux", "Linux kernel C"],
  ["json", "JSON"],
];

type Answer<T> = { state: "idle" } | { state: "busy" } | { state: "done"; value: T } | { state: "failed"; reason: string };

// An answer that belongs to one text and one model, and disappears when either changes.
function useAnswer<T>() {
  const answer = useSignal<Answer<T>>({ state: "idle" });
  useSignalEffect(() => {
    text.value;
    model.value;
    own_text.value;
    answer.value = { state: "idle" };
  });
  async function ask(question: () => Promise<T>): Promise<void> {
    const mine: Answer<T> = { state: "busy" };
    answer.value = mine;
    try {
      const value = await question();
      if (answer.peek() === mine) answer.value = { state: "done", value };
    } catch (error) {
      if (answer.peek() !== mine) return;
      if (error instanceof Withdrawn) answer.value = { state: "idle" };
      else answer.value = { state: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }
  return { answer, ask };
}

function Waiting<T>({ answer, children }: { answer: Answer<T>; children: (value: T) => ComponentChildren }) {
  if (answer.state === "idle") return null;
  if (answer.state === "busy") {
    return (
      <p role="status">
        Working…{" "}
        <button type="button" onClick={() => study.cancel()}>
          Stop
        </button>
      </p>
    );
  }
  if (answer.state === "failed") return <p role="status">{answer.reason}</p>;
  return <div role="status">{children(answer.value)}</div>;
}

const converted_to = signal("ptx");

export function Convert() {
  const { answer, ask } = useAnswer<Converted>();
  const convert = () => void ask(() => study.ask("convert", { text: text.value, to: converted_to.value }));
  return (
    <details class="tool" id="convert">
      <summary>Convert to another dialect</summary>
      <p class="actions">
        <label>
          Dialect{" "}
          <select
            value={converted_to.value}
            onChange={(event) => {
              converted_to.value = event.currentTarget.value;
              convert();
            }}
          >
            {DIALECTS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={convert}>
          Convert
        </button>
      </p>
      <Waiting answer={answer.value}>
        {(value) => (
          <>
            {value.left_out.map((entry) => (
              <p key={entry.dialect}>{entry.reason}</p>
            ))}
            {value.tests.map((made) => (
              <div key={made.dialect}>
                <pre tabIndex={0} role="region" aria-label="The converted test">
                  {made.text}
                </pre>
                <p class="actions">
                  <Copy text={made.text} />
                  <button type="button" onClick={() => save_text(made.text, `${made.test}.litmus`)}>
                    Save
                  </button>
                  {dialect_of(made.text) === null ? null : (
                    <button type="button" onClick={() => load_test(made.text)}>
                      Open in the editor
                    </button>
                  )}
                </p>
              </div>
            ))}
          </>
        )}
      </Waiting>
    </details>
  );
}

interface JudgedMutant {
  made: MadeTest;
  verdict: string;
}

async function judged_mutants(of: string, by: string): Promise<JudgedMutant[]> {
  const { tests } = await study.ask("mutate", { text: of, keep_forbidden: true, limit: 60 });
  const judged: JudgedMutant[] = [];
  for (const made of tests) {
    const answer = await study.ask("check", { text: made.text, models: [by], ...own_cat(), limits: { seconds: 1 } });
    judged.push({ made, verdict: answer.verdicts[0]?.verdict ?? "not modelled" });
  }
  return judged;
}

export function Mutants() {
  const { answer, ask } = useAnswer<JudgedMutant[]>();
  const before = selected_row.value?.verdict;
  return (
    <details class="tool" id="mutants">
      <summary>Break it</summary>
      <p class="soft">
        Every small disruption of the test: accesses swapped, scopes narrowed, orders weakened, fences left out. Judged by{" "}
        {title_of(model.value)}.
      </p>
      <p class="actions">
        <button type="button" onClick={() => void ask(() => judged_mutants(text.value, model.value))}>
          Show the mutants
        </button>
      </p>
      <Waiting answer={answer.value}>
        {(mutants) =>
          mutants.length === 0 ? (
            <p>Nothing in this test can be weakened.</p>
          ) : (
            <ul class="made">
              {mutants.map(({ made, verdict }) => (
                <li key={made.test}>
                  <button type="button" class="quiet" onClick={() => load_test(made.text)}>
                    {made.info["Mutator"] ?? made.test}
                  </button>{" "}
                  <span class="soft">{made.info["Edge"]}</span> <Badge verdict={verdict} />
                  {before !== undefined && verdict !== before ? <strong> changed</strong> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Waiting>
    </details>
  );
}

function change_words(change: Change): string {
  const place = `P${change.thread}`;
  if (change.replaces !== undefined) return `${place}: ${change.replaces} becomes ${change.text}`;
  if (change.before !== undefined) return `${place}: ${change.text} before ${change.before}`;
  return `${place}: ${change.text} at the end`;
}

async function find_ways(of: string, by: string): Promise<FencesEntry> {
  const answer = await study.ask("fences", { text: of, models: [by], ...own_cat(), limits: { seconds: 15 } }, 30_000);
  const entry = answer.fences[0];
  if (entry !== undefined) return entry;
  throw new Error(answer.refused[0]?.message ?? "The model does not judge this test.");
}

function Ways({ entry }: { entry: FencesEntry }) {
  if (entry.verdict === "forbidden") return <p>{title_of(model.value)} forbids the outcome already.</p>;
  return (
    <>
      {entry.ways.length === 0 ? <p>No change of orders, scopes and fences forbids the outcome.</p> : null}
      <ol class="made">
        {entry.ways.map((way, index) => (
          <li key={index}>
            {way.changes.map((change, at) => (
              <div key={at} class="code">
                {change_words(change)}
              </div>
            ))}
            {way.litmus === undefined ? null : (
              <button type="button" onClick={() => load_test(way.litmus ?? "")}>
                Open in the editor
              </button>
            )}
          </li>
        ))}
      </ol>
      <p class="soft">
        {entry.judged} tests judged{entry.complete ? "; every way is listed and none can be weakened." : "; the search is not complete."}
        {entry.reason ? ` ${entry.reason}` : ""}
      </p>
    </>
  );
}

export function MakeForbidden() {
  const { answer, ask } = useAnswer<FencesEntry>();
  return (
    <details class="tool" id="fences">
      <summary>Make it forbidden</summary>
      <p class="soft">The weakest orders, scopes and fences that make {title_of(model.value)} forbid the outcome.</p>
      <p class="actions">
        <button type="button" onClick={() => void ask(() => find_ways(text.value, model.value))}>
          Find the weakest fences
        </button>
      </p>
      <Waiting answer={answer.value}>{(entry) => <Ways entry={entry} />}</Waiting>
    </details>
  );
}
