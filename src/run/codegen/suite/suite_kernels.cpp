// SPDX-License-Identifier: MIT
#include "codegen/suite/suite_kernels.h"

#include <algorithm>

#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

Expr suite_word(SuiteBuffer buffer, const Expr& word) { return buffer_address(buffer) + mul_wide(word, 4u); }

class SuiteWriter {
 public:
  SuiteWriter(const Harness& harness, const SuiteShape& shape, KernelBuilder& builder)
      : h_(harness),
        shape_(shape),
        b_(builder),
        instances_(harness.roles.instances(shape.workgroups)),
        factor_(good_factor(instances_)) {
    b_.kernel().workgroup_size = shape.workgroup_size;
    local_ = b_.let(builtin(Builtin::local_id));
    group_ = b_.let(builtin(Builtin::workgroup_id));
  }

  void write_test() {
    if (computes()) zero_ = b_.load_word(suite_word(kSuiteCounts, static_cast<std::uint32_t>(kSuiteZero)));
    for (std::size_t r = 0; r < h_.roles.roles.size(); ++r) prepare(r);
    b_.barrier();  // the threads of a workgroup begin together
    write_roles();
    for (const ResultItem& item : h_.results) {
      MemoryAccess access;
      access.address = result(item, roles_[item.role].instance);
      b_.add(StoreTo{access, roles_[item.role].context.registers[item.reg]});
    }
  }

  void write_check(const std::set<std::uint64_t>& allowed) {
    const Var instance = b_.let(Expr(group_) * Expr(shape_.workgroup_size) + Expr(local_));
    const Var known = b_.let(1u);
    const Var number = b_.let(number_of(load_values(instance), known));
    Expr accepted = 0u;
    for (const std::uint64_t one : allowed) accepted = accepted | equal(number, static_cast<std::uint32_t>(one));
    const Var fine = b_.let(Expr(known) & accepted);
    b_.if_(equal(fine, 0u), [&] { add_one(static_cast<std::uint32_t>(kSuiteForbidden)); });
    add_one(static_cast<std::uint32_t>(kSuiteInstances));
    b_.if_(known, [&] { add_one(Expr(number) + Expr(static_cast<std::uint32_t>(kSuiteOutcomes))); });
    for (std::uint32_t i = 0; i < h_.test.locations.size(); ++i) {
      MemoryAccess access;
      access.address = suite_word(kSuiteMemory, location_word(i, instance));
      b_.add(StoreTo{access, 0u});
    }
  }

 private:
  struct RoleState {
    Var instance;
    RoleContext context;
  };

  bool computes() const {
    return std::any_of(h_.test.threads.begin(), h_.test.threads.end(), [](const litmus::Thread& thread) {
      return std::any_of(thread.instructions.begin(), thread.instructions.end(), [](const auto& instruction) {
        return std::holds_alternative<litmus::Compute>(instruction.operation);
      });
    });
  }

  Expr location_word(std::uint32_t location, const Expr& instance) const {
    return h_.memory.word<Expr>(h_.memory.number[location], instance, instances_, factor_);
  }

  Expr result(const ResultItem& item, const Expr& instance) const {
    return suite_word(kSuiteResults, Expr(item.words_before * instances_) + instance);
  }

  // Addresses come before the role, so that nothing stands between its accesses.
  void prepare(std::size_t r) {
    RoleState state;
    state.instance = b_.let(h_.roles.instance<Expr>(r, group_, local_, shape_.workgroups));
    RoleContext& context = state.context;
    context.thread = r;
    context.shared = h_.memory.shared;
    context.addresses.assign(h_.test.locations.size(), constant64(0));
    for (const std::uint32_t i : used_locations(h_.test.threads[r])) {
      context.addresses[i] = suite_word(kSuiteMemory, b_.let(location_word(i, state.instance)));
    }
    context.registers = make_registers(b_, h_.test.threads[r]);
    context.zero = zero_;
    roles_.push_back(std::move(state));
  }

  // Barriers cut the roles into steps, so that the threads of a workgroup reach each barrier together. Without any
  // there is one step.
  void write_roles() {
    const litmus::Thread& first = h_.test.threads.front();
    const std::vector<Segment> steps = segments_between_barriers(first);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (std::size_t r = 0; r < roles_.size(); ++r) {
        b_.comment("P" + std::to_string(r));
        write_role_segment(b_, h_.test, roles_[r].context, h_.regions[r],
                           segments_between_barriers(h_.test.threads[r])[step]);
      }
      if (step + 1 == steps.size()) break;
      const auto& barrier = std::get<litmus::Barrier>(first.instructions[steps[step].end].operation);
      BarrierOf node;
      node.semantics = barrier.semantics;
      node.memory_scope = barrier.memory_scope;
      if (h_.test.arch == litmus::Arch::vulkan) {
        node.vulkan = VulkanWords{barrier.tags, barrier.semantics};
        node.order = barrier.order;
      }
      b_.add(std::move(node));
    }
  }

  std::vector<Var> load_values(Var instance) {
    std::vector<Var> values;
    std::size_t next_result = 0;
    for (const litmus::Observable& item : h_.test.observed()) {
      const auto* location = std::get_if<litmus::LocationId>(&item);
      values.push_back(b_.load_word(location != nullptr
                                        ? suite_word(kSuiteMemory, location_word(location->index, instance))
                                        : result(h_.results[next_result++], instance)));
    }
    return values;
  }

  // Sets `known` to 0 if a value does not have a digit.
  Expr number_of(const std::vector<Var>& values, Var known) {
    Expr number = 0u;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::vector<litmus::Value>& possible = h_.encoding.items()[i].values;
      const auto size = static_cast<std::uint32_t>(possible.size());
      Expr digit = size;
      for (std::uint32_t d = 0; d < size; ++d) {
        digit = select(equal(values[i], static_cast<std::uint32_t>(possible[d].number)), d, digit);
      }
      const Var found = b_.let(digit);
      b_.set(known, Expr(known) & less(found, size));
      number = number + Expr(found) * Expr(static_cast<std::uint32_t>(h_.encoding.factors()[i]));
    }
    return number;
  }

  void add_one(const Expr& word) {
    MemoryAccess access;
    access.address = suite_word(kSuiteCounts, word);
    access.order = litmus::Order::relaxed;
    access.type = litmus::Type::u32;
    b_.add(AtomicOn{litmus::RmwOp::add, std::nullopt, access, 1u, std::nullopt});
  }

  const Harness& h_;
  const SuiteShape shape_;
  KernelBuilder& b_;
  const std::uint32_t instances_;
  const std::uint32_t factor_;
  Var local_, group_;
  Expr zero_ = 0u;
  std::vector<RoleState> roles_;
};

}  // namespace

KernelModule build_suite_kernels(const Harness& harness, const SuiteShape& shape,
                                 const std::set<std::uint64_t>& allowed) {
  KernelModule module;
  module.buffers = {"memory", "results", "counts"};
  KernelBuilder test("test");
  SuiteWriter(harness, shape, test).write_test();
  module.kernels.push_back(std::move(test).finish());
  KernelBuilder check("check");
  SuiteWriter(harness, shape, check).write_check(allowed);
  module.kernels.push_back(std::move(check).finish());
  return module;
}

}  // namespace weakspot::codegen
