// SPDX-License-Identifier: MIT
// CUDA programs, kernels of PTX and Triton's caches, checked by the machine that serves the page.
import { signal } from "@preact/signals";
import { answer, ask, asking, condition, files, launch, problem, stop_asking, type ProgramFile } from "./ask.js";
import { Report } from "./report.js";

const shown = signal(0);

async function open_files(list: FileList | null): Promise<void> {
  const chosen = [...(list ?? [])].filter((file) => /\.(cu|cuh|cpp|hip|h|ptx|json|source|py)$/.test(file.name));
  if (chosen.length === 0) {
    problem.value = "There is no file of CUDA or PTX among these.";
    return;
  }
  files.value = await Promise.all(chosen.map(async (file): Promise<ProgramFile> => ({ name: file.name, text: await file.text() })));
  shown.value = 0;
  answer.value = null;
  problem.value = null;
}

function Sources() {
  const at = Math.min(shown.value, files.value.length - 1);
  const file = files.value[at];
  if (file === undefined) return null;
  const change = (text: string) => (files.value = files.value.map((one, index) => (index === at ? { ...one, text } : one)));
  return (
    <>
      {files.value.length === 1 ? (
        <p>
          <label>
            Name{" "}
            <input
              type="text"
              value={file.name}
              size={24}
              spellcheck={false}
              onInput={(event) => (files.value = [{ ...file, name: event.currentTarget.value }])}
            />
          </label>
        </p>
      ) : (
        <p>
          <label>
            File{" "}
            <select value={String(at)} onChange={(event) => (shown.value = Number(event.currentTarget.value))}>
              {files.value.map((one, index) => (
                <option key={one.name} value={String(index)}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>{" "}
          <span class="soft">{files.value.length} files, checked together</span>
        </p>
      )}
      <textarea
        class="program"
        aria-label="Program"
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        rows={Math.max(8, Math.min(32, file.text.split("\n").length + 1))}
        value={file.text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void ask("race");
        }}
      />
    </>
  );
}

function Choose({ label, folder }: { label: string; folder: boolean }) {
  return (
    <label class="file">
      {label}
      <input
        type="file"
        class="visually-hidden"
        multiple
        {...(folder ? { webkitdirectory: true } : { accept: ".cu,.cuh,.cpp,.hip,.h,.ptx,.json,.source,.py" })}
        onChange={(event) => {
          void open_files(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

export function Programs() {
  const busy = asking.value !== null;
  return (
    <div class="split">
      <section aria-labelledby="program-title">
        <p class="soft">
          A CUDA program, a kernel of PTX or a Triton cache is executed on this machine's processors, in a sandbox. Races and
          barriers that not all threads reach are shown at their lines. A proof says what all executions of one launch do.
        </p>
        <div class="bar">
          <h2 id="program-title">Program</h2>
          <span class="actions">
            <Choose label="Open files…" folder={false} />
            <Choose label="Open a folder…" folder={true} />
          </span>
        </div>
        <Sources />
        <p>
          <label>
            Launch{" "}
            <input
              type="text"
              value={launch.value}
              size={28}
              placeholder="as the file says, or searched"
              spellcheck={false}
              onInput={(event) => (launch.value = event.currentTarget.value)}
            />
          </label>{" "}
          <span class="soft">
            such as <code>grid=2 block=64</code>
          </span>
        </p>
        <p>
          <label>
            To prove{" "}
            <input
              type="text"
              value={condition.value}
              size={28}
              placeholder="the assertions of the file"
              spellcheck={false}
              onInput={(event) => (condition.value = event.currentTarget.value)}
            />
          </label>{" "}
          <span class="soft">
            such as <code>out[0] == 1</code>
          </span>
        </p>
        <p class="actions">
          <button type="button" class="primary" disabled={busy} onClick={() => void ask("race")}>
            Look for races
          </button>
          <button type="button" disabled={busy || files.value.length > 1} onClick={() => void ask("proof")}>
            Prove
          </button>
          {busy ? (
            <button type="button" onClick={stop_asking}>
              Do not wait
            </button>
          ) : null}
        </p>
        <p role="status" class="soft">
          {asking.value === "race" ? "The program is compiled and executed, for 20 seconds at most…" : null}
          {asking.value === "proof" ? "All executions of the launch are examined, for 20 seconds at most…" : null}
        </p>
        {problem.value === null ? null : (
          <pre class="problem" role="alert" tabIndex={0}>
            {problem.value}
          </pre>
        )}
      </section>
      <Report />
    </div>
  );
}
