// SPDX-License-Identifier: MIT
// The page inside another page: one test, its verdict by one model, the picture, and a way out.
import { encode } from "../link/codec.js";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ErrorList } from "../editor/editor.js";
import { Columns } from "../write/columns.js";
import { WhyPanel } from "../write/why.js";
import { Badge } from "./badge.js";
import { address_of, checked, current_share, errors, model, models, notice, problem, test, text } from "./state.js";

export function Embed() {
  const address = useSignal("");
  useEffect(() => {
    void encode(current_share()).then((payload) => (address.value = address_of("write", payload)));
  }, [text.value, model.value]);
  const row = checked.value.verdicts.find((verdict) => verdict.model === model.value);
  return (
    <main class="embed">
      {notice.value === null ? null : <p class="notice">{notice.value}</p>}
      <h1 class="visually-hidden">Litmus test</h1>
      {test.value === null ? <pre>{text.value}</pre> : <Columns test={test.value} />}
      <ErrorList text={text.value} errors={errors.value} />
      {problem.value === null ? null : <p>{problem.value}</p>}
      <p class="actions">
        <label>
          Model{" "}
          <select value={model.value} onChange={(event) => (model.value = event.currentTarget.value)}>
            {models.value.map((known) => (
              <option key={known.name} value={known.name}>
                {known.title}
              </option>
            ))}
          </select>
        </label>
        {row === undefined ? null : <Badge verdict={row.verdict} />}
        <a href={address.value} target="_blank" rel="noopener">
          Open in Weakspot
        </a>
      </p>
      <WhyPanel />
    </main>
  );
}
