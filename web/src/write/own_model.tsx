// SPDX-License-Identifier: MIT
// A model of the reader's own, as cat, begun from one of ours. It judges beside the others while it is typed.
import { signal } from "@preact/signals";
import { judge } from "../core/client.js";
import { save_text } from "../link/save.js";
import { model, models, OWN_MODEL, own_errors, own_model, own_text } from "../shell/state.js";
import { verdict_word } from "./verdicts.js";
import { Badge } from "../shell/badge.js";

const from = signal("ptx");
const PATIENCE_MS = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

async function begin(): Promise<void> {
  const { text } = await judge.ask("model", { name: from.value });
  own_text.value = text;
  model.value = OWN_MODEL;
}

function type(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => (own_text.value = text), PATIENCE_MS);
}

function Errors({ text }: { text: string }) {
  const lines = text.split("\n");
  return (
    <div id="own-errors" class="errors" role="status">
      {own_errors.value.slice(0, 4).map((error, index) => (
        <div key={index} class="error">
          <p>
            {error.line === undefined ? "" : `Line ${error.line}: `}
            {error.message}
          </p>
          {error.line === undefined ? null : <pre aria-hidden="true">{(lines[error.line - 1] ?? "").slice(0, 120)}</pre>}
        </div>
      ))}
    </div>
  );
}

export function OwnModel() {
  const text = own_text.value;
  return (
    <details class="tool" id="own-model">
      <summary>Change a model</summary>
      <p class="soft">
        Models are texts in the language cat. A copy of one judges beside the others, with every change you make to it. It
        stays in this tab; save it to keep it.
      </p>
      <p class="actions">
        <label>
          Begin with{" "}
          <select value={from.value} onChange={(event) => (from.value = event.currentTarget.value)}>
            {models.value.map((known) => (
              <option key={known.name} value={known.name}>
                {known.title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void begin()}>
          {text === null ? "Copy it" : "Begin again"}
        </button>
      </p>
      {text === null ? null : (
        <>
          <textarea
            class="cat code"
            aria-label="Your model, in cat"
            aria-invalid={own_errors.value.length > 0}
            aria-describedby="own-errors"
            spellcheck={false}
            rows={18}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <Errors text={text} />
          <p class="actions">
            {own_model.value === null ? null : <Badge verdict={verdict_word(OWN_MODEL)} />}
            <button type="button" onClick={() => save_text(text, OWN_MODEL)}>
              Save .cat
            </button>
            <button type="button" onClick={() => (own_text.value = null)}>
              Put it away
            </button>
          </p>
        </>
      )}
    </details>
  );
}
