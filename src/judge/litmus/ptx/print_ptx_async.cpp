// SPDX-License-Identifier: MIT
// PTX's asynchronous operations as text; read_ptx_async.cpp says what differs from PTX.
#include <fmt/format.h>

#include "litmus/asynchronous.h"
#include "litmus/ptx/ptx_printer.h"

namespace weakspot::litmus {
std::string PtxPrinter::text(const AsyncCopy& copy) {
  auto space = [&](const Address& place, std::string_view shared) {
    return place.location && test_[*place.location].space == Space::shared ? shared : std::string_view("global");
  };
  const AsyncCopy::Target& first = copy.targets.front();
  const std::string mbarrier = first.mbarrier ? fmt::format(", [{}]", test_[*first.mbarrier].name) : "";
  const std::string reduce = copy.reduce ? fmt::format(".{}", to_string(*copy.reduce)) : "";
  if (copy.engine == AsyncEngine::remote) {
    return fmt::format("{}.shared::cluster.{}{}.{} {}, {}{}", copy.reduce ? "red.async.relaxed.cluster" : "st.async",
                       kCompleteTx, reduce, to_string(copy.type), sum(first.to), operand_text(copy.value), mbarrier);
  }
  if (copy.engine == AsyncEngine::wgmma) {
    return fmt::format("wgmma.mma_async.sync.aligned.{} {}, {}", to_string(copy.type), sum(first.to), sum(copy.from));
  }
  if (copy.engine == AsyncEngine::tccp) {
    return fmt::format("tcgen05.cp {}, {}", sum(first.to), sum(copy.from));
  }
  if (copy.engine == AsyncEngine::tcmma) {
    return fmt::format("tcgen05.mma {}, {}, {}", sum(first.to), sum(copy.from), copy.reduce ? 1 : 0);
  }
  const bool lane = copy.engine == AsyncEngine::lane;
  const bool cluster = first.mbarrier && copy.from.location && space(copy.from, "shared") == "shared";
  std::string line = lane ? "cp.async.ca" : copy.reduce ? "cp.reduce.async.bulk" : "cp.async.bulk";
  if (copy.mapped) line += ".tensor";
  line += fmt::format(".{}.{}", space(first.to, cluster || copy.targets.size() > 1 ? "shared::cluster" : "shared::cta"),
                      space(copy.from, "shared::cta"));
  if (!lane) line += fmt::format(".{}", first.mbarrier ? kCompleteTx : "bulk_group");
  if (copy.targets.size() > 1) line += ".multicast::cluster";
  const bool typed = first.to.location && (is_typed(*first.to.location) || test_[*first.to.location].initial.base);
  const Type assumed = typed ? test_[*first.to.location].type : Type::s32;
  line += reduce;
  if (copy.reduce || copy.type != assumed) line += fmt::format(".{}", to_string(copy.type));
  line +=
      fmt::format(" {}, {}, {}{}", sum(first.to), sum(copy.from), copy.elements * size_in_bytes(copy.type), mbarrier);
  for (std::size_t i = 1; i < copy.targets.size(); ++i) {
    line += fmt::format(", {}, [{}]", sum(copy.targets[i].to), test_[*copy.targets[i].mbarrier].name);
  }
  return line;
}

std::string PtxPrinter::text(const Mbarrier& mbarrier) const {
  const std::string& barrier = test_[mbarrier.barrier].name;
  const std::string semantics = fmt::format(".{}.{}.shared::cta.b64", base::name_of(kPtxOrders, mbarrier.order),
                                            base::name_of(kPtxScopes, mbarrier.scope));
  switch (mbarrier.op) {
    case MbarrierOp::init:
      return fmt::format("mbarrier.init.shared::cta.b64 [{}], {}", barrier, mbarrier.count);
    case MbarrierOp::inval:
      return fmt::format("mbarrier.inval.shared::cta.b64 [{}]", barrier);
    case MbarrierOp::arrive:
    case MbarrierOp::drop: {
      const std::string target = mbarrier.target ? name(*mbarrier.target) : "_";
      const std::string_view head = mbarrier.op == MbarrierOp::drop ? "arrive_drop" : "arrive";
      if (mbarrier.bytes != 0) {
        return fmt::format("mbarrier.{}.expect_tx{} {}, [{}], {}", head, semantics, target, barrier, mbarrier.bytes);
      }
      return fmt::format("mbarrier.{}{} {}, [{}]{}", head, semantics, target, barrier,
                         mbarrier.count == 1 ? "" : fmt::format(", {}", mbarrier.count));
    }
    case MbarrierOp::expect:
    case MbarrierOp::complete:
      return fmt::format("mbarrier.{}{} [{}], {}", mbarrier.op == MbarrierOp::expect ? "expect_tx" : "complete_tx",
                         semantics, barrier, mbarrier.bytes);
    case MbarrierOp::follow:
      return fmt::format("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{}]", barrier);
    case MbarrierOp::commit:
      return fmt::format("tcgen05.commit.mbarrier::arrive::one.shared::cluster.b64 [{}]", barrier);
    case MbarrierOp::test:
      return fmt::format("mbarrier.test_wait.parity{} {}, [{}], {}", semantics, name(*mbarrier.target), barrier,
                         operand_text(mbarrier.phase));
    case MbarrierOp::wait:
      break;
  }
  return fmt::format("mbarrier.try_wait.parity{} [{}], {}", semantics, barrier, operand_text(mbarrier.phase));
}

std::string PtxPrinter::text(const AsyncControl& control) const {
  if (is_tensor(control.engine)) {
    return fmt::format("tcgen05.wait::{}.sync.aligned", control.engine == AsyncEngine::tcld ? "ld" : "st");
  }
  const bool products = control.engine == AsyncEngine::wgmma;
  const std::string_view copies = products                              ? "wgmma"
                                  : control.engine == AsyncEngine::bulk ? "cp.async.bulk"
                                                                        : "cp.async";
  const std::string_view aligned = products ? ".sync.aligned" : "";
  switch (control.kind) {
    case AsyncControl::Kind::commit:
      return fmt::format("{}.commit_group{}", copies, aligned);
    case AsyncControl::Kind::wait:
      return fmt::format("{}.wait_group{} {}", copies, aligned, control.pending);
    case AsyncControl::Kind::wait_read:
      return fmt::format("{}.wait_group.read {}", copies, control.pending);
    case AsyncControl::Kind::launch_dependents:
      return "griddepcontrol.launch_dependents";
    case AsyncControl::Kind::wait_grids:
      break;
  }
  return "griddepcontrol.wait";
}

}  // namespace weakspot::litmus
