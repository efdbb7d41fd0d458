// SPDX-License-Identifier: MIT
// Runs of campaigns, with filters and as files.
import { useEffect, useState } from "preact/hooks";
import { load, query_of, save, type Runs as Page } from "./server.js";
import { CountCells, CountHeads, FilterForm, Problem, Table, type Filters } from "./table.js";
import { minute_text } from "./words.js";

const NAMES: [string, string][] = [
  ["campaign", "Campaign"],
  ["test", "Test"],
  ["device", "Device"],
  ["class", "Device class"],
  ["model", "Model"],
];
const ROWS = 100;

export function Runs({ filters }: { filters: Filters }) {
  const [page, set_page] = useState<Page | null>(null);
  const [before, set_before] = useState<number[]>([]);  // where the pages before this one began
  const [after, set_after] = useState(0);
  const [problem, set_problem] = useState<Error | null>(null);
  const query = query_of(filters);
  const show = () => {
    set_problem(null);
    load<Page>(`runs?${query_of({ ...filters, after: String(after), most: String(ROWS) })}`).then(set_page, set_problem);
  };
  useEffect(show, [query, after]);
  useEffect(() => {
    set_after(0);
    set_before([]);
  }, [query]);
  return (
    <>
      <h1>Runs</h1>
      <FilterForm key={query} names={NAMES} filters={filters} use={(chosen) => (location.hash = `#runs?${query_of(chosen)}`)} />
      {problem === null ? null : <Problem error={problem} again={show} />}
      {problem !== null || page === null ? null : page.rows.length === 0 ? (
        <p>No run fits.</p>
      ) : (
        <>
          <Table label="Runs" heads={<Heads />}>
            {page.rows.map((row) => (
              <tr key={row.id} data-run={row.id}>
                <th scope="row" class="code">
                  {row.test}
                  <div class="remark">
                    {row.campaign === "" ? null : <a href={`#campaign/${encodeURIComponent(row.campaign)}`}>{row.campaign}</a>}{" "}
                    {row.time === "" ? null : <time dateTime={row.time}>{minute_text(row.time)}</time>}
                  </div>
                </th>
                <td>
                  {row.device_name === "" ? row.device : row.device_name}
                  <div class="remark">
                    {row.device} · {row.class}
                  </div>
                </td>
                <td>{row.model === "" ? "none" : row.model}</td>
                <td class="environment code">{row.environment}</td>
                <td>{row.status}</td>
                <CountCells row={row} />
              </tr>
            ))}
          </Table>
          <p class="actions">
            <button
              type="button"
              disabled={before.length === 0}
              onClick={() => {
                set_after(before.at(-1) ?? 0);
                set_before(before.slice(0, -1));
              }}
            >
              Back
            </button>
            <button
              type="button"
              disabled={page.next === null}
              onClick={() => {
                set_before([...before, after]);
                set_after(page.next ?? 0);
              }}
            >
              Next {ROWS}
            </button>
            <Files query={query} failed={set_problem} />
          </p>
        </>
      )}
    </>
  );
}

function Heads() {
  return (
    <>
      <th scope="col">Test</th>
      <th scope="col">Device</th>
      <th scope="col">Model</th>
      <th scope="col">Environment</th>
      <th scope="col">Status</th>
      <CountHeads />
    </>
  );
}

function Files({ query, failed }: { query: string; failed: (error: Error) => void }) {
  return (
    <>
      <button type="button" onClick={() => void save(`runs.csv?${query}`, "weakspot-runs.csv").catch(failed)}>
        Save as CSV
      </button>
      <button type="button" onClick={() => void save(`runs.jsonl?${query}`, "weakspot-runs.jsonl").catch(failed)}>
        Save as JSON lines
      </button>
      <span class="soft">A file has up to 20 000 runs.</span>
    </>
  );
}
