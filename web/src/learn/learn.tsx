// SPDX-License-Identifier: MIT
// Short lessons made of tests that can be opened and run.
import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { study } from "../core/client.js";
import type { Checked, ReadTest } from "../core/types.js";
import { Badge } from "../shell/badge.js";
import { go, load_test, place, title_of } from "../shell/state.js";
import { Columns } from "../write/columns.js";
import type { Lesson, RunBlock, TestBlock } from "./lesson.js";

// A file of its own, which the first view does not load.
export const lessons = signal<Lesson[]>([]);
const missing = signal("");

function load_lessons(): void {
  if (lessons.value.length > 0) return;
  import("./lessons.js").then(
    ({ LESSONS }) => (lessons.value = LESSONS),
    (error: unknown) => (missing.value = `The lessons could not be loaded: ${error instanceof Error ? error.message : error}`),
  );
}

// *emphasis* and `code`; everything else is text.
function Words({ words }: { words: string }) {
  return (
    <>
      {words.split(/(`[^`]+`|\*[^*]+\*)/).map((piece, index) => {
        if (piece.startsWith("`")) return <code key={index}>{piece.slice(1, -1)}</code>;
        if (piece.startsWith("*")) return <em key={index}>{piece.slice(1, -1)}</em>;
        return piece;
      })}
    </>
  );
}

function ShownTest({ block }: { block: TestBlock }) {
  const read = useSignal<ReadTest | null>(null);
  const checked = useSignal<Checked | null>(null);
  useEffect(() => {
    const names = Object.keys(block.claims);
    void Promise.all([study.ask("read", { text: block.litmus }), study.ask("check", { text: block.litmus, models: names })])
      .then(([tests, verdicts]) => {
        read.value = tests[0] ?? null;
        checked.value = verdicts;
      })
      .catch(() => undefined);
  }, [block]);
  return (
    <div class="lesson-test">
      {read.value === null ? <pre>{block.litmus}</pre> : <Columns test={read.value} />}
      <ul class="claims">
        {Object.keys(block.claims).map((name) => {
          const row = checked.value?.verdicts.find((verdict) => verdict.model === name);
          return (
            <li key={name}>
              {title_of(name)}{" "}
              {row === undefined ? null : <Badge verdict={row.verdict} />}
              {row?.flags.includes("data-race") ? <span class="soft"> data race</span> : null}
            </li>
          );
        })}
      </ul>
      <p class="actions">
        <button
          type="button"
          onClick={() => {
            load_test(block.litmus);
            go("write");
          }}
        >
          Open and change it
        </button>
      </p>
    </div>
  );
}

function RunIt({ block }: { block: RunBlock }) {
  return (
    <div class="lesson-run">
      <h2>On your machine</h2>
      <p>
        <Words words={block.words} />
      </p>
      <p class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            load_test(block.litmus);
            go("run");
          }}
        >
          Run it here
        </button>
        <button
          type="button"
          onClick={() => {
            load_test(block.litmus);
            go("write");
          }}
        >
          Open in the editor
        </button>
      </p>
    </div>
  );
}

function One({ lesson }: { lesson: Lesson }) {
  const next = lessons.value[lessons.value.indexOf(lesson) + 1];
  return (
    <article class="lesson">
      <p>
        <a href="#learn">All lessons</a>
      </p>
      <h2 class="lesson-title">{lesson.title}</h2>
      <p class="soft">{lesson.summary}</p>
      {lesson.blocks.map((block, index) => {
        if (block.kind === "text") {
          return (
            <p key={index}>
              <Words words={block.words} />
            </p>
          );
        }
        return block.kind === "test" ? <ShownTest key={`${lesson.id}${index}`} block={block} /> : <RunIt key={index} block={block} />;
      })}
      {next === undefined ? null : (
        <p>
          Next: <a href={`#learn/${next.id}`}>{next.title}</a>
        </p>
      )}
    </article>
  );
}

export function Learn() {
  useEffect(load_lessons, []);
  const lesson = lessons.value.find((known) => known.id === place.value.page);
  if (lesson !== undefined) return <One key={lesson.id} lesson={lesson} />;
  return (
    <section aria-labelledby="lessons-title">
      <h2 id="lessons-title">Lessons</h2>
      <p class="soft">Each takes about three minutes and ends with a test on your own machine.</p>
      {lessons.value.length > 0 ? null : <p role="status">{missing.value || "Loading…"}</p>}
      <ol class="lessons">
        {lessons.value.map((known) => (
          <li key={known.id}>
            <a href={`#learn/${known.id}`}>{known.title}</a>
            <span class="soft">{known.summary}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
