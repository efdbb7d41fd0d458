// SPDX-License-Identifier: MIT
// A link to exactly this, and everything as files.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { server_address } from "../run/server.js";
import { submissions_address } from "../send/server.js";
import { Copy } from "../shell/copy.js";
import { EMBEDDED, address_of, checked, current_share, errors, test, test_name, text } from "../shell/state.js";
import type { View } from "./fragment.js";
import { encode } from "./codec.js";
import { save_text } from "./save.js";

export function verdicts_json(): object {
  return { test: test.value, verdicts: checked.value.verdicts, refused: checked.value.refused };
}

// A server with this machine's devices behind it lets nobody frame it: null.
function embed_address(payload: string): string | null {
  if (server_address() !== null) return null;
  return address_of("embed", payload, submissions_address() === null ? "" : EMBEDDED);
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
  const embedded = embed_address(payload.value);
  return (
    <section aria-labelledby="share-title" class="share">
      <h2 id="share-title">Share</h2>
      <p class="soft">
        The link holds the test, the model, the environment and the seed. Nothing is stored anywhere.
        {payload.value ? ` ${address.length} characters.` : ""}
      </p>
      <p class="actions">
        <Copy text={address} label="Copy link" />
        {embedded === null ? null : <Copy text={embed_code(embedded)} label="Copy embed code" />}
        <button type="button" onClick={() => save_text(text.value, `${test_name.value}.litmus`)}>
          Save .litmus
        </button>
        <button type="button" onClick={() => save_text(JSON.stringify(json(), null, 2) + "\n", `${test_name.value}.json`, "application/json")}>
          Save JSON
        </button>
      </p>
      {errors.value.length > 0 ? (
        <p class="soft">The command line is shown once the test can be read.</p>
      ) : (
        <>
          <p class="soft">The same on the command line:</p>
          <pre class="wraps" tabIndex={0} role="region" aria-label="Command line">
            {command.split(" ").map((word, index) => (
              <span key={index}>{word} </span>
            ))}
          </pre>
        </>
      )}
      <p class="actions">
        {errors.value.length > 0 ? null : <Copy text={command} label="Copy command" />}
        <a href={address_of("embed", payload.value)}>Open the embedded view</a>
      </p>
    </section>
  );
}
