// SPDX-License-Identifier: MIT
// A table of GPUs that people have tested, and a page for each.
import { signal } from "@preact/signals";
import { best_fractions, SHAPES } from "../conform/card.js";
import { state as conformed } from "../conform/conform.js";
import { gpu as opened } from "../run/gpu.js";
import { fraction_text, short_number } from "../run/histogram.js";
import { Copy } from "../shell/copy.js";
import { FEWEST_TESTS, fewest_devices, fraction_heat, gpu_address, gpus, gpus_problem, groups_of, has_results, likeness, weak_fraction, type Gpu } from "./gpus.js";

const vendor = signal("");

// The GPU of this browser, once it was opened.
function is_here(gpu: Gpu): boolean {
  if (opened.value.kind !== "open") return false;
  const { vendor, architecture } = opened.value.device.description;
  return gpu.title === [vendor, architecture].filter(Boolean).join(" ");
}

function Fraction({ fraction }: { fraction: number | null }) {
  return <td class={`number heat-${fraction_heat(fraction)}`}>{fraction_text(fraction)}</td>;
}

function Here() {
  if (conformed.value === null) return null;
  return (
    <tr class="chosen">
      <th scope="row">
        <a href="#conform">Your GPU</a>, in this tab
      </th>
      <td class="number">1</td>
      {best_fractions(conformed.value).map(([shape, fraction]) => (
        <Fraction key={shape} fraction={fraction} />
      ))}
    </tr>
  );
}

export function OtherGpus() {
  if (!has_results()) return null;
  const vendors = [...new Set(gpus.value.map((gpu) => gpu.vendor))];
  const shown = gpus.value.filter((gpu) => vendor.value === "" || gpu.vendor === vendor.value);
  return (
    <section aria-labelledby="others-title">
      <h2 id="others-title">GPUs of others</h2>
      <p class="soft">
        How often the weak outcome of each shape was seen, over all environments that were sent. A GPU is shown once{" "}
        {fewest_devices.value} devices of its kind were tested; results with a forbidden outcome are looked at by a person first.
      </p>
      {gpus_problem.value === null ? null : <p class="notice">{gpus_problem.value}</p>}
      {gpus.value.length === 0 && gpus_problem.value === null ? (
        <p>
          No GPU has been tested often enough yet. <a href="#conform">Test yours</a> and send the result.
        </p>
      ) : null}
      {vendors.length < 2 ? null : (
        <p>
          <label>
            Vendor{" "}
            <select value={vendor.value} onChange={(event) => (vendor.value = event.currentTarget.value)}>
              <option value="">all</option>
              {vendors.map((name) => (
                <option key={name} value={name}>
                  {name === "" ? "not named" : name}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      {gpus.value.length === 0 && conformed.value === null ? null : (
        <div class="scrolls" tabIndex={0} role="region" aria-label="Table of GPUs">
          <table class="plain heat gpus">
            <thead>
              <tr>
                <th scope="col">GPU</th>
                <th scope="col" class="number">
                  Devices
                </th>
                {SHAPES.map((shape) => (
                  <th key={shape} scope="col" class="number">
                    {shape}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <Here />
              {shown.map((gpu) => (
                <tr key={gpu.name}>
                  <th scope="row">
                    <a href={`#explore/${gpu.name}`}>{gpu.title}</a> {is_here(gpu) ? <span class="soft">as yours</span> : null}
                  </th>
                  <td class="number">{gpu.devices}</td>
                  {SHAPES.map((shape) => (
                    <Fraction key={shape} fraction={weak_fraction(gpu.tests.get(`${shape}-CO-split`))} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Groups />
    </section>
  );
}

function Groups() {
  const groups = groups_of(gpus.value);
  if (gpus.value.length < 2) return null;
  return (
    <>
      <h3>Groups that behave alike</h3>
      <p class="soft">
        In a group, the rates of any two GPUs rise and fall together: a correlation of at least 0.9 of their logarithms,
        over the {FEWEST_TESTS} or more tests whose weak outcome both showed.
      </p>
      {groups.length === 0 ? <p>No two of these GPUs behave alike so far.</p> : null}
      <ul class="made">
        {groups.map((group) => (
          <li key={group.gpus[0]?.name}>
            {group.gpus.map((gpu, index) => (
              <>
                {index === 0 ? "" : ", "}
                <a href={`#explore/${gpu.name}`}>{gpu.title}</a>
              </>
            ))}{" "}
            <span class="soft">at least {group.least.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Alike({ gpu }: { gpu: Gpu }) {
  const others = gpus.value
    .filter((one) => one !== gpu)
    .map((other) => ({ other, like: likeness(gpu, other) }))
    .filter((one) => one.like !== null)
    .sort((a, b) => (b.like?.correlation ?? 0) - (a.like?.correlation ?? 0))
    .slice(0, 8);
  return (
    <>
      <h3>Likeness to other GPUs</h3>
      {others.length === 0 ? (
        <p class="soft">
          A comparison needs {FEWEST_TESTS} tests whose weak outcome both GPUs showed. No other GPU has them with this one.
        </p>
      ) : (
        <ul class="made">
          {others.map(({ other, like }) => (
            <li key={other.name}>
              <a href={`#explore/${other.name}`}>{other.title}</a>:{" "}
              <span class="soft">
                correlation {like?.correlation.toFixed(2)} of the rates of {like?.tests} tests, as logarithms
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function GpuPage({ gpu }: { gpu: Gpu }) {
  const rows = [...gpu.tests.values()].sort((a, b) => a.test.localeCompare(b.test));
  return (
    <article class="lesson gpu">
      <p>
        <a href="#explore">All results</a>
      </p>
      <h2 class="lesson-title">{gpu.title}</h2>
      <p>
        {gpu.devices} devices{is_here(gpu) ? ", of the kind of yours" : ""}. <Copy text={gpu_address(gpu)} label="Copy the link" />
      </p>
      <Alike gpu={gpu} />
      <h3>Tests</h3>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Tests">
        <table class="plain heat">
          <thead>
            <tr>
              <th scope="col">Test</th>
              <th scope="col" class="number">
                Weak
              </th>
              <th scope="col" class="number">
                Forbidden
              </th>
              <th scope="col" class="number">
                Instances
              </th>
              <th scope="col" class="number">
                Devices
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.test}>
                <th scope="row" class="code">
                  {row.test}
                </th>
                <Fraction fraction={weak_fraction(row)} />
                <td class="number">{short_number(row.forbidden)}</td>
                <td class="number">{short_number(row.instances)}</td>
                <td class="number">{row.devices}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}
