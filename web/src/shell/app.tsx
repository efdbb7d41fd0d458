// SPDX-License-Identifier: MIT
// The frame around every view.
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { judge } from "../core/client.js";
import type { View } from "../link/fragment.js";
import { Learn, lessons } from "../learn/learn.js";
import { server_address } from "../run/server.js";
import { submissions_address } from "../send/server.js";
import { Write } from "../write/write.js";
import { Embed } from "./embed.js";
import { go, notice, only_embedded, place, test_name } from "./state.js";

const TITLES: [View, string][] = [
  ["write", "Write"],
  ["run", "Run"],
  ["learn", "Learn"],
  ["conform", "Conform"],
  ["explore", "Explore"],
  ["check", "Check"],
];

// Views in files of their own, which the first view does not load.
const LATE: Partial<Record<View, () => Promise<FunctionComponent>>> = {
  run: () => import("../run/run.js").then((part) => part.Run),
  conform: () => import("../conform/conform.js").then((part) => part.ConformView),
  explore: () => import("../explore/explore.js").then((part) => part.Explore),
  check: () => import("../programs/programs.js").then((part) => part.Programs),
};
const loaded = signal<Partial<Record<View, FunctionComponent>>>({});
const missing = signal("");

function Late({ view }: { view: View }) {
  useEffect(() => {
    missing.value = "";
    if (loaded.value[view] !== undefined) return;
    LATE[view]?.().then(
      (part) => (loaded.value = { ...loaded.value, [view]: part }),
      (error: unknown) => (missing.value = `This view could not be loaded: ${error instanceof Error ? error.message : error}`),
    );
  }, [view]);
  const Part = loaded.value[view];
  return Part === undefined ? <p role="status">{missing.value || "Loading…"}</p> : <Part />;
}

function Shown({ view }: { view: View }) {
  if (view === "learn") return <Learn />;
  if (view === "check" && server_address() === null) return <NoMachine />;
  return view in LATE ? <Late key={view} view={view} /> : <Write />;
}

function NoMachine() {
  return (
    <p class="notice">
      CUDA programs are checked by a machine, and no machine is behind this page: <code>weakspot page --open</code> is both.
    </p>
  );
}

function title_of(view: View, page: string | undefined): string {
  const lesson = lessons.value.find((known) => view === "learn" && known.id === page);
  const name = lesson?.title ?? TITLES.find(([known]) => known === view)?.[1] ?? "Write";
  return view === "write" || view === "run" ? `${test_name.value}, ${name}` : name;
}

function JudgeNote() {
  const state = judge.state.value;
  if (state.kind !== "failed") return null;
  return (
    <p class="notice" role="alert">
      This browser did not start the judge ({state.reason}). Tests can still be written, shared and read, lessons work
      without verdicts, and Explore works as always.
    </p>
  );
}

export function App() {
  const { view, page } = place.value;
  const title = `${title_of(view, page)} · Weakspot`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (view === "embed" || only_embedded()) return <Embed />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#write" onClick={(event) => visit(event, "write")}>
          Weakspot
        </a>
        <nav aria-label="Views">
          {TITLES.filter(([name]) => name !== "check" || server_address() !== null).map(([name, title]) => (
            <a
              key={name}
              href={`#${name}`}
              aria-current={view === name ? "page" : undefined}
              onClick={(event) => visit(event, name)}
            >
              {title}
            </a>
          ))}
          {submissions_address() === null ? null : <a href="campaigns.html">Campaigns</a>}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <h1 class="visually-hidden">{TITLES.find(([name]) => name === view)?.[1] ?? "Write"}</h1>
        {notice.value === null ? null : (
          <p class="notice" role="alert">
            {notice.value}{" "}
            <button type="button" onClick={() => (notice.value = null)}>
              Dismiss
            </button>
          </p>
        )}
        <JudgeNote />
        <Shown view={view} />
      </main>
    </>
  );
}

function visit(event: MouseEvent, view: View): void {
  event.preventDefault();
  go(view);
}
