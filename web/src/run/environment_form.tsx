// SPDX-License-Identifier: MIT
// Every parameter of an environment with its range and what it means.
import type { Environment, Environments, Parameter } from "../core/types.js";
import { preset_named, preset_of, problem_of, shortened, value_of } from "./environment.js";

interface Props {
  all: Environments;
  title: string;
  environment: Environment;
  // Whether the choice is left to the server; without a value it cannot be.
  automatic?: boolean;
  on_change: (environment: Environment, automatic?: boolean) => void;
}

// The meaning on a CPU is of no use to a browser.
function meaning(parameter: Parameter): string {
  return parameter.meaning.split(" CPU: ")[0] ?? parameter.meaning;
}

function Field({ parameter, id, environment, on_change }: { parameter: Parameter; id: string } & Omit<Props, "all" | "title" | "automatic">) {
  const value = value_of(parameter, environment);
  const problem = problem_of(parameter, value);
  const set = (next: string | number) => on_change({ ...environment, [parameter.name]: next });
  const described = { id, "aria-describedby": `${id}-meaning` };
  return (
    <div class="parameter">
      <label for={id} class="code">
        {parameter.name}
      </label>
      {parameter.kind === "choice" ? (
        <select {...described} value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
          {parameter.choices.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...described}
          type="number"
          inputMode="numeric"
          value={String(value)}
          min={parameter.automatic ? 0 : parameter.low}
          max={parameter.high}
          aria-invalid={problem !== null}
          onInput={(event) => set(event.currentTarget.value === "" ? 0 : Number(event.currentTarget.value))}
        />
      )}
      <p id={`${id}-meaning`} class="soft">
        {problem === null ? null : <strong class="no">{problem}. </strong>}
        {meaning(parameter)} <span>({parameter.range})</span>
      </p>
    </div>
  );
}

const AUTOMATIC = "best known";

export function EnvironmentForm({ all, title, environment, automatic, on_change }: Props) {
  const preset = automatic ? AUTOMATIC : preset_of(all, environment);
  const groups = [...new Set(all.parameters.map((parameter) => parameter.group))];
  const prefix = title.replaceAll(" ", "-").toLowerCase();
  const sentence = automatic ? "The one that shows most on such devices, for the shape of this test." : all.presets.find((known) => known.name === preset)?.meaning;
  return (
    <fieldset class="environment">
      <legend>{title}</legend>
      <label>
        Preset{" "}
        <select
          value={preset ?? "own"}
          onChange={(event) => on_change(shortened(all, preset_named(all, event.currentTarget.value)), event.currentTarget.value === AUTOMATIC)}
        >
          {automatic === undefined ? null : <option value={AUTOMATIC}>{AUTOMATIC}</option>}
          {all.presets.map((known) => (
            <option key={known.name} value={known.name}>
              {known.name}
            </option>
          ))}
          {preset === null ? <option value="own">own</option> : null}
        </select>
      </label>
      <p class="soft">{sentence ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : "Parameters of your own."}</p>
      <details class="tool">
        <summary>All parameters</summary>
        {groups.map((group) => (
          <div key={group}>
            <h3>{group}</h3>
            {all.parameters
              .filter((parameter) => parameter.group === group)
              .map((parameter) => (
                <Field
                  key={parameter.name}
                  id={`${prefix}-${parameter.name}`}
                  parameter={parameter}
                  environment={environment}
                  on_change={on_change}
                />
              ))}
          </div>
        ))}
      </details>
    </fieldset>
  );
}
