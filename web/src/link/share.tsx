// SPDX-License-Identifier: MIT
// A link to exactly this, and everything as files.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Copy } from "../shell/copy.js";
import { address_of, checked, current_share, test, test_name, text } from "../shell/state.js";
import type { View } from "./fragment.js";
import { encode } from "./codec.js";
import { save_text } from "./save.js";

export function command_line(name: string, model_name: string): string {
  return `weakspot check ${shell_word(`${name}.litmus`)} --model ${model_name} --explain --draw`;
}

function shell_word(word: string): string {
  return /^[A-Za-z0-9@%_+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function verdicts_json(): object {
  return { test: test.value, verdicts: checked.value.verdicts, refused: checked.value.refused };
}

function embed_code(address: string): string {
  return `<iframe src="${address}" width="640" height="480" title="litmus test"></iframe>`;
}

interface Props {
  view: View;
  command: string;
  // What "Save JSON" saves.
  json: () => object;
}

export function Share({ view, command, json }: Props) {
  const payload = useSignal("");
  const shared = JSON.stringify(current_share());
  useEffect(() => {
    let current = true;
    void encode(current_share()).then((made) => {
      if (current) payload.value = made;
    });
    return () => {
      current = false;
    };
  }, [shared]);
  const address = address_of(view, payload.value);
  return (
    <section aria-labelledby="share-title" class="share">
      <h2 id="share-title">Share</h2>
      <p class="soft">
        The link holds the test, the model, the environment and the seed. Nothing is stored anywhere.
        {payload.value ? ` ${address.length} characters.` : ""}
      </p>
      <p class="actions">
        <Copy text={address} label="Copy link" />
        <Copy text={embed_code(address_of("embed", payload.value))} label="Copy embed code" />
        <button type="button" onClick={() => save_text(text.value, `${test_name.value}.litmus`)}>
          Save .litmus
        </button>
        <button type="button" onClick={() => save_text(JSON.stringify(json(), null, 2) + "\n", `${test_name.value}.json`, "application/json")}>
          Save JSON
        </button>
      </p>
      <p class="soft">The same on the command line:</p>
      <pre class="wraps" tabIndex={0} role="region" aria-label="Command line">
        {command.split(" ").map((word, index) => (
          <span key={index}>{word} </span>
        ))}
      </pre>
      <p class="actions">
        <Copy text={command} label="Copy command" />
        <a href={address_of("embed", payload.value)}>Open the embedded view</a>
      </p>
    </section>
  );
}
