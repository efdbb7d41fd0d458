// SPDX-License-Identifier: MIT
// What people sent in, added up over devices.
import { useEffect, useState } from "preact/hooks";
import { load, query_of, save, type SharedRows } from "./server.js";
import { CountCells, CountHeads, FilterForm, Problem, Table, type Filters } from "./table.js";

const NAMES: [string, string][] = [
  ["vendor", "Vendor"],
  ["architecture", "Architecture"],
  ["test", "Test"],
];

export function Shared({ filters }: { filters: Filters }) {
  const [found, set_found] = useState<SharedRows | null>(null);
  const [problem, set_problem] = useState<Error | null>(null);
  const query = query_of(filters);
  const show = () => {
    set_problem(null);
    load<SharedRows>(`results?${query}`).then(set_found, set_problem);
  };
  useEffect(show, [query]);
  return (
    <>
      <h1>Submissions</h1>
      <p>
        Results that people sent, by vendor and architecture. A row is shown where at least{" "}
        {found?.fewest_devices ?? 5} devices share it, and forbidden outcomes after a person has looked at them. The data
        are free for everybody (CC0 1.0).
      </p>
      <FilterForm key={query} names={NAMES} filters={filters} use={(chosen) => (location.hash = `#submissions?${query_of(chosen)}`)} />
      {problem === null ? null : <Problem error={problem} again={show} />}
      {problem !== null || found === null ? null : found.rows.length === 0 ? (
        <p>No row fits.</p>
      ) : (
        <>
          <Table label="Submissions" heads={<Heads />}>
            {found.rows.map((row) => (
              <tr key={`${row.vendor} ${row.architecture} ${row.test}`}>
                <th scope="row" class="code">
                  {row.test}
                </th>
                <td>{row.vendor === "" ? "not named" : row.vendor}</td>
                <td>{row.architecture === "" ? "not named" : row.architecture}</td>
                <td class="number">{row.devices}</td>
                <CountCells row={row} />
              </tr>
            ))}
          </Table>
          <p class="actions">
            <button type="button" onClick={() => void save(`results.csv?${query}`, "weakspot-results.csv").catch(set_problem)}>
              Save as CSV
            </button>
            <button type="button" onClick={() => void save(`results?${query}`, "weakspot-results.json").catch(set_problem)}>
              Save as JSON
            </button>
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
      <th scope="col">Vendor</th>
      <th scope="col">Architecture</th>
      <th scope="col" class="number">Devices</th>
      <CountHeads />
    </>
  );
}
