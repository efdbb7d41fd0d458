// SPDX-License-Identifier: MIT
// What the tables of runs and of submissions share: a form of filters, counts, and why nothing is shown.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Refused, token, type Counts } from "./server.js";
import { count_text, rate_text } from "./words.js";

export type Filters = Record<string, string>;

export function FilterForm(props: { names: [string, string][]; filters: Filters; use: (filters: Filters) => void }) {
  const [filters, set_filters] = useState(props.filters);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        props.use(filters);
      }}
    >
      {props.names.map(([name, title]) => (
        <label key={name}>
          {title}
          <input
            type="text"
            name={name}
            value={filters[name] ?? ""}
            placeholder="any"
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => set_filters({ ...filters, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        Show
      </button>
    </form>
  );
}

export function CountHeads() {
  return (
    <>
      <th scope="col" class="number">Instances</th>
      <th scope="col" class="number">Weak</th>
      <th scope="col" class="number">Weak per second</th>
      <th scope="col" class="number">Forbidden</th>
    </>
  );
}

export function CountCells({ row }: { row: Counts }) {
  return (
    <>
      <td class="number">{count_text(row.instances)}</td>
      <td class="number">{count_text(row.weak)}</td>
      <td class="number">{rate_text(row.weak, row.seconds)}</td>
      <td class={row.forbidden > 0 ? "number bad" : "number"}>{count_text(row.forbidden)}</td>
    </>
  );
}

// A refusal for want of a token comes with a place for one.
export function Problem({ error, again }: { error: Error; again: () => void }) {
  const [given, set_given] = useState("");
  if (!(error instanceof Refused && error.status === 401)) {
    return (
      <p class="notice" role="alert">
        Nothing can be shown: {error.message}.
      </p>
    );
  }
  return (
    <form
      class="notice filters"
      onSubmit={(event) => {
        event.preventDefault();
        token.value = given.trim();
        again();
      }}
    >
      <p role="alert">
        This server is public: single runs are shown to those who have a token of it.
        {token.value === "" ? "" : " This token is not one of them."}
      </p>
      <label>
        Token
        <input type="password" autocomplete="off" value={given} onInput={(event) => set_given(event.currentTarget.value)} />
      </label>
      <button type="submit">Use it</button>
    </form>
  );
}

export function Table({ label, heads, children }: { label: string; heads: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={label}>
      <table class="plain">
        <thead>
          <tr>{heads}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
