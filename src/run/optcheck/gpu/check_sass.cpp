// SPDX-License-Identifier: MIT
// Every access, fence and barrier of the PTX must be one machine instruction of its line, with the fences that its
// order needs, in the order of the PTX and with its dependencies.
//
// The machine code of each order was read off the code for sm_90: a release is a MEMBAR.ALL before the access, an
// acquire a CCTL.IVALL after it (none in the scope of a block, whose threads share the cache that it empties), fence.sc
// a MEMBAR.SC. ERRBAR, CGAERRBAR and NOP order nothing.
#include "optcheck/gpu/check_sass.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "optcheck/compare/match.h"
#include "optcheck/gpu/ptx_role.h"

namespace weakspot::optcheck {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view opcode) {
  Words words;
  for (std::size_t at = 0; at <= opcode.size();) {
    const std::size_t end = std::min(opcode.find('.', at), opcode.size());
    words.push_back(opcode.substr(at, end - at));
    at = end + 1;
  }
  return words;
}
bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "GPU" for gpu; a cluster's accesses are those of the whole GPU.
std::string_view fence_reach(const Words& words) {
  if (contains(words, "cta")) return "CTA";
  return contains(words, "sys") ? "SYS" : "GPU";
}

// The instructions that order or access memory which a PTX instruction becomes. Alternatives of an access begin alike.
struct SassWanted {
  std::vector<std::string> before;
  std::vector<std::string> access;  // words that the mnemonic must have, the verb first; more verbs by '|'
  bool weak = false;                // the mnemonic must not have STRONG
  std::vector<std::string> after;
};

std::string strength(const Words& words) {
  if (contains(words, "volatile") || contains(words, "sys")) return "SYS";
  if (contains(words, "cta") || contains(words, "ca")) return "SM";
  if (contains(words, "gpu") || contains(words, "cluster") || contains(words, "cg")) return "GPU";
  return contains(words, "cv") || contains(words, "wt") ? "SYS" : "";
}

std::string width_word(std::string_view type) {
  if (type.ends_with("64")) return "64";
  if (type.ends_with("32")) return "";
  return fmt::format("{}{}", type[0] == 's' ? 'S' : 'U', type.substr(1));
}

SassWanted wanted_for(const MachineEvent& event) {
  SassWanted wanted;
  if (event.event.kind == EventKind::barrier) {
    wanted.access = {event.event.fence == "bar.warp" ? "WARPSYNC|NOP" : "BAR"};
    return wanted;
  }
  const bool fence = event.event.kind == EventKind::fence;
  const std::string opcode = fence ? event.event.fence : event.event.qualifiers;
  const Words words = words_of(opcode);
  const std::string_view reach = fence_reach(words);
  if (fence) {
    const bool weaker = contains(words, "acq_rel");
    wanted.access = {"MEMBAR", weaker ? "ALL" : "SC", std::string(reach)};
    if (reach != "CTA") wanted.after = {"CCTL.IVALL"};
    return wanted;
  }
  const bool shared = contains(words, "shared");
  switch (event.event.kind) {
    case EventKind::load:
      wanted.access = {shared ? "LDS" : "LDG|LD"};
      break;
    case EventKind::store:
      wanted.access = {shared ? "STS" : "STG|ST"};
      break;
    default: {
      wanted.access = {shared ? "ATOMS" : "ATOMG|REDG|ATOM|RED"};
      std::string op(words[words.size() - 2]);
      std::transform(op.begin(), op.end(), op.begin(), [](char c) { return static_cast<char>(c >= 'a' ? c - 32 : c); });
      wanted.access.push_back(op);
    }
  }
  if (const std::string width = width_word(words.back()); !width.empty()) wanted.access.push_back(width);
  if (!shared) {
    const std::string strong = strength(words);
    wanted.weak = strong.empty();
    if (!wanted.weak) wanted.access.insert(wanted.access.end(), {"STRONG", strong});
  }
  const bool both = contains(words, "acq_rel");
  if (both || contains(words, "release")) wanted.before = {fmt::format("MEMBAR.ALL.{}", reach)};
  if ((both || contains(words, "acquire")) && reach != "CTA") wanted.after = {"CCTL.IVALL"};
  return wanted;
}

bool is_access(const SassInstruction& one) {
  static constexpr std::string_view kVerbs[] = {"LDG",   "LD",   "STG",   "ST",   "LDS", "STS",
                                                "ATOMG", "ATOM", "ATOMS", "REDG", "RED"};
  return std::any_of(std::begin(kVerbs), std::end(kVerbs), [&](std::string_view verb) { return one.is(verb); });
}
bool is_ordering(const SassInstruction& one) { return one.is("MEMBAR") || one.is("CCTL") || one.is("BAR"); }

bool fits(const SassWanted& wanted, const SassInstruction& one) {
  const Words words = words_of(one.mnemonic);
  const std::string& verbs = wanted.access.front();
  bool verb_fits = false;
  for (std::size_t at = 0; at < verbs.size();) {
    const std::size_t end = std::min(verbs.find('|', at), verbs.size());
    verb_fits = verb_fits || words.front() == std::string_view(verbs).substr(at, end - at);
    at = end + 1;
  }
  if (!verb_fits || (wanted.weak && contains(words, "STRONG"))) return false;
  static constexpr std::string_view kWidths[] = {"64", "128", "U8", "S8", "U16", "S16"};
  for (const std::string_view width : kWidths) {
    const bool asked = std::find(wanted.access.begin(), wanted.access.end(), width) != wanted.access.end();
    if (contains(words, width) && !asked) return false;
  }
  return std::all_of(wanted.access.begin() + 1, wanted.access.end(),
                     [&](const std::string& word) { return contains(words, word); });
}

std::string wanted_text(const SassWanted& wanted) {
  std::string text = wanted.access.front().substr(0, wanted.access.front().find('|'));
  for (std::size_t i = 1; i < wanted.access.size(); ++i) text += "." + wanted.access[i];
  return text;
}

// One thread.
class SassComparison {
 public:
  SassComparison(const std::vector<SassInstruction>& code, const std::vector<LineRow>& rows, const PtxRole& role)
      : code_(code), role_(role) {
    lines_.reserve(code.size());
    for (const SassInstruction& one : code) lines_.push_back(line_at(rows, one.at));
  }

  struct Result {
    std::optional<Difference> difference;  // its instruction is the number of a PTX event
    std::string unknown;
    std::vector<std::size_t> accesses;  // machine instruction of each event
  };

  Result run() {
    for (std::size_t i = 0; i < role_.thread.events.size() && open(); ++i) event(i);
    if (open()) order();
    if (open()) strangers();
    if (open()) flow();
    return std::move(result_);
  }

 private:
  bool open() const { return !result_.difference && result_.unknown.empty(); }

  void differ(std::string what, std::size_t event, std::optional<std::size_t> code = std::nullopt) {
    Difference made;
    made.what = std::move(what);
    made.instruction = event;
    if (code) {
      made.code = code_[*code].text;
      made.at = code_[*code].at;
    }
    result_.difference = std::move(made);
  }

  // The instructions of the event's line that access or order memory.
  void event(std::size_t i) {
    const MachineEvent& event = role_.thread.events[i];
    const SassWanted wanted = wanted_for(event);
    std::vector<std::size_t> group;
    for (std::size_t k = 0; k < code_.size(); ++k) {
      if (lines_[k] == event.at && (is_access(code_[k]) || is_ordering(code_[k]) || code_[k].is("WARPSYNC")))
        group.push_back(k);
    }
    if (event.event.kind == EventKind::barrier) return barrier(i, wanted, group);
    std::erase_if(group, [&](std::size_t k) { return code_[k].is("WARPSYNC"); });
    const bool fence = event.event.kind == EventKind::fence;
    std::vector<std::size_t> found;
    for (const std::size_t k : group) {
      if (fence ? code_[k].is("MEMBAR") : is_access(code_[k])) found.push_back(k);
    }
    if (found.empty()) return differ(fmt::format("the {} is missing from the code", to_string(event.event.kind)), i);
    if (found.size() > 1) {
      result_.unknown = fmt::format("the code has {} copies of '{}'", found.size(), event.text);
      return;
    }
    if (!fits(wanted, code_[found[0]])) return differ(fmt::format("expected {}", wanted_text(wanted)), i, found[0]);
    surroundings(i, wanted, group, found[0]);
    result_.accesses.push_back(found[0]);
    groups_.push_back(std::move(group));
  }

  void surroundings(std::size_t i, const SassWanted& wanted, const std::vector<std::size_t>& group,
                    std::size_t access) {
    std::vector<std::string> before, after;
    for (const std::size_t k : group) {
      if (k != access) (k < access ? before : after).push_back(code_[k].mnemonic);
    }
    for (const auto& [have, need] : {std::pair(before, wanted.before), std::pair(after, wanted.after)}) {
      if (have == need) continue;
      if (have.size() < need.size()) return differ(fmt::format("{} is missing from the code", need.front()), i, access);
      return differ(fmt::format("the code has a {} that the access does not need", have.back()), i, access);
    }
  }

  // A second copy runs where the threads of a warp are apart.
  void barrier(std::size_t i, const SassWanted& wanted, std::vector<std::size_t> group) {
    const bool warp = role_.thread.events[i].event.fence == "bar.warp";
    std::erase_if(group, [&](std::size_t k) { return !warp && !fits(wanted, code_[k]); });
    if (group.empty() && !warp) return differ("the barrier is missing from the code", i);
    if (group.empty()) {
      // A warp whose threads cannot be apart needs no instruction.
      result_.accesses.push_back(result_.accesses.empty() ? 0 : result_.accesses.back());
      groups_.emplace_back();
      return;
    }
    result_.accesses.push_back(group.front());
    groups_.push_back({group.front()});
  }

  void order() {
    for (std::size_t i = 0; i + 1 < groups_.size(); ++i) {
      if (groups_[i].empty() || groups_[i + 1].empty() || groups_[i].back() < groups_[i + 1].front()) continue;
      if (role_.branches) {
        result_.unknown = "the blocks of the code are in another order than those of the test";
      } else {
        differ("two accesses are swapped", i, result_.accesses[i]);
      }
      return;
    }
  }

  // Nothing that orders memory may come between the accesses but what belongs to them.
  void strangers() {
    if (result_.accesses.empty() || role_.branches) return;
    const auto [first, last] = std::minmax_element(result_.accesses.begin(), result_.accesses.end());
    for (std::size_t k = *first; k < *last; ++k) {
      if (!is_ordering(code_[k])) continue;
      const bool ours = std::any_of(groups_.begin(), groups_.end(), [&](const std::vector<std::size_t>& group) {
        return std::find(group.begin(), group.end(), k) != group.end();
      });
      if (!ours) return differ("the code has a fence that the test does not have", 0, k);
    }
  }

  void flow() {
    std::vector<Step> steps;
    steps.reserve(code_.size());
    for (const SassInstruction& one : code_) steps.push_back(one.step);
    for (std::size_t i = 0; i < result_.accesses.size(); ++i) {
      Step& step = steps[result_.accesses[i]];
      if (step.event) continue;  // a barrier without an instruction
      step.event = i;
      step.reads = code_[result_.accesses[i]].load;
      // A predicate is a branch over its instruction.
      if (!step.condition.empty() && !step.target) step.target = result_.accesses[i] + 1;
    }
    const std::vector<Dependence> found = dependences(steps, role_.thread.events.size());
    for (std::size_t i = 0; i < found.size() && open(); ++i) {
      const Dependence& wanted = role_.thread.dependences[i];
      cut("address", wanted.address & ~found[i].address, i);
      cut("data", wanted.data & ~found[i].data, i);
      cut("control", wanted.control & ~found[i].control, i);
    }
  }

  void cut(std::string_view kind, EventSet lost, std::size_t i) {
    if (lost == 0 || !open()) return;
    std::size_t from = 0;
    while ((lost & event_bit(from)) == 0) ++from;
    differ(fmt::format("the {} dependency on '{}' is cut", kind, code_[result_.accesses[from]].text), i,
           result_.accesses[i]);
  }

  const std::vector<SassInstruction>& code_;
  const PtxRole& role_;
  std::vector<std::size_t> lines_;
  Result result_;
  std::vector<std::vector<std::size_t>> groups_;  // by event
};

class SassCheck {
 public:
  SassCheck(const litmus::LitmusTest& test, const SassCode& code)
      : test_(test), code_(code), texts_(litmus::instruction_texts(test)) {}

  CodeCheck run() {
    const base::Result<std::vector<SassInstruction>> machine = read_sass(*code_.listing);
    if (!machine) return {CodeVerdict::unknown, machine.errors().front().message, {}};
    check_.verdict = CodeVerdict::matched;
    for (std::size_t t = 0; t < test_.threads.size() && check_.verdict == CodeVerdict::matched; ++t)
      thread(t, *machine);
    return std::move(check_);
  }

 private:
  void end(CodeVerdict verdict, std::string reason) {
    check_.verdict = verdict;
    check_.reason = std::move(reason);
    check_.pairings.clear();
  }

  std::string changed(std::size_t thread, std::optional<std::size_t> instruction, const Difference& difference) const {
    std::string text = fmt::format("P{}: ", thread);
    if (instruction) text += fmt::format("'{}': ", texts_[thread][*instruction]);
    text += difference.what;
    if (!difference.code.empty()) text += fmt::format(": '{}'", difference.code);
    if (!difference.code.empty() && difference.at != 0) text += fmt::format(" at {:#x}", difference.at);
    return text;
  }

  void thread(std::size_t t, const std::vector<SassInstruction>& machine) {
    const base::Result<PtxRole> role = read_ptx_role(code_.ptx, test_, t);
    if (!role) return end(CodeVerdict::unknown, role.errors().front().message);
    const ExpectedThread expected = expect_ptx(test_, t);
    if (expected.events.size() > kMostEvents) {
      return end(CodeVerdict::unknown, fmt::format("P{} has more than {} accesses", t, kMostEvents));
    }
    if (std::optional<Difference> found = compare(test_, expected, role->thread)) {
      found->at = 0;  // the PTX has lines, not bytes
      return end(CodeVerdict::changed, changed(t, found->instruction, *found));
    }
    const SassComparison::Result result = SassComparison(machine, *code_.lines, *role).run();
    if (!result.unknown.empty()) return end(CodeVerdict::unknown, fmt::format("P{}: {}", t, result.unknown));
    if (result.difference) {
      const std::size_t instruction = expected.events[*result.difference->instruction].instruction;
      return end(CodeVerdict::changed, changed(t, instruction, *result.difference));
    }
    for (std::size_t i = 0; i < expected.events.size(); ++i) {
      const SassInstruction& one = machine[result.accesses[i]];
      check_.pairings.push_back({static_cast<std::uint32_t>(t),
                                 static_cast<std::uint32_t>(expected.events[i].instruction), one.text, one.at});
    }
  }

  const litmus::LitmusTest& test_;
  const SassCode& code_;
  std::vector<std::vector<std::string>> texts_;
  CodeCheck check_;
};

}  // namespace

CodeCheck check_sass(const litmus::LitmusTest& test, const SassCode& code) { return SassCheck(test, code).run(); }

}  // namespace weakspot::optcheck
