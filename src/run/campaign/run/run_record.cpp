// SPDX-License-Identifier: MIT
#include "campaign/run_record.h"

#include <fmt/format.h>

#include "base/build_info.h"
#include "base/names.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

constexpr base::Named<RunState> kStates[] = {
    {"running", RunState::running}, {"finished", RunState::finished}, {"stopped", RunState::stopped},
    {"refused", RunState::refused}, {"failed", RunState::failed},     {"lost", RunState::lost},
};

std::string program_name() {
  if (base::kRevision.empty()) return fmt::format("weakspot {}", base::kVersion);
  return fmt::format("weakspot {} ({})", base::kVersion, base::kRevision);
}

}  // namespace

std::string_view to_string(RunState state) { return base::name_of(kStates, state); }
std::optional<RunState> run_state_named(std::string_view name) { return base::value_of(kStates, name); }

RunTest::RunTest(litmus::LitmusTest test) {
  // Every test has a canonical text.
  std::string text = litmus::print(test, litmus::Dialect::canonical).value();
  std::string hash = litmus::hash_of(test).hex();
  *this = RunTest(std::move(test), std::move(text), std::move(hash));
}

std::uint64_t RunRecord::count(stats::OutcomeClass outcome_class) const {
  std::uint64_t sum = 0;
  for (const OutcomeCount& outcome : outcomes) {
    if (outcome.outcome_class == outcome_class) sum += outcome.count;
  }
  return sum;
}

std::uint64_t RunRecord::matches() const {
  std::uint64_t sum = 0;
  for (const OutcomeCount& outcome : outcomes) {
    if (outcome.matches) sum += outcome.count;
  }
  return sum;
}

void RunRecord::set_code(CheckedCode checked) {
  code = std::move(checked);
  if (!is_changed()) return;
  for (OutcomeCount& outcome : outcomes) {
    outcome.matches = false;
    outcome.outcome_class = stats::OutcomeClass::changed;
  }
  witnesses.clear();
}

RunRecord begin_record(const RunRequest& request) {
  RunRecord record;
  record.program = program_name();
  record.started = request.started;
  record.test = request.test->name;
  record.hash = request.test.hash();
  record.text = request.test.text();
  record.device = request.device;
  record.environment = request.environment;
  record.seed = request.seed;
  record.asked_seconds = request.instances == 0 ? request.seconds : 0;
  record.asked_instances = request.instances;
  record.asked_memory = request.memory;
  record.deadline = request.deadline;
  record.asked_judging = request.judging;
  record.model = request.expected.model;
  record.remark = request.expected.remark;
  return record;
}

}  // namespace weakspot::campaign
