// SPDX-License-Identifier: MIT
// What a GPU shows, bugs found, conformance of devices, and published data, loaded with the first visit.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { short_number } from "../run/histogram.js";
import { place } from "../shell/state.js";
import { bugs, death_rates, explore_problem, FOUND, linked_page, load_explore, results, score, type DeathRate } from "./data.js";
import { correlation, FEWEST_TESTS, gpus, load_gpus } from "./gpus.js";
import { GpuPage, OtherGpus } from "./others.js";
import { read_markdown, type DocumentBlock, type Inline } from "./markdown.js";

const STUDIES: [string, string][] = [
  ["pte", "Parallel environments"],
  ["pte_baseline", "Parallel, without stress"],
  ["site", "One instance at a time"],
  ["site_baseline", "One at a time, without stress"],
];
const DEVICES: [string, string][] = [
  ["nvidia", "NVIDIA"],
  ["amd", "AMD"],
  ["intel", "Intel"],
  ["m1", "Apple M1"],
];
const study = signal("pte");

function Scores() {
  const rows = STUDIES.map(([name, title]) => ({
    title,
    by: DEVICES.map(([device]) => score(death_rates.value.filter((one) => one.study === name && one.device === device))),
  }));
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Mutation scores">
      <table class="plain scores">
        <caption>Mutants that died at least once, of 32 per device</caption>
        <thead>
          <tr>
            <th scope="col">Study</th>
            {DEVICES.map(([device, title]) => (
              <th key={device} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.title}>
              <th scope="row">{row.title}</th>
              {row.by.map((one, index) => (
                <td key={index}>
                  <span class="score">{(100 * one.score).toFixed(0)} %</span>
                  <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="track" width="100" height="6" />
                    <rect class="fill" width={(100 * one.score).toFixed(1)} height="6" />
                  </svg>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// From no kill to a million per second in eight steps.
function heat(rate: number): number {
  return rate <= 0 ? 0 : Math.max(1, Math.min(7, Math.ceil(Math.log10(rate) + 1)));
}

function Rates({ rates }: { rates: DeathRate[] }) {
  const tests = [...new Set(rates.map((one) => one.test))];
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Death rates">
      <table class="plain heat">
        <caption>Kills per second in the environment where the mutant dies fastest</caption>
        <thead>
          <tr>
            <th scope="col">Mutant</th>
            {DEVICES.map(([device, title]) => (
              <th key={device} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <tr key={test}>
              <th scope="row">{test}</th>
              {DEVICES.map(([device]) => {
                const rate = rates.find((one) => one.test === test && one.device === device)?.rate ?? 0;
                return (
                  <td key={device} class={`number heat-${heat(rate)}`}>
                    {rate === 0 ? "never" : short_number(rate)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// How alike the GPUs of a study are, each with each other.
function Alike({ rates }: { rates: DeathRate[] }) {
  const of = (device: string) => new Map(rates.filter((one) => one.device === device).map((one) => [one.test, one.rate]));
  const cell = (one: string, other: string) => {
    const [mine, theirs] = [of(one), of(other)];
    const like = correlation([...mine].map(([test, rate]) => [rate, theirs.get(test) ?? 0] as const));
    return like === null ? "too few" : `${like.correlation.toFixed(2)}, ${like.tests} mutants`;
  };
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="GPUs that behave alike">
      <table class="plain" id="alike">
        <caption>
          Which behave alike: the correlation of the logarithms of those rates, over the mutants that both killed, at least{" "}
          {FEWEST_TESTS}
        </caption>
        <thead>
          <tr>
            <td />
            {DEVICES.slice(1).map(([device, title]) => (
              <th key={device} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DEVICES.slice(0, -1).map(([row, title], at) => (
            <tr key={row}>
              <th scope="row">{title}</th>
              {DEVICES.slice(1).map(([column], to) => (
                <td key={column} class="number">
                  {to < at ? "" : cell(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Words({ words }: { words: Inline[] }) {
  return (
    <>
      {words.map((one, index) => {
        if (one.kind === "code") return <code key={index}>{one.text}</code>;
        if (one.kind === "strong") return <strong key={index}>{one.text}</strong>;
        if (one.kind === "emphasis") return <em key={index}>{one.text}</em>;
        if (one.kind === "link") {
          const name = linked_page(one.target);
          return name === null ? (
            one.text
          ) : (
            <a key={index} href={`#explore/${name}`}>
              {one.text}
            </a>
          );
        }
        return one.text;
      })}
    </>
  );
}

function Block({ block }: { block: DocumentBlock }) {
  switch (block.kind) {
    case "heading":
      return block.level === 1 ? (
        <h2 class="lesson-title">
          <Words words={block.words} />
        </h2>
      ) : (
        <h3>
          <Words words={block.words} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Words words={block.words} />
        </p>
      );
    case "code":
      return (
        <pre tabIndex={0} role="group" aria-label="Commands or output">
          {block.text}
        </pre>
      );
    case "list": {
      const items = block.items.map((words, index) => (
        <li key={index}>
          <Words words={words} />
        </li>
      ));
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div class="scrolls" tabIndex={0} role="group" aria-label="Table">
          <table class="plain">
            <thead>
              <tr>
                {block.head.map((words, index) =>
                  words.length === 0 ? (
                    <td key={index} />
                  ) : (
                    <th key={index} scope="col">
                      <Words words={words} />
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((words, index) => (
                    <td key={index}>
                      <Words words={words} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function Published() {
  const rates = death_rates.value.filter((one) => one.study === study.value);
  return (
    <section aria-labelledby="published-title">
      <h2 id="published-title">MC Mutants, 2023</h2>
      <p class="soft">
        How fast 32 mutants die on four GPUs, from the measurements that Levine et al. published with{" "}
        <cite>MC Mutants</cite> (ASPLOS 2023) under the MIT licence.
      </p>
      <Scores />
      <p>
        <label>
          Study{" "}
          <select value={study.value} onChange={(event) => (study.value = event.currentTarget.value)}>
            {STUDIES.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Rates rates={rates} />
      <Alike rates={rates} />
    </section>
  );
}

function Measured() {
  const pages = results.value;
  const devices = read_markdown(pages.find((page) => page.name === "conformance")?.text ?? "").find((block) => block.kind === "table");
  return (
    <>
      <section aria-labelledby="found-title">
        <h2 id="found-title">Bugs found</h2>
        <ol class="made bugs">
          {bugs().map((bug) => (
            <li key={bug}>{bug}</li>
          ))}
        </ol>
        <p>
          <a href={`#explore/${FOUND}`}>What each is and whether it was reported</a>
        </p>
      </section>
      <section aria-labelledby="devices-title">
        <h2 id="devices-title">Do devices keep their memory model?</h2>
        {devices === undefined ? null : <Block block={devices} />}
      </section>
      <section aria-labelledby="own-title">
        <h2 id="own-title">What was measured</h2>
        <ul class="made pages">
          {pages.map((known) => (
            <li key={known.name}>
              <a href={`#explore/${known.name}`}>{known.title}</a>: <span class="soft">{known.about}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

export function Explore() {
  useEffect(() => {
    void load_explore();
    void load_gpus();
  }, []);
  const gpu = gpus.value.find((known) => known.name === place.value.page);
  if (gpu !== undefined) return <GpuPage gpu={gpu} />;
  const page = results.value.find((known) => known.name === place.value.page);
  if (page !== undefined) {
    return (
      <article class="lesson">
        <p>
          <a href="#explore">All results</a>
        </p>
        {read_markdown(page.text).map((block, index) => (
          <Block key={index} block={block} />
        ))}
      </article>
    );
  }
  return (
    <>
      <OtherGpus />
      <div class="split">
        <div>
          {explore_problem.value === null ? null : <p class="notice">{explore_problem.value}</p>}
          <Measured />
        </div>
        <div>{death_rates.value.length === 0 ? null : <Published />}</div>
      </div>
    </>
  );
}
