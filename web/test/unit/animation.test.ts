// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { animated, folded } from "../../src/write/animation.js";

const SVG =
  '<svg viewBox="0 0 306 258" width="306" height="258"><style>.wp{}</style><rect class="paper" width="306" height="258" rx="8"/>' +
  '<g class="arrow order"><path/></g><g class="event init"/><g class="event"/><g class="event"/></svg>\n';
const STEPS = [
  { event: 2, letter: "b", words: "P1 reads x<1.", remarkable: true },
  { event: 1, letter: "a", words: "P0 writes x=1.", remarkable: false },
];

test("events come in the order of the story, and arrows with their later end", () => {
  const made = animated(SVG, STEPS, [[2, 1]]);
  assert.match(made, /<g class="arrow order come1"><path\/><\/g><g class="event init"\/><g class="event come1"\/><g class="event come0"\/>/);
  assert.match(made, /<g class="say say0 odd"><text x="14" y="268">b {2}P1 reads x&lt;1\.<\/text><\/g>/);
  assert.match(made, /viewBox="0 0 420 289" width="420" height="289"/);
  assert.match(made, /prefers-reduced-motion:no-preference/);
  assert.ok(!/script|url\(/.test(made));
});

test("a picture without a story stays as it is", () => {
  assert.equal(animated(SVG, [], []), SVG);
});

test("long words are folded between them", () => {
  assert.deepEqual(folded("aa bb cc", 5), ["aa bb", "cc"]);
  assert.deepEqual(folded("aaaaaaaa b", 4), ["aaaaaaaa", "b"]);
});
