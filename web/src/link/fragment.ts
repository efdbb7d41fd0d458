// SPDX-License-Identifier: MIT
// The fragment of the address says where the reader is: "#write", "#write=PAYLOAD", "#learn/store-buffering".

export const VIEWS = ["write", "run", "learn", "conform", "explore", "check", "embed"] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  view: View;
  // What stands after '=': a test, see codec.ts.
  payload?: string;
  // What stands after '/': a page of the view.
  page?: string;
}

export function parse_fragment(fragment: string): Place {
  const text = fragment.replace(/^#/, "");
  const match = /^([a-z]+)(?:=([A-Za-z0-9_-]+)|\/([a-z0-9-]+))?$/.exec(text);
  const view = VIEWS.find((known) => known === match?.[1]);
  if (match === null || view === undefined) return { view: "write" };
  const place: Place = { view };
  if (match[2] !== undefined) place.payload = match[2];
  if (match[3] !== undefined) place.page = match[3];
  return place;
}

export function print_fragment(place: Place): string {
  if (place.payload !== undefined) return `#${place.view}=${place.payload}`;
  if (place.page !== undefined) return `#${place.view}/${place.page}`;
  return `#${place.view}`;
}
