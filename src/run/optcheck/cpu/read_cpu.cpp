// SPDX-License-Identifier: MIT
#include "optcheck/cpu/read_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "optcheck/cpu/decoded.h"

namespace weakspot::optcheck {
namespace {

using codegen::CpuFrame;
using codegen::CpuIsa;
using litmus::Order;

// A value as far as addresses need it: root + first * scale + number.
struct Known {
  enum class Root : std::uint8_t { nothing, number, frame, memory, results, rows, row_word, stack };
  Root root = Root::nothing;
  std::int64_t scale = 0;
  std::int64_t number = 0;
  std::uint32_t column = 0;  // row_word: of the row; memory: whose word was added, if `by_row`
  bool by_row = false;
  bool shifted = false;  // something unknown was added, such as a value of the test

  friend bool operator==(const Known&, const Known&) = default;
};
using Root = Known::Root;

Known plus(const Known& a, const Known& b) {
  auto is_buffer = [](const Known& known) { return known.root == Root::memory || known.root == Root::results; };
  if (is_buffer(b) && !is_buffer(a)) return plus(b, a);
  if (a.root == Root::number && b.root != Root::number) return plus(b, a);
  Known sum = a;
  if (b.root == Root::number) {
    if (a.root == Root::nothing) return {};
    sum.scale += b.scale;
    sum.number += b.number;
    return sum;
  }
  if (!is_buffer(a)) return {};
  if (b.root == Root::row_word && !a.by_row && b.number == 0) {
    sum.by_row = true;
    sum.column = b.column;
  } else {
    sum.shifted = true;
  }
  return sum;
}

Known times(const Known& a, const Known& b) {
  if (a.root != Root::number || b.root != Root::number) return {};
  if (b.scale != 0) return a.scale != 0 ? Known{} : times(b, a);
  Known product = a;
  product.scale *= b.number;
  product.number *= b.number;
  return product;
}

Known number(std::int64_t value) {
  Known known;
  known.root = Root::number;
  known.number = value;
  return known;
}

using Values = std::array<Known, kCpuRegisters>;

class CpuReader {
 public:
  CpuReader(CpuIsa isa, std::vector<CpuDecoded> code, const CpuPlaces& places)
      : isa_(isa), code_(std::move(code)), places_(places) {
    for (std::size_t i = 0; i < code_.size(); ++i) at_byte_[code_[i].at] = i;
    if (!code_.empty()) at_byte_[code_.back().at + code_.back().length] = code_.size();
  }

  base::Result<MachineThread> run() {
    if (base::Status status = link(); !status) return status.errors();
    follow();
    fold_loops();
    MachineThread thread;
    for (std::size_t i = 0; i < code_.size(); ++i) add(i, thread);
    if (thread.events.size() > kMostEvents) {
      return base::error(fmt::format("a thread has more than {} accesses", kMostEvents));
    }
    thread.dependences = dependences(steps_, thread.events.size());
    return thread;
  }

 private:
  base::Status link() {
    for (CpuDecoded& one : code_) {
      if (!one.jump) continue;
      const auto found = at_byte_.find(*one.jump);
      if (found == at_byte_.end()) return base::error(fmt::format("'{}' jumps into an instruction", one.text));
      one.step.target = found->second;
    }
    return base::ok_status();
  }

  // ---- values ----

  Values at_entry() const {
    Values values;
    const bool arm = isa_ == CpuIsa::aarch64;
    values[arm ? 0 : 7].root = Root::frame;
    values[arm ? 1 : 6] = number(0);
    values[arm ? 1 : 6].scale = 1;
    values[arm ? kStackRegister : Register{4}].root = Root::stack;
    values[kZeroRegister] = number(0);
    return values;
  }

  // Forward through the code; loops go round with other values, but so do all their addresses.
  void follow() {
    std::vector<std::optional<Values>> before(code_.size() + 1);
    auto reach = [&](std::size_t i, const Values& values) {
      if (!before[i]) {
        before[i] = values;
        return;
      }
      for (std::size_t r = 0; r < kCpuRegisters; ++r) {
        if (!((*before[i])[r] == values[r])) (*before[i])[r] = Known{};
      }
    };
    before[0] = at_entry();
    addresses_.resize(code_.size());
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (!before[i]) continue;
      Values values = *before[i];
      apply(i, values);
      if (code_[i].step.falls_through) reach(i + 1, values);
      if (code_[i].step.target && *code_[i].step.target > i) reach(*code_[i].step.target, values);
    }
  }

  void apply(std::size_t i, Values& values) {
    const CpuDecoded& one = code_[i];
    Known loaded;
    if (one.address) {
      Known address = values[one.address->base];
      if (one.address->index) address = plus(address, values[*one.address->index]);
      if (address.root != Root::nothing) address.number += one.address->displacement;
      addresses_[i] = address;
      loaded = field(address);
    }
    Known result;
    if (one.sum) result = sum_of(*one.sum, values);
    for (const Register reg : one.step.writes) values[reg] = Known{};
    if (one.sum && one.sum->target != kZeroRegister) values[one.sum->target] = result;
    if (one.address && one.step.writes.size() == 1) values[one.step.writes[0]] = loaded;
    values[kZeroRegister] = isa_ == CpuIsa::aarch64 ? number(0) : Known{};
  }

  // The harness's value at this address.
  static Known field(const Known& address) {
    Known value;
    if (address.root == Root::rows && address.number >= 0) {
      value.root = Root::row_word;
      value.column = static_cast<std::uint32_t>(address.number / 4);
    } else if (address.root == Root::frame) {
      if (address.number == offsetof(CpuFrame, memory)) value.root = Root::memory;
      if (address.number == offsetof(CpuFrame, results)) value.root = Root::results;
      if (address.number == offsetof(CpuFrame, rows)) value.root = Root::rows;
    }
    return value;
  }

  static Known sum_of(const CpuSum& sum, const Values& values) {
    if (sum.insert) {
      Known old = values[sum.target];
      if (old.root != Root::number || old.scale != 0) return {};
      const std::int64_t mask = static_cast<std::int64_t>(std::uint64_t{0xffff} << *sum.insert);
      old.number =
          (old.number & ~mask) | static_cast<std::int64_t>(static_cast<std::uint64_t>(sum.constant) << *sum.insert);
      return old;
    }
    Known result = number(sum.constant);
    for (const Register reg : sum.added) result = plus(result, values[reg]);
    if (sum.left) {
      result = plus(result, times(values[*sum.left], sum.right ? values[*sum.right] : number(sum.factor)));
    }
    return result;
  }

  // ---- events ----

  bool is_test_access(std::size_t i) const {
    if (!code_[i].event || !code_[i].address) return false;
    const Root root = addresses_[i].root;
    return root == Root::memory || root == Root::nothing || root == Root::number;
  }

  std::optional<Where> where(const Known& address) const {
    if (address.root != Root::memory) return std::nullopt;
    if (!address.by_row) return places_.find(address.scale, address.number);
    if (address.column >= places_.columns.size()) return std::nullopt;
    return Where{places_.columns[address.column], address.number};
  }

  // A read-modify-write that is a loop: its parts become one event.
  void fold_loops() {
    partner_.assign(code_.size(), SIZE_MAX);
    for (std::size_t i = 0; i + 1 < code_.size(); ++i) {
      const Step& next = code_[i + 1].step;
      if (!is_test_access(i) || !next.target || next.condition.empty() || *next.target > i) continue;
      const std::size_t top = *next.target;
      if (code_[i].status) {
        // LDXR at the top, STXR and CBNZ at the end.
        if (next.condition[0] == *code_[i].status && is_exclusive_load(top)) partner_[i] = top;
      } else if (code_[i].event->op == litmus::RmwOp::cas && top > 0 && is_test_access(top - 1) &&
                 code_[top - 1].event->kind == EventKind::load) {
        // A load before the top, LOCK CMPXCHG and JNE at the end.
        partner_[i] = top - 1;
      }
    }
  }
  bool is_exclusive_load(std::size_t i) const {
    return is_test_access(i) && code_[i].event->kind == EventKind::load && code_[i].event->exclusive;
  }

  static Order both(Order load, Order store) {
    if (load == Order::seq_cst || store == Order::seq_cst) return Order::seq_cst;
    if (litmus::is_acquire(load)) return litmus::is_release(store) ? Order::acq_rel : Order::acquire;
    return litmus::is_release(store) ? Order::release : Order::relaxed;
  }

  void add(std::size_t i, MachineThread& thread) {
    const CpuDecoded& one = code_[i];
    Step step = one.step;
    if (one.address) {
      step.address.push_back(one.address->base);
      if (one.address->index) step.address.push_back(*one.address->index);
    }
    if (one.event && one.event->kind == EventKind::fence) {
      step.event = thread.events.size();
      thread.events.push_back({*one.event, one.at, one.text, false});
    } else if (is_test_access(i)) {
      step.event = event_of(i, thread);
    } else {
      step.address.clear();
      step.reads = false;
      if (one.address) step.data.clear();  // the harness's own loads do not depend on the test
    }
    steps_.push_back(std::move(step));
  }

  std::size_t event_of(std::size_t i, MachineThread& thread) {
    const CpuDecoded& one = code_[i];
    if (partner_[i] != SIZE_MAX) {
      // The first part of the loop has made the event.
      const std::size_t event = *steps_[partner_[i]].event;
      MachineEvent& made = thread.events[event];
      made.event.order = both(made.event.order, one.event->order);
      made.event.kind = EventKind::rmw;
      made.event.exclusive = false;
      made.loop = true;
      made.text += " ... " + one.text;
      return event;
    }
    Event event = *one.event;
    event.where = where(addresses_[i]);
    thread.events.push_back({std::move(event), one.at, one.text, false});
    return thread.events.size() - 1;
  }

  CpuIsa isa_;
  std::vector<CpuDecoded> code_;
  const CpuPlaces& places_;
  std::map<std::uint64_t, std::size_t> at_byte_;
  std::vector<Known> addresses_;
  std::vector<std::size_t> partner_;  // for the last part of a loop: its first
  std::vector<Step> steps_;
};

}  // namespace

std::optional<Where> CpuPlaces::find(std::int64_t stride, std::int64_t byte) const {
  std::optional<Where> best;
  for (std::uint32_t i = 0; i < locations->size(); ++i) {
    const codegen::CpuLocation& location = (*locations)[i];
    const std::int64_t offset = byte - static_cast<std::int64_t>(location.offset);
    if (static_cast<std::int64_t>(location.stride) != stride || offset < 0) continue;
    if (!best || offset < best->offset) best = Where{i, offset};
  }
  return best;
}

base::Result<MachineThread> read_cpu(CpuIsa isa, std::span<const std::uint8_t> bytes, const CpuPlaces& places) {
  base::Result<std::vector<CpuDecoded>> code = isa == CpuIsa::aarch64 ? decode_aarch64(bytes) : decode_x86_64(bytes);
  if (!code) return code.errors();
  return CpuReader(isa, *std::move(code), places).run();
}

}  // namespace weakspot::optcheck
