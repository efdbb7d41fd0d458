// SPDX-License-Identifier: MIT
#include "prove/answer/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "litmus/instruction.h"
#include "model/library.h"
#include "model/witness_steps.h"

namespace weakspot::prove {
namespace {

// PTX ISA, "Conflict and data-races": conflicting operations that are neither morally strong nor related in causality
// order. A read-modify-write is one operation: where its write comes before another one, so does its read. A flag would
// have all orders of fences tried; the check leaves only executions that have a race.
constexpr std::string_view kRacy = R"("{0} with a data race"
include "{0}.cat"
let conflict = loc & ext & ((M \ IW) * (M \ IW)) \ (R * R)
let before = rmw?; causality
let data-races = conflict \ (morally-strong | before | before^-1)
~empty data-races as has-a-data-race
)";

const litmus::Instruction& instruction_at(const litmus::LitmusTest& test, const model::WitnessStep& step) {
  return test.threads[step.thread.index].instructions[step.instruction];
}

// The instruction of the residue that a step of the test is made of; none if it was added.
const residual::Instruction* source_of(const residual::Residual& residual, const Translation& translation,
                                       const litmus::LitmusTest& test, const model::WitnessStep& step) {
  const std::string_view text = std::string_view(translation.text);
  const std::size_t offset = instruction_at(test, step).span.begin;
  const std::size_t program = text.find("\n P0");
  if (program == std::string_view::npos || offset <= program) return nullptr;
  const auto row = static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(program) + 1,
                                                       text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  const std::vector<std::size_t>& rows = translation.rows[step.thread.index];
  if (row == 0 || row > rows.size() || rows[row - 1] == Translation::kNoInstruction) return nullptr;
  return &residual.threads[translation.actors[step.thread.index]].code[rows[row - 1]];
}

}  // namespace

base::Result<ProofModels> load_proof_models(const std::string& name) {
  base::Result<model::Model> plain = model::load_model(name);
  if (!plain) return plain.errors();
  ProofModels models{*std::move(plain), std::nullopt};
  if (name != "ptx" && name != "ptx-strong") return models;
  const base::Source source("racy.cat", fmt::format(kRacy, name));
  auto include = [](std::string_view file) -> base::Result<base::Source> {
    const std::string_view stem = file.ends_with(".cat") ? file.substr(0, file.size() - 4) : file;
    const std::optional<std::string_view> text = model::built_in_text(stem);
    if (!text) return base::error(fmt::format("there is no model '{}'", file));
    return base::Source(std::string(file), std::string(*text));
  };
  base::Result<model::Model> racy = model::Model::compile(source, include);
  if (!racy) return racy.errors();
  models.racy = *std::move(racy);
  return models;
}

std::vector<ProofThread> told(const residual::Residual& residual, const Translation& translation,
                              const litmus::LitmusTest& test, const model::Witness& witness) {
  std::vector<ProofThread> threads;
  for (const std::size_t actor : translation.actors) {
    threads.push_back({residual.threads[actor].block, residual.threads[actor].number, {}});
  }
  const std::vector<model::WitnessStep> steps = model::steps_of(witness);
  auto place_of = [&](const model::WitnessStep& step) -> std::optional<race::Place> {
    const residual::Instruction* source = source_of(residual, translation, test, step);
    return source == nullptr ? std::nullopt : std::optional(residual.places[source->place]);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const model::WitnessStep& step = steps[i];
    ProofStep one;
    one.place = place_of(step).value_or(race::Place{});
    const std::string& name = translation.names.at(test[step.location].name);
    const bool update = step.write && i > 0 && steps[i - 1].thread == step.thread &&
                        steps[i - 1].instruction == step.instruction && !steps[i - 1].write;
    if (update) {
      ProofStep& read = threads[step.thread.index].steps.back();
      read.text += fmt::format(", writes {}", step.value.number);
      continue;
    }
    one.text = fmt::format("{} {} = {}", step.write ? "writes" : "reads", name, step.value.number);
    const bool unset = !step.write && !step.from && translation.unset.contains(test[step.location].name);
    if (unset) one.text = fmt::format("reads {}, which nobody has set", name);
    one.initial = !step.write && !step.from && !unset;
    if (step.from) one.from = place_of(steps[*step.from]);
    threads[step.thread.index].steps.push_back(std::move(one));
  }
  return threads;
}

}  // namespace weakspot::prove
