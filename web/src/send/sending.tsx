// SPDX-License-Identifier: MIT
// Sends the text that is shown, after a click, and offers to delete it again.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Copy } from "../shell/copy.js";
import { load_terms, new_token, send, submissions_address, take_back, type Sent, type Terms } from "./server.js";

type Step = { kind: "idle" } | { kind: "busy" } | { kind: "sent"; sent: Sent } | { kind: "deleted" } | { kind: "failed"; reason: string };

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function Sending({ json }: { json: string }) {
  const terms = useSignal<Terms | null>(null);
  const step = useSignal<Step>({ kind: "idle" });
  // The token of one text; another text is another submission.
  const tried = useSignal<{ json: string; token: string } | null>(null);
  useEffect(() => {
    if (submissions_address() === null) return;
    void load_terms().then(
      (loaded) => (terms.value = loaded),
      (error: unknown) => (step.value = { kind: "failed", reason: sentence(error) }),
    );
  }, []);
  useEffect(() => {
    if (step.value.kind !== "busy") step.value = { kind: "idle" };
  }, [json]);
  if (submissions_address() === null) return null;

  async function do_send(): Promise<void> {
    if (tried.value?.json !== json) tried.value = { json, token: new_token() };
    step.value = { kind: "busy" };
    try {
      step.value = { kind: "sent", sent: await send(json, tried.value.token) };
    } catch (error) {
      step.value = { kind: "failed", reason: sentence(error) };
    }
  }

  async function do_delete(token: string): Promise<void> {
    try {
      await take_back(token);
      tried.value = null;
      step.value = { kind: "deleted" };
    } catch (error) {
      step.value = { kind: "failed", reason: sentence(error) };
    }
  }

  const now = step.value;
  return (
    <>
      {terms.value === null ? null : (
        <p class="soft" id="terms">
          {terms.value.consent}
        </p>
      )}
      <p class="actions">
        <button type="button" class="primary" disabled={terms.value === null || now.kind === "busy" || now.kind === "sent"} onClick={() => void do_send()}>
          Send this
        </button>
      </p>
      <div role="status" data-sending={now.kind}>
        {now.kind === "failed" ? <p class="notice">Nothing was stored: {now.reason}</p> : null}
        {now.kind === "deleted" ? <p>Deleted. Nothing of it is left on the server.</p> : null}
        {now.kind === "sent" ? <Done sent={now.sent} on_delete={(token) => void do_delete(token)} /> : null}
      </div>
    </>
  );
}

function Done({ sent, on_delete }: { sent: Sent; on_delete: (token: string) => void }) {
  return (
    <>
      <p>
        Sent. {sent.state === "withheld" ? "It holds forbidden outcomes, so a person looks at it before anybody else sees it. " : ""}
        Keep the deletion token; this page does not.
      </p>
      <p class="actions">
        <code id="token">{sent.token}</code>
        <Copy text={sent.token} label="Copy token" />
        <button type="button" onClick={() => on_delete(sent.token)}>
          Delete it again
        </button>
      </p>
    </>
  );
}
