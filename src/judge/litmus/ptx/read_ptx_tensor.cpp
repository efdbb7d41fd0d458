// SPDX-License-Identifier: MIT
// PTX's operations on tensor memory, tcgen05. They are written as in PTX, with two liberties: tensor memory and
// matrices are locations, so that descriptors and the second matrix are left out, and with them shapes, kinds and
// groups of CTAs, as in the manual's own patterns; and a product ends with 1 if it is added to its accumulator, with 0
// if not.
#include <fmt/format.h>

#include "litmus/ptx/read_ptx_cell.h"

namespace weakspot::litmus {

PtxCell::Read PtxCell::tensor() {
  for (const auto& [word, kind] : {std::pair{std::string_view("fence::before_thread_sync"), FenceKind::tensor_before},
                                   std::pair{std::string_view("fence::after_thread_sync"), FenceKind::tensor_after}}) {
    if (!take(word)) continue;
    Fence fence;
    fence.kind = kind;
    if (!no_more_suffixes()) return std::nullopt;
    return fence;
  }
  for (const auto& [word, engine] : {std::pair{std::string_view("wait::ld"), AsyncEngine::tcld},
                                     std::pair{std::string_view("wait::st"), AsyncEngine::tcst}}) {
    if (!take(word)) continue;
    if (!take("sync") || !take("aligned")) return mistake(fmt::format("'tcgen05.{}' is .sync.aligned", word));
    if (!no_more_suffixes()) return std::nullopt;
    return AsyncControl{AsyncControl::Kind::wait, engine, 0};
  }
  if (take("ld")) return tensor_access(true);
  if (take("st")) return tensor_access(false);
  if (take("cp")) return tensor_copy(AsyncEngine::tccp);
  if (take("mma")) return tensor_copy(AsyncEngine::tcmma);
  if (!take("commit")) {
    return mistake(
        "'tcgen05' needs ld, st, cp, mma, commit, wait::ld, wait::st, fence::before_thread_sync or "
        "fence::after_thread_sync");
  }
  // tcgen05.commit.mbarrier::arrive::one[.shared::cluster].b64 [barrier]
  if (!take("mbarrier::arrive::one")) return mistake("expected tcgen05.commit.mbarrier::arrive::one");
  take("shared::cluster");
  take("b64");
  if (!no_more_suffixes()) return std::nullopt;
  const std::optional<LocationId> barrier = mbarrier_location();
  if (!barrier) return std::nullopt;
  Mbarrier commit;
  commit.op = MbarrierOp::commit;
  commit.order = default_order(commit.op);
  commit.barrier = *barrier;
  return commit;
}

// tcgen05.ld.sync.aligned.b32 register, [t] | tcgen05.st.sync.aligned.b32 [t], operand
PtxCell::Read PtxCell::tensor_access(bool load) {
  for (std::string_view word : {"sync", "aligned", "b32"}) {
    if (!take(word)) return mistake(fmt::format("expected tcgen05.{}.sync.aligned.b32", load ? "ld" : "st"));
  }
  if (!no_more_suffixes()) return std::nullopt;
  std::optional<RegisterId> into;
  if (load) {
    into = target();
    if (!into || !comma()) return std::nullopt;
  }
  Access access;
  if (!address(access)) return std::nullopt;
  access.order = Order::plain;
  access.space = Space::tensor;
  if (into) {
    settle(*into, access.type);
    return Load{*into, access};
  }
  Store store{access, {}, std::nullopt};
  if (!comma() || !operand(store.value)) return std::nullopt;
  return store;
}

// tcgen05.cp [to], [from] | tcgen05.mma [to], [from], (0 | 1)
PtxCell::Read PtxCell::tensor_copy(AsyncEngine engine) {
  const bool product = engine == AsyncEngine::tcmma;
  if (!no_more_suffixes()) return std::nullopt;
  AsyncCopy copy;
  copy.value = Value{};
  copy.engine = engine;
  Access to, from;
  if (!address(to) || !comma() || !address(from)) return std::nullopt;
  copy.type = to.type;
  copy.targets.push_back({to.address, std::nullopt});
  copy.from = from.address;
  if (!product) return copy;
  if (!comma()) return std::nullopt;
  const std::optional<std::int64_t> added = cursor_.integer("0, or 1 if the product is added to its accumulator");
  if (!added) return std::nullopt;
  if (*added != 0 && *added != 1) return mistake("expected 0, or 1 if the product is added to its accumulator");
  if (*added == 1) copy.reduce = RmwOp::add;
  return copy;
}

}  // namespace weakspot::litmus
