// SPDX-License-Identifier: MIT
// The environments that the reader composes: a preset and what differs from it.
import { signal } from "@preact/signals";
import { judge, Withdrawn } from "../core/client.js";
import type { Environment, EnvironmentValue, Environments, Parameter } from "../core/types.js";

export const known = signal<Environments | null>(null);

export async function load_environments(): Promise<void> {
  if (known.value !== null) return;
  try {
    known.value = await judge.ask("environments", {});
  } catch (error) {
    if (!(error instanceof Withdrawn)) throw error;
  }
}

export function preset_named(all: Environments, name: string): Environment {
  return all.presets.find((preset) => preset.name === name)?.environment ?? {};
}

// What a parameter is set to, in an environment that lists only some.
export function value_of(parameter: Parameter, environment: Environment): EnvironmentValue {
  return environment[parameter.name] ?? parameter.default;
}

// Only what differs from the defaults, so that links stay short.
export function shortened(all: Environments, environment: Environment): Environment {
  const short: Environment = {};
  for (const parameter of all.parameters) {
    const value = environment[parameter.name];
    if (value !== undefined && value !== parameter.default) short[parameter.name] = value;
  }
  return short;
}

// The preset that an environment equals, or null.
export function preset_of(all: Environments, environment: Environment): string | null {
  const text = (given: Environment) => JSON.stringify(shortened(all, given));
  return all.presets.find((preset) => text(preset.environment) === text(environment))?.name ?? null;
}

export function problem_of(parameter: Parameter, value: EnvironmentValue): string | null {
  if (parameter.kind === "choice") return parameter.choices.includes(String(value)) ? null : `expected ${parameter.range}`;
  const number = Number(value);
  if (parameter.automatic && number === 0) return null;
  const whole = Number.isInteger(number) && number >= parameter.low && number <= parameter.high;
  const power = parameter.kind !== "power_of_two" || (number & (number - 1)) === 0;
  return whole && power ? null : `expected ${parameter.range}`;
}

// As the command line takes it: "stress,workgroup_size=32".
export function environment_text(all: Environments, environment: Environment): string {
  const preset = preset_of(all, environment);
  if (preset !== null) return preset;
  const settings = Object.entries(shortened(all, environment)).map(([name, value]) => `${name}=${value}`);
  return settings.length === 0 ? "basic" : settings.join(",");
}
