// SPDX-License-Identifier: MIT
#include "campaign/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markup.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

// The most important outcomes first.
constexpr OutcomeClass kWeakestFirst[] = {OutcomeClass::forbidden,   OutcomeClass::unknown,    OutcomeClass::weak,
                                          OutcomeClass::interleaved, OutcomeClass::sequential, OutcomeClass::changed};

void add(RunRecord& sum, const RunRecord& record) {
  sum.instances += record.instances;
  sum.unfinished += record.unfinished;
  sum.barrier_timeouts += record.barrier_timeouts;
  sum.seconds += record.seconds;
  sum.host_seconds += record.host_seconds;
  sum.compile_seconds += record.compile_seconds;
  for (const OutcomeCount& outcome : record.outcomes) {
    const auto same = [&](const OutcomeCount& other) {
      return other.outcome == outcome.outcome && other.outcome_class == outcome.outcome_class;
    };
    const auto found = std::find_if(sum.outcomes.begin(), sum.outcomes.end(), same);
    if (found == sum.outcomes.end()) {
      sum.outcomes.push_back(outcome);
    } else {
      found->count += outcome.count;
    }
  }
  sum.witnesses.insert(sum.witnesses.end(), record.witnesses.begin(), record.witnesses.end());
  // The code that showed something forbidden counts most, then code that is not the test.
  const bool accuses = record.count(OutcomeClass::forbidden) != 0;
  if (accuses || (sum.count(OutcomeClass::forbidden) == 0 && (!sum.code || record.is_changed())))
    sum.code = record.code;
  // The worst status.
  if (record.status > sum.status) {
    sum.status = record.status;
    sum.message = record.message;
  }
}

double rate(const RunRecord& record, OutcomeClass outcome_class) {
  return record.seconds > 0 ? static_cast<double>(record.count(outcome_class)) / record.seconds : 0;
}

}  // namespace

std::string short_number(double number) {
  static constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (number >= 999.95 && unit + 1 < std::size(kUnits)) {
    number /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f}", number);
  return fmt::format("{:.3g}{}", number, kUnits[unit]);
}

RunRecord RunGroup::sum() const {
  RunRecord sum = records.front();
  if (records.size() > 1) sum.slices.clear();
  for (std::size_t i = 1; i < records.size(); ++i) add(sum, records[i]);
  return sum;
}

const RunRecord& RunGroup::most_telling() const {
  return *std::max_element(records.begin(), records.end(), [](const RunRecord& a, const RunRecord& b) {
    return std::pair(rate(a, OutcomeClass::forbidden), rate(a, OutcomeClass::weak)) <
           std::pair(rate(b, OutcomeClass::forbidden), rate(b, OutcomeClass::weak));
  });
}

std::vector<RunGroup> group_records(const std::vector<RunRecord>& records) {
  std::vector<RunGroup> groups;
  for (const RunRecord& record : records) {
    const bool same = !groups.empty() && groups.back().test() == record.test &&
                      groups.back().device() == record.device && groups.back().records.front().hash == record.hash;
    if (!same) groups.emplace_back();
    groups.back().records.push_back(record);
  }
  return groups;
}

std::string class_word(OutcomeClass outcome_class) {
  return outcome_class == OutcomeClass::forbidden ? "FORBIDDEN" : std::string(stats::to_string(outcome_class));
}

std::string verdict_word(const RunRecord& sum) {
  if (sum.count(OutcomeClass::forbidden) != 0) return "FORBIDDEN";
  const bool refused = sum.status == RunState::refused && sum.instances == 0;  // in every environment
  if (refused || sum.status == RunState::failed || sum.status == RunState::lost) {
    return std::string(to_string(sum.status));
  }
  for (const OutcomeClass outcome_class : kWeakestFirst) {
    if (sum.count(outcome_class) != 0) return class_word(outcome_class);
  }
  return std::string(to_string(sum.status));
}

std::string witness_text(const RunRecord& record) {
  std::string text;
  for (const Witness& witness : record.witnesses) {
    text += fmt::format("  witness {}\n    launch seed {}", witness.outcome, witness.launch_seed);
    if (witness.first) {
      const codegen::Sighting& at = witness.first->at;
      text += fmt::format(", launch {}, round {}, iteration {}, instance {}\n    ", witness.first->launch, at.round,
                          at.iteration, at.instance);
    }
    for (const Witness::Thread& thread : witness.threads) {
      text += fmt::format("{} in workgroup {}, thread {}; ", thread.name, thread.workgroup, thread.local);
    }
    for (std::size_t i = 0; i < witness.addresses.size(); ++i) {
      const Witness::Address& address = witness.addresses[i];
      text += fmt::format("{}{} at word {} of {}", i == 0 ? "" : ", ", address.location, address.word, address.space);
    }
    text += "\n";
  }
  if (text.empty()) return text;
  text += fmt::format("    seed {}, environment {}, {}, {}, code {}\n", record.seed,
                      codegen::to_text(record.environment), record.device_name, record.driver, record.code_hash);
  if (!record.code) return text;
  return text + (record.code->verdict == optcheck::CodeVerdict::matched
                     ? "    the machine code was compared with the test and matches it\n"
                     : fmt::format("    the machine code was not compared with the test: {}\n", record.code->reason));
}

std::string replay_commands(const RunRecord& record) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-._";
  const bool plain = !record.test.empty() && record.test.find_first_not_of(kPlain) == std::string::npos;
  const std::string file = (plain && record.test.front() != '-' ? record.test : "test") + ".litmus";
  // Records come from other machines as well: no line of a text may end what is meant for the file.
  std::string end = "END";
  while (("\n" + record.text + "\n").find("\n" + end + "\n") != std::string::npos) end += "_";
  std::string text = fmt::format("cat > {} <<'{}'\n{}{}{}\n", file, end, record.text,
                                 record.text.empty() || record.text.back() == '\n' ? "" : "\n", end);
  text += fmt::format("weakspot run {} --device {} --seed {}", file, base::shell_word(record.device), record.seed);
  text += record.asked_instances != 0 ? fmt::format(" --instances {}", record.asked_instances)
                                      : fmt::format(" --seconds {}", std::max(record.asked_seconds, 0.001));
  if (record.asked_memory != 0) text += fmt::format(" --memory {}", record.asked_memory);
  if (!record.model.empty()) text += " --model " + base::shell_word(record.model);
  // A short run leaves the model a second; what forbade the outcome may have had more time for it.
  constexpr double kJudging = 20;
  if (record.asked_judging > kJudging) {
    text += fmt::format(" --judging {}", record.asked_judging);
  } else if (record.asked_instances == 0) {
    text += fmt::format(" --judging {}s", kJudging);
  }
  if (record.code && !record.code->afterwards) text += " --optcheck";
  // A run that its deadline ended would go on for longer.
  if (record.status == RunState::stopped && record.deadline > 0) text += fmt::format(" --deadline {}", record.deadline);
  return text + fmt::format(" --env {}\n", base::shell_word(codegen::to_text(record.environment)));
}

std::string violation_details(const std::vector<RunRecord>& records) {
  std::string text;
  for (const RunRecord& record : records) text += witness_text(record);
  return text + "To see it again:\n" + replay_commands(RunGroup{records}.most_telling());
}

std::string rate_text(double rate) {
  return rate < 1000 ? fmt::format("{:.3g}/s", rate) : fmt::format("{}/s", short_number(rate));
}

}  // namespace weakspot::campaign
