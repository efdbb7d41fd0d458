// SPDX-License-Identifier: MIT
// A picture that the core drew. It arrives as text and becomes elements only by way of a list of harmless names, so
// nothing in a test can turn into markup. Its style sheet is adopted, since the page's policy allows no inline style.
import { useEffect, useRef } from "preact/hooks";
import type { Step } from "../core/types.js";

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set("svg title desc g path rect text tspan line circle ellipse polygon polyline".split(" "));
const ATTRIBUTES = new Set(
  ("viewBox width height x y x1 y1 x2 y2 cx cy r rx ry d points class role transform text-anchor fill stroke " +
    "stroke-width font-size font-weight dx dy").split(" "),
);

function copy(from: Element): SVGElement | null {
  if (!ELEMENTS.has(from.localName)) return null;
  const made = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.has(name) && !/url\s*\(/i.test(value)) made.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.nodeValue ?? "");
    else if (child instanceof Element) {
      const inner = copy(child);
      if (inner !== null) made.append(inner);
    }
  }
  return made;
}

interface Parsed {
  root: Element;
  rules: string;
}

// The browser would try to apply inline style while it parses, and report that the policy forbids it.
function parse(svg: string): Parsed {
  const rules = [...svg.matchAll(/<style>([^<]*)<\/style>/g)].map((match) => match[1]).join("\n");
  const bare = svg.replace(/<style>[^<]*<\/style>/g, "").replace(/^(<svg[^>]*?) style="[^"]*"/, "$1");
  return { root: new DOMParser().parseFromString(bare, "image/svg+xml").documentElement, rules };
}

// While an execution is told, what has not been told yet is faint, and the event of the step stands out.
const TELLING =
  ".untold{opacity:.18}.event,.arrow{transition:opacity .25s}.now .box{stroke-width:3;stroke:var(--calm)}" +
  ".now.odd .box{stroke:var(--loud);fill:var(--glow)}@media(prefers-reduced-motion:reduce){.event,.arrow{transition:none}}";

function sheet_of(rules: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${rules}\n${TELLING}\nsvg{max-width:100%;height:auto;display:block}`);
  return sheet;
}

// How much of an execution has been told.
export interface Told {
  steps: Step[];
  arrows: [number, number][];
  // Steps told; the last of them is the one that stands out.
  count: number;
}

function show_told(root: ShadowRoot, told: Told | null): void {
  const known = new Set(told?.steps.slice(0, told.count).map((step) => step.event));
  const now = told?.steps[told.count - 1];
  // Initial writes have no step and are always there.
  const untold = new Set(told?.steps.map((step) => step.event).filter((event) => !known.has(event)));
  root.querySelectorAll("g.event").forEach((event, index) => {
    event.classList.toggle("untold", untold.has(index));
    event.classList.toggle("now", now?.event === index);
    event.classList.toggle("odd", now?.event === index && now.remarkable);
  });
  root.querySelectorAll("g.arrow").forEach((arrow, index) => {
    arrow.classList.toggle("untold", told?.arrows[index]?.some((end) => untold.has(end)) ?? false);
  });
}

// Draws the picture into a shadow root, where its style sheet cannot reach the page.
export function Picture({ svg, told = null }: { svg: string; told?: Told | null }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const { root, rules } = parse(svg);
    const drawn = copy(root);
    if (drawn === null) {
      shadow.replaceChildren();
      return;
    }
    const title = root.querySelector("title")?.textContent;
    const words = root.querySelector("desc")?.textContent;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", [title, words].filter(Boolean).join(". "));
    shadow.adoptedStyleSheets = [sheet_of(rules)];
    shadow.replaceChildren(drawn);
  }, [svg]);
  useEffect(() => {
    if (host.current?.shadowRoot) show_told(host.current.shadowRoot, told);
  }, [svg, told?.steps, told?.count]);
  return <div class="picture" ref={host} />;
}
