// SPDX-License-Identifier: MIT
// Reads one cell of a test in the canonical form; docs/litmus-format.md is its manual.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/names.h"
#include "litmus/text/cell_reader.h"
#include "litmus/text/columns.h"

namespace weakspot::litmus {

inline constexpr base::Named<FenceAccesses> kFenceAccesses[] = {
    {"", FenceAccesses::all}, {"ld", FenceAccesses::loads}, {"st", FenceAccesses::stores}};

// AArch64 barrier domains: sy ld st, ish ishld ishst, osh..., nsh...
inline bool read_domain(std::string_view text, Fence& fence) {
  fence.shareability = Shareability::full;
  if (text == "sy") return true;
  constexpr base::Named<Shareability> kReaches[] = {
      {"ish", Shareability::inner}, {"osh", Shareability::outer}, {"nsh", Shareability::non}};
  for (const auto& domain : kReaches) {
    if (text.starts_with(domain.name)) {
      fence.shareability = domain.value;
      text.remove_prefix(3);
      break;
    }
  }
  if (text.empty() && fence.shareability == Shareability::full) return false;
  std::optional<FenceAccesses> accesses = base::value_of(kFenceAccesses, text);
  if (accesses) fence.accesses = *accesses;
  return accesses.has_value();
}

class CanonicalCell : public CellReader {
 public:
  using CellReader::CellReader;

  void read() {
    labels();
    if (cursor_.at_end()) return;
    const std::uint32_t begin = cursor_.position();
    std::optional<Guard> guard;
    if (cursor_.accept("@")) {
      guard.emplace();
      guard->negated = cursor_.accept("!");
      std::optional<RegisterId> predicate = reg();
      if (!predicate) return;
      guard->predicate = *predicate;
      if (cursor_.peek_second().is(":")) {
        cursor_.mistake(cursor_.peek().span, "a label cannot have a guard");
        return;
      }
    }
    if (!mnemonic()) return;
    std::optional<Operation> operation = instruction();
    if (!operation || !cursor_.expect_end("the instruction")) return;
    builder_.emit(thread_, std::move(*operation), {begin, cursor_.last_end()}).guard = guard;
  }

 private:
  std::optional<Operation> instruction() {
    const std::string_view head = mnemonic_.head;
    if (head == "ld") return load();
    if (head == "st") return store();
    if (head == "atom") return rmw();
    if (head == "fence" || head == "membar" || head == "dmb" || head == "dsb") return fence();
    if (head == "bar") return barrier();
    if (head == "b") return jump(std::nullopt);
    if (head == "sel") return select();
    if (head == "copy") return copy();
    if (head == "mbar") return mbarrier();
    if (head == "commit" || head == "wait") return group();
    if (head == "griddep") return grid();
    if (head == "tcfence") return tensor_fence();
    for (const auto& [name, kind] : kPlainFences) {
      if (head == name) {
        Fence fence;
        fence.kind = kind;
        if (!no_suffixes()) return std::nullopt;
        return fence;
      }
    }
    if (head.starts_with("b")) {
      if (std::optional<CompareOp> op = compare_op_named(head.substr(1))) return jump(op);
    }
    if (std::optional<ComputeOp> op = compute_op_named(head)) return compute(*op);
    if (std::optional<FenceName> name = fence_name_named(mnemonic_.word.text)) {
      Fence fence;
      fence.kind = FenceKind::named;
      fence.name = *name;
      return fence;
    }
    cursor_.mistake(mnemonic_.word.span, fmt::format("unknown instruction '{}'", head));
    return std::nullopt;
  }

  static constexpr base::Named<FenceKind> kPlainFences[] = {
      {"isb", FenceKind::isb},
      {"mfence", FenceKind::mfence},
      {"sfence", FenceKind::sfence},
      {"lfence", FenceKind::lfence},
      {"avdev", FenceKind::av_device},
      {"visdev", FenceKind::vis_device},
      {"mbarinit", FenceKind::mbarrier_init},
      {"wgfence", FenceKind::wgmma},
  };

  std::optional<Operation> load() {
    Load load;
    if (!access_suffixes(load.access)) return std::nullopt;
    weaken_tensor(load.access);
    std::optional<RegisterId> target = reg();
    if (!target || !comma() || !address(load.access)) return std::nullopt;
    load.target = *target;
    return load;
  }

  std::optional<Operation> store() {
    Store store;
    if (!access_suffixes(store.access)) return std::nullopt;
    weaken_tensor(store.access);
    if (store.access.tags.has(Tag::exclusive)) {
      store.status = reg();
      if (!store.status || !comma()) return std::nullopt;
    }
    if (!address(store.access) || !comma() || !operand(store.value)) return std::nullopt;
    return store;
  }

  std::optional<Operation> rmw() {
    Rmw rmw;
    if (mnemonic_.suffixes.empty() || !rmw_op_named(mnemonic_.suffixes[0].text)) {
      cursor_.mistake(mnemonic_.word.span,
                      "expected an operation after 'atom': exch, add, sub, inc, dec, and, or, xor, "
                      "min, max or cas");
      return std::nullopt;
    }
    rmw.op = *rmw_op_named(mnemonic_.suffixes[0].text);
    mnemonic_.suffixes.erase(mnemonic_.suffixes.begin());
    if (rmw.op == RmwOp::cas) take_cas_suffixes(rmw);
    if (!access_suffixes(rmw.access)) return std::nullopt;
    if (!cursor_.accept("_")) {
      rmw.target = reg();
      if (!rmw.target) return std::nullopt;
    }
    if (!comma() || !address(rmw.access) || !comma() || !rmw_values(rmw)) return std::nullopt;
    if (rmw.op == RmwOp::cas && cursor_.accept(",")) {
      rmw.success = reg();
      if (!rmw.success) return std::nullopt;
    }
    return rmw;
  }

  void take_cas_suffixes(Rmw& rmw) {
    std::erase_if(mnemonic_.suffixes, [&](const Suffix& suffix) {
      if (suffix.text == "weak") {
        rmw.may_fail = true;
        return true;
      }
      std::optional<Order> failure;
      if (suffix.text.starts_with("fail")) failure = order_named(suffix.text.substr(4));
      if (failure) rmw.failure_order = *failure;
      return failure.has_value();
    });
  }

  std::optional<Operation> fence() {
    Fence fence;
    if (mnemonic_.head == "dmb" || mnemonic_.head == "dsb") {
      fence.kind = mnemonic_.head == "dmb" ? FenceKind::dmb : FenceKind::dsb;
      if (mnemonic_.suffixes.size() != 1 || !read_domain(mnemonic_.suffixes[0].text, fence)) {
        cursor_.mistake(mnemonic_.word.span,
                        "expected one of sy, ld, st, ish, ishld, ishst, osh, oshld, oshst, nsh, nshld, "
                        "nshst after the barrier");
        return std::nullopt;
      }
      return fence;
    }
    if (mnemonic_.head == "membar") fence.kind = FenceKind::membar;
    if (mnemonic_.head == "fence" && !mnemonic_.suffixes.empty() && mnemonic_.suffixes[0].text == "proxy") {
      fence.kind = FenceKind::proxy;
      mnemonic_.suffixes.erase(mnemonic_.suffixes.begin());
    }
    bool ordered = false, scoped = false, proxied = false;
    for (const Suffix& suffix : mnemonic_.suffixes) {
      bool again = false;
      if (auto proxy = proxy_named(suffix.text); proxy && fence.kind == FenceKind::proxy) {
        fence.proxy = *proxy;
        again = std::exchange(proxied, true);
      } else if (auto order = order_named(suffix.text); order && fence.kind != FenceKind::membar) {
        fence.order = *order;
        again = std::exchange(ordered, true);
      } else if (auto scope = scope_named(suffix.text)) {
        fence.scope = *scope;
        again = std::exchange(scoped, true);
      } else if (!(fence.kind != FenceKind::membar && semantics(suffix, fence.semantics)) &&
                 !(fence.kind == FenceKind::order && availability(suffix, fence.tags))) {
        unknown_suffix(suffix);
        return std::nullopt;
      }
      if (again) {
        suffix_again(suffix);
        return std::nullopt;
      }
    }
    if (fence.proxy == Proxy::tensormap && fence.order == Order::acquire) {
      fence.map = location_of("a tensor map");
      if (!fence.map) return std::nullopt;
    }
    return fence;
  }

  std::optional<Operation> barrier() {
    Barrier barrier;
    bool scoped = false, ordered = false, memory_scoped = false;
    for (const Suffix& suffix : mnemonic_.suffixes) {
      bool again = false;
      if (suffix.text == "arrive") {
        again = std::exchange(barrier.kind, Barrier::Kind::arrive) != Barrier::Kind::sync;
      } else if (suffix.text == "wait") {
        again = std::exchange(barrier.kind, Barrier::Kind::wait) != Barrier::Kind::sync;
      } else if (auto scope = scope_named(suffix.text)) {
        barrier.scope = *scope;
        again = std::exchange(scoped, true);
      } else if (auto order = order_named(suffix.text)) {
        barrier.order = *order;
        again = std::exchange(ordered, true);
      } else if (auto memory = scope_named(suffix.text.substr(suffix.text.starts_with("mem") ? 3 : 0))) {
        barrier.memory_scope = *memory;
        again = std::exchange(memory_scoped, true);
      } else if (!semantics(suffix, barrier.semantics) && !availability(suffix, barrier.tags)) {
        unknown_suffix(suffix);
        return std::nullopt;
      }
      if (again) {
        suffix_again(suffix);
        return std::nullopt;
      }
    }
    if (cursor_.at_end()) return barrier;
    if (!operand(barrier.id)) return std::nullopt;
    if (!cursor_.accept(",")) return barrier;
    if (!cursor_.accept("_")) {
      barrier.name = operand();
      if (!barrier.name) return std::nullopt;
    }
    if (!cursor_.accept(",")) return barrier;
    barrier.quorum = operand();
    if (!barrier.quorum) return std::nullopt;
    return barrier;
  }

  std::optional<Operation> jump(std::optional<CompareOp> op) {
    if (!no_suffixes()) return std::nullopt;
    return branch(op);
  }

  // sel.OP target, left, right, yes, no
  std::optional<Operation> select() {
    const std::vector<Suffix>& suffixes = mnemonic_.suffixes;
    const std::optional<CompareOp> op = suffixes.size() == 1 ? compare_op_named(suffixes[0].text) : std::nullopt;
    if (!op) {
      cursor_.mistake(mnemonic_.word.span, "expected 'sel' with a comparison: .eq, .ne, .lt, .le, .gt or .ge");
      return std::nullopt;
    }
    Select select;
    std::optional<RegisterId> target = reg();
    if (!target) return std::nullopt;
    select.target = *target;
    select.condition.op = *op;
    for (Operand* part : {&select.condition.left, &select.condition.right, &select.yes, &select.no}) {
      if (!comma() || !operand(*part)) return std::nullopt;
    }
    return select;
  }

  std::optional<Operation> compute(ComputeOp op) {
    if (!no_suffixes()) return std::nullopt;
    return computation(op);
  }

  // Asynchronous operations: read_canonical_async.cpp.
  std::optional<Operation> copy();
  static std::optional<std::int64_t> element_count(std::string_view text);
  bool take_engine(AsyncEngine& engine, std::string_view head);
  std::optional<LocationId> location_of(std::string_view what);
  bool number(std::int64_t& into, std::string_view what);
  std::optional<Operation> mbarrier();
  bool mbarrier_rest(Mbarrier& mbarrier);
  std::optional<Operation> group();
  std::optional<Operation> grid();
  std::optional<Operation> tensor_fence();

  // ---- operands ----

  std::optional<RegisterId> reg() override { return any_register(); }

  // location ['+' register] ['+' number]  |  '[' register ['+' number] ']'
  bool address(Access& access) { return address(access.address); }

  bool address(Address& address) {
    const bool bracket = cursor_.accept("[");
    if (bracket) {
      address.index = reg();
      if (!address.index) return false;
    } else {
      std::optional<Token> name = cursor_.word("a location, or a register in brackets");
      if (!name) return false;
      address.location = builder_.location(name->text);
      if (cursor_.peek().is("[")) {
        const Location& array = builder_[*address.location];
        std::optional<std::uint32_t> element = read_element(cursor_, array, *name);
        if (!element) return false;
        address.offset = std::int64_t{*element} * size_in_bytes(array.type);
      }
      if (cursor_.peek().is("+") && cursor_.peek_second().kind == Token::Kind::word) {
        cursor_.next();
        address.index = reg();
      }
    }
    if (cursor_.accept("+")) {
      std::optional<std::int64_t> offset = cursor_.integer("a register or an offset in bytes");
      if (!offset) return false;
      address.offset = wrapping_sum(address.offset, *offset);
    }
    if (bracket && !cursor_.expect("]", "after the address")) return false;
    if (!typed_) untyped_.push_back(builder_.test.threads[thread_.index].instructions.size());
    return true;
  }

  // ---- suffixes ----

  bool no_suffixes() {
    if (mnemonic_.suffixes.empty()) return true;
    unknown_suffix(mnemonic_.suffixes.front());
    return false;
  }

  static bool semantics(const Suffix& suffix, Spaces& spaces) {
    if (!suffix.text.starts_with("sem")) return false;
    std::optional<Space> space = space_named(suffix.text.substr(3));
    if (!space || *space == Space::none || *space == Space::tensor) return false;
    spaces.insert(*space);
    return true;
  }

  // Takes a tag that fences and barriers can have; false if the suffix is another.
  static bool availability(const Suffix& suffix, Tags& tags) {
    std::optional<Tag> tag = tag_named(suffix.text);
    if (tag != Tag::available && tag != Tag::visible && tag != Tag::no_availability) return false;
    tags.insert(*tag);
    return true;
  }

  // Accesses to tensor memory have no order, and none is written.
  void weaken_tensor(Access& access) {
    if (is_tensor(access) && !ordered_) access.order = Order::plain;
  }

  bool access_suffixes(Access& access) {
    bool seen[7] = {};
    for (const Suffix& suffix : mnemonic_.suffixes) {
      int kind = access_suffix(suffix, access);
      if (kind < 0) {
        unknown_suffix(suffix);
        return false;
      }
      if (kind > 0 && std::exchange(seen[kind], true)) {
        suffix_again(suffix);
        return false;
      }
    }
    ordered_ = seen[1];
    return true;
  }

  // Returns the kind of the suffix, which may occur once; 0 for kinds that may be repeated, -1 for unknown suffixes.
  int access_suffix(const Suffix& suffix, Access& access) {
    const std::string_view text = suffix.text;
    if (auto order = order_named(text)) return access.order = *order, 1;
    if (auto scope = scope_named(text)) return access.scope = *scope, 2;
    if (auto space = space_named(text); space && !text.empty()) return access.space = *space, 3;
    if (auto cache = cache_op_named(text); cache && !text.empty()) return access.cache = *cache, 4;
    if (auto type = type_named(text)) return access.type = *type, typed_ = true, 5;
    if (auto proxy = proxy_named(text)) return access.proxy = *proxy, 6;
    if (auto tag = tag_named(text)) return access.tags.insert(*tag), 0;
    return semantics(suffix, access.semantics) ? 0 : -1;
  }

  bool typed_ = false;
  bool ordered_ = false;

 public:
  // Instructions whose access takes the location's type, by index.
  std::vector<std::size_t> untyped_;
};

}  // namespace weakspot::litmus
