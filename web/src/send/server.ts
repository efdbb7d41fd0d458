// SPDX-License-Identifier: MIT
// The server that collects results, where the page came from one. docs/server.md has the requests.

export interface Terms {
  licence: string;
  consent: string;
}

export interface Sent {
  id: string;
  token: string;
  state: "accepted" | "withheld" | "released";
}

// Where it answers, or null: then results can only be saved.
export function submissions_address(): string | null {
  return document.querySelector('meta[name="weakspot-submissions"]')?.getAttribute("content") ?? null;
}

// Made here, so that a second try after a broken connection is not a second submission.
export function new_token(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function answer_of(asked: Promise<Response>): Promise<unknown> {
  const answer = await asked;
  const text = await answer.text();
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // A proxy on the way may answer as it likes.
  }
  if (answer.ok && value !== null) return value;
  throw new Error((value as { error?: string } | null)?.error ?? `the server answered ${answer.status}`);
}

export async function load_terms(): Promise<Terms> {
  return (await answer_of(fetch(`${submissions_address()}status`))) as Terms;
}

export async function send(json: string, token: string): Promise<Sent> {
  const headers = { "Content-Type": "application/json", "Deletion-Token": token };
  return (await answer_of(fetch(`${submissions_address()}submissions`, { method: "POST", headers, body: json }))) as Sent;
}

export async function take_back(token: string): Promise<void> {
  await answer_of(fetch(`${submissions_address()}submissions`, { method: "DELETE", headers: { "Deletion-Token": token } }));
}
