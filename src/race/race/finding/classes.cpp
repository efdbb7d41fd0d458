// SPDX-License-Identifier: MIT
#include "race/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/nearest.h"

namespace weakspot::race {
namespace {

constexpr std::array<FindingClass, 18> kClasses{{
    {ClassId::e1, "E1", "data-race", Severity::error,
     "Two threads access the same bytes, one writes, and nothing orders them.",
     "Put a barrier between the two accesses, make both atomic with a scope that holds both threads, or let "
     "each thread use elements of its own."},
    {ClassId::e2, "E2", "warp-race", Severity::error,
     "Two lanes of a warp access the same bytes, one writes, and only lock step would order them.",
     "Put __syncwarp() between the two accesses: since sm_70 the lanes of a warp run independently."},
    {ClassId::p1, "P1", "missing-proxy-fence", Severity::error,
     "An asynchronous copy reads or overwrites what a thread wrote, and no proxy fence stands between them.",
     "Execute fence.proxy.async after the write, before the barrier that lets the copy start, or after that barrier in "
     "the thread that starts it. For a tensor map, release what was written and acquire the map with "
     "fence.proxy.tensormap."},
    {ClassId::p2, "P2", "read-before-copy", Severity::warning,
     "An asynchronous copy overwrites what a thread read before, and no proxy fence stands between them.",
     "Execute fence.proxy.async after the read, before the barrier or mbarrier that gives the memory back: a thread "
     "may "
     "pass either while its loads are still on their way."},
    {ClassId::w1, "W1", "same-value-race", Severity::warning,
     "Two threads write the same value to the same bytes, unordered.",
     "Let one thread write, or make the writes atomic."},
    {ClassId::w2, "W2", "unchecked-first-read", Severity::warning,
     "The plain first read of a loop around a compare-and-swap, which then checks the value.",
     "Read it with an atomic as well: a plain read may be torn, or moved by the compiler."},
    {ClassId::w3, "W3", "unordered-volatile", Severity::warning,
     "Volatile or relaxed accesses whose order matters, but nothing enforces it.",
     "Put a barrier, __syncwarp() or a fence between the two accesses."},
    {ClassId::v1, "V1", "stale-value", Severity::error,
     "A strong read returns a value that another store has overwritten, which the memory model allows, and the kernel "
     "goes wrong.",
     "Release the newer value and acquire it before the read, or put a sequentially consistent fence between the store "
     "and the read of each of two threads that look at each other's flags."},
    {ClassId::i1, "I1", "broken-precondition", Severity::hint,
     "A race that occurs only for inputs that break a relation the kernel relies on.",
     "Check the relation on the host, or state it where the kernel is declared."},
    {ClassId::d1, "D1", "divergent-warp", Severity::error, "Lanes of one warp wait at different barriers.",
     "Move the barrier out of the branch."},
    {ClassId::d2, "D2", "divergent-block", Severity::error, "Warps of one block wait at different barriers.",
     "Move the barrier out of the branch."},
    {ClassId::d3, "D3", "early-exit", Severity::warning, "A thread has ended when the others meet at a barrier.",
     "Let every thread reach the barrier and guard the work instead: before sm_70 this hangs."},
    {ClassId::d4, "D4", "deadlock", Severity::error, "Threads wait for something that cannot happen.",
     "Let every thread that is waited for arrive."},
    {ClassId::r1, "R1", "redundant-barrier", Severity::hint,
     "A barrier that ordered only what something else orders as well.", "Remove it if the runs are representative."},
    {ClassId::a1, "A1", "invalid-access", Severity::error,
     "An access outside of everything allocated, or to shared memory whose block may not run yet or no more; "
     "tensor memory used against its rules.",
     "Check the index against the size; let a block wait until its shared memory is no longer used."},
    {ClassId::a2, "A2", "assertion", Severity::error, "An assertion failed or the kernel trapped.", "See the message."},
    {ClassId::a3, "A3", "crash", Severity::error, "The kernel crashed.", "See the message."},
    {ClassId::u1, "U1", "possible", Severity::hint,
     "Something that would be a finding, but something that is not modelled ran before it.",
     "See what is not modelled: it may order the accesses, or change what the threads do."},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    if (static_cast<std::size_t>(kClasses[i].number) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const FindingClass> finding_classes() { return kClasses; }

const FindingClass& class_of(ClassId number) { return kClasses[static_cast<std::size_t>(number)]; }

void classify(Finding& finding, ClassId number) {
  finding.finding_class = number;
  finding.severity = class_of(number).severity;
}

const FindingClass* find_class(std::string_view id) {
  auto found =
      std::find_if(kClasses.begin(), kClasses.end(), [&](const FindingClass& known) { return known.id == id; });
  return found == kClasses.end() ? nullptr : &*found;
}

const FindingClass* class_named(std::string_view word) {
  auto is_word = [&](std::string_view name) {
    return std::equal(name.begin(), name.end(), word.begin(), word.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  auto found = std::find_if(kClasses.begin(), kClasses.end(),
                            [&](const FindingClass& known) { return is_word(known.id) || is_word(known.name); });
  return found == kClasses.end() ? nullptr : &*found;
}

std::string class_list() {
  std::string names;
  for (const FindingClass& known : kClasses) names += fmt::format("{}{}", names.empty() ? "" : ", ", known.id);
  return names;
}

std::string meant_class(std::string_view word) {
  std::vector<std::string> ids, names;
  for (const FindingClass& known : kClasses) {
    if (known.name == word) return fmt::format("; did you mean '{}'?", known.id);
    ids.emplace_back(known.id);
    names.emplace_back(known.name);
  }
  if (std::string by_id = base::did_you_mean(word, ids); !by_id.empty()) return by_id;
  const std::vector<std::string> near = base::nearest(word, names);
  return near.empty() ? "" : meant_class(near.front());
}

base::Result<std::vector<ClassId>> parse_fail_on(std::string_view text) {
  std::vector<ClassId> classes;
  if (text == "none") return classes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const FindingClass* known = find_class(word);
    if (known == nullptr) {
      return base::error(fmt::format("'{}' is not a class of findings; expected 'none' or some of {}{}", word,
                                     class_list(), meant_class(word)));
    }
    classes.push_back(known->number);
    at = end + 1;
  }
  return classes;
}

bool fails(const Report& report, const std::vector<ClassId>* classes) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    if (classes == nullptr) return finding.severity != Severity::hint;
    return std::find(classes->begin(), classes->end(), finding.finding_class) != classes->end();
  });
}

}  // namespace weakspot::race
