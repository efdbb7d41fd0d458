// SPDX-License-Identifier: MIT
// The campaigns of the server, and one of them as it goes on.
import { useEffect, useState } from "preact/hooks";
import { rounded } from "../run/histogram.js";
import { address_of, load, save, token, watch, type CampaignStatus, type ClassStatus } from "./server.js";
import { count_text, state_of, sum, time_left, time_text, total, whole_time_left } from "./words.js";

const REFRESH_MS = 3000;

function State({ status }: { status: CampaignStatus }) {
  const state = state_of(status);
  const look = state === "done" ? "is-allowed" : state === "running" ? "" : "is-judging";
  return (
    <span class={`badge ${look}`} data-state={state}>
      {state}
    </span>
  );
}

function Bar({ done, all, label }: { done: number; all: number; label: string }) {
  return <progress value={done} max={Math.max(all, 1)} aria-label={label} />;
}

export function CampaignList() {
  const [campaigns, set_campaigns] = useState<CampaignStatus[] | null>(null);
  const [problem, set_problem] = useState("");
  useEffect(() => {
    const refresh = () =>
      load<{ campaigns: CampaignStatus[] }>("campaigns").then(
        (found) => {
          set_campaigns(found.campaigns);
          set_problem("");
        },
        (error: Error) => set_problem(error.message),
      );
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <h1>Campaigns</h1>
      {problem === "" ? null : (
        <p class="notice" role="alert">
          Campaigns cannot be shown: {problem}.
        </p>
      )}
      {campaigns === null ? null : campaigns.length === 0 ? (
        <p>
          The store has no campaign yet. <code>weakspot campaign init</code> plans one.
        </p>
      ) : (
        <div class="scrolls" tabIndex={0} role="region" aria-label="Campaigns">
          <table class="plain campaigns">
            <thead>
              <tr>
                <th scope="col">Campaign</th>
                <th scope="col">State</th>
                <th scope="col">Progress</th>
                <th scope="col" class="number">Done</th>
                <th scope="col" class="number">Left</th>
                <th scope="col" class="number">Time left</th>
              </tr>
            </thead>
            <tbody>
              {campaigns.map((status) => (
                <CampaignRow key={status.campaign} status={status} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {campaigns === null || campaigns.length === 0 ? null : (
        <p class="actions">
          <ServerPage path="analysis.html" name="weakspot-analysis.html" title="Devices compared" />
          <span class="soft">Rates, similarity and clusters over all runs of the store.</span>
        </p>
      )}
    </>
  );
}

function CampaignRow({ status }: { status: CampaignStatus }) {
  const left = whole_time_left(status);
  const done = sum(status, (one) => one.done);
  return (
    <tr>
      <th scope="row">
        <a href={`#campaign/${encodeURIComponent(status.campaign)}`}>{status.name}</a>
        <div class="remark">
          {status.campaign} · {status.classes.map((one) => one.device_class).join(", ")}
        </div>
      </th>
      <td>
        <State status={status} />
      </td>
      <td>
        <Bar done={done} all={sum(status, total)} label={`Progress of ${status.name}`} />
      </td>
      <td class="number">{count_text(done)}</td>
      <td class="number">{count_text(sum(status, (one) => one.running + one.left))}</td>
      <td class="number">{status.over ? "none" : left === null ? "unknown" : time_text(left)}</td>
    </tr>
  );
}

export function OneCampaign({ id }: { id: string }) {
  const [status, set_status] = useState<CampaignStatus | null>(null);
  const [lost, set_lost] = useState(false);
  const [problem, set_problem] = useState("");
  useEffect(() => {
    set_status(null);
    // The events of a campaign that is not there say nothing about the reason.
    load<CampaignStatus>(`campaigns/${encodeURIComponent(id)}`).then(set_status, (error: Error) => set_problem(error.message));
    return watch(id, set_status, set_lost);
  }, [id]);
  if (status === null) {
    return (
      <>
        <h1>Campaign</h1>
        {problem === "" ? (
          <p class="soft">Loading…</p>
        ) : (
          <p class="notice" role="alert">
            The campaign cannot be shown: {problem}.
          </p>
        )}
      </>
    );
  }
  const done = sum(status, (one) => one.done);
  const all = sum(status, total);
  return (
    <div data-live={lost ? "lost" : "live"}>
      <p>
        <a href="#campaigns">All campaigns</a>
      </p>
      <h1>{status.name}</h1>
      <p>
        <State status={status} /> <span class="soft">campaign {status.campaign}</span>
      </p>
      {lost ? (
        <p class="notice" role="status">
          The server does not answer. The numbers below are its last; this page goes on when it is back.
        </p>
      ) : null}
      <Bar done={done} all={all} label="Progress" />
      <p>
        {count_text(done)} of {count_text(all)} shards done
      </p>
      <Classes status={status} />
      <p class="remark">Rate is device time per second of the clock: two devices that are always busy make 2.</p>
      <p class="actions">
        <a href={`#runs?campaign=${encodeURIComponent(status.campaign)}`}>Runs of this campaign</a>
        <ServerPage
          path={`campaigns/${encodeURIComponent(status.campaign)}/report.html`}
          name={`weakspot-${status.campaign}.html`}
          title="Report"
        />
      </p>
    </div>
  );
}

// A page that the server makes. A link could not bring the token.
function ServerPage({ path, name, title }: { path: string; name: string; title: string }) {
  if (token.value === "") return <a href={address_of(path)}>{title}</a>;
  return (
    <button type="button" onClick={() => void save(path, name)}>
      {title}
    </button>
  );
}

function Classes({ status }: { status: CampaignStatus }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Device classes">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Device class</th>
            <th scope="col">Progress</th>
            <th scope="col" class="number">Done</th>
            <th scope="col" class="number">Running</th>
            <th scope="col" class="number">Left</th>
            <th scope="col" class="number">Quarantined</th>
            <th scope="col" class="number">Rate</th>
            <th scope="col" class="number">Time left</th>
          </tr>
        </thead>
        <tbody>
          {status.classes.map((one) => (
            <ClassRow key={one.device_class} one={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ClassRow({ one }: { one: ClassStatus }) {
  return (
    <tr data-class={one.device_class}>
      <th scope="row">{one.device_class}</th>
      <td>
        <Bar done={one.done} all={total(one)} label={`Progress on ${one.device_class}`} />
      </td>
      <td class="number" data-done={one.done}>
        {count_text(one.done)}
      </td>
      <td class="number">{count_text(one.running)}</td>
      <td class="number">{count_text(one.left)}</td>
      <td class={one.quarantined > 0 ? "number bad" : "number"}>{count_text(one.quarantined)}</td>
      <td class="number">{one.rate > 0 ? rounded(one.rate, 3) : "none"}</td>
      <td class="number">{time_left(one)}</td>
    </tr>
  );
}
