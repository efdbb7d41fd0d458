// SPDX-License-Identifier: MIT
// Chooses a test of the corpus: type a few words, pick one.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { corpus, corpus_problem, load_corpus, search_corpus } from "../core/corpus.js";
import { load_test } from "../shell/state.js";

const open = signal(false);
const query = signal("");
const MOST = 80;

export function ChooserButton() {
  return (
    <button
      type="button"
      onClick={() => {
        open.value = true;
        void load_corpus();
      }}
    >
      Choose a test…
    </button>
  );
}

function step(event: KeyboardEvent): void {
  const down = event.key === "ArrowDown";
  if (!down && event.key !== "ArrowUp") return;
  const items = [...document.querySelectorAll<HTMLElement>("#chooser input, #chooser li button")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = items[at + (down ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

export function Chooser() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (open.value && dialog.current !== null && !dialog.current.open) {
      dialog.current.showModal();
      input.current?.focus();
    }
  }, [open.value]);
  if (!open.value) return null;
  const found = search_corpus(corpus.value, query.value);
  function choose(text: string): void {
    load_test(text);
    dialog.current?.close();
  }
  return (
    <dialog ref={dialog} id="chooser" aria-labelledby="chooser-title" onClose={() => (open.value = false)} onKeyDown={step}>
      <header>
        <h2 id="chooser-title">Tests</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <label>
        Search{" "}
        <input
          ref={input}
          type="search"
          value={query.value}
          placeholder="MP, fence, lock, coherence…"
          onInput={(event) => (query.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && found[0] !== undefined) choose(found[0].text);
          }}
        />
      </label>
      <p class="soft" role="status">
        {corpus_problem.value ??
          (corpus.value.length === 0 ? "Loading…" : `${found.length} of ${corpus.value.length} tests`)}
      </p>
      <ul>
        {found.slice(0, MOST).map((test) => (
          <li key={`${test.folder}/${test.test}`}>
            <button type="button" class="entry" onClick={() => choose(test.text)}>
              <span class="code">{test.test}</span> <span class="tag">{test.folder}</span>
              <span class="soft">{test.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST ? <p class="soft">Type more words to see the other {found.length - MOST}.</p> : null}
    </dialog>
  );
}
