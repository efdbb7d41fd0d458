// SPDX-License-Identifier: MIT
// The pages of a server's campaigns: #campaigns, #campaign/ID, #runs?..., #submissions?...
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { CampaignList, OneCampaign } from "./campaigns.js";
import { Runs } from "./runs.js";
import { Shared } from "./shared.js";
import type { Filters } from "./table.js";

const TITLES: [string, string][] = [
  ["campaigns", "Campaigns"],
  ["runs", "Runs"],
  ["submissions", "Submissions"],
];
const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

interface Place {
  view: string;
  id: string;
  filters: Filters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function place_of(text: string): Place {
  const [path = "", query = ""] = text.replace(/^#/, "").split(/\?(.*)/s);
  const [view = "", id = ""] = path.split(/\/(.*)/s);
  return { view: view === "" ? "campaigns" : view, id: decoded(id), filters: Object.fromEntries(new URLSearchParams(query)) };
}

function Shown({ place }: { place: Place }) {
  if (place.view === "campaign") return <OneCampaign id={place.id} />;
  if (place.view === "runs") return <Runs filters={place.filters} />;
  if (place.view === "submissions") return <Shared filters={place.filters} />;
  return <CampaignList />;
}

function App() {
  const place = place_of(hash.value);
  const current = place.view === "campaign" ? "campaigns" : place.view;
  const title = TITLES.find(([name]) => name === current)?.[1] ?? "Campaigns";
  useEffect(() => {
    document.title = `${title} · Weakspot`;
  }, [title]);
  return (
    <>
      <header class="top">
        <a class="brand" href="index.html">
          Weakspot
        </a>
        <nav aria-label="Views">
          <a href="index.html">Tests</a>
          {TITLES.map(([name, text]) => (
            <a key={name} href={`#${name}`} aria-current={current === name ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Shown place={place} />
      </main>
    </>
  );
}

const root = document.getElementById("page");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
