// SPDX-License-Identifier: MIT
// Marked lines of a file with what happens there, and the lines around them.
import type { Mark, ProgramFile } from "./ask.js";

const AROUND = 3;

// The lines to show: those near a mark; null is a gap.
export function near(count: number, marks: Mark[]): (number | null)[] {
  const shown: (number | null)[] = [];
  for (let line = 1; line <= count; ++line) {
    if (marks.some((mark) => Math.abs(mark.line - line) <= AROUND)) shown.push(line);
    else if (shown.length > 0 && shown.at(-1) !== null) shown.push(null);
  }
  if (shown.at(-1) === null) shown.pop();
  return shown;
}

export function SourceView({ file, marks }: { file: ProgramFile; marks: Mark[] }) {
  const lines = file.text.split("\n");
  return (
    <figure class="source">
      <figcaption>{file.name}</figcaption>
      <div class="scrolls" tabIndex={0} role="region" aria-label={`Lines of ${file.name}`}>
        <table>
          <tbody>
            {near(lines.length, marks).map((number, index) => {
              if (number === null) {
                return (
                  <tr key={index} class="gap">
                    <td>…</td>
                    <td />
                  </tr>
                );
              }
              const here = marks.filter((mark) => mark.line === number);
              return (
                <tr key={index} class={here.length > 0 ? "marked" : undefined}>
                  <td class="number">{number}</td>
                  <td>
                    <code>{lines[number - 1]}</code>
                    {here.map((mark, at) => (
                      <span key={at} class="note">
                        {mark.label}
                      </span>
                    ))}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
