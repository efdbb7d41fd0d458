// SPDX-License-Identifier: MIT
// Puts the results of fences.h into words.
#include <fmt/format.h>

#include <cmath>

#include "litmus/dialect.h"
#include "questions/fences.h"

namespace weakspot::questions {
namespace {

// The threads that a scope leaves out, seen from one thread.
std::vector<std::uint32_t> outside(const litmus::LitmusTest& test, litmus::ThreadId thread, litmus::Scope scope) {
  const litmus::ScopeTree tree = test.scope_tree();
  std::vector<std::uint32_t> result;
  for (std::uint32_t other = 0; other < test.threads.size(); ++other) {
    if (!tree.together(thread, litmus::ThreadId{other}, scope)) result.push_back(other);
  }
  return result;
}

std::string_view scope_word(litmus::Scope scope, litmus::Arch arch) {
  const bool ptx = arch == litmus::Arch::ptx || arch == litmus::Arch::ptx2015;
  switch (scope) {
    case litmus::Scope::subgroup:
      return ptx ? "warp" : "subgroup";
    case litmus::Scope::workgroup:
      return ptx ? "CTA" : "workgroup";
    case litmus::Scope::cluster:
      return "cluster";
    case litmus::Scope::queue_family:
      return "queue family";
    case litmus::Scope::device:
      return ptx ? "GPU" : "device";
    default:
      return "thread";
  }
}

const litmus::Scope* scope_in(const litmus::Instruction& instruction, litmus::Order& order) {
  if (const auto* fence = std::get_if<litmus::Fence>(&instruction.operation)) {
    order = fence->order;
    return &fence->scope;
  }
  const litmus::Access* access = litmus::access_of(instruction);
  if (access == nullptr) return nullptr;
  order = access->order;
  return &access->scope;
}

// Tests to judge for an explanation, which must not take long.
constexpr std::size_t kMostTests = 200;
// Ways to show.
constexpr std::size_t kMostWays = 4;

std::string lack_text(const litmus::LitmusTest& test, const Fences& found, std::string_view does) {
  const std::size_t size = found.ways.empty() ? 0 : found.ways.front().changes.size();
  if (size == 0) {
    return found.complete ? fmt::format("  missing: no stronger instructions were found that would {}\n", does)
                          : fmt::format("  missing: the search ended before it found what would {}\n", does);
  }
  std::string text = size == 1   ? fmt::format("  missing: each of these alone would {}\n", does)
                     : size == 2 ? fmt::format("  missing: these two together would {}\n", does)
                                 : fmt::format("  missing: these {} together would {}\n", size, does);
  const ChangeTexts change_text(test, found.places);
  for (std::size_t i = 0; i < std::min(found.ways.size(), kMostWays); ++i) {
    for (const Change& change : found.ways[i].changes) {
      const std::string why = change_text.narrow(change);
      text += fmt::format("    {}{}{}\n", change_text(change), why.empty() ? "" : ": ", why);
    }
  }
  if (found.ways.size() > kMostWays) {
    text += fmt::format("    and {} more ('weakspot fences' lists them)\n", found.ways.size() - kMostWays);
  }
  return text;
}

}  // namespace

ChangeTexts::ChangeTexts(const litmus::LitmusTest& test, const std::vector<Place>& places)
    : test_(test), places_(places), texts_(litmus::instruction_texts(test)) {}

std::string ChangeTexts::thread(const Change& change) const {
  return fmt::format("P{}", places_[change.place].thread.index);
}

std::string ChangeTexts::before(const Change& change) const {
  const Place& place = places_[change.place];
  const std::vector<std::string>& texts = texts_[place.thread.index];
  return place.instruction < texts.size() ? texts[place.instruction] : std::string();
}

std::string ChangeTexts::after(const Change& change) const {
  const Place& place = places_[change.place];
  if (const auto& dependency = place.alternatives[change.alternative].dependency) {
    const bool fenced = dependency->kind == Dependency::Kind::control_fence;
    return fmt::format("{} dependency on `{}`{}", fenced ? "control" : to_string(dependency->kind),
                       texts_[place.thread.index][dependency->load], fenced ? ", with ISB" : "");
  }
  // XCHG takes its value from a register, which would be one more instruction. The canonical form has a word for it.
  const litmus::Instruction& instruction = place.alternatives[change.alternative].instruction;
  const std::string store = before(change);
  if (std::holds_alternative<litmus::Rmw>(instruction.operation) && store.starts_with("MOV ")) {
    return "XCHG" + store.substr(std::min(store.find(' '), store.size()));
  }
  return litmus::instruction_texts(strengthened(test_, places_, {change}))[place.thread.index][place.instruction];
}

std::string ChangeTexts::operator()(const Change& change) const {
  const Place& place = places_[change.place];
  if (is_dependency(change)) return fmt::format("P{} `{}`: {}", place.thread.index, before(change), after(change));
  if (!place.gap) return fmt::format("P{} `{}` -> `{}`", place.thread.index, before(change), after(change));
  auto where = [&](std::uint32_t thread, std::uint32_t instruction) {
    const std::vector<std::string>& texts = texts_[thread];
    return instruction < texts.size() ? fmt::format("before `{}`", texts[instruction]) : std::string("at the end");
  };
  std::string text =
      fmt::format("P{} `{}` {}", place.thread.index, after(change), where(place.thread.index, place.instruction));
  for (const Spot& spot : place.also) {
    text += fmt::format(", P{} {}", spot.thread.index, where(spot.thread.index, spot.instruction));
  }
  return text;
}

std::string ChangeTexts::narrow(const Change& change) const {
  const Place& place = places_[change.place];
  if (place.gap || is_dependency(change)) return {};
  litmus::Order order = litmus::Order::plain;
  litmus::Order stronger = litmus::Order::plain;
  const litmus::Scope* scope = scope_in(test_[place.thread].instructions[place.instruction], order);
  scope_in(place.alternatives[change.alternative].instruction, stronger);
  if (scope == nullptr || order != stronger) return {};
  const std::vector<std::uint32_t> others = outside(test_, place.thread, *scope);
  if (others.empty()) return {};
  return fmt::format("it reaches its own {} only, and P{} {} in another", scope_word(*scope, test_.arch),
                     fmt::join(others, ", P"), others.size() == 1 ? "is" : "are");
}

std::string explain_allowed(const litmus::LitmusTest& test, const model::Model& model, const model::Verdict& verdict,
                            const model::Limits& limits) {
  std::string text;
  FencesOptions options;
  options.tests = kMostTests;
  options.quick = true;
  options.known = true;
  options.limits = limits;
  // Ten times the verdict, or a second.
  const auto most = std::chrono::milliseconds(std::max<std::int64_t>(1000, std::llround(verdict.seconds * 10'000)));
  if (limits.time.count() == 0 || limits.time > most) options.limits.time = most;
  if (verdict.reach == model::Verdict::Reach::allowed) {
    text += lack_text(test, find_fences(test, model, options), "forbid the outcome");
  }
  if (!verdict.flags.empty()) {
    options.flags = true;
    text += lack_text(test, find_fences(test, model, options), "avoid the flag");
  }
  return text;
}

}  // namespace weakspot::questions
