// SPDX-License-Identifier: MIT
// The code that runs: what a device is given for the test, thread by thread, beside the test.
import { signal, useSignalEffect } from "@preact/signals";
import { Refused, study, Withdrawn } from "../core/client.js";
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
  reason?: string;
}
const emitted = signal<Emitted | null>(null);
// The thread whose code and instructions stand out.
const pointed = signal<number | null>(null);

// The parts of a program between "role N" and "end of role N": what thread N of an instance does.
export function roles_of(code: string): string[] {
  const roles: string[] = [];
  const lines = code.split("\n");
  for (let at = 0; at < lines.length; ++at) {
    const role = /^\s*(?:\/\/|;|#) role (\d+)$/.exec(lines[at] ?? "")?.[1];
    if (role === undefined || roles[Number(role)] !== undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim().endsWith(`end of role ${role}`));
    if (end < 0) continue;
    const inside = lines.slice(at + 1, end);
    const indent = Math.min(...inside.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
    roles[Number(role)] = inside.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join("\n");
  }
  return roles;
}

async function emit(of: string, wanted: string): Promise<void> {
  const current = () => text.peek() === of && target.peek() === wanted;
  try {
    const made = await study.ask("emit", { text: of, target: wanted }, 10_000);
    if (current()) emitted.value = { of, target: wanted, ...(made[0] === undefined ? {} : { text: made[0].text }) };
  } catch (error) {
    if (error instanceof Withdrawn || !current()) return;
    const reason = error instanceof Refused && error.errors[0] !== undefined ? error.errors[0].message : String((error as Error).message);
    emitted.value = { of, target: wanted, reason };
  }
}

function Roles({ code }: { code: string }) {
  const columns = test.value?.columns ?? [];
  const roles = roles_of(code);
  if (roles.length === 0) return null;
  return (
    <div class="roles">
      {roles.map((role, thread) => (
        <div
          key={thread}
          class={pointed.value === thread ? "role pointed" : "role"}
          onMouseEnter={() => (pointed.value = thread)}
          onMouseLeave={() => (pointed.value = null)}
        >
          <h3>
            P{thread} <span class="soft code">{columns[thread]?.join("; ")}</span>
          </h3>
          <pre tabIndex={0} role="region" aria-label={`What P${thread} runs`}>
            {role}
          </pre>
        </div>
      ))}
    </div>
  );
}

export function DeviceCode() {
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
          <Roles code={now.text} />
          <details class="tool" open={roles_of(now.text).length === 0}>
            <summary>The whole program, {now.text.split("\n").length} lines</summary>
            <pre tabIndex={0} role="region" aria-label="The whole program">
              {now.text}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}
