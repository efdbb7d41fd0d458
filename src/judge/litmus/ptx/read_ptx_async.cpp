// SPDX-License-Identifier: MIT
// PTX's asynchronous operations. They are written as in PTX, with three liberties: a size is that of the elements of
// the test and need not be a multiple of 16; a multicast lists its targets, `[x0], [y], 4, [b0], [x1], [b1]`, since
// each CTA's memory has names of its own here; and a try_wait without a predicate stands for the loop around it. A
// product and a tensor copy leave out shapes and coordinates: the accumulator, the matrix and the map are locations.
#include <fmt/format.h>

#include "litmus/ptx/read_ptx_cell.h"

namespace weakspot::litmus {
namespace {

std::vector<Suffix> take_spaces(Mnemonic& mnemonic) {
  std::vector<Suffix> spaces;
  std::erase_if(mnemonic.suffixes, [&](const Suffix& suffix) {
    const bool space = suffix.text == "global" || suffix.text == "shared" || suffix.text.starts_with("shared::");
    if (space) spaces.push_back(suffix);
    return space;
  });
  return spaces;
}

bool whole_number(Cursor& cursor, std::int64_t& into, std::string_view what) {
  const std::optional<std::int64_t> number = cursor.integer(what);
  if (number) into = *number;
  return number.has_value();
}

}  // namespace

// cp.async.CACHE.shared.global | cp[.reduce].async.bulk.DST.SRC.COMPLETION | groups | cp.async.mbarrier.arrive.noinc
PtxCell::Read PtxCell::async_copy() {
  AsyncCopy copy;
  copy.value = Value{};
  const bool reduces = take("reduce");
  if (!take("async")) return mistake("expected cp.async, cp.async.bulk or cp.reduce.async.bulk");
  copy.engine = take("bulk") ? AsyncEngine::bulk : AsyncEngine::lane;
  copy.mapped = copy.engine == AsyncEngine::bulk && take("tensor");
  for (std::string_view word : {"commit_group", "wait_group", "wait_all"}) {
    if (!mnemonic_.suffixes.empty() && mnemonic_.suffixes[0].text == word) return group(copy.engine);
  }
  if (copy.engine == AsyncEngine::lane && take("mbarrier")) return lane_arrival();
  const std::vector<Suffix> spaces = take_spaces(mnemonic_);
  if (spaces.size() != 2) return mistake("a copy names the spaces of its target and of its source");
  const bool counted = take(kCompleteTx);
  if (copy.engine == AsyncEngine::lane) {
    if (!take("ca") && !take("cg")) return mistake("'cp.async' needs a cache operator: ca or cg");
  } else if (!counted && !take("bulk_group")) {
    return mistake(fmt::format("a bulk copy is completed by {} or bulk_group", kCompleteTx));
  }
  const bool multicast = take("multicast::cluster");
  if (reduces) {
    copy.reduce = take(kPtxRmwOps);
    if (!copy.reduce) return mistake("a reduction needs an operation");
  }
  type_ = take(kPtxTypes);
  if (!no_more_suffixes() || !copy_operands(copy, spaces)) return std::nullopt;
  if ((copy.targets[0].mbarrier.has_value()) != counted) return mistake("an mbarrier goes with complete_tx");
  if ((copy.targets.size() > 1) != multicast) return mistake("several targets go with multicast::cluster");
  return copy;
}

bool PtxCell::async_address(Address& address, std::string_view space) {
  Access access;
  if (!this->address(access)) return false;
  address = access.address;
  if (!address.location) return true;
  const bool shared = builder_[*address.location].space == Space::shared;
  if (shared != (space != "global")) {
    mistake(fmt::format("location '{}' is not in space '{}'", builder_[*address.location].name, space));
  }
  return shared == (space != "global");
}

std::optional<LocationId> PtxCell::mbarrier_location() {
  if (!cursor_.expect("[", "before an mbarrier")) return std::nullopt;
  const std::optional<Token> name = cursor_.word("an mbarrier");
  if (!name || !cursor_.expect("]", "after an mbarrier")) return std::nullopt;
  return builder_.location(name->text);
}

// [to], [from], bytes [, [mbarrier] [, [to], [mbarrier] ...]]
bool PtxCell::copy_operands(AsyncCopy& copy, std::vector<Suffix> spaces) {
  AsyncCopy::Target target;
  std::int64_t bytes = 0;
  if (!async_address(target.to, spaces[0].text) || !comma() || !async_address(copy.from, spaces[1].text) || !comma() ||
      !whole_number(cursor_, bytes, "a number of bytes")) {
    return false;
  }
  const bool typed = target.to.location && builder_.has_given_type(*target.to.location);
  copy.type = type_.value_or(typed ? builder_[*target.to.location].type : Type::s32);
  copy.elements = bytes / size_in_bytes(copy.type);
  if (copy.elements < 1 || bytes % size_in_bytes(copy.type) != 0) {
    mistake(fmt::format("{} bytes are not a whole number of elements of type {}", bytes, to_string(copy.type)));
    return false;
  }
  while (cursor_.accept(",")) {
    target.mbarrier = mbarrier_location();
    if (!target.mbarrier) return false;
    copy.targets.push_back(std::exchange(target, {}));
    if (!cursor_.accept(",")) return true;
    if (!async_address(target.to, spaces[0].text)) return false;
  }
  copy.targets.push_back(target);
  return true;
}

// st.async.shared::cluster.COMPLETION.TYPE | red.async.relaxed.cluster.shared::cluster.COMPLETION.OP.TYPE
PtxCell::Read PtxCell::remote_store(bool reduction) {
  AsyncCopy copy;
  copy.engine = AsyncEngine::remote;
  take("async");
  take("weak");
  if (reduction && (!take("relaxed") || !take("cluster"))) return mistake("expected red.async.relaxed.cluster");
  const std::vector<Suffix> spaces = take_spaces(mnemonic_);
  if (spaces.size() != 1 || spaces[0].text != "shared::cluster") return mistake("expected the space shared::cluster");
  if (!take(kCompleteTx)) return mistake(fmt::format("expected the completion mechanism {}", kCompleteTx));
  if (reduction) {
    copy.reduce = take(kPtxRmwOps);
    if (!copy.reduce) return mistake("a reduction needs an operation");
  }
  type_ = take(kPtxTypes);
  if (!type_) return mistake(fmt::format("'{}.async' needs a type", mnemonic_.head));
  copy.type = *type_;
  AsyncCopy::Target target;
  if (!no_more_suffixes() || !async_address(target.to, spaces[0].text) || !comma() || !operand(copy.value) ||
      !comma()) {
    return std::nullopt;
  }
  target.mbarrier = mbarrier_location();
  if (!target.mbarrier) return std::nullopt;
  copy.targets.push_back(target);
  return copy;
}

// cp.async.mbarrier.arrive.noinc[.space].b64 [barrier]
PtxCell::Read PtxCell::lane_arrival() {
  Mbarrier mbarrier;
  mbarrier.op = MbarrierOp::follow;
  mbarrier.order = default_order(mbarrier.op);
  if (!take("arrive") || !take("noinc")) return mistake("expected cp.async.mbarrier.arrive.noinc");
  take_spaces(mnemonic_);
  take("b64");
  if (!no_more_suffixes()) return std::nullopt;
  const std::optional<LocationId> barrier = mbarrier_location();
  if (!barrier) return std::nullopt;
  mbarrier.barrier = *barrier;
  return mbarrier;
}

// wait_all is a commit and a wait for everything.
PtxCell::Read PtxCell::group(AsyncEngine engine) {
  AsyncControl control;
  control.engine = engine;
  if (take("wait_all") && engine == AsyncEngine::lane) {
    AsyncControl wait = control;
    wait.kind = AsyncControl::Kind::wait;
    more_.emplace_back(wait);
  } else if (take("wait_group")) {
    control.kind =
        take("read") && engine == AsyncEngine::bulk ? AsyncControl::Kind::wait_read : AsyncControl::Kind::wait;
    if (!whole_number(cursor_, control.pending, "a number of groups")) return std::nullopt;
  } else {
    take("commit_group");
  }
  if (engine == AsyncEngine::wgmma && (!take("sync") || !take("aligned"))) return mistake("'wgmma' is .sync.aligned");
  if (!no_more_suffixes()) return std::nullopt;
  return control;
}

// wgmma.mma_async.sync.aligned.TYPE [accumulator], [matrix] | wgmma.fence | groups
PtxCell::Read PtxCell::product() {
  if (take("fence")) {
    Fence fence;
    fence.kind = FenceKind::wgmma;
    if (!take("sync") || !take("aligned")) return mistake("'wgmma' is .sync.aligned");
    if (!no_more_suffixes()) return std::nullopt;
    return fence;
  }
  if (!take("mma_async")) {
    const bool groups = !mnemonic_.suffixes.empty() && mnemonic_.suffixes[0].text.ends_with("_group");
    return groups ? group(AsyncEngine::wgmma)
                  : mistake("'wgmma' needs 'mma_async', 'fence', 'commit_group' or 'wait_group'");
  }
  AsyncCopy copy;
  copy.value = Value{};
  copy.engine = AsyncEngine::wgmma;
  if (!take("sync") || !take("aligned")) return mistake("'wgmma' is .sync.aligned");
  type_ = take(kPtxTypes);
  copy.type = type_.value_or(Type::s32);
  AsyncCopy::Target& target = copy.targets.emplace_back();
  if (!no_more_suffixes() || !async_address(target.to, "global") || !comma() || !async_address(copy.from, "shared")) {
    return std::nullopt;
  }
  return copy;
}

// ---- mbarriers ----

PtxCell::Read PtxCell::mbarrier() {
  static constexpr base::Named<MbarrierOp> kOps[] = {
      {"init", MbarrierOp::init},        {"arrive", MbarrierOp::arrive},
      {"expect_tx", MbarrierOp::expect}, {"complete_tx", MbarrierOp::complete},
      {"test_wait", MbarrierOp::test},   {"try_wait", MbarrierOp::test},
      {"arrive_drop", MbarrierOp::drop}, {"inval", MbarrierOp::inval}};
  Mbarrier mbarrier;
  const std::optional<MbarrierOp> op = take(kOps);
  if (!op) return mistake(fmt::format("'mbarrier' needs an operation: {}", base::list_names(kOps)));
  mbarrier.op = *op;
  const bool arrives = *op == MbarrierOp::arrive || *op == MbarrierOp::drop;
  const bool expects = arrives && take("expect_tx");
  const bool asks = *op == MbarrierOp::test;
  if (asks) take("parity");
  mbarrier.order = take(kPtxOrders).value_or(default_order(*op));
  mbarrier.scope = take(kPtxScopes).value_or(Scope::workgroup);
  take_spaces(mnemonic_);
  take("b64");
  if (!no_more_suffixes()) return std::nullopt;
  const bool targeted = (asks || arrives) && !cursor_.peek().is("[");
  if (asks && !targeted) mbarrier.op = MbarrierOp::wait;
  if (targeted && (asks || !cursor_.accept("_"))) {
    mbarrier.target = target();
    if (!mbarrier.target) return std::nullopt;
    settle(*mbarrier.target, asks ? Type::pred : Type::b64);
  }
  if (targeted && !comma()) return std::nullopt;
  const std::optional<LocationId> barrier = mbarrier_location();
  if (!barrier) return std::nullopt;
  mbarrier.barrier = *barrier;
  if (!mbarrier_operands(mbarrier, expects)) return std::nullopt;
  return mbarrier;
}

bool PtxCell::mbarrier_operands(Mbarrier& mbarrier, bool expects) {
  switch (mbarrier.op) {
    case MbarrierOp::init:
      return comma() && whole_number(cursor_, mbarrier.count, "a number of arrivals");
    case MbarrierOp::inval:
      return true;
    case MbarrierOp::arrive:
    case MbarrierOp::drop:
      if (expects) return comma() && whole_number(cursor_, mbarrier.bytes, "a number of bytes");
      return !cursor_.accept(",") || whole_number(cursor_, mbarrier.count, "a number of arrivals");
    case MbarrierOp::expect:
    case MbarrierOp::complete:
      return comma() && whole_number(cursor_, mbarrier.bytes, "a number of bytes");
    default:
      return comma() && operand(mbarrier.phase);
  }
}

// ---- grids, fences, clusters ----

PtxCell::Read PtxCell::grid_control() {
  AsyncControl control;
  const bool waits = take("wait");
  if (!waits && !take("launch_dependents")) return mistake("'griddepcontrol' needs 'wait' or 'launch_dependents'");
  control.kind = waits ? AsyncControl::Kind::wait_grids : AsyncControl::Kind::launch_dependents;
  if (!no_more_suffixes()) return std::nullopt;
  return control;
}

// fence.proxy.KIND[.space] | fence.proxy.async::generic.{acquire,release}.sync_restrict::shared::SPACE.cluster
// | fence.proxy.tensormap::generic.release.SCOPE | fence.proxy.tensormap::generic.acquire.SCOPE [map], 128
PtxCell::Read PtxCell::proxy_fence() {
  Fence fence;
  fence.kind = FenceKind::proxy;
  if (take("tensormap::generic")) {
    const bool acquires = take("acquire");
    if (!acquires && !take("release")) return mistake("a proxy fence of one direction needs 'acquire' or 'release'");
    fence.proxy = Proxy::tensormap;
    fence.order = acquires ? Order::acquire : Order::release;
    const std::optional<Scope> scope = take(kPtxScopes);
    if (!scope) return mistake("a fence of the tensormap proxy needs a scope");
    fence.scope = *scope;
    std::int64_t bytes = 128;
    if (acquires) {
      fence.map = mbarrier_location();
      if (!fence.map || !comma() || !whole_number(cursor_, bytes, "a number of bytes")) return std::nullopt;
    }
    if (bytes != 128) return mistake("a tensor map has 128 bytes");
  } else if (take("async::generic")) {
    const bool acquires = take("acquire");
    if (!acquires && !take("release")) return mistake("a proxy fence of one direction needs 'acquire' or 'release'");
    const std::string_view space = acquires ? "sync_restrict::shared::cluster" : "sync_restrict::shared::cta";
    if (!take(space) || !take("cluster")) return mistake(fmt::format("expected .{}.cluster after the order", space));
    fence.proxy = Proxy::async;
    fence.order = acquires ? Order::acquire : Order::release;
    fence.semantics.insert(Space::shared);
  } else {
    const std::optional<Proxy> proxy = take(kPtxProxyFences);
    if (!proxy) return mistake(fmt::format("'fence.proxy' needs a proxy: {}", base::list_names(kPtxProxyFences)));
    fence.proxy = *proxy;
    for (const Suffix& space : *proxy == Proxy::async ? take_spaces(mnemonic_) : std::vector<Suffix>()) {
      fence.semantics.insert(space.text == "global" ? Space::global : Space::shared);
    }
  }
  if (!no_more_suffixes()) return std::nullopt;
  return fence;
}

// barrier.cluster.arrive[.release|.relaxed] | .wait[.acquire]. PTX has no operands here, and no `sync`, which is both.
PtxCell::Read PtxCell::cluster_barrier() {
  Barrier barrier;
  barrier.scope = Scope::cluster;
  if (take("arrive")) {
    barrier.kind = Barrier::Kind::arrive;
    if (take("relaxed")) barrier.order = Order::relaxed;
    take("release");
  } else if (take("wait")) {
    barrier.kind = Barrier::Kind::wait;
    take("acquire");
  } else if (!take("sync")) {
    return mistake("'barrier.cluster' needs 'arrive', 'wait' or 'sync'");
  }
  take("aligned");
  if (!no_more_suffixes()) return std::nullopt;
  if (!cursor_.at_end() && !operand(barrier.id)) return std::nullopt;
  return barrier;
}

}  // namespace weakspot::litmus
