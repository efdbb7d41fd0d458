// SPDX-License-Identifier: MIT
// Colours for litmus tests of every dialect. The dialects differ in their instructions but share a frame: a header, an
// initial state in braces, columns or functions, a condition. So one scanner knows the frame and the few shapes that
// words have, and never refuses a text: what the core thinks of it is shown beside it.

export type Kind =
  | "plain"
  | "header"
  | "name"
  | "comment"
  | "string"
  | "key"
  | "thread"
  | "instruction"
  | "suffix"
  | "register"
  | "number"
  | "keyword"
  | "punctuation";

export interface Token {
  kind: Kind;
  text: string;
}

// The word that opens a test -> the name of the dialect, as 'convert' knows it.
const HEADERS: Record<string, string> = {
  weakspot: "weakspot",
  gpu_ptx: "ptx-2015",
  ptx: "ptx",
  vulkan: "vulkan",
  opencl: "opencl",
  c: "c",
  aarch64: "aarch64",
  x86_64: "x86-64",
  x86: "x86-64",
  riscv: "riscv",
  lk: "linux",
};

// The dialect of a text by its first word; JSON has none.
export function dialect_of(text: string): string | null {
  const start = text.replace(/^(?:\s|\(\*[\s\S]*?\*\))*/, "");
  if (start.startsWith("{") || start.startsWith("[")) return "json";
  const word = /^[A-Za-z0-9_]+/.exec(start)?.[0]?.toLowerCase() ?? "";
  return HEADERS[word] ?? null;
}

const KEYWORDS = new Set(
  ("exists forall not true false filter locations scopes regs final if else while do for goto return int long void " +
    "atomic_int atomic_uint atomic_long volatile global local kernel __global __local aliases shared const").split(" "),
);
const REGISTER =
  /^(?:%?[rp]\d+|[XWxwqRsta]\d+|[WX]ZR|[er]?(?:ax|bx|cx|dx|si|di)|r\d+d?|[ER]?(?:AX|BX|CX|DX|SI|DI)|%[a-z]\w*)$/;
const ORDER = /^(?:memory_order_\w+|memory_scope_\w+|atomic_\w+|READ_ONCE|WRITE_ONCE|smp_\w+|xchg\w*|rcu_\w+|__\w+)$/;

const SCANNER = new RegExp(
  [
    /(?<comment>\(\*[\s\S]*?(?:\*\)|$)|\/\/[^\n]*)/,
    /(?<string>"[^"\n]*"?)/,
    /(?<thread>\bP\d+\b)/,
    /(?<number>\b(?:0x[0-9a-fA-F]+|\d+)\b)/,
    /(?<word>[%@]?[A-Za-z_][\w]*)/,
    /(?<suffix>(?:\.[A-Za-z0-9_]+)+)/,
    /(?<cell>[|;{}])/,
    /(?<newline>\n)/,
    /(?<blank>[^\S\n]+)/,
    /(?<sign>~|\/\\|\\\/|.)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "gy",
);

function word_kind(word: string, starts_cell: boolean): Kind {
  if (KEYWORDS.has(word)) return "keyword";
  if (REGISTER.test(word)) return "register";
  if (ORDER.test(word)) return "instruction";
  return starts_cell ? "instruction" : "plain";
}

// The words before the program: the opening line and lines "Key=value".
function header_tokens(line: string, first: boolean): Token[] | null {
  if (first) {
    const match = /^(\s*)(\S+)(\s*)(.*)$/.exec(line);
    if (match === null) return null;
    const [, before = "", word = "", between = "", name = ""] = match;
    return [
      { kind: "plain", text: before },
      { kind: "header", text: word },
      { kind: "plain", text: between },
      { kind: "name", text: name },
    ];
  }
  const pair = /^(\s*[A-Za-z][\w-]*=)(.*)$/.exec(line);
  if (pair === null || /[{}|;]/.test(line)) return null;
  return [
    { kind: "key", text: pair[1] ?? "" },
    { kind: "plain", text: pair[2] ?? "" },
  ];
}

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let starts_cell = true;
  SCANNER.lastIndex = 0;
  for (let match = SCANNER.exec(text); match !== null && match[0] !== ""; match = SCANNER.exec(text)) {
    const groups = match.groups ?? {};
    const piece = match[0];
    let kind: Kind = "punctuation";
    if (groups["comment"] !== undefined) kind = "comment";
    else if (groups["string"] !== undefined) kind = "string";
    else if (groups["thread"] !== undefined) kind = "thread";
    else if (groups["number"] !== undefined) kind = "number";
    else if (groups["word"] !== undefined) kind = word_kind(piece, starts_cell);
    else if (groups["suffix"] !== undefined) kind = "suffix";
    else if (groups["blank"] !== undefined || groups["newline"] !== undefined) kind = "plain";
    if (groups["cell"] !== undefined || groups["newline"] !== undefined) starts_cell = true;
    else if (kind !== "plain" || piece.trim() !== "") starts_cell = piece.startsWith("@");
    tokens.push({ kind, text: piece });
  }
  return tokens;
}

// The tokens of a text; joined they are the text.
export function highlight(text: string): Token[] {
  const lines = text.split("\n");
  const tokens: Token[] = [];
  let at = 0;
  let first = true;
  for (; at < lines.length && dialect_of(text) !== "json"; ++at) {
    const line = lines[at] ?? "";
    const blank_or_text = /^\s*(?:"[^"]*"\s*|\(\*.*\*\)\s*)?$/.test(line);
    if (blank_or_text) {
      tokens.push(...scan(line));
    } else {
      const header = header_tokens(line, first);
      if (header === null) break;
      tokens.push(...header);
      first = false;
    }
    if (at + 1 < lines.length) tokens.push({ kind: "plain", text: "\n" });
  }
  if (at < lines.length) tokens.push(...scan(lines.slice(at).join("\n")));
  return tokens.filter((token) => token.text !== "");
}

// Tokens by line, for drawing.
export function highlighted_lines(text: string): Token[][] {
  const lines: Token[][] = [[]];
  for (const token of highlight(text)) {
    token.text.split("\n").forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== "") lines[lines.length - 1]?.push({ kind: token.kind, text: piece });
    });
  }
  return lines;
}
