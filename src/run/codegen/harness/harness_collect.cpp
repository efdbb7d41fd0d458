// SPDX-License-Identifier: MIT
// The kernels before and after `run`: initial values, and the reduction of results to counts.
#include "codegen/harness/harness_parts.h"
#include "codegen/harness/outcome_counter.h"
#include "codegen/harness/role_code.h"

namespace weakspot::codegen {
namespace {

using litmus::Observable;
using litmus::RmwOp;

// Writes a loop over the entries (iteration, instance) of the round, spread over the threads of the grid.
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
  Collector(const Harness& harness, KernelBuilder& builder)
      : h_(harness), b_(builder), counter_(harness, builder, counting(harness)) {}

  void run() {
    Kernel& kernel = b_.kernel();
    kernel.workgroup_size = kCollectSize;
    local_ = b_.let(builtin(Builtin::local_id));
    kernel.shared_bytes = OutcomeCounter::table_bytes(h_, counting(h_));
    counter_.prepare(local_);
    stride_ = load_control(b_, kResultStride);
    counter_.set_round(load_control(b_, kRound));
    const Var planned = load_control(b_, kIterations);
    const Var missing = b_.load_word(word_address(kProgressBuffer, static_cast<std::uint32_t>(kMissing)));
    const Var iterations = b_.let(Expr(planned) - Expr(missing));
    b_.if_(equal(builtin(Builtin::workgroup_id) | Expr(local_), 0u), [&] {
      add_to(word_address(kCountBuffer, static_cast<std::uint32_t>(kCompleted)), widen(iterations), litmus::Type::u64);
    });
    for_each_entry(b_, iterations, [&](auto... entry) { collect(entry...); });
    counter_.flush();
  }

 private:
  static OutcomeCounter::Options counting(const Harness& harness) {
    const IteratedRun* run = harness.iterated();
    return {.private_counts = run != nullptr && run->private_counts};
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
      counter_.count(values_, {entry, instance, instances, factor, slice}, done);
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
      counter_.count_unfinished();
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

  const Harness& h_;
  KernelBuilder& b_;
  Var local_;
  Var stride_;
  OutcomeCounter counter_;
  std::vector<Var> values_;
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
