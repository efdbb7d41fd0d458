// SPDX-License-Identifier: MIT
// What the reader has in front of them: the place, the test, the model, and what the core says about them.
import { batch, computed, effect, signal } from "@preact/signals";
import { study } from "../core/client.js";
import { FIRST_MODEL, FIRST_TEST } from "../core/first.js";
import type { Checked, Environment, Model, ReadTest, SourceError, VerdictRow } from "../core/types.js";
import { BadLink, decode, encode, type Shared } from "../link/codec.js";
import { parse_fragment, print_fragment, type Place, type View } from "../link/fragment.js";

export const place = signal<Place>({ view: "write" });
export const text = signal(FIRST_TEST);
export const model = signal(FIRST_MODEL);
export const environment = signal<Environment>({});
// An environment to compare with, if there is one.
export const second_environment = signal<Environment | null>(null);
// The outcome whose execution is shown; null: one of those that the test asks about.
export const shown_outcome = signal<string | null>(null);
export const seed = signal(1);
export const notice = signal<string | null>(null);

export const models = signal<Model[]>([]);
// A model that the reader writes, as cat; none: null. It judges beside the others once it can be read.
export const OWN_MODEL = "own.cat";
export const own_text = signal<string | null>(null);
export const own_model = signal<Model | null>(null);
export const own_errors = signal<SourceError[]>([]);
export const checked = signal<Checked>({ verdicts: [], refused: [], contradicted: [] });
export const errors = signal<SourceError[]>([]);
// The last text that could be read.
export const test = signal<ReadTest | null>(null);
// The text that the verdicts and errors speak of.
export const checked_text = signal<string | null>(null);
// Models that have not come to an end yet and are asked again with more time.
export const still_judging = signal<string[]>([]);
// Why the first model says so of the first test, from the build.
export const first_why = signal<VerdictRow | null>(null);
export const problem = signal<string | null>(null);
// An outcome belongs to a text and a model.
effect(() => {
  void text.value;
  void model.value;
  shown_outcome.value = null;
});
export const stale = computed(() => checked_text.value !== text.value);

export const selected_row = computed(() => checked.value.verdicts.find((row) => row.model === model.value));
export const test_name = computed(() => test.value?.test ?? "test");

// The name of a model for people.
export function title_of(name: string): string {
  return [...models.value, own_model.value].find((known) => known?.name === name)?.title ?? name;
}

// The reader's own text stays one step back: its entry in the history, which keep_address() has brought up to date,
// is left behind.
export function load_test(now: string): void {
  study.cancel();
  if (now !== text.peek() && ["write", "run"].includes(place.peek().view)) history.pushState(null, "", location.href);
  text.value = now;
}

// The reader's own model stays in the tab: a link leaves it to the friend which model to look at.
export function current_share(): Shared {
  const by = model.value === OWN_MODEL ? undefined : model.value;
  return { text: text.value, model: by, environment: environment.value, second: second_environment.value ?? undefined, seed: seed.value };
}

// The file that a server of ours lets other sites frame; it shows nothing but the embedded view.
export const EMBEDDED = "embed.html";
export const only_embedded = (): boolean => document.querySelector('meta[name="weakspot-embed"]') !== null;

export function address_of(view: View, payload: string, file = ""): string {
  const folder = only_embedded() ? location.pathname.slice(0, -EMBEDDED.length) : location.pathname;
  return `${location.origin}${folder}${file}${print_fragment({ view, payload })}`;
}

export function go(view: View, page?: string): void {
  const next: Place = page === undefined ? { view } : { view, page };
  history.pushState(null, "", print_fragment(next));
  place.value = next;
  window.scrollTo(0, 0);
}

async function follow_address(): Promise<void> {
  const next = parse_fragment(location.hash);
  if (next.payload !== undefined) {
    try {
      const shared = await decode(next.payload);
      batch(() => {
        text.value = shared.text;
        if (shared.model !== undefined) model.value = shared.model;
        environment.value = shared.environment ?? {};
        second_environment.value = shared.second ?? null;
        seed.value = shared.seed ?? 1;
        notice.value = null;
      });
    } catch (error) {
      notice.value = error instanceof BadLink ? error.message : "The link could not be read.";
    }
  }
  const moved = next.view !== place.value.view || next.page !== place.value.page;
  place.value = next;
  if (moved) window.scrollTo(0, 0);
}

// The address always holds the test, so that the browser's own ways to share a page share the test.
async function keep_address(view: View, shared: Shared): Promise<void> {
  const payload = await encode(shared);
  if (place.peek().view !== view || text.peek() !== shared.text) return;
  history.replaceState(null, "", print_fragment({ view, payload }));
}

// A server's link to a GPU is a path, so that chats can show something of it.
function follow_path(): void {
  const gpu = /\/(gpu-[a-z0-9-]+)$/.exec(location.pathname)?.[1];
  if (gpu !== undefined) history.replaceState(null, "", `./${location.hash || print_fragment({ view: "explore", page: gpu })}`);
}

export async function start_state(): Promise<void> {
  follow_path();
  window.addEventListener("hashchange", () => void follow_address());
  window.addEventListener("popstate", () => void follow_address());
  await follow_address();
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const view = place.value.view;
    const shared = current_share();
    clearTimeout(timer);
    if (view === "write" || view === "run") timer = setTimeout(() => void keep_address(view, shared), 300);
  });
}
