// SPDX-License-Identifier: MIT
#include "race/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "race/finding/fact_words.h"

namespace weakspot::race {
namespace {

constexpr std::string_view kThreadIdx = "threadIdx=", kBlockIdx = " blockIdx=", kOf = " of ", kBy = " by ";
constexpr std::string_view kPlus = " + ", kBytes = " bytes";

constexpr base::Named<Act> kActs[] = {
    {"read", Act::read},
    {"write", Act::write},
    {"atomic read", Act::atomic_read},
    {"atomic write", Act::atomic_write},
    {"volatile read", Act::volatile_read},
    {"volatile write", Act::volatile_write},
    {"asynchronous read", Act::asynchronous_read},
    {"asynchronous write", Act::asynchronous_write},
    {"use as a tensor map", Act::map_use},
    {"is here", Act::is_here},
    {"ended here", Act::ended_here},
    {"waits", Act::waits},
    {"waits here", Act::waits_here},
};

bool is_access(Act act) { return act <= Act::map_use; }

std::string index_text(const Index& index) {
  const auto [x, y, z] = index.at;
  if (index.axes == 3) return fmt::format("({},{},{})", x, y, z);
  if (index.axes == 2) return fmt::format("({},{})", x, y);
  return std::to_string(x);
}

template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(mark.size());
  return true;
}

std::optional<Index> take_index(std::string_view& text) {
  const bool several = take(text, "(");
  Index index;
  for (index.axes = 0; index.axes < 3;) {
    const std::optional<std::uint32_t> number = take_number<std::uint32_t>(text);
    if (!number) return std::nullopt;
    index.at[index.axes++] = *number;
    if (!several || !take(text, ",")) break;
  }
  if (several && (index.axes == 1 || !take(text, ")"))) return std::nullopt;
  return index;
}

}  // namespace

std::string_view kind_word(FindingKind kind) { return base::name_of(kKindWords, kind); }
std::string_view space_word(std::optional<Space> space) { return space ? base::name_of(kSpaceWords, *space) : ""; }
std::string_view step_word(StepKind kind) { return base::name_of(kStepWords, kind); }
std::string_view act_word(Act act) { return base::name_of(kActs, act); }

Index index_of(std::uint64_t number, const Extent& extent) {
  return {extent.coordinates(number), extent.z > 1 ? 3u : extent.y > 1 ? 2u : 1u};
}

std::string thread_text(const ThreadIndex& thread) {
  return fmt::format("{}{}{}{}{}{}", kThreadIdx, index_text(thread.thread), kBlockIdx, index_text(thread.block),
                     thread.kernel.empty() ? "" : kOf, thread.kernel);
}

std::optional<ThreadIndex> read_thread(std::string_view text) {
  if (!take(text, kThreadIdx)) return std::nullopt;
  const std::optional<Index> thread = take_index(text);
  if (!thread || !take(text, kBlockIdx)) return std::nullopt;
  const std::optional<Index> block = take_index(text);
  if (!block || (!text.empty() && !take(text, kOf))) return std::nullopt;
  return ThreadIndex{*thread, *block, std::string(text)};
}

std::string actor_text(const Actor& actor) {
  const std::string thread = thread_text(actor.thread);
  return is_access(actor.act) ? fmt::format("{}{}{}", act_word(actor.act), kBy, thread)
                              : fmt::format("{} {}", thread, act_word(actor.act));
}

std::optional<Actor> read_actor(std::string_view text) {
  for (const auto& [word, act] : kActs) {
    std::string_view rest = text;
    if (is_access(act)) {
      if (!take(rest, word) || !take(rest, kBy)) continue;
    } else {
      if (!rest.ends_with(word) || rest.size() == word.size()) continue;
      rest.remove_suffix(word.size() + 1);
    }
    if (std::optional<ThreadIndex> thread = read_thread(rest)) return Actor{act, *std::move(thread)};
  }
  return std::nullopt;
}

std::string variable_text(const Variable& variable) {
  const std::string name = variable.base + variable.element;
  return variable.bytes ? fmt::format("{}{}{}{}", name, kPlus, *variable.bytes, kBytes) : name;
}

std::string array_text(const Variable& variable) {
  return variable.element.empty() ? variable_text(variable) : variable.base;
}

Variable read_variable(std::string_view text) {
  Variable variable;
  if (const std::size_t plus = text.rfind(kPlus); plus != std::string_view::npos && text.ends_with(kBytes)) {
    std::string_view rest = text.substr(plus + kPlus.size());
    variable.bytes = take_number<std::uint64_t>(rest);
    if (rest != kBytes) variable.bytes.reset();
    if (variable.bytes) text = text.substr(0, plus);
  }
  const std::size_t element = std::min(text.find('['), text.size());
  variable.base = std::string(text.substr(0, element));
  variable.element = std::string(text.substr(element));
  return variable;
}

}  // namespace weakspot::race
