// SPDX-License-Identifier: MIT
// A text area above its own coloured copy. The copy gives the box its size, so both always scroll together.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SourceError } from "../core/types.js";
import { highlighted_lines, type Token } from "./highlight.js";

interface Props {
  text: string;
  errors: SourceError[];
  label: string;
  on_change: (text: string) => void;
}

function span_of(error: SourceError, line: string): [number, number] {
  const start = Math.max(0, Math.min((error.column ?? 1) - 1, line.length));
  const word = /^[\w.]+|^./.exec(line.slice(start))?.[0].length ?? 1;
  return [start, start + Math.max(1, error.length ?? word)];
}

function Line({ tokens, wrong }: { tokens: Token[]; wrong: [number, number][] }) {
  let at = 0;
  const pieces = tokens.map((token, index) => {
    const start = at;
    at += token.text.length;
    const marked = wrong.some(([low, high]) => start < high && at > low);
    return (
      <span key={index} class={`tk-${token.kind}${marked ? " wrong" : ""}`}>
        {token.text}
      </span>
    );
  });
  const beyond = wrong.some(([low]) => low >= at);
  return (
    <div class="line">
      {pieces}
      {beyond ? <span class="wrong"> </span> : tokens.length === 0 ? "\u200b" : null}
    </div>
  );
}

// Replaces the text as if it had been typed, so that the browser's own undo brings the old one back.
function replace_text(area: HTMLTextAreaElement, text: string): void {
  const before = document.activeElement;
  if (area.value !== "") {
    area.focus({ preventScroll: true });
    area.select();
    document.execCommand("insertText", false, text);
    area.setSelectionRange(0, 0);
    area.blur();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
  if (area.value !== text) area.value = text;
}

export function Editor({ text, errors, label, on_change }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = useMemo(() => highlighted_lines(text), [text]);
  const plain = text.split("\n");
  // A controlled text area would move the caret when the text comes back late.
  useEffect(() => {
    if (area.current !== null && area.current.value !== text) replace_text(area.current, text);
  }, [text]);
  const wrong = (number: number) =>
    errors.filter((error) => error.line === number).map((error) => span_of(error, plain[number - 1] ?? ""));
  return (
    <div class="editor">
      <div class="gutter" aria-hidden="true">
        {lines.map((_, index) => (
          <div key={index} class={wrong(index + 1).length > 0 ? "bad" : undefined}>
            {index + 1}
          </div>
        ))}
      </div>
      <div class="sheet">
        <div class="copy" aria-hidden="true">
          {lines.map((tokens, index) => (
            <Line key={index} tokens={tokens} wrong={wrong(index + 1)} />
          ))}
        </div>
        <textarea
          ref={area}
          id="test-text"
          aria-label={label}
          aria-invalid={errors.length > 0}
          aria-describedby="test-errors"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          onInput={(event) => on_change(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}

// Lines do not scroll: of a long one the part around the place is shown.
function cut(column: number): number {
  return column > 60 ? column - 30 : 0;
}

// The errors as a compiler prints them: the line and a caret below the place.
export function ErrorList({ text, errors }: { text: string; errors: SourceError[] }) {
  const lines = text.split("\n");
  function go(error: SourceError): void {
    const area = document.getElementById("test-text");
    if (!(area instanceof HTMLTextAreaElement) || error.line === undefined) return;
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const at = before + Math.max(0, (error.column ?? 1) - 1);
    area.focus();
    area.setSelectionRange(at, at);
  }
  return (
    <div id="test-errors" class="errors" role="status">
      {errors.slice(0, 8).map((error, index) => {
        const line = error.line === undefined ? undefined : lines[error.line - 1];
        return (
          <div key={index} class="error">
            <p>
              {error.line === undefined ? null : (
                <button type="button" class="quiet" onClick={() => go(error)}>
                  Line {error.line}
                </button>
              )}{" "}
              {error.message}
            </p>
            {line === undefined || error.column === undefined ? null : (
              <pre aria-hidden="true">
                {line.slice(cut(error.column))}
                {"\n"}
                {" ".repeat(Math.max(0, error.column - 1 - cut(error.column)))}
                <b>^{"~".repeat(Math.max(0, span_of(error, line)[1] - span_of(error, line)[0] - 1))}</b>
              </pre>
            )}
          </div>
        );
      })}
      {errors.length > 8 ? <p>and {errors.length - 8} more</p> : null}
    </div>
  );
}
