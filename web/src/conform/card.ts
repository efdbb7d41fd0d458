// SPDX-License-Identifier: MIT
// The result of a conformance run as a picture to show around.
import { fraction_text, short_number } from "../run/histogram.js";
import type { ConformState } from "./conduct.js";
import { percent, tally } from "./plan.js";

export function escape_xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const STYLE = `
.card{font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;--paper:#fff;--ink:#1b1f24;--soft:#535c66;--line:#d3d9df;--weak:#c26a00;--good:#1d6f42;--bad:#a8182b;--open:#6b5900}
@media(prefers-color-scheme:dark){.card{--paper:#0f1318;--ink:#e7ecf1;--soft:#a4aeb9;--line:#333c46;--weak:#f0a24a;--good:#7bd6a0;--bad:#ff929b;--open:#e6cf6b}}
.card text{fill:var(--ink);font-size:14px}.card .paper{fill:var(--paper);stroke:var(--line)}.card .soft{fill:var(--soft)}.card .title{font-size:22px;font-weight:700}
.card .word{font-size:30px;font-weight:700}.card .conformant{fill:var(--good)}.card .violation{fill:var(--bad)}.card .inconclusive{fill:var(--open)}
.card .bar{fill:var(--weak)}.card .base{stroke:var(--line)}.card .count{text-anchor:end}
`;

// The highest rate at which each of the six classic shapes showed its weak outcome.
export const SHAPES = ["MP", "SB", "LB", "S", "R", "2+2W"];

// Null: no environment ran it.
export function best_fractions(state: ConformState): [string, number | null][] {
  return SHAPES.map((shape) => {
    const runs = state.measured.filter((one) => one.mutant === `${shape}-CO-split` && one.instances > 0);
    return [shape, runs.length === 0 ? null : Math.max(...runs.map((one) => one.kills / one.instances))];
  });
}

// Fractions from one in ten million to one, on a logarithmic scale.
function bar_width(fraction: number): number {
  return fraction <= 0 ? 0 : Math.max(3, 220 * Math.min(1, Math.max(0, (Math.log10(fraction) + 7) / 7)));
}

export function card_svg(state: ConformState, device: string, browser: string): string {
  const telling = state.tests.filter((one) => one.confidence !== null && one.verdict !== "violation");
  const suite = telling.reduce((product, one) => product * (one.confidence ?? 1), 1);
  const instances = state.measured.reduce((sum, one) => sum + one.instances, 0) + state.tests.reduce((sum, one) => sum + (one.run?.instances ?? 0), 0);
  const environments = new Set(state.measured.map((one) => one.environment)).size;
  const word = state.verdict ?? "inconclusive";
  const conformant = state.tests.filter((one) => one.verdict === "conformant").length;
  const all = state.tests.length;
  // A test without any sign that the device could fail it says nothing.
  const headline = word === "conformant" && conformant < all ? `conformant in ${conformant} of ${all} tests` : word;
  const counts = tally(state.tests.map((one) => one.verdict));
  const rows = best_fractions(state).map(([shape, fraction], index) => {
    const y = 238 + index * 26;
    return (
      `<text x="24" y="${y}">${shape}</text><rect class="bar" x="90" y="${y - 12}" width="${bar_width(fraction ?? 0).toFixed(1)}" height="14" rx="2"/>` +
      `<text class="soft count" x="456" y="${y}">${fraction_text(fraction)}</text>`
    );
  });
  const lines = [
    `<text class="title" x="24" y="42">${escape_xml(device.slice(0, 44))}</text>`,
    `<text class="soft" x="24" y="64">${escape_xml(browser)} · WebGPU · ${escape_xml(state.started.slice(0, 10))}</text>`,
    `<text class="word ${word}" x="24" y="112">${headline}</text>`,
    `<text x="24" y="140">${state.tests.length} tests: ${counts.slice(0, 3).join(", ")}${counts.length > 3 ? "," : ""}</text>`,
    `<text x="24" y="160">${counts.slice(3).join(", ")}</text>`,
    `<text class="soft" x="24" y="182">${short_number(instances)} instances${telling.length > 0 ? `; confidence of ${telling.length === all ? "all" : "these"} ${escape_xml(percent(suite))}` : ""}</text>`,
    `<text class="soft" x="24" y="212">Weak outcomes, most often seen</text>`,
    ...rows,
    `<text class="soft" x="24" y="404">Weakspot · ${environments} environment${environments === 1 ? "" : "s"}, seed 1</text>`,
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 424" width="480" height="424" class="card" role="img">` +
    `<title>${escape_xml(`Conformance of ${device}: ${word}`)}</title><style>${STYLE}</style>` +
    `<rect class="paper" x="0.5" y="0.5" width="479" height="423" rx="12"/>${lines.join("")}</svg>`
  );
}
