// SPDX-License-Identifier: MIT
#include "distil/story/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/source.h"
#include "litmus/dialect.h"

namespace weakspot::distil {
namespace {

using race::StepKind;
using race::StepOrder;
using race::Witness;
using race::WitnessStep;
using race::WitnessThread;

constexpr std::size_t kMostLocations = 5;
const char* location_name(std::size_t location) {
  static constexpr const char* kNames[kMostLocations] = {"x", "y", "z", "w", "v"};
  return kNames[location];
}

const WitnessStep& first_access(const Witness& witness) { return witness.threads.front().steps.front(); }
const WitnessStep& second_access(const Witness& witness) { return witness.threads.back().steps.back(); }

// A word for a header line or a description, which end with the line or with a quote.
std::string header_text(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class StoryWriter {
 public:
  StoryWriter(const race::Finding& finding, const std::string& name)
      : finding_(finding), witness_(*finding.witness), name_(name), cells_(witness_.threads.size()) {}

  std::string text() {
    if (witness_.links.empty()) {
      tell_one_location();
    } else {
      tell_chain();
    }
    return fmt::format("{}{}{}{}exists ({})\n", header(), initial_state(), program(), scopes(),
                       fmt::join(condition_, " /\\ "));
  }

 private:
  std::string header() const {
    std::string text = fmt::format("weakspot {}\n\"{}\"\nArch=ptx\n", name_, header_text(finding_.message));
    text += fmt::format("Finding={} {}\n", race::place_text(finding_.place), header_text(finding_.kernel));
    for (std::size_t i = 0; i < witness_.threads.size(); ++i) {
      const WitnessThread& thread = witness_.threads[i];
      std::vector<std::string> lines;
      for (const WitnessStep& step : thread.steps) {
        if (step.place.line != 0) lines.push_back(fmt::format("{} {}", step_text(step), race::place_text(step.place)));
      }
      text += fmt::format("P{}={}: {}\n", i, race::thread_text(thread.index),
                          header_text(fmt::format("{}", fmt::join(lines, ", "))));
    }
    return text;
  }

  // "write of data[0] at"
  std::string step_text(const WitnessStep& step) const {
    const std::string_view word = race::step_word(step.kind);
    if (!step.is_access()) return fmt::format("{} at", word);
    return fmt::format("{} of {} at", word, race::variable_text(witness_.locations[step.location].variable));
  }

  bool in_one_block() const {
    return std::all_of(witness_.threads.begin(), witness_.threads.end(),
                       [&](const WitnessThread& thread) { return thread.block == witness_.threads.front().block; });
  }

  std::string initial_state() const {
    std::string text;
    for (std::size_t i = 0; i < witness_.locations.size(); ++i) {
      if (witness_.locations[i].space == race::Space::shared && in_one_block())
        text += fmt::format(" shared {};", location_name(i));
    }
    return text.empty() ? "" : fmt::format("{{{} }}\n", text);
  }

  std::string program() const {
    std::size_t rows = 0;
    std::string text;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      rows = std::max(rows, cells_[i].size());
      text += fmt::format("{} P{}", i == 0 ? "" : " |", i);
    }
    text += " ;\n";
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        text += fmt::format("{} {}", i == 0 ? "" : " |", row < cells_[i].size() ? cells_[i][row] : "");
      }
      text += " ;\n";
    }
    return text;
  }

  std::string scopes() const {
    std::map<std::uint32_t, std::map<std::uint32_t, std::string>> blocks;
    for (std::size_t i = 0; i < witness_.threads.size(); ++i) {
      blocks[witness_.threads[i].block][witness_.threads[i].warp] += fmt::format(" P{}", i);
    }
    std::string text = "scopes";
    for (const auto& [block, warps] : blocks) {
      text += " (wg";
      for (const auto& [warp, threads] : warps) text += fmt::format(" (sg{})", threads);
      text += ")";
    }
    return text + "\n";
  }

  // An access or fence with its order and scope.
  static std::string word(const WitnessStep& step, const char* instruction) {
    static constexpr const char* kOrders[] = {"", ".na", "", ".acq", ".rel", ".acqrel"};
    const char* scope = step.scope == race::Scope::block ? ".wg" : step.scope == race::Scope::system ? ".sys" : "";
    return fmt::format("{}{}{}", instruction, kOrders[static_cast<std::size_t>(step.order)], scope);
  }

  // The instruction of an access. A load or update has the register of its turn; `value` is what a store writes, and an
  // update adds one.
  std::string instruction(std::size_t thread, const WitnessStep& step, std::uint64_t value) {
    const char* where = location_name(step.location);
    if (step.kind == StepKind::write) return fmt::format("{} {}, {}", word(step, "st"), where, value);
    const std::string target = fmt::format("r{}", registers_[thread]++);
    if (step.kind == StepKind::read) return fmt::format("{} {}, {}", word(step, "ld"), target, where);
    return fmt::format("{} {}, {}, 1", word(step, "atom.add"), target, where);
  }

  std::string last_register(std::size_t thread) { return fmt::format("{}:r{}", thread, registers_[thread] - 1); }

  // Each write to a location writes one more than the one before it in the chain.
  void tell_chain() {
    std::map<std::size_t, std::uint64_t> values;
    std::map<std::uint64_t, std::uint64_t> expected;  // by the number of a read: what it saw
    std::map<std::uint64_t, std::uint64_t> barriers;
    for (std::size_t i = 0; i < witness_.threads.size(); ++i) {
      for (const WitnessStep& step : witness_.threads[i].steps) {
        if (step.kind == StepKind::fence) {
          cells_[i].push_back(word(step, "fence"));
        } else if (!step.is_access()) {
          const std::uint64_t id = barriers.try_emplace(step.number, barriers.size()).first->second;
          cells_[i].push_back(fmt::format("{} {}", step.kind == StepKind::barrier ? "bar" : "bar.sg", id));
        } else {
          if (step.writes()) ++values[step.location];
          const std::uint64_t value = step.location == 0 ? (step.writes() && i > 0 ? 2 : 1) : values[step.location];
          cells_[i].push_back(instruction(i, step, value));
          if (auto seen = expected.find(step.number); seen != expected.end()) {
            condition_.push_back(fmt::format("{}={}", last_register(i), seen->second));
          }
          if (i < witness_.links.size() && witness_.links[i].from == step.number) {
            expected[witness_.links[i].to] = value;
          }
        }
      }
    }
    ask_about_race();
  }

  void ask_about_race() {
    const WitnessStep& first = first_access(witness_);
    const WitnessStep& second = second_access(witness_);
    if (!first.writes()) {
      condition_.push_back(second.kind == StepKind::update ? "0:r0=1" : "0:r0=2");
    } else if (second.reads()) {
      condition_.push_back(last_register(witness_.threads.size() - 1) + "=0");
    } else if (first.kind == StepKind::update) {
      condition_.push_back("(x=3 \\/ x=1)");
    } else {
      condition_.push_back("x=1");
    }
  }

  // The access itself is not atomic for the other thread: an update is lost, or a value goes back.
  void tell_one_location() {
    const WitnessStep& first = first_access(witness_);
    const WitnessStep& second = second_access(witness_);
    if (first.kind == StepKind::write && second.kind == StepKind::write) return tell_stores();
    const bool reversed =
        first.kind == StepKind::read || (first.kind == StepKind::write && second.kind == StepKind::update);
    const WitnessStep& active = reversed ? second : first;
    const WitnessStep& other = reversed ? first : second;
    const std::size_t active_thread = reversed ? 1 : 0;
    cells_[active_thread].push_back(instruction(active_thread, active, 1));
    cells_[1 - active_thread].push_back(instruction(1 - active_thread, other, 4));
    if (other.kind == StepKind::read) {
      condition_.push_back(last_register(1 - active_thread) + "=1");
      cells_[1 - active_thread].push_back(instruction(1 - active_thread, other, 0));
      condition_.push_back(last_register(1 - active_thread) + "=0");
    } else {
      if (other.kind == StepKind::write) condition_.push_back(last_register(active_thread) + "=0");
      condition_.push_back("x=1");
    }
  }

  // A load after each of two stores: both threads see the store of the other over their own.
  void tell_stores() {
    for (std::size_t i = 0; i < 2; ++i) {
      WitnessStep step = i == 0 ? first_access(witness_) : second_access(witness_);
      cells_[i].push_back(instruction(i, step, i + 1));
      step.kind = StepKind::read;
      if (step.order != StepOrder::weak) step.order = StepOrder::relaxed;
      cells_[i].push_back(instruction(i, step, 0));
      condition_.push_back(fmt::format("{}={}", last_register(i), 2 - i));
    }
  }

  const race::Finding& finding_;
  const Witness& witness_;
  std::string name_;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::string> condition_;
  std::map<std::size_t, unsigned> registers_;
};

// Why the story cannot be told; empty if it can.
std::string obstacle(const Witness& witness) {
  if (witness.locations.size() > kMostLocations) return "the chain has too many locations";
  // The finding does not tell which blocks share a cluster.
  auto is_of_cluster = [](const WitnessStep& step) { return step.scope == race::Scope::cluster; };
  if (std::any_of(witness.threads.begin(), witness.threads.end(), [&](const WitnessThread& thread) {
        return std::any_of(thread.steps.begin(), thread.steps.end(), is_of_cluster);
      })) {
    return "an operation has the scope of a cluster, which the test does not tell";
  }
  const bool partial = witness.links.empty() && second_access(witness).partial;
  return partial ? "the accesses overlap in part, which the test does not tell" : "";
}

}  // namespace

bool is_about_order(const race::Finding& finding) {
  if (finding.kind != race::FindingKind::race || finding.severity == race::Severity::hint) return false;
  if (!finding.witness || finding.witness->threads.size() < 2) return false;
  const Witness& witness = *finding.witness;
  auto signals = [](const WitnessStep& step) { return step.order != StepOrder::weak || step.polls; };
  // Volatile accesses are atomic enough: without a chain, another algorithm is wanted.
  if (finding.finding_class == race::ClassId::w3) return !witness.links.empty();
  const WitnessStep& first = first_access(witness);
  const WitnessStep& second = second_access(witness);
  // No barrier orders two blocks: a flag or a lock is accessed as if it were data.
  const bool plain_signal = witness.on_signal && witness.threads.front().block != witness.threads.back().block;
  return !witness.links.empty() || signals(first) || signals(second) || plain_signal;
}

base::Result<litmus::LitmusTest> story_test(const race::Finding& finding, const std::string& name) {
  if (const std::string reason = obstacle(*finding.witness); !reason.empty()) return base::error(reason);
  base::Result<std::vector<litmus::LitmusTest>> read =
      litmus::read_tests(base::Source(name, StoryWriter(finding, name).text()));
  if (!read) return read.errors();
  return litmus::adapt(read->front(), litmus::Dialect::ptx);
}

}  // namespace weakspot::distil
