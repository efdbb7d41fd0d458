// SPDX-License-Identifier: MIT
// Asynchronous operations in the canonical form.
#include "litmus/canonical/canonical_cell.h"

namespace weakspot::litmus {

// copy.ENGINE[.map][.OP][.TYPE][.xCOUNT] to, from [, mbarrier [, to, mbarrier ...]]
std::optional<Operation> CanonicalCell::copy() {
  AsyncCopy copy;
  copy.value = Value{};
  if (!take_engine(copy.engine, "copy")) return std::nullopt;
  if (copy.engine == AsyncEngine::tcld || copy.engine == AsyncEngine::tcst) {
    cursor_.mistake(mnemonic_.word.span, "loads and stores of tensor memory are ld.tensor and st.tensor");
    return std::nullopt;
  }
  for (const Suffix& suffix : mnemonic_.suffixes) {
    if (suffix.text == "map" && !copy.mapped) {
      copy.mapped = true;
    } else if (auto op = rmw_op_named(suffix.text); op && !copy.reduce) {
      copy.reduce = op;
    } else if (auto type = type_named(suffix.text); type && !typed_) {
      copy.type = *type;
      typed_ = true;
    } else if (auto count = element_count(suffix.text); count && copy.elements == 1) {
      copy.elements = *count;
    } else {
      unknown_suffix(suffix);
      return std::nullopt;
    }
  }
  copy.targets.emplace_back();
  if (!address(copy.targets[0].to) || !comma()) return std::nullopt;
  if (copy.engine == AsyncEngine::remote ? !operand(copy.value) : !address(copy.from)) return std::nullopt;
  if (!cursor_.accept(",")) return copy;
  do {
    copy.targets.back().mbarrier = location_of("an mbarrier");
    if (!copy.targets.back().mbarrier) return std::nullopt;
    if (!cursor_.accept(",")) return copy;
    copy.targets.emplace_back();
    if (!address(copy.targets.back().to)) return std::nullopt;
  } while (comma());
  return std::nullopt;
}

// "x2": two elements.
std::optional<std::int64_t> CanonicalCell::element_count(std::string_view text) {
  std::int64_t count = 0;
  if (!text.starts_with("x") || text.size() < 2 || text.size() > 5) return std::nullopt;
  for (char digit : text.substr(1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    count = count * 10 + (digit - '0');
  }
  return count > 1 ? std::optional(count) : std::nullopt;
}

bool CanonicalCell::take_engine(AsyncEngine& engine, std::string_view head) {
  const std::optional<AsyncEngine> named =
      mnemonic_.suffixes.empty() ? std::nullopt : async_engine_named(mnemonic_.suffixes[0].text);
  if (!named) {
    cursor_.mistake(mnemonic_.word.span, fmt::format("expected '{}' with who copies: .lane, .bulk{} or .{}", head,
                                                     head == "copy"   ? ", .remote, .wgmma, .tccp"
                                                     : head == "wait" ? ", .wgmma, .tcld"
                                                                      : "",
                                                     head == "copy"   ? "tcmma"
                                                     : head == "wait" ? "tcst"
                                                                      : "wgmma"));
    return false;
  }
  engine = *named;
  mnemonic_.suffixes.erase(mnemonic_.suffixes.begin());
  return true;
}

std::optional<LocationId> CanonicalCell::location_of(std::string_view what) {
  std::optional<Token> name = cursor_.word(what);
  if (!name) return std::nullopt;
  return builder_.location(name->text);
}

bool CanonicalCell::number(std::int64_t& into, std::string_view what) {
  const std::optional<std::int64_t> number = cursor_.integer(what);
  if (number) into = *number;
  return number.has_value();
}

// mbar.OP[.order][.scope] [target,] barrier [, count [, bytes] | , bytes | , phase]
std::optional<Operation> CanonicalCell::mbarrier() {
  Mbarrier mbarrier;
  const std::optional<MbarrierOp> op =
      mnemonic_.suffixes.empty() ? std::nullopt : mbarrier_op_named(mnemonic_.suffixes[0].text);
  if (!op) {
    cursor_.mistake(
        mnemonic_.word.span,
        "expected 'mbar' with an operation: .init, .arrive, .drop, .expect, .complete, .follow, .test, .wait, "
        ".inval or .commit");
    return std::nullopt;
  }
  mbarrier.op = *op;
  mbarrier.order = default_order(*op);
  mnemonic_.suffixes.erase(mnemonic_.suffixes.begin());
  for (const Suffix& suffix : mnemonic_.suffixes) {
    if (auto order = order_named(suffix.text)) {
      mbarrier.order = *order;
    } else if (auto scope = scope_named(suffix.text)) {
      mbarrier.scope = *scope;
    } else {
      unknown_suffix(suffix);
      return std::nullopt;
    }
  }
  const bool targeted = *op == MbarrierOp::arrive || *op == MbarrierOp::drop || *op == MbarrierOp::test;
  if (targeted && !(*op != MbarrierOp::test && cursor_.accept("_"))) {
    mbarrier.target = reg();
    if (!mbarrier.target) return std::nullopt;
  }
  if (targeted && !comma()) return std::nullopt;
  const std::optional<LocationId> location = location_of("an mbarrier");
  if (!location) return std::nullopt;
  mbarrier.barrier = *location;
  if (!mbarrier_rest(mbarrier)) return std::nullopt;
  return mbarrier;
}

bool CanonicalCell::mbarrier_rest(Mbarrier& mbarrier) {
  switch (mbarrier.op) {
    case MbarrierOp::init:
      return comma() && number(mbarrier.count, "a number of arrivals");
    case MbarrierOp::arrive:
    case MbarrierOp::drop:
      if (!cursor_.accept(",")) return true;
      if (!number(mbarrier.count, "a number of arrivals")) return false;
      return !cursor_.accept(",") || number(mbarrier.bytes, "a number of bytes");
    case MbarrierOp::expect:
    case MbarrierOp::complete:
      return comma() && number(mbarrier.bytes, "a number of bytes");
    case MbarrierOp::test:
    case MbarrierOp::wait:
      return comma() && operand(mbarrier.phase);
    case MbarrierOp::follow:
    case MbarrierOp::inval:
    case MbarrierOp::commit:
      break;
  }
  return true;
}

// commit.ENGINE | wait.ENGINE[.read] pending | wait.tcld | wait.tcst
std::optional<Operation> CanonicalCell::group() {
  AsyncControl control;
  const bool waits = mnemonic_.head == "wait";
  if (!take_engine(control.engine, mnemonic_.head)) return std::nullopt;
  if (waits) control.kind = AsyncControl::Kind::wait;
  if (waits && mnemonic_.suffixes.size() == 1 && mnemonic_.suffixes[0].text == "read") {
    control.kind = AsyncControl::Kind::wait_read;
    mnemonic_.suffixes.clear();
  }
  if (waits && is_tensor(control.engine)) return no_suffixes() ? std::optional<Operation>(control) : std::nullopt;
  if (!no_suffixes() || (waits && !number(control.pending, "a number of groups"))) return std::nullopt;
  return control;
}

// griddep.launch | griddep.wait
std::optional<Operation> CanonicalCell::grid() {
  AsyncControl control;
  const std::string_view what = mnemonic_.suffixes.size() == 1 ? mnemonic_.suffixes[0].text : std::string_view();
  if (what != "launch" && what != "wait") {
    cursor_.mistake(mnemonic_.word.span, "expected griddep.launch or griddep.wait");
    return std::nullopt;
  }
  control.kind = what == "wait" ? AsyncControl::Kind::wait_grids : AsyncControl::Kind::launch_dependents;
  return control;
}

// tcfence.before | tcfence.after
std::optional<Operation> CanonicalCell::tensor_fence() {
  const std::string_view side = mnemonic_.suffixes.size() == 1 ? mnemonic_.suffixes[0].text : std::string_view();
  if (side != "before" && side != "after") {
    cursor_.mistake(mnemonic_.word.span, "expected tcfence.before or tcfence.after");
    return std::nullopt;
  }
  Fence fence;
  fence.kind = side == "before" ? FenceKind::tensor_before : FenceKind::tensor_after;
  return fence;
}

}  // namespace weakspot::litmus
