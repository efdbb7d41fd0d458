// SPDX-License-Identifier: MIT
// The code that runs: what a device is given for the test, thread by thread, beside the test.
import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused, study, Withdrawn } from "../core/client.js";
import type { CodeLine } from "../core/types.js";
import { checked_text, errors, test, text } from "../shell/state.js";

const TARGETS: [string, string][] = [
  ["wgsl", "WGSL (this page)"],
  ["ptx", "PTX"],
  ["spirv-asm", "SPIR-V"],
  ["opencl", "OpenCL C"],
  ["cpu", "CPU instructions"],
];
const target = signal("wgsl");
interface Emitted {
  of: string;
  target: string;
  text?: string;
  lines?: CodeLine[];
  reason?: string;
}
const emitted = signal<Emitted | null>(null);
// The instruction whose lines stand out, "THREAD.INSTRUCTION".
const pointed = signal<string | null>(null);
const name_of = ({ thread, instruction }: { thread: number; instruction: number }): string => `${thread}.${instruction}`;

// What each instruction of a thread became, without the indentation that all of its lines share. Code may be there
// several times, for threads of a device in another order: the first one counts.
export function code_of(text: string, lines: readonly CodeLine[], thread: number, instructions: number): string[] {
  const all = text.split("\n");
  return Array.from({ length: instructions }, (_, instruction) => {
    const own = lines.filter((line) => line.thread === thread && line.instruction === instruction);
    const first = own.filter((line, index) => index === 0 || line.line === (own[0]?.line ?? 0) + index);
    const code = first.map((line) => all[line.line - 1] ?? "");
    const indent = Math.min(...code.map((line) => line.length - line.trimStart().length));
    return code.map((line) => line.slice(indent)).join("\n");
  });
}

async function emit(of: string, wanted: string): Promise<void> {
  const current = () => text.peek() === of && target.peek() === wanted;
  try {
    const made = await study.ask("emit", { text: of, target: wanted }, 10_000);
    if (current()) emitted.value = { of, target: wanted, ...(made[0] === undefined ? {} : { text: made[0].text, lines: made[0].lines }) };
  } catch (error) {
    if (error instanceof Withdrawn || !current()) return;
    const reason = error instanceof Refused && error.errors[0] !== undefined ? error.errors[0].message : String((error as Error).message);
    emitted.value = { of, target: wanted, reason };
  }
}

function point(name: string) {
  return { onMouseEnter: () => (pointed.value = name), onMouseLeave: () => (pointed.value = null) };
}

function Roles({ text, lines }: { text: string; lines: readonly CodeLine[] }) {
  const columns = test.value?.columns ?? [];
  return (
    <div class="roles">
      {columns.map((instructions, thread) => (
        <div key={thread} class="role">
          <h3>P{thread}</h3>
          <ol class="made" tabIndex={0} aria-label={`What P${thread} runs`}>
            {code_of(text, lines, thread, instructions.length).map((code, instruction) => {
              const name = name_of({ thread, instruction });
              return (
                <li key={instruction} class={pointed.value === name ? "pointed" : ""} {...point(name)}>
                  <code>{instructions[instruction]}</code>
                  {code === "" ? null : <pre>{code}</pre>}
                </li>
              );
            })}
          </ol>
        </div>
      ))}
    </div>
  );
}

// Lines that are somebody's point at the instruction, and come into sight when somebody points at that.
function WholeProgram({ text, lines, shown }: { text: string; lines: readonly CodeLine[]; shown: boolean }) {
  const owners = new Map(lines.map((line) => [line.line, name_of(line)]));
  const host = useRef<HTMLPreElement>(null);
  const wanted = pointed.value;
  useEffect(() => {
    const line = host.current?.querySelector<HTMLElement>(wanted === null ? ".linked" : ".pointed");
    if (!shown || host.current === null || !line) return;
    const at = line.offsetTop - host.current.offsetTop;
    const seen = at >= host.current.scrollTop && at < host.current.scrollTop + host.current.clientHeight - line.offsetHeight;
    if (!seen && (wanted !== null || host.current.scrollTop === 0)) host.current.scrollTop = at - host.current.clientHeight / 2;
  }, [wanted, shown, text]);
  return (
    <pre class="program-text" tabIndex={0} role="region" aria-label="The whole program" ref={host}>
      {text.split("\n").map((line, index) => {
        const name = owners.get(index + 1);
        if (name === undefined) return `${line}\n`;
        return (
          <span key={index} class={pointed.value === name ? "linked pointed" : "linked"} {...point(name)}>
            {`${line}\n`}
          </span>
        );
      })}
    </pre>
  );
}

export function DeviceCode() {
  const opened = useSignal(false);
  useSignalEffect(() => {
    const of = checked_text.value;
    const wanted = target.value;
    if (of !== null && of === text.value && errors.value.length === 0) void emit(of, wanted);
  });
  const now = emitted.value;
  if (test.value === null || now === null) return null;
  const old = now.of !== text.value || now.target !== target.value;
  return (
    <section aria-labelledby="code-title" aria-busy={old} class={old ? "stale part-code" : "part-code"}>
      <div class="bar">
        <h2 id="code-title">The code that runs</h2>
        <label>
          For{" "}
          <select value={target.value} onChange={(event) => (target.value = event.currentTarget.value)}>
            {TARGETS.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {now.reason === undefined ? null : <p role="status">{now.reason}</p>}
      {now.text === undefined ? null : (
        <>
          {now.lines?.length ? <Roles text={now.text} lines={now.lines} /> : null}
          <details class="tool" open={!now.lines?.length} onToggle={(event) => (opened.value = event.currentTarget.open)}>
            <summary>The whole program, {now.text.split("\n").length} lines</summary>
            <WholeProgram text={now.text} lines={now.lines ?? []} shown={opened.value} />
          </details>
        </>
      )}
    </section>
  );
}
