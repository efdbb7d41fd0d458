// SPDX-License-Identifier: MIT
#include "prove/repair/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>

#include "base/sort.h"

namespace weakspot::prove {
namespace {

struct NamedOrder {
  std::string_view word;
  std::uint8_t order;
};
constexpr std::array<NamedOrder, 6> kOrders = {{{"relaxed", kStrong},
                                                {"consume", kAcquires},
                                                {"acquire", kAcquires},
                                                {"release", kReleases},
                                                {"acq_rel", kAcquiresAndReleases},
                                                {"seq_cst", kSequential}}};

std::string upper(std::string_view word) {
  std::string made(word);
  std::transform(made.begin(), made.end(), made.begin(), [](unsigned char sign) { return std::toupper(sign); });
  return made;
}

// Sorted, with the written one among them; forms stronger than the written one beyond what is offered are dropped.
std::optional<Forms> sorted_forms(std::vector<Form> all, const Form& written) {
  const bool known = std::any_of(all.begin(), all.end(), [&](const Form& one) { return one.text == written.text; });
  if (!known) all.push_back(written);
  // The strongest must be at least as strong as each: what lies beside the written one at the top goes.
  base::sort(all, [](const Form& a, const Form& b) { return a.cost() < b.cost(); });
  const Form top = all.back();
  std::erase_if(all, [&](const Form& one) { return one.text != written.text && !at_most_as_strong(one, top); });
  if (!at_most_as_strong(written, top)) return std::nullopt;
  Forms forms{std::move(all), 0};
  while (forms.all[forms.written].text != written.text) ++forms.written;
  return forms;
}

std::vector<std::uint8_t> orders_for(AccessRole role, std::uint8_t written) {
  std::vector<std::uint8_t> orders;
  switch (role) {
    case AccessRole::load:
      orders = {kStrong, kAcquires};
      break;
    case AccessRole::store:
      orders = {kStrong, kReleases};
      break;
    case AccessRole::update:
      orders = {kStrong, kAcquires, kReleases, kAcquiresAndReleases};
      break;
    case AccessRole::fence:
      orders = {kAcquiresAndReleases, kSequential};
      break;
  }
  if (written == kSequential && role != AccessRole::fence) orders.push_back(kSequential);
  return orders;
}

std::string_view order_word(std::uint8_t order) {
  for (const NamedOrder& one : kOrders) {
    if (one.order == order && one.word != "consume") return one.word;
  }
  return "";
}

struct NamedScope {
  std::string_view word, ptx;
  WordScope scope;
};
constexpr std::array<NamedScope, 3> kScopeWords = {
    {{"block", "cta", WordScope::block}, {"device", "gpu", WordScope::device}, {"system", "sys", WordScope::system}}};

std::string_view ptx_scope(WordScope scope) { return kScopeWords[static_cast<std::size_t>(scope) - 1].ptx; }

}  // namespace

std::size_t Form::cost() const {
  return static_cast<std::size_t>(std::popcount(order)) + static_cast<std::size_t>(scope);
}

bool at_most_as_strong(const Form& a, const Form& b) { return (a.order & b.order) == a.order && a.scope <= b.scope; }

std::optional<Forms> order_forms(std::string_view word, bool behind_enum_name, AccessRole role) {
  std::string_view prefix;
  for (const std::string_view known : {std::string_view("memory_order_"), std::string_view("__NV_ATOMIC_")}) {
    if (word.starts_with(known)) prefix = known;
  }
  if (prefix.empty() && !behind_enum_name) return std::nullopt;
  const bool capitals = prefix.starts_with("__NV");
  const std::string_view name = word.substr(prefix.size());
  const auto found = std::find_if(kOrders.begin(), kOrders.end(), [&](const NamedOrder& one) {
    return capitals ? upper(one.word) == name : one.word == name;
  });
  if (found == kOrders.end()) return std::nullopt;
  auto text_of = [&](std::string_view order) {
    return std::string(prefix) + (capitals ? upper(order) : std::string(order));
  };
  std::vector<Form> all;
  for (const std::uint8_t order : orders_for(role, found->order))
    all.push_back({text_of(order_word(order)), order, {}});
  return sorted_forms(std::move(all), {std::string(word), found->order, {}});
}

std::optional<Forms> scope_forms(std::string_view word) {
  for (const std::string_view prefix : {std::string_view("thread_scope_"), std::string_view("__NV_THREAD_SCOPE_")}) {
    if (!word.starts_with(prefix)) continue;
    const bool capitals = prefix.starts_with("__NV");
    std::vector<Form> all;
    for (const NamedScope& one : kScopeWords) {
      Form form{std::string(prefix) + (capitals ? upper(one.word) : std::string(one.word)), kStrong, one.scope};
      if (one.scope != WordScope::system || form.text == word) all.push_back(std::move(form));
    }
    for (const Form& one : all) {
      if (one.text == word) return sorted_forms(all, one);
    }
    return std::nullopt;
  }
  constexpr std::array<std::string_view, 10> kFunctions = {"Add", "Sub", "Exch", "Min", "Max",
                                                           "Inc", "Dec", "CAS",  "And", "Or"};
  if (!word.starts_with("atomic")) return std::nullopt;
  std::string_view name = word.substr(6);
  WordScope scope = WordScope::device;
  for (const auto& [suffix, meant] : {std::pair(std::string_view("_block"), WordScope::block),
                                      std::pair(std::string_view("_system"), WordScope::system)}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    scope = meant;
  }
  if (name != "Xor" && std::find(kFunctions.begin(), kFunctions.end(), name) == kFunctions.end()) return std::nullopt;
  const std::vector<Form> all = {{fmt::format("atomic{}_block", name), kStrong, WordScope::block},
                                 {fmt::format("atomic{}", name), kStrong, WordScope::device}};
  return sorted_forms(all, {std::string(word), kStrong, scope});
}

std::optional<Forms> fence_function_forms(std::string_view word) {
  const Form block{"__threadfence_block();", kSequential, WordScope::block},
      device{"__threadfence();", kSequential, WordScope::device},
      system{"__threadfence_system();", kSequential, WordScope::system};
  for (const Form& one : {block, device, system}) {
    if (one.text == fmt::format("{}();", word)) return sorted_forms({{}, block, device}, one);
  }
  return std::nullopt;
}

namespace {

// The words of an opcode, "shared::cta" being one.
std::vector<std::string> dotted(std::string_view opcode) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t end = std::min(opcode.find('.'), opcode.size());
    words.emplace_back(opcode.substr(0, end));
    if (end == opcode.size()) return words;
    opcode.remove_prefix(end + 1);
  }
}

std::optional<WordScope> scope_of_ptx(std::string_view word) {
  for (const NamedScope& one : kScopeWords) {
    if (word == one.ptx || (one.scope == WordScope::device && word == "gl")) return one.scope;
  }
  return std::nullopt;
}

std::string fence_opcode(std::uint8_t order, WordScope scope) {
  return fmt::format("fence.{}.{}", order == kSequential ? "sc" : "acq_rel", ptx_scope(scope));
}

std::optional<Forms> ptx_fence_forms(std::string_view opcode, const std::vector<std::string>& words) {
  const bool membar = words[0] == "membar";
  if (words.size() != (membar ? 2 : 3) || (!membar && words[1] != "sc" && words[1] != "acq_rel")) return std::nullopt;
  const std::optional<WordScope> scope = scope_of_ptx(words.back());
  if (!scope) return std::nullopt;
  const Form written{std::string(opcode), membar || words[1] == "sc" ? kSequential : kAcquiresAndReleases, *scope};
  std::vector<Form> all = {Form{}};
  for (const WordScope wide : {WordScope::block, WordScope::device, WordScope::system}) {
    if (wide == WordScope::system && scope != WordScope::system) continue;
    for (const std::uint8_t order : {std::uint8_t{kAcquiresAndReleases}, std::uint8_t{kSequential}}) {
      const bool same = order == written.order && wide == written.scope;
      all.push_back({same ? written.text : fence_opcode(order, wide), order, wide});
    }
  }
  return sorted_forms(std::move(all), written);
}

}  // namespace

bool is_ptx_fence(std::string_view opcode) { return opcode.starts_with("fence.") || opcode.starts_with("membar."); }

std::optional<Forms> ptx_forms(std::string_view opcode) {
  const std::vector<std::string> words = dotted(opcode);
  if (is_ptx_fence(opcode)) return ptx_fence_forms(opcode, words);
  const bool load = words[0] == "ld", store = words[0] == "st", red = words[0] == "red", atom = words[0] == "atom";
  if (!load && !store && !red && !atom) return std::nullopt;
  // Orders and scope stand first; the rest is kept.
  std::size_t at = 1;
  std::uint8_t order = load || store ? kNothingKept : kStrong;
  WordScope scope = load || store ? WordScope::none : WordScope::device;
  bool is_volatile = false;
  if (at < words.size()) {
    if (words[at] == "volatile") {
      is_volatile = true;
      order = kStrong;
      scope = WordScope::system;
      ++at;
    } else if (words[at] == "weak") {
      ++at;
    } else if (const auto named = std::find_if(kOrders.begin(), kOrders.end(),
                                               [&](const NamedOrder& one) { return one.word == words[at]; });
               named != kOrders.end()) {
      order = named->order;
      ++at;
    }
  }
  if (at < words.size()) {
    if (const std::optional<WordScope> named = scope_of_ptx(words[at])) {
      scope = *named;
      ++at;
    }
  }
  std::string rest;
  for (std::size_t i = at; i < words.size(); ++i) {
    constexpr std::array<std::string_view, 8> kOthers = {"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"};
    if (std::find(kOthers.begin(), kOthers.end(), words[i]) != kOthers.end() || words[i].starts_with("L1::") ||
        words[i] == "param" || words[i] == "const" || words[i] == "local" || words[i] == "v2" || words[i] == "v4" ||
        words[i] == "mmio") {
      return std::nullopt;
    }
    rest += "." + words[i];
  }
  const AccessRole role = load ? AccessRole::load : store || red ? AccessRole::store : AccessRole::update;
  const Form written{std::string(opcode), order, scope};
  std::vector<Form> all;
  for (const WordScope wide : {WordScope::block, WordScope::device, WordScope::system}) {
    // A volatile access is one of the system's scope.
    if (is_volatile ? wide != WordScope::system : wide == WordScope::system && scope != WordScope::system) continue;
    for (const std::uint8_t one : orders_for(role, order)) {
      if (order == kNothingKept && wide == WordScope::block) continue;
      Form form{fmt::format("{}.{}.{}{}", words[0], order_word(one), ptx_scope(wide), rest), one, wide};
      if (one == written.order && wide == written.scope) form.text = written.text;
      all.push_back(std::move(form));
    }
  }
  return sorted_forms(std::move(all), written);
}

Forms inserted_fences(FenceWords words, const std::vector<WordScope>& scopes) {
  Forms forms;
  for (const WordScope scope : scopes) {
    if (words == FenceWords::functions) {
      forms.all.push_back(
          {scope == WordScope::block ? "__threadfence_block();" : "__threadfence();", kSequential, scope});
      continue;
    }
    for (const std::uint8_t order : {std::uint8_t{kAcquiresAndReleases}, std::uint8_t{kSequential}}) {
      forms.all.push_back({words == FenceWords::ptx
                               ? fence_opcode(order, scope) + ";"
                               : fmt::format("cuda::atomic_thread_fence(cuda::memory_order_{}, cuda::thread_scope_{});",
                                             order_word(order), kScopeWords[static_cast<std::size_t>(scope) - 1].word),
                           order, scope});
    }
  }
  base::sort(forms.all, [](const Form& a, const Form& b) { return a.cost() < b.cost(); });
  return forms;
}

}  // namespace weakspot::prove
