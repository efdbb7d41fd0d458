// SPDX-License-Identifier: MIT
// A thread of the test may be in the code several times: PoCL runs the threads of a workgroup in loops, and takes the
// first round of a loop apart. Every copy must have all accesses, in order. What cannot be told apart is unknown.
#include "optcheck/host/check_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "optcheck/host/host_flow.h"
#include "optcheck/host/opencl_role.h"
#include "optcheck/host/twin.h"
#include "optcheck/match.h"

namespace weakspot::optcheck {
namespace {

using codegen::CpuIsa;
using litmus::Order;

bool says(const std::string& qualifiers, std::string_view word) { return qualifiers.find(word) != std::string::npos; }

// The orders that an access may have on the machine.
std::vector<Order> machine_orders(CpuIsa isa, const Event& asked) {
  const bool all = says(asked.qualifiers, "seq_cst");
  const bool acquire = all || says(asked.qualifiers, "acq");
  const bool release = all || says(asked.qualifiers, "_release") || says(asked.qualifiers, "acq_rel");
  if (isa == CpuIsa::x86_64) {
    if (asked.kind == EventKind::rmw || (asked.kind == EventKind::store && all)) return {Order::seq_cst};
    return {Order::relaxed};
  }
  switch (asked.kind) {
    case EventKind::load:
      if (!acquire) return {Order::relaxed};
      return all ? std::vector{Order::acquire} : std::vector{Order::acquire, Order::acquire_pc};
    case EventKind::store:
      return {release ? Order::release : Order::relaxed};
    default:
      if (acquire) return {release ? Order::acq_rel : Order::acquire};
      return {release ? Order::release : Order::relaxed};
  }
}

// What is wrong with the access; empty if nothing is.
std::string misfit(CpuIsa isa, const Event& asked, const CalleeEvent& found) {
  const Event& event = found.event;
  if (asked.kind == EventKind::fence) {
    if (event.kind != EventKind::fence) return "expected a fence";
    const bool loads = says(asked.fence, "_acquire");
    const bool fits = isa == CpuIsa::x86_64 ? event.fence == "mfence"
                                            : event.fence == "dmb ish" || (loads && event.fence == "dmb ishld");
    return fits ? "" : fmt::format("the code has '{}'", event.fence);
  }
  // XCHG is a store that nothing passes.
  const bool exchange = isa == CpuIsa::x86_64 && asked.kind == EventKind::store && event.kind == EventKind::rmw &&
                        event.op == litmus::RmwOp::exch;
  if (asked.kind != event.kind && !exchange) {
    return fmt::format("the code has a {}, expected a {}", to_string(event.kind), to_string(asked.kind));
  }
  if (asked.bytes != event.bytes)
    return fmt::format("the access is {} bytes wide, expected {}", event.bytes, asked.bytes);
  const std::vector<Order> orders = machine_orders(isa, asked);
  if (std::find(orders.begin(), orders.end(), event.order) == orders.end()) {
    return fmt::format("the order is {}, expected {}", to_string(event.order), to_string(orders.front()));
  }
  if (event.exclusive) return "the access is exclusive";
  const auto op = asked.op == litmus::RmwOp::sub ? std::optional(litmus::RmwOp::add) : asked.op;
  if (!found.loop && !exchange && op && event.op && *op != *event.op) {
    return fmt::format("the operation is {}, expected {}", to_string(*event.op), to_string(*op));
  }
  return {};
}

// One thread.
class HostComparison {
 public:
  HostComparison(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values,
                 const OpenclRole& role, const std::vector<Dependence>& wanted)
      : object_(object), function_(function), values_(values), role_(role), wanted_(wanted) {}

  struct Result {
    std::optional<Difference> difference;  // its instruction is the number of an event
    std::string unknown;
    std::vector<std::optional<HostAccess>> first;  // by event: in the first copy
  };

  Result run() {
    result_.first.resize(role_.thread.events.size());
    for (std::size_t e = 0; e < role_.thread.events.size() && open(); ++e) event(e);
    if (open()) copies();
    if (open()) strangers();
    for (std::size_t c = 0; c < copies_.size() && open(); ++c) flow(copies_[c]);
    return std::move(result_);
  }

 private:
  struct Placed {
    HostAccess access;
    std::size_t event = 0;
  };

  bool open() const { return !result_.difference && result_.unknown.empty(); }

  void differ(std::string what, std::size_t event, const HostAccess* access = nullptr) {
    Difference made;
    made.what = std::move(what);
    made.instruction = event;
    if (access != nullptr) {
      made.code = access->what.text;
      made.at = function_.code[access->at].code().at;
    }
    result_.difference = std::move(made);
  }

  void event(std::size_t e) {
    const MachineEvent& asked = role_.thread.events[e];
    if (asked.event.kind == EventKind::barrier) return;  // PoCL ends a loop over threads there
    const bool atomic = asked.event.kind == EventKind::fence || !says(asked.event.qualifiers, "plain");
    const LineAccesses found = accesses_of_line(object_, function_, values_, asked.at, atomic);
    if (!found.problem.empty()) {
      result_.unknown = found.problem;
      return;
    }
    // On x86-64 only the strongest fence is an instruction.
    const bool needless =
        asked.event.kind == EventKind::fence && object_.isa() == CpuIsa::x86_64 && !says(asked.event.fence, "seq_cst");
    if (found.all.empty() && needless) return;
    if (found.all.empty()) return missing(e);
    for (const HostAccess& access : found.all) {
      if (std::string what = misfit(object_.isa(), asked.event, access.what); !what.empty()) {
        return wrong(e, found, access, std::move(what));
      }
      placed_.push_back({access, e});
    }
  }

  void missing(std::size_t e) {
    if (is_hidden(e)) return not_understood(e, "no instruction is known to come from it");
    differ(fmt::format("the {} is missing from the code", to_string(role_.thread.events[e].event.kind)), e);
  }

  // Whether an instruction without a line may be the access.
  bool is_hidden(std::size_t e) const {
    const LineAccesses strays = strays_of(object_, function_, values_);
    const Event& asked = role_.thread.events[e].event;
    return !strays.problem.empty() || std::any_of(strays.all.begin(), strays.all.end(), [&](const HostAccess& access) {
      return misfit(object_.isa(), asked, access.what).empty();
    });
  }

  void not_understood(std::size_t e, std::string_view why) {
    result_.unknown = fmt::format("the code of '{}' is not understood: {}", role_.thread.events[e].text, why);
  }

  // The line may have accesses of the compiler's beside the test's: only if all are of the right kind, and none is
  // right, the test's is wrong.
  void wrong(std::size_t e, const LineAccesses& found, const HostAccess& access, std::string what) {
    const Event& asked = role_.thread.events[e].event;
    const bool sure = std::all_of(found.all.begin(), found.all.end(), [&](const HostAccess& other) {
      return (other.call || other.what.event.kind == asked.kind) && !misfit(object_.isa(), asked, other.what).empty();
    });
    if (!sure || is_hidden(e)) return not_understood(e, what);
    differ(std::move(what), e, &access);
  }

  void copies() {
    std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
      return std::pair(a.access.at, a.event) < std::pair(b.access.at, b.event);
    });
    std::vector<std::size_t> pattern;
    for (const Placed& one : placed_) pattern.push_back(one.event);
    std::sort(pattern.begin(), pattern.end());
    pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const std::size_t expected = pattern[i % pattern.size()];
      if (placed_[i].event != expected) return disorder(i, pattern);
      if (i % pattern.size() == 0) copies_.emplace_back();
      copies_.back().push_back(placed_[i]);
    }
    if (!copies_.empty() && copies_.back().size() != pattern.size()) {
      result_.unknown = "a copy of the code lacks accesses of the test";
      return;
    }
    if (copies_.empty()) return;
    for (const Placed& one : copies_.front()) result_.first[one.event] = one.access;
  }

  // Two neighbours in straight code were swapped if every copy has them so; anything else may be another order of
  // blocks.
  void disorder(std::size_t i, const std::vector<std::size_t>& pattern) {
    const std::size_t place = i % pattern.size();
    const bool neighbours = i + 1 < placed_.size() && place + 1 < pattern.size() &&
                            placed_[i].event == pattern[place + 1] && placed_[i + 1].event == pattern[place];
    if (!neighbours || role_.branches || !is_straight(placed_[i].access.at, placed_[i + 1].access.at)) {
      result_.unknown = "the accesses are in another order in the code than in the test, among branches";
      return;
    }
    differ("two accesses are swapped", pattern[place], &placed_[i].access);
  }

  bool is_straight(std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k) {
      const AnyInstruction& any = function_.code[k].any;
      if (any.code.jump || any.leaves || !any.code.step.falls_through) return false;
    }
    const std::uint64_t begin = function_.code[from].code().at, end = function_.code[to].code().at;
    return std::none_of(function_.code.begin(), function_.code.end(), [&](const ObjectInstruction& one) {
      return one.code().jump && *one.code().jump > begin && *one.code().jump <= end;
    });
  }

  // Nothing else may order the accesses of a copy.
  void strangers() {
    if (role_.branches) return;
    for (const std::vector<Placed>& copy : copies_) {
      for (std::size_t k = copy.front().access.at; k < copy.back().access.at; ++k) {
        const std::optional<Event>& event = function_.code[k].code().event;
        if (!event || event->kind != EventKind::fence) continue;
        const bool ours = std::any_of(copy.begin(), copy.end(), [&](const Placed& one) { return one.access.at == k; });
        if (ours) continue;
        HostAccess fence;
        fence.at = k;
        fence.what.text = function_.code[k].code().text;
        return differ("the code has a fence that the test does not have", copy.front().event, &fence);
      }
    }
  }

  void flow(const std::vector<Placed>& copy) {
    const bool none = std::all_of(wanted_.begin(), wanted_.end(),
                                  [](const Dependence& d) { return d.address == 0 && d.data == 0 && d.control == 0; });
    if (none) return;
    std::vector<HostAccess> accesses;
    std::vector<std::size_t> number(role_.thread.events.size(), SIZE_MAX);
    for (const Placed& one : copy) {
      number[one.event] = accesses.size();
      accesses.push_back(one.access);
    }
    const HostDependences found = host_dependences(object_.isa(), function_, accesses);
    for (const Placed& one : copy) {
      const std::size_t i = number[one.event];
      const Dependence& wanted = wanted_[one.event];
      const std::pair<std::string_view, EventSet Dependence::*> kinds[] = {
          {"address", &Dependence::address}, {"data", &Dependence::data}, {"control", &Dependence::control}};
      for (const auto& [kind, member] : kinds) {
        for (std::size_t from = 0; from < number.size() && open(); ++from) {
          if ((wanted.*member & event_bit(from)) == 0) continue;
          const EventSet bit = event_bit(number[from]);
          if ((found.certain[i].*member & bit) != 0) continue;
          if ((found.possible[i].*member & bit) != 0) {
            result_.unknown =
                fmt::format("the {} dependency of '{}' cannot be followed", kind, role_.thread.events[one.event].text);
          } else {
            differ(fmt::format("the {} dependency on '{}' is cut", kind, accesses[number[from]].what.text), one.event,
                   &one.access);
          }
        }
      }
    }
  }

  const ObjectCode& object_;
  const ObjectFunction& function_;
  const KnownValues& values_;
  const OpenclRole& role_;
  const std::vector<Dependence>& wanted_;
  std::vector<Placed> placed_;
  std::vector<std::vector<Placed>> copies_;
  Result result_;
};

class ObjectCheck {
 public:
  ObjectCheck(const litmus::LitmusTest& test, const KernelObject& code)
      : test_(test), code_(code), texts_(litmus::instruction_texts(test)) {}

  CodeCheck run() {
    const base::Result<ObjectCode> object = ObjectCode::read(code_.image);
    if (!object) return {CodeVerdict::unknown, base::messages(object.errors()), {}};
    const base::Result<ObjectFunction> function = function_with_lines(*object, code_.kernel);
    if (!function) return {CodeVerdict::unknown, base::messages(function.errors()), {}};
    const KnownValues values = values_in(object->isa(), *function);
    check_.verdict = CodeVerdict::matched;
    for (std::size_t t = 0; t < test_.threads.size() && check_.verdict == CodeVerdict::matched; ++t) {
      thread(t, *object, *function, values);
    }
    return std::move(check_);
  }

 private:
  void end(CodeVerdict verdict, std::string reason) {
    check_.verdict = verdict;
    check_.reason = std::move(reason);
    check_.pairings.clear();
  }

  void changed(std::size_t thread, std::optional<std::size_t> instruction, const Difference& difference) {
    std::string text = fmt::format("P{}: ", thread);
    if (instruction) text += fmt::format("'{}': ", texts_[thread][*instruction]);
    text += difference.what;
    if (!difference.code.empty()) text += fmt::format(": '{}'", difference.code);
    if (!difference.code.empty() && difference.at != 0) text += fmt::format(" at {:#x}", difference.at);
    end(CodeVerdict::changed, std::move(text));
  }

  void thread(std::size_t t, const ObjectCode& object, const ObjectFunction& function, const KnownValues& values) {
    base::Result<OpenclRole> role = read_opencl_role(code_.source, code_.kernel, test_, t);
    if (!role) return end(CodeVerdict::unknown, role.errors().front().message);
    const ExpectedThread expected = expect_opencl(test_, t);
    if (expected.events.size() > kMostEvents) {
      return end(CodeVerdict::unknown, fmt::format("P{} has more than {} accesses", t, kMostEvents));
    }
    // Dependencies are compared in the object code only.
    role->thread.dependences = expected.dependences;
    if (std::optional<Difference> found = compare(test_, expected, role->thread)) {
      found->at = 0;  // the source has lines, not bytes
      return changed(t, found->instruction, *found);
    }
    const HostComparison::Result result = HostComparison(object, function, values, *role, expected.dependences).run();
    if (!result.unknown.empty()) return end(CodeVerdict::unknown, fmt::format("P{}: {}", t, result.unknown));
    if (result.difference) {
      return changed(t, expected.events[*result.difference->instruction].instruction, *result.difference);
    }
    for (std::size_t e = 0; e < expected.events.size(); ++e) {
      if (!result.first[e]) continue;
      check_.pairings.push_back({static_cast<std::uint32_t>(t),
                                 static_cast<std::uint32_t>(expected.events[e].instruction), result.first[e]->what.text,
                                 function.code[result.first[e]->at].code().at});
    }
  }

  const litmus::LitmusTest& test_;
  const KernelObject& code_;
  std::vector<std::vector<std::string>> texts_;
  CodeCheck check_;
};

}  // namespace

CodeCheck check_object(const litmus::LitmusTest& test, const KernelObject& object) {
  return ObjectCheck(test, object).run();
}

}  // namespace weakspot::optcheck
