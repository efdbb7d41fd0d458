// SPDX-License-Identifier: MIT
// A test and what belongs to it, as text that fits into the fragment of an address: one version byte, then JSON,
// compressed, in base64url. Nothing is stored anywhere; who has the address has the test.

export interface Shared {
  text: string;
  model?: string | undefined;
  // Parameters that differ from their defaults.
  environment?: Record<string, string | number> | undefined;
  // Of an environment to compare with.
  second?: Record<string, string | number> | undefined;
  seed?: number | undefined;
}

const PLAIN = 0;
const DEFLATED = 1;
// Far above any test that can be judged; a link that expands to more is refused.
export const MOST_CHARACTERS = 60_000;

export class BadLink extends Error {}

function to_base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function from_base64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new BadLink("The link contains characters that no link of this page has.");
  let binary: string;
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new BadLink("The link is cut short.");
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function read_all(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new BadLink("The link expands to more text than a test can have.");
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function through(bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream, most: number) {
  return read_all(new Blob([bytes]).stream().pipeThrough(transform), most);
}

function pack(shared: Shared): string {
  const short: Record<string, unknown> = { t: shared.text };
  if (shared.model) short["m"] = shared.model;
  if (shared.environment && Object.keys(shared.environment).length > 0) short["e"] = shared.environment;
  if (shared.second) short["f"] = shared.second;
  if (shared.seed !== undefined) short["s"] = shared.seed;
  return JSON.stringify(short);
}

function unpack(json: string): Shared {
  let short: unknown;
  try {
    short = JSON.parse(json);
  } catch {
    throw new BadLink("The link does not hold a test.");
  }
  if (typeof short !== "object" || short === null) throw new BadLink("The link does not hold a test.");
  const { t, m, e, f, s } = short as Record<string, unknown>;
  if (typeof t !== "string") throw new BadLink("The link does not hold a test.");
  const shared: Shared = { text: t };
  if (m !== undefined) {
    if (typeof m !== "string" || !/^[a-z0-9-]{1,40}$/.test(m)) throw new BadLink("The link names something that is not a model.");
    shared.model = m;
  }
  if (s !== undefined) {
    if (typeof s !== "number" || !Number.isSafeInteger(s) || s < 0) throw new BadLink("The link has a seed that is not a number.");
    shared.seed = s;
  }
  if (e !== undefined) shared.environment = parameters(e);
  if (f !== undefined) shared.second = parameters(f);
  return shared;
}

// Numbers, and the words that parameters choose from. Anything else would end up in commands that people copy.
function parameters(given: unknown): Record<string, string | number> {
  const known: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(given ?? {}).slice(0, 100)) {
    if (!/^[a-z][a-z0-9_]{0,60}$/.test(name)) continue;
    if (typeof value !== "number" && !(typeof value === "string" && /^[a-z][a-z0-9_-]{0,60}$/.test(value))) {
      throw new BadLink(`The link sets ${name} to something that is not a number.`);
    }
    known[name] = value;
  }
  return known;
}

export async function encode(shared: Shared): Promise<string> {
  const plain = new TextEncoder().encode(pack(shared));
  const deflates = typeof CompressionStream !== "undefined";
  const body = deflates ? await through(plain, new CompressionStream("deflate-raw"), Infinity) : plain;
  const bytes = new Uint8Array(body.length + 1);
  bytes[0] = deflates ? DEFLATED : PLAIN;
  bytes.set(body, 1);
  return to_base64url(bytes);
}

export async function decode(payload: string): Promise<Shared> {
  const bytes = from_base64url(payload);
  const body = bytes.subarray(1);
  if (bytes[0] !== PLAIN && bytes[0] !== DEFLATED) {
    throw new BadLink("The link was made by a newer page than this one.");
  }
  let plain = body;
  if (bytes[0] === DEFLATED) {
    try {
      plain = await through(body, new DecompressionStream("deflate-raw"), MOST_CHARACTERS);
    } catch (error) {
      throw error instanceof BadLink ? error : new BadLink("The link is damaged or cut short.");
    }
  }
  if (plain.length > MOST_CHARACTERS) throw new BadLink("The link holds more text than a test can have.");
  return unpack(new TextDecoder().decode(plain));
}
