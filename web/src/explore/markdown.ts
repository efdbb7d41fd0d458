// SPDX-License-Identifier: MIT
// As much Markdown as the documents of this project use, read into values. Nothing in a document becomes markup.

export type Inline = { kind: "text" | "code" | "strong" | "emphasis"; text: string } | { kind: "link"; text: string; target: string };

export type DocumentBlock =
  | { kind: "heading"; level: number; words: Inline[] }
  | { kind: "paragraph"; words: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

export function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  const shape = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;
  let at = 0;
  for (const match of text.matchAll(shape)) {
    if (match.index > at) found.push({ kind: "text", text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    if (match[1] !== undefined) found.push({ kind: "code", text: match[1] });
    else if (match[2] !== undefined) found.push({ kind: "strong", text: match[2] });
    else if (match[3] !== undefined) found.push({ kind: "emphasis", text: match[3] });
    else found.push({ kind: "link", text: match[4] ?? "", target: match[5] ?? "" });
  }
  if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
  return found;
}

function cells(line: string): Inline[][] {
  const bare = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return bare.split("|").map((cell) => inlines(cell.trim()));
}

const BLOCK_START = /^(?:#{1,6} |```|\||[-*] |\d+\. )/;

export function read_markdown(text: string): DocumentBlock[] {
  const lines = text.split("\n");
  const blocks: DocumentBlock[] = [];
  let at = 0;
  const take_while = (wanted: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && wanted(lines[at] ?? "")) ++at;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (line.trim() === "") ++at;
    else if (heading !== null) {
      blocks.push({ kind: "heading", level: (heading[1] ?? "#").length, words: inlines(heading[2] ?? "") });
      ++at;
    } else if (line.startsWith("```")) {
      ++at;
      blocks.push({ kind: "code", text: take_while((next) => !next.startsWith("```")).join("\n") });
      ++at;
    } else if (line.startsWith("|")) {
      const [head = "", , ...rows] = take_while((next) => next.startsWith("|"));
      blocks.push({ kind: "table", head: cells(head), rows: rows.map(cells) });
    } else if (/^(?:[-*]|\d+\.) /.test(line)) {
      const ordered = /^\d/.test(line);
      const body = take_while((next) => /^(?:[-*]|\d+\.) /.test(next) || /^ +\S/.test(next));
      const items = body.join("\n").split(/\n(?=(?:[-*]|\d+\.) )/);
      blocks.push({ kind: "list", ordered, items: items.map((item) => inlines(item.replace(/^(?:[-*]|\d+\.) /, "").replace(/\s*\n\s*/g, " "))) });
    } else {
      const body = [line];
      ++at;
      body.push(...take_while((next) => next.trim() !== "" && !BLOCK_START.test(next)));
      blocks.push({ kind: "paragraph", words: inlines(body.join(" ")) });
    }
  }
  return blocks;
}
