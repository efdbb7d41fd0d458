// SPDX-License-Identifier: MIT
// What a condition asks, in words, for tests without a description.

// "a, b and c".
export function listed(names: string[]): string {
  return names.length <= 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

// "exists (1:r0=1 /\ 1:r1=0 /\ x=2)" -> "With r0 = 1 and r1 = 0 in P1, and x = 2 in memory." Null: it asks for more
// than values that hold together.
export function condition_words(condition: string): string | null {
  const asked = /^exists \(([^()]*)\)$/.exec(condition)?.[1];
  if (asked === undefined) return null;
  const places = new Map<string, string[]>();
  for (const part of asked.split("/\\")) {
    const [, thread, name, value] = /^\s*(?:(\d+):)?([\w.%$]+)=(-?\w+)\s*$/.exec(part) ?? [];
    if (name === undefined) return null;
    const place = thread === undefined ? "memory" : `P${thread}`;
    places.set(place, [...(places.get(place) ?? []), `${name} = ${value}`]);
  }
  return `With ${[...places].map(([place, values]) => `${listed(values)} in ${place}`).join(", and ")}.`;
}
