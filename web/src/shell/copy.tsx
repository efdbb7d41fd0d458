// SPDX-License-Identifier: MIT
// A button that copies a text and says so.
import { useSignal } from "@preact/signals";

export async function copy_text(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function Copy({ text, label = "Copy" }: { text: string | (() => Promise<string>); label?: string }) {
  const said = useSignal("");
  async function copy(): Promise<void> {
    const done = await copy_text(typeof text === "string" ? text : await text());
    said.value = done ? "Copied" : "This browser does not let the page copy";
    setTimeout(() => (said.value = ""), 3000);
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" class="soft">
        {said.value}
      </span>
    </>
  );
}
