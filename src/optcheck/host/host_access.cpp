// SPDX-License-Identifier: MIT
#include "optcheck/host/host_access.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::optcheck {
namespace {

using litmus::Order;

HostValues values_before(const KnownValues& values, std::size_t i) { return values[i].value_or(HostValues{}); }

// The frame of the function, and constants beside the code, are not memory of the test.
bool is_outside(const ObjectInstruction& one, const HostValues& values) {
  if (!one.code().address) return false;
  const HostValue where = address_of(*one.code().address, values);
  return where.kind != HostKind::frame && where.kind != HostKind::number;
}

Order joined(Order load, Order store) {
  if (litmus::is_acquire(load)) return litmus::is_release(store) ? Order::acq_rel : Order::acquire;
  return litmus::is_release(store) ? Order::release : Order::relaxed;
}

class LineReader {
 public:
  LineReader(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values)
      : object_(object), function_(function), values_(values) {}

  LineAccesses run(std::size_t line, bool atomic) {
    for (std::size_t i = 0; i < function_.code.size() && found_.problem.empty(); ++i) {
      if (function_.code[i].line == line) read(i);
    }
    drop_address_loads();
    // Results of functions are kept in memory as well, which is not the access.
    const bool calls = std::any_of(found_.all.begin(), found_.all.end(), [](const HostAccess& a) { return a.call; });
    if (atomic && calls) {
      std::erase_if(found_.all, [](const HostAccess& a) { return !a.call; });
    } else if (!odd_.empty()) {
      found_.problem = fmt::format("'{}' accesses memory in a way that is not known", odd_);
    }
    fold_loops();
    return std::move(found_);
  }

 private:
  void read(std::size_t i) {
    const ObjectInstruction& one = function_.code[i];
    const HostValues before = values_before(values_, i);
    if (one.any.leaves) {
      found_.problem = "the code calls, or jumps to, what a register says";
    } else if (one.any.call) {
      call(i, one, before);
    } else if (one.code().event && one.code().event->kind == EventKind::fence) {
      found_.all.push_back({i, {*one.code().event, one.code().text, false, {}, {}}, false});
    } else if (is_outside(one, before) && one.any.memory) {
      odd_ = one.code().text;
    } else if (is_outside(one, before) && one.code().event) {
      HostAccess made;
      made.at = i;
      made.what.event = *one.code().event;
      made.what.text = one.code().text;
      made.what.address = {one.code().address->base};
      if (one.code().address->index) made.what.address.push_back(*one.code().address->index);
      made.what.data = one.code().step.data;
      found_.all.push_back(std::move(made));
    }
  }

  void call(std::size_t i, const ObjectInstruction& one, const HostValues& before) {
    if (one.callee.empty()) {
      found_.problem = "the code calls a function without a name";
      return;
    }
    base::Result<std::vector<CalleeEvent>> events = follow_call(object_, one.callee, before);
    if (!events) {
      found_.problem = base::messages(events.errors());
      return;
    }
    for (CalleeEvent& event : *events) found_.all.push_back({i, std::move(event), true});
  }

  // A load of an address that another access of the line uses is not the test's.
  void drop_address_loads() {
    std::vector<HostAccess>& all = found_.all;
    for (std::size_t i = all.size(); i-- > 0;) {
      const CpuDecoded& code = function_.code[all[i].at].code();
      if (all[i].call || all[i].what.event.kind != EventKind::load || code.step.writes.size() != 1) continue;
      const Register reg = code.step.writes[0];
      if (i + 1 == all.size()) continue;
      const std::vector<Register>& address = all[i + 1].what.address;
      if (std::find(address.begin(), address.end(), reg) == address.end()) continue;
      if (is_kept(reg, all[i].at + 1, all[i + 1].at)) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  bool is_kept(Register reg, std::size_t from, std::size_t to) const {
    for (std::size_t k = from; k < to; ++k) {
      const std::vector<Register>& writes = function_.code[k].code().step.writes;
      if (function_.code[k].any.call || std::find(writes.begin(), writes.end(), reg) != writes.end()) return false;
    }
    return true;
  }

  // A load and a store that are one operation, tried until it succeeds.
  void fold_loops() {
    std::vector<HostAccess>& all = found_.all;
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      Event& first = all[i].what.event;
      const Event& second = all[i + 1].what.event;
      const bool exclusive = first.exclusive && second.exclusive && second.kind == EventKind::store;
      const bool swap = !all[i].call && first.kind == EventKind::load && second.kind == EventKind::rmw &&
                        second.op == litmus::RmwOp::cas;
      if (!exclusive && !swap) continue;
      first.order = exclusive ? joined(first.order, second.order) : second.order;
      first.kind = EventKind::rmw;
      first.exclusive = false;
      first.op.reset();
      all[i].what.loop = true;
      all[i].what.text += " ... " + all[i + 1].what.text;
      all[i].what.data = all[i + 1].what.data;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  const ObjectCode& object_;
  const ObjectFunction& function_;
  const KnownValues& values_;
  std::string odd_;
  LineAccesses found_;
};

}  // namespace

LineAccesses accesses_of_line(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values,
                              std::size_t line, bool atomic) {
  return LineReader(object, function, values).run(line, atomic);
}

LineAccesses strays_of(const ObjectCode& object, const ObjectFunction& function, const KnownValues& values) {
  return LineReader(object, function, values).run(0, false);
}

}  // namespace weakspot::optcheck
