// SPDX-License-Identifier: MIT
// Results leave the page only as the reader sees them here: every field can be left out, and what is shown is what is
// saved. Names of devices and the time are left out until somebody asks for them.
import { useSignal } from "@preact/signals";
import { save_text } from "../link/save.js";
import { Sending } from "./sending.js";
import { submissions_address } from "./server.js";

export type Fields = Record<string, unknown>;

// "device.name" -> the value there.
function leaf_paths(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaf_paths(inner, path === "" ? key : `${path}.${key}`));
}

// A copy of the fields without those that were left out.
export function without(fields: Fields, left_out: ReadonlySet<string>, path = ""): Fields {
  const kept: Fields = {};
  for (const [key, value] of Object.entries(fields)) {
    const here = path === "" ? key : `${path}.${key}`;
    if (left_out.has(here)) continue;
    const nested = typeof value === "object" && value !== null && !Array.isArray(value);
    const inner = nested ? without(value as Fields, left_out, here) : value;
    if (!nested || Object.keys(inner as Fields).length > 0) kept[key] = inner;
  }
  return kept;
}

// Without it nobody could read the rest.
const NEEDED = ["format"];

interface Props {
  fields: Fields;
  // Left out unless the reader says otherwise.
  personal: string[];
  name: string;
}

export function Send({ fields, personal, name }: Props) {
  const left_out = useSignal<ReadonlySet<string>>(new Set(personal));
  const json = JSON.stringify(without(fields, left_out.value), null, 2);
  function toggle(path: string): void {
    const next = new Set(left_out.value);
    if (!next.delete(path)) next.add(path);
    left_out.value = next;
  }
  return (
    <section aria-labelledby="send-title">
      <h2 id="send-title">{submissions_address() === null ? "Save the result" : "Send or save the result"}</h2>
      <p class="soft">
        Nothing leaves this page by itself. What is saved or sent is exactly the text below. Results like these can identify a GPU
        model, so leave out what you do not want to tell.
      </p>
      <fieldset class="environment">
        <legend>Fields</legend>
        <div class="fields">
          {leaf_paths(fields, "").filter((path) => !NEEDED.includes(path)).map((path) => (
            <label key={path}>
              <input type="checkbox" checked={!left_out.value.has(path)} onChange={() => toggle(path)} /> <span class="code">{path}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <pre class="sent" id="sent" tabIndex={0} role="region" aria-label="The file">
        {json}
      </pre>
      <Sending json={json} />
      <p class="actions">
        <button type="button" onClick={() => save_text(json + "\n", `${name}.json`, "application/json")}>
          Save this file
        </button>
      </p>
    </section>
  );
}
