// SPDX-License-Identifier: MIT
// A verdict or a class of outcomes as a sign and a word.

const SIGNS: Record<string, string> = {
  allowed: "○",
  forbidden: "✕",
  unknown: "?",
  judging: "…",
  "not modelled": "–",
  sequential: "▤",
  interleaved: "▥",
  weak: "◆",
  conformant: "✓",
  violation: "✕",
  inconclusive: "?",
  unobservable: "–",
  "not run": "–",
};

// With a count: "8 allowed".
export function Badge({ verdict, count }: { verdict: string; count?: number }) {
  return (
    <span class={`badge is-${verdict.replaceAll(" ", "-")}`}>
      <span aria-hidden="true">{SIGNS[verdict] ?? "?"}</span> {count === undefined ? verdict : `${count} ${verdict}`}
    </span>
  );
}
