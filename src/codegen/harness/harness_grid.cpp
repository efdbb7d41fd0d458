// SPDX-License-Identifier: MIT
// The kernels of a test with dependent launches: one per thread of the test, each a grid of its own that runs that
// thread for all instances of the round.
#include <fmt/format.h>

#include "codegen/harness/harness_parts.h"
#include "codegen/harness/role_code.h"

namespace weakspot::codegen {
namespace {

class GridWriter {
 public:
  GridWriter(const Harness& harness, KernelBuilder& builder, std::size_t role)
      : h_(harness), b_(builder), role_(role), thread_(harness.test.threads[role]) {}

  void run() {
    b_.kernel().workgroup_size = h_.roles.workgroup_size;
    const Var local = b_.let(builtin(Builtin::local_id));
    const Var instances = load_control(b_, kInstances);
    const Var factor = load_control(b_, kLocationFactor);
    const Var instance = b_.let(builtin(Builtin::workgroup_id) * Expr(h_.roles.workgroup_size) + Expr(local));
    RoleContext context;
    context.thread = role_;
    context.zero = load_control(b_, kZero);
    context.shared = h_.memory.shared;
    context.registers = make_registers(b_, thread_);
    context.unfinished = b_.let(0u);
    context.loop_bound = static_cast<std::uint32_t>(h_.environment.loop_bound);
    for (std::uint32_t i = 0; i < h_.test.locations.size(); ++i) {
      context.addresses.push_back(b_.let(location_address(h_, i, instance, instances, factor)));
    }
    context.asynchronous = [&](const litmus::Instruction& instruction) {
      b_.add(AsyncOf{std::get<litmus::AsyncControl>(instruction.operation)});
    };
    const int gap = h_.environment.access_gap;
    const Var noise = b_.let((Expr(instance) / 32u) * 2654435761u);
    if (gap != 0) context.gap = [&] { write_noise(b_, noise, gap); };
    const std::string name = std::to_string(role_);
    b_.comment("role " + name);
    write_role(b_, h_.test, context, h_.regions[role_]);
    b_.comment("end of role " + name);
    store_results(context, instance);
    // Uses the number, so that no compiler drops the steps.
    b_.if_(equal(noise, context.zero), [&] {
      const Expr unused = word_address(kProgressBuffer, static_cast<std::uint32_t>(kNoise));
      b_.add(AtomicOn{litmus::RmwOp::add, std::nullopt, relaxed_word(unused), 1u, std::nullopt});
    });
    // A grid that has not waited could end before those that it depends on, and be counted too early.
    if (role_ != 0) b_.add(AsyncOf{litmus::AsyncControl{litmus::AsyncControl::Kind::wait_grids}});
  }

 private:
  void store_results(const RoleContext& context, Var instance) {
    const Var stride = load_control(b_, kResultStride);
    for (const ResultItem& item : h_.results) {
      if (item.role != role_) continue;
      MemoryAccess access;
      access.type = item.width == Width::w64 ? litmus::Type::u64 : litmus::Type::u32;
      access.address = result_address(item, stride, instance);
      const bool flag = item.kind == ResultItem::Kind::unfinished;
      b_.add(StoreTo{access, flag ? context.unfinished : context.registers[item.reg]});
    }
  }

  const Harness& h_;
  KernelBuilder& b_;
  std::size_t role_;
  const litmus::Thread& thread_;
};

}  // namespace

Kernel build_grid(const Harness& harness, std::size_t role) {
  KernelBuilder b(fmt::format("grid{}", role));
  GridWriter(harness, b, role).run();
  return std::move(b).finish();
}

}  // namespace weakspot::codegen
