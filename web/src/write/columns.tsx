// SPDX-License-Identifier: MIT
// The test as people draw it: a column per thread.
import type { ReadTest } from "../core/types.js";

// "old": the text has changed since and cannot be read.
export function Columns({ test, old = false }: { test: ReadTest; old?: boolean }) {
  const rows = Math.max(0, ...test.columns.map((column) => column.length));
  return (
    <figure class={old ? "columns stale" : "columns"}>
      <figcaption>
        <strong>{test.test}</strong>
        {old ? <em> as it was before the mistake</em> : test.description ? <span class="soft"> {test.description}</span> : null}
      </figcaption>
      <div class="scrolls" tabIndex={0} role="region" aria-label="The test as columns">
        {test.initially ? <p class="code soft">initially {test.initially}</p> : null}
        <table class="code">
          <thead>
            <tr>
              {test.columns.map((_, thread) => (
                <th key={thread} scope="col">
                  P{thread}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, row) => (
              <tr key={row}>
                {test.columns.map((column, thread) => (
                  <td key={thread}>{column[row] ?? ""}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {test.scopes === ""
          ? null
          : test.scopes.split("\n").map((line) => (
              <p key={line} class="code soft">
                {line}
              </p>
            ))}
        <p class="code">{test.condition}</p>
      </div>
    </figure>
  );
}
