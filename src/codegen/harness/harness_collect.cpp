// SPDX-License-Identifier: MIT
// The kernels before and after `run`: initial values, and the reduction of results to counts.
#include "codegen/harness/harness_parts.h"
#include "codegen/harness/role_code.h"

namespace weakspot::codegen {
namespace {

using litmus::Observable;
using litmus::RmwOp;

constexpr std::uint32_t kMostPrivate = 16;

// For each entry (iteration, instance) of the round, spread over the threads of the grid.
template <typename Visit>
void for_each_entry(KernelBuilder& b, const Expr& iterations, Visit&& visit) {
  const Var instances = load_control(b, kInstances);
  const Var slice_bytes = load_control(b, kSliceBytes);
  const Var factor = load_control(b, kLocationFactor);
  const Var threads = load_control(b, kCollectThreads);
  const Var total = b.let(iterations * Expr(instances));
  const Var first = b.let(builtin(Builtin::workgroup_id) * Expr(kCollectSize) + builtin(Builtin::local_id));
  b.count(first, total, threads, [&](Var entry) {
    const Var iteration = b.let(Expr(entry) / Expr(instances));
    const Var instance = b.let(Expr(entry) - Expr(iteration) * Expr(instances));
    const Var slice = b.let(mul_wide(iteration, slice_bytes));
    visit(Expr(entry), Expr(instance), Expr(instances), Expr(factor), Expr(slice));
  });
}

class Collector {
 public:
  Collector(const Harness& harness, KernelBuilder& builder) : h_(harness), b_(builder) {}

  void run() {
    Kernel& kernel = b_.kernel();
    kernel.workgroup_size = kCollectSize;
    local_ = b_.let(builtin(Builtin::local_id));
    if (h_.encoding.has_table()) prepare_table();
    stride_ = load_control(b_, kResultStride);
    round_ = load_control(b_, kRound);
    const Var planned = load_control(b_, kIterations);
    const Var missing = b_.load_word(word_address(kProgressBuffer, static_cast<std::uint32_t>(kMissing)));
    const Var iterations = b_.let(Expr(planned) - Expr(missing));
    b_.if_(equal(builtin(Builtin::workgroup_id) | Expr(local_), 0u), [&] {
      add_to(word_address(kCountBuffer, static_cast<std::uint32_t>(kCompleted)), widen(iterations), litmus::Type::u64);
    });
    for_each_entry(b_, iterations, [&](auto... entry) { collect(entry...); });
    if (h_.encoding.has_table()) flush_table();
  }

 private:
  std::uint32_t table_size() const { return static_cast<std::uint32_t>(h_.encoding.size()); }

  // A few counters fit into each thread's own variables. Atomics on memory that a workgroup shares cost software
  // devices more than the test itself.
  bool counts_privately() const { return h_.private_counts && table_size() <= kMostPrivate; }

  struct PrivateCounter {
    Var count;
    Var first;  // the entry that was counted first
  };

  void add_private(const Expr& number, const Expr& entry) {
    for (std::uint32_t i = 0; i < private_.size(); ++i) {
      const Var hit = b_.let(equal(number, i));
      b_.set(private_[i].first, select(Expr(hit) & equal(private_[i].count, 0u), entry, private_[i].first));
      b_.set(private_[i].count, Expr(private_[i].count) + Expr(hit));
    }
  }

  void share_private() {
    for (std::uint32_t i = 0; i < private_.size(); ++i) {
      b_.if_(not_equal(private_[i].count, 0u), [&] { add_shared(i, private_[i].count, private_[i].first); });
    }
  }

  // Small tables have one copy per subgroup, so that fewer threads contend for a counter.
  std::uint32_t copies() const { return table_size() <= 256 ? kCollectSize / 32 : 1; }

  void prepare_table() {
    b_.kernel().shared_bytes = table_size() * copies() * 4;
    b_.count(local_, table_size() * copies(), kCollectSize, [&](Var i) {
      MemoryAccess access;
      access.shared = true;
      access.address = mul_wide(i, 4u);
      b_.add(StoreTo{access, 0u});
    });
    b_.barrier();
    if (!counts_privately()) return;
    for (std::uint32_t i = 0; i < table_size(); ++i) private_.push_back({b_.let(0u), b_.let(0u)});
  }

  void flush_table() {
    share_private();
    b_.barrier();
    b_.count(local_, table_size(), kCollectSize, [&](Var i) {
      const Var sum = b_.let(0u);
      for (std::uint32_t copy = 0; copy < copies(); ++copy) {
        MemoryAccess access;
        access.shared = true;
        access.address = mul_wide(Expr(i) + Expr(copy * table_size()), 4u);
        const Var part = b_.var();
        b_.add(LoadFrom{part, access});
        b_.set(sum, Expr(sum) + Expr(part));
      }
      b_.if_(not_equal(sum, 0u), [&] {
        add_to(buffer_address(kCountBuffer) + constant64(kCountHead * 4) + mul_wide(i, kCounterWords * 4), widen(sum),
               litmus::Type::u64);
      });
    });
  }

  void add_to(const Expr& address, const Expr& amount, litmus::Type type) {
    MemoryAccess access = relaxed_word(address);
    access.type = type;
    b_.add(AtomicOn{RmwOp::add, std::nullopt, access, amount, std::nullopt});
  }

  void collect(const Expr& entry, const Expr& instance, const Expr& instances, const Expr& factor, const Expr& slice) {
    b_.block([&](std::uint32_t done) {
      skip_unfinished(entry, done);
      values_.clear();
      std::size_t next_result = 0;
      for (const Observable& item : h_.test.observed()) {
        values_.push_back(load_item(item, next_result, entry, instance, instances, factor, slice));
      }
      const Var known = b_.let(1u);
      const Expr number = encode(known, instance, instances, factor, slice);
      b_.if_(known, [&] { count(number, entry, done); });
      overflow(entry);
    });
  }

  void skip_unfinished(const Expr& entry, std::uint32_t done) {
    std::optional<Var> any;
    for (const ResultItem& item : h_.results) {
      if (item.kind != ResultItem::Kind::unfinished) continue;
      const Var flag = b_.load_word(result_address(item, stride_, entry));
      if (any) {
        b_.set(*any, Expr(*any) | Expr(flag));
      } else {
        any = flag;
      }
    }
    if (!any) return;
    b_.if_(not_equal(*any, 0u), [&] {
      add_to(word_address(kCountBuffer, static_cast<std::uint32_t>(kUnfinished)), constant64(1), litmus::Type::u64);
      b_.add(Break{done});
    });
  }

  Var load_item(const Observable& item, std::size_t& next_result, const Expr& entry, const Expr& instance,
                const Expr& instances, const Expr& factor, const Expr& slice) {
    const ItemCode& code = h_.encoding.items()[values_.size()];
    MemoryAccess access;
    const auto* location = std::get_if<litmus::LocationId>(&item);
    const Var value = b_.var(width_of(code.type));
    if (location != nullptr && !h_.memory.shared[location->index]) {
      access.address = location_address(h_, location->index, instance, instances, factor) + slice;
      access.type = code.type;
    } else {
      const ResultItem& result = h_.results[next_result++];
      access.address = result_address(result, stride_, entry);
      access.type = result.width == Width::w64 ? litmus::Type::u64 : litmus::Type::u32;
    }
    b_.add(LoadFrom{value, access});
    return value;
  }

  // The number of the outcome, in 32 bits if they suffice; sets `known` to 0 if a value does not have a digit.
  Expr encode(Var known, const Expr& instance, const Expr& instances, const Expr& factor, const Expr& slice) {
    const bool small = h_.encoding.size() <= UINT32_MAX;
    Expr number = small ? Expr(0u) : constant64(0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const ItemCode& code = h_.encoding.items()[i];
      const std::uint64_t weight = h_.encoding.factors()[i];
      const Expr digit = digit_of(code, values_[i], known, instance, instances, factor, slice);
      if (small) {
        number = number + digit * Expr(static_cast<std::uint32_t>(weight));
      } else {
        number = number + widen(digit) * constant64(weight);
      }
    }
    return b_.let(number);
  }

  Expr digit_of(const ItemCode& code, Var value, Var known, const Expr& instance, const Expr& instances,
                const Expr& factor, const Expr& slice) {
    if (code.raw()) return value;
    const auto size = static_cast<std::uint32_t>(code.values.size());
    bool counts_up = true;  // 0, 1, 2, ...: the value is its own digit
    for (std::uint32_t d = 0; d < size; ++d) {
      counts_up = counts_up && code.values[d] == litmus::integer(d);
    }
    if (counts_up) {
      const Expr limit = value.width == Width::w64 ? constant64(size) : Expr(size);
      b_.set(known, Expr(known) & less(value, limit));
      return value.width == Width::w64 ? apply(Op::narrow, {value}) : Expr(value);
    }
    const Var digit = b_.let(size);
    for (std::uint32_t d = 0; d < size; ++d) {
      const Expr candidate = value_for_instance(h_, code.values[d], code.type, instance, instances, factor, slice);
      b_.set(digit, select(equal(value, candidate), d, digit));
    }
    b_.set(known, Expr(known) & less(digit, size));
    return digit;
  }

  void count(const Expr& number, const Expr& entry, std::uint32_t done) {
    if (!h_.encoding.has_table()) {
      return count_in_hash(number.width() == Width::w64 ? number : widen(number), entry, done);
    }
    if (counts_privately()) {
      add_private(number, entry);
    } else {
      add_shared(number, 1u, entry);
    }
    b_.add(Break{done});
  }

  // To the workgroup's table.
  void add_shared(const Expr& number, const Expr& amount, const Expr& entry) {
    Expr cell = number;
    if (copies() > 1) cell = (Expr(local_) >> 5u) * Expr(table_size()) + number;
    MemoryAccess access = relaxed_word(mul_wide(cell, 4u));
    access.shared = true;
    access.scope = litmus::Scope::workgroup;
    // A thread that finds its workgroup's counter at 0 checks whether the outcome is new to all: rare, so nearly free.
    const Var old = b_.var();
    b_.add(AtomicOn{RmwOp::add, old, access, amount, std::nullopt});
    b_.if_(equal(old, 0u), [&] { note_first(number, entry); });
  }

  // The record of where a number, or the number in a slot, was seen first.
  Expr first_address(const Expr& index) const {
    return buffer_address(kCountBuffer) + constant64(first_word(h_.encoding.has_table(), h_.encoding.size(), 0) * 4) +
           mul_wide(index, kFirstWords * 4);
  }

  void store_first(const Expr& record, const Expr& entry) {
    b_.add(StoreTo{relaxed_word(record + constant64(kFirstRound * 4)), round_});
    b_.add(StoreTo{relaxed_word(record + constant64(kFirstEntry * 4)), entry});
  }

  void note_first(const Expr& number, const Expr& entry) {
    const Var record = b_.let(first_address(number));
    const Var claimed = b_.var();
    b_.add(LoadFrom{claimed, relaxed_word(record)});
    b_.if_(equal(claimed, 0u), [&] {
      const Var old = b_.var();
      b_.add(AtomicOn{RmwOp::cas, old, relaxed_word(record), 1u, 0u});
      b_.if_(equal(old, 0u), [&] { store_first(record, entry); });
    });
  }

  // Linear probing; a slot belongs to the number that claimed it first.
  void count_in_hash(const Expr& number, const Expr& entry, std::uint32_t done) {
    const Var key = b_.let(number + constant64(1));
    const Var mixed = b_.let(Expr(key) * constant64(0x9e3779b97f4a7c15u));
    const Var slot = b_.let(apply(Op::narrow, {Expr(mixed) >> 40u}) & Expr(kHashSlots - 1));
    b_.count(0u, kHashProbes, 1u, [&](Var) {
      const Expr address = buffer_address(kCountBuffer) + constant64(kCountHead * 4) + mul_wide(slot, kSlotWords * 4);
      MemoryAccess access = relaxed_word(address);
      access.type = litmus::Type::u64;
      const Var old = b_.var(Width::w64);
      b_.add(AtomicOn{RmwOp::cas, old, access, key, constant64(0)});
      b_.if_(equal(old, constant64(0)) | equal(old, key), [&] {
        add_to(address + constant64(8), constant64(1), litmus::Type::u64);
        b_.if_(equal(old, constant64(0)), [&] {
          const Var record = b_.let(first_address(slot));
          b_.add(StoreTo{relaxed_word(record), 1u});
          store_first(record, entry);
        });
        b_.add(Break{done});
      });
      b_.set(slot, (Expr(slot) + 1u) & Expr(kHashSlots - 1));
    });
  }

  // Raw values, two words each. kOverflowing also counts those that do not fit.
  void overflow(const Expr& entry) {
    const Var index = b_.var();
    b_.add(AtomicOn{RmwOp::add, index,
                    relaxed_word(word_address(kCountBuffer, static_cast<std::uint32_t>(kOverflowing))), 1u,
                    std::nullopt});
    b_.if_(less(index, kOverflowEntries), [&] {
      const auto words = static_cast<std::uint32_t>(overflow_words(values_.size()));
      const Var record = b_.let(buffer_address(kOverflowBuffer) + mul_wide(index, words * 4));
      MemoryAccess head;
      head.address = record;
      b_.add(StoreTo{head, round_});
      head.address = Expr(record) + constant64(4);
      b_.add(StoreTo{head, entry});
      for (std::size_t i = 0; i < values_.size(); ++i) {
        MemoryAccess access;
        access.type = litmus::Type::u64;
        access.address = Expr(record) + constant64(kOverflowHead * 4 + i * 8);
        b_.add(StoreTo{access, values_[i].width == Width::w64 ? Expr(values_[i]) : widen(values_[i])});
      }
    });
  }

  const Harness& h_;
  KernelBuilder& b_;
  Var local_;
  Var stride_;
  Var round_;
  std::vector<Var> values_;
  std::vector<PrivateCounter> private_;
};

}  // namespace

Kernel build_init(const Harness& harness) {
  KernelBuilder b("init");
  b.kernel().workgroup_size = kCollectSize;
  const Var iterations = load_control(b, kIterations);
  for_each_entry(b, iterations,
                 [&](const Expr&, const Expr& instance, const Expr& instances, const Expr& factor, const Expr& slice) {
                   for (std::uint32_t i = 0; i < harness.test.locations.size(); ++i) {
                     const litmus::Location& location = harness.test.locations[i];
                     if (harness.memory.shared[i] || location.initial == litmus::Value{}) continue;
                     MemoryAccess access;
                     access.type = location.type;
                     access.address = location_address(harness, i, instance, instances, factor) + slice;
                     b.add(StoreTo{access, value_for_instance(harness, location.initial, location.type, instance,
                                                              instances, factor, slice)});
                   }
                 });
  return std::move(b).finish();
}

Kernel build_collect(const Harness& harness) {
  KernelBuilder b("collect");
  Collector(harness, b).run();
  return std::move(b).finish();
}

}  // namespace weakspot::codegen
