// SPDX-License-Identifier: MIT
#include "codegen/ptx/ptx_async.h"

#include <fmt/format.h>

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::string_view kCounted = "mbarrier::complete_tx::bytes";

// The type of a reduction or of a remote store: bit operations and plain stores have no sign.
std::string async_type(const CopyStep& copy) {
  const int bits = size_in_bytes(copy.type) * 8;
  const bool raw =
      !copy.reduce || *copy.reduce == RmwOp::and_ || *copy.reduce == RmwOp::or_ || *copy.reduce == RmwOp::xor_;
  return fmt::format("{}{}",
                     raw                                                                                ? "b"
                     : is_signed(copy.type) && *copy.reduce != RmwOp::inc && *copy.reduce != RmwOp::dec ? "s"
                                                                                                        : "u",
                     bits);
}

std::string reduction(const CopyStep& copy) {
  return copy.reduce ? fmt::format(".{}.{}", to_string(*copy.reduce), async_type(copy)) : "";
}

const char* mbarrier_space(const MbarrierStep& step) {
  return step.mbarrier.cluster ? "shared::cluster" : "shared::cta";
}

std::string_view mbarrier_order(Order order) {
  if (order == Order::acquire) return "acquire";
  return order == Order::release ? "release" : "relaxed";
}

std::string semantics(const MbarrierStep& step) {
  return fmt::format(".{}.{}.{}.b64", mbarrier_order(step.order), step.scope == Scope::cluster ? "cluster" : "cta",
                     mbarrier_space(step));
}

}  // namespace

std::string ptx_copy(const CopyStep& copy) {
  switch (copy.engine) {
    case AsyncEngine::lane:
      return "cp.async.ca.shared.global";
    case AsyncEngine::remote:
      if (copy.reduce) return fmt::format("red.async.relaxed.cluster.shared::cluster.{}{}", kCounted, reduction(copy));
      return fmt::format("st.async.shared::cluster.{}.{}", kCounted, async_type(copy));
    case AsyncEngine::bulk:
    case AsyncEngine::wgmma:  // refused before, as the rest
    case AsyncEngine::tcld:
    case AsyncEngine::tcst:
    case AsyncEngine::tccp:
    case AsyncEngine::tcmma:
      break;
  }
  return fmt::format("{}.{}.{}.{}{}{}", copy.reduce ? "cp.reduce.async.bulk" : "cp.async.bulk",
                     copy.to.shared ? "shared::cluster" : "global", copy.from.shared ? "shared::cta" : "global",
                     copy.mbarrier ? kCounted : "bulk_group", copy.multicast != 0 ? ".multicast::cluster" : "",
                     reduction(copy));
}

std::string ptx_mbarrier(const MbarrierStep& step) {
  using Step = MbarrierStep::Op;
  switch (step.op) {
    case Step::init:
      return "mbarrier.init.shared::cta.b64";
    case Step::invalidate:
      return "mbarrier.inval.shared::cta.b64";
    case Step::drop:
    case Step::arrive:
      return fmt::format("mbarrier.arrive{}{}{}", step.op == Step::drop ? "_drop" : "",
                         step.bytes != 0 ? ".expect_tx" : "", semantics(step));
    case Step::expect:
    case Step::complete:
      return fmt::format("mbarrier.{}{}", step.op == Step::expect ? "expect_tx" : "complete_tx", semantics(step));
    case Step::follow:
      return "cp.async.mbarrier.arrive.noinc.shared::cta.b64";
    case Step::test:
      return fmt::format("mbarrier.test_wait.parity{}", semantics(step));
    case Step::attempt:
      break;
  }
  return fmt::format("mbarrier.try_wait.parity{}", semantics(step));
}

std::string ptx_control(const AsyncControl& control) {
  const std::string_view copies = control.engine == AsyncEngine::bulk ? "cp.async.bulk" : "cp.async";
  switch (control.kind) {
    case AsyncControl::Kind::commit:
      return fmt::format("{}.commit_group", copies);
    case AsyncControl::Kind::wait:
      return fmt::format("{}.wait_group {}", copies, control.pending);
    case AsyncControl::Kind::wait_read:
      return fmt::format("{}.wait_group.read {}", copies, control.pending);
    case AsyncControl::Kind::launch_dependents:
      return "griddepcontrol.launch_dependents";
    case AsyncControl::Kind::wait_grids:
      break;
  }
  return "griddepcontrol.wait";
}

PtxVersion ptx_version_of(const AsyncOf& operation) {
  if (const auto* copy = std::get_if<CopyStep>(&operation.step)) {
    if (copy->engine == AsyncEngine::lane) return {70, 80};
    return copy->engine == AsyncEngine::remote ? PtxVersion{81, 90} : PtxVersion{80, 90};
  }
  if (const auto* control = std::get_if<AsyncControl>(&operation.step)) {
    const bool lane = control->kind <= AsyncControl::Kind::wait_read && control->engine == AsyncEngine::lane;
    return lane ? PtxVersion{70, 80} : PtxVersion{80, 90};
  }
  if (const auto* step = std::get_if<MbarrierStep>(&operation.step)) {
    const bool counts = step->op == MbarrierStep::Op::expect || step->op == MbarrierStep::Op::complete;
    if (step->order == Order::relaxed && !counts) return {86, 90};
  }
  return {80, 90};
}

}  // namespace weakspot::codegen
