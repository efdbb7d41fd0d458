// SPDX-License-Identifier: MIT
#include "optcheck/host/host_flow.h"

#include <map>

namespace weakspot::optcheck {
namespace {

using codegen::CpuIsa;

// Whatever is not a register.
constexpr Register kElsewhere = kCpuRegisters;
constexpr Register kFirstSlot = kCpuRegisters + 1;

// Every instruction is two steps: the second is what a call leaves behind.
class HostFlow {
 public:
  HostFlow(CpuIsa isa, const ObjectFunction& function, bool certain)
      : isa_(isa), function_(function), certain_(certain) {}

  std::vector<Dependence> run(const std::vector<HostAccess>& accesses) {
    for (const ObjectInstruction& one : function_.code) {
      steps_.push_back(step(one));
      steps_.emplace_back();
    }
    for (std::size_t e = 0; e < accesses.size(); ++e) mark(accesses[e], e);
    return dependences(steps_, accesses.size());
  }

 private:
  Step step(const ObjectInstruction& one) {
    Step made = one.code().step;
    made.reads = false;
    if (one.code().jump) {
      const std::optional<std::size_t> target = function_.number_at(*one.code().jump);
      made.target = 2 * target.value_or(function_.code.size());
    }
    if (one.any.call || one.any.leaves) {
      if (!certain_) made.data = argument_registers(isa_);
      made.writes = scratch_registers(isa_);
    }
    const bool load = one.code().event && one.code().event->kind == EventKind::load;
    const bool store = one.code().event && one.code().event->kind == EventKind::store;
    const std::optional<Register> slot = slot_of(one);
    if (certain_) {
      if (!one.any.exact || one.any.vector) made.data.clear();
      if (load) made.data.clear();
      if (load && slot) made.data = {*slot};
      if (store && slot) made.writes = {*slot};
      return made;
    }
    const bool hidden = one.any.vector || one.any.memory || one.any.call || one.any.leaves || load || store;
    if (!hidden) return made;
    made.data.push_back(kElsewhere);
    made.writes.push_back(kElsewhere);
    made.keeps = true;
    return made;
  }

  // A place of the frame, by its distance from the stack pointer.
  std::optional<Register> slot_of(const ObjectInstruction& one) {
    const std::optional<CpuAddress>& address = one.code().address;
    if (!address || address->base != stack_pointer(isa_) || address->index) return std::nullopt;
    // Those move the pointer.
    if (one.code().text.starts_with("push") || one.code().text.starts_with("pop")) return std::nullopt;
    const auto number = static_cast<Register>(kFirstSlot + slots_.size());
    return slots_.try_emplace(address->displacement, number).first->second;
  }

  void mark(const HostAccess& access, std::size_t event) {
    Step& made = steps_[2 * access.at];
    made.event = event;
    made.address = access.what.address;
    made.data = access.what.data;
    made.keeps = false;
    made.reads = access.what.event.kind == EventKind::load || access.what.event.kind == EventKind::rmw;
    if (!access.call) {
      // The registers it writes receive what it read.
      std::erase(made.writes, kElsewhere);
      return;
    }
    made.writes = {0};
    if (!certain_) {
      // A function may give its result through memory as well.
      made.writes.push_back(kElsewhere);
      made.keeps = true;
    }
    Step& left = steps_[2 * access.at + 1];
    left.writes = scratch_registers(isa_);
    std::erase(left.writes, Register{0});
  }

  CpuIsa isa_;
  const ObjectFunction& function_;
  bool certain_;
  std::map<std::int64_t, Register> slots_;
  std::vector<Step> steps_;
};

}  // namespace

HostDependences host_dependences(CpuIsa isa, const ObjectFunction& function, const std::vector<HostAccess>& accesses) {
  HostDependences found;
  found.certain = HostFlow(isa, function, true).run(accesses);
  found.possible = HostFlow(isa, function, false).run(accesses);
  return found;
}

}  // namespace weakspot::optcheck
