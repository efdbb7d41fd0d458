// SPDX-License-Identifier: MIT
// A picture that tells its execution by itself, in any page that can show an SVG: no script, and no motion for readers
// who want none.
import type { Step } from "../core/types.js";

const STEP_SECONDS = 1.8;
const PAUSE_STEPS = 2; // at the end, with the whole picture
const LEAST_WIDTH = 420;
const LINE_HEIGHT = 17;
const LETTER_WIDTH = 6.7; // of 11 px monospace

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function animated(svg: string, steps: Step[], arrows: [number, number][]): string {
  const size = /viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"/.exec(svg);
  if (size === null || steps.length === 0) return svg;
  const [width, height] = [Math.max(LEAST_WIDTH, Number(size[1])), Number(size[2])];
  const captions = steps.map((step) => folded(`${step.letter}  ${step.words}`, Math.floor((width - 28) / LETTER_WIDTH)));
  const whole = height + 14 + LINE_HEIGHT * Math.max(...captions.map((lines) => lines.length));
  const beats = steps.length + PAUSE_STEPS;
  const at = (beat: number) => ((100 * beat) / beats).toFixed(2);
  const turn = new Map(steps.map((step, index) => [step.event, index]));
  // What has no step, an initial write, is there from the beginning.
  const turn_of_arrow = (ends: [number, number] | undefined) => Math.max(-1, ...(ends ?? []).map((end) => turn.get(end) ?? -1));
  const comes = steps.map((_, index) => `@keyframes come${index}{0%,${at(index)}%{opacity:.15}${at(index + 0.2)}%,100%{opacity:1}}`);
  const said = steps.map((_, index) => {
    const end = index + 1 === steps.length ? beats : index + 1;
    return `@keyframes say${index}{0%,${at(index)}%{opacity:0}${at(index + 0.1)}%,${at(end - 0.1)}%{opacity:1}${at(end)}%,100%{opacity:0}}`;
  });
  const seconds = (STEP_SECONDS * beats).toFixed(1);
  const uses = steps.map((_, index) => `.come${index}{animation:come${index} ${seconds}s linear infinite}.say${index}{animation:say${index} ${seconds}s linear infinite}`);
  const still = `.say{opacity:0}.say${steps.length - 1}{opacity:1}`;
  const style = `<style>.say text{font-size:11px}.say.odd text{fill:var(--loud)}${still}@media(prefers-reduced-motion:no-preference){${uses.join("")}}${comes.join("")}${said.join("")}</style>`;
  let event = -1;
  let arrow = -1;
  const marked = svg
    .replace(/<g class="(event|arrow)([^"]*)"/g, (all, kind: string, rest: string) => {
      const index = kind === "event" ? turn.get(++event) : turn_of_arrow(arrows[++arrow]);
      return index === undefined || index < 0 ? all : `<g class="${kind}${rest} come${index}"`;
    })
    .replace(size[0], `viewBox="0 0 ${width} ${whole}" width="${width}" height="${whole}"`)
    .replace(/<rect class="paper" width="\d+" height="\d+"/, `<rect class="paper" width="${width}" height="${whole}"`);
  const words = captions.map((lines, index) => {
    const texts = lines.map((line, row) => `<text x="14" y="${height + 10 + LINE_HEIGHT * row}">${escape(line)}</text>`);
    return `<g class="say say${index}${steps[index]?.remarkable ? " odd" : ""}">${texts.join("")}</g>`;
  });
  return marked.replace("</style>", `</style>${style}`).replace(/<\/svg>\s*$/, `${words.join("")}</svg>\n`);
}
