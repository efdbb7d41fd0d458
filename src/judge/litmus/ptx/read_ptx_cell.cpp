// SPDX-License-Identifier: MIT
#include "litmus/ptx/read_ptx_cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/text/columns.h"

namespace weakspot::litmus {
namespace {

// PTX ISA, "Vector data-types": an access of a vector is one access for each element, in no order.
template <typename Access>
Access element_of(const Access& first, std::size_t index) {
  Access element = first;
  if (index == 0) return element;
  element.access.address.offset += static_cast<std::int64_t>(index) * size_in_bytes(first.access.type);
  element.access.tags.insert(Tag::vector);
  return element;
}

}  // namespace

void PtxCell::read() {
  labels();
  if (cursor_.at_end()) return;
  const std::uint32_t begin = cursor_.position();
  std::optional<Guard> guard;
  if (cursor_.accept("@")) {
    const bool negated = cursor_.accept("!");
    std::optional<RegisterId> predicate = reg();
    if (!predicate) return;
    guard = Guard{*predicate, negated};
  }
  if (!mnemonic()) return;
  Read operation = instruction();
  if (!operation || !cursor_.expect_end("the instruction")) return;
  const base::Span span{begin, cursor_.last_end()};
  builder_.emit(thread_, std::move(*operation), span).guard = guard;
  for (Operation& element : more_) builder_.emit(thread_, std::move(element), span).guard = guard;
}

PtxCell::Read PtxCell::instruction() {
  const bool current = edition_ == PtxEdition::current;
  const std::string_view head = mnemonic_.head;
  if (current && head == "cp") return async_copy();
  if (current && head == "mbarrier") return mbarrier();
  if (current && head == "griddepcontrol") return grid_control();
  if (current && head == "wgmma") return product();
  if (current && head == "tcgen05") return tensor();
  const bool async = current && !mnemonic_.suffixes.empty() && mnemonic_.suffixes[0].text == "async";
  if (async && (head == "st" || head == "red")) return remote_store(head == "red");
  if (head == "ld") return load(Proxy::generic);
  if (head == "st") return store(Proxy::generic);
  if (head == "atom") return rmw(Proxy::generic, false);
  if (head == "red") return rmw(Proxy::generic, true);
  if (head == "membar") return membar();
  if (head == "bar" || head == "barrier") return barrier();
  if (head == "bra" || (current && head == "goto")) return jump(std::nullopt);
  if (head == "setp") return set_predicate();
  if (head == "cvt") return convert();
  if (current) {
    if (head == "tld") return load(Proxy::texture);
    if (head == "suld") return load(Proxy::surface);
    if (head == "cold") return load(Proxy::constant);
    if (head == "sust") return store(Proxy::surface);
    if (head == "suatom") return rmw(Proxy::surface, false);
    if (head == "sured") return rmw(Proxy::surface, true);
    if (head == "fence") return fence();
    if (head.starts_with("b")) {
      if (auto op = base::value_of(kPtxCompareOps, head.substr(1))) return jump(op);
    }
  }
  // The last six are what setp is for.
  if (auto op = compute_op_named(head); op && *op < ComputeOp::eq) return compute(*op);
  return mistake(fmt::format("unknown instruction '{}'", head));
}

// ---- memory ----

PtxCell::Read PtxCell::load(Proxy proxy) {
  const bool bare = mnemonic_.suffixes.empty() && edition_ == PtxEdition::current && proxy == Proxy::generic;
  Load load;
  load.access.proxy = proxy;
  if (!access_suffixes(load.access, AccessKind::load)) return std::nullopt;
  if (vector_ > 0) return vector_load(load);
  std::optional<RegisterId> into = target();
  if (!into || !comma()) return std::nullopt;
  load.target = *into;
  // `ld r0, 1` and `ld r0, r1` are the current dialect's moves; a load has brackets, an order or a location.
  const Token& source = cursor_.peek();
  if (bare && (source.kind == Token::Kind::number || source.is("-") || is_register(source))) {
    std::optional<Operand> value = operand();
    if (!value) return std::nullopt;
    return finish_compute(Compute{ComputeOp::mov, load.target, *value, std::nullopt}, std::nullopt);
  }
  if (!address(load.access)) return std::nullopt;
  settle(load.target, load.access.type);
  return load;
}

PtxCell::Read PtxCell::store(Proxy proxy) {
  Store store;
  store.access.proxy = proxy;
  if (!access_suffixes(store.access, AccessKind::store) || !address(store.access) || !comma()) return std::nullopt;
  if (vector_ > 0) return vector_store(store);
  if (!operand(store.value)) return std::nullopt;
  return store;
}

// "{ a, b }": calls element() for each, which reads one.
template <typename Element>
bool PtxCell::elements(const Element& element) {
  if (!cursor_.expect("{", "before the elements of a vector")) return false;
  for (std::size_t i = 0; i < vector_; ++i) {
    if ((i > 0 && !comma()) || !element(i)) return false;
  }
  return cursor_.expect("}", "after the elements of a vector");
}

PtxCell::Read PtxCell::vector_load(Load first) {
  std::vector<RegisterId> targets;
  auto element = [&](std::size_t) {
    const std::optional<RegisterId> into = target();
    if (into) targets.push_back(*into);
    return into.has_value();
  };
  if (!elements(element) || !comma() || !address(first.access)) return std::nullopt;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == first.access.address.index) return mistake("a vector load cannot overwrite its own address");
    first.target = targets[i];
    settle(targets[i], first.access.type);
    if (i > 0) more_.emplace_back(element_of(first, i));
  }
  first.target = targets[0];
  return first;
}

PtxCell::Read PtxCell::vector_store(Store first) {
  std::vector<Operand> values(vector_);
  if (!elements([&](std::size_t i) { return operand(values[i]); })) return std::nullopt;
  for (std::size_t i = 1; i < values.size(); ++i) {
    Store element = element_of(first, i);
    element.value = values[i];
    more_.emplace_back(element);
  }
  first.value = values[0];
  return first;
}

PtxCell::Read PtxCell::rmw(Proxy proxy, bool reduction) {
  Rmw rmw;
  rmw.access.proxy = proxy;
  const std::optional<RmwOp> op = take(kPtxRmwOps);
  if (!op) return mistake(fmt::format("'{}' needs an operation: {}", mnemonic_.head, base::list_names(kPtxRmwOps)));
  rmw.op = *op;
  if (reduction && (rmw.op == RmwOp::exch || rmw.op == RmwOp::cas)) {
    return mistake(fmt::format("'{}' has no operation '{}'; use 'atom'", mnemonic_.head, to_string(rmw.op)));
  }
  if (!access_suffixes(rmw.access, AccessKind::rmw)) return std::nullopt;
  if (!reduction) {
    if (!cursor_.accept("_")) {
      rmw.target = target();
      if (!rmw.target) return std::nullopt;
    }
    if (!comma()) return std::nullopt;
  }
  if (!address(rmw.access) || !comma() || !rmw_values(rmw)) return std::nullopt;
  if (rmw.target) settle(*rmw.target, rmw.access.type);
  return rmw;
}

PtxCell::Read PtxCell::membar() {
  Fence fence;
  fence.kind = FenceKind::membar;
  const std::optional<Scope> scope = take(kMembarScopes);
  if (!scope) return mistake(fmt::format("'membar' needs a scope: {}", base::list_names(kMembarScopes)));
  fence.scope = *scope;
  if (!no_more_suffixes()) return std::nullopt;
  return fence;
}

// fence[.order].scope | fence.proxy.kind | fence.mbarrier_init.release.cluster
PtxCell::Read PtxCell::fence() {
  Fence fence;
  if (take("proxy")) return proxy_fence();
  if (take("mbarrier_init")) {
    fence.kind = FenceKind::mbarrier_init;
    if (!take("release") || !take("cluster")) return mistake("expected fence.mbarrier_init.release.cluster");
  } else {
    fence.order = take(kPtxOrders).value_or(Order::acq_rel);
    if (fence.order == Order::plain || fence.order == Order::relaxed) {
      return mistake(fmt::format("a fence cannot be '{}'; expected acquire, release, acq_rel or sc",
                                 base::name_of(kPtxOrders, fence.order)));
    }
    const std::optional<Scope> scope = take(kPtxScopes);
    if (!scope) return mistake(fmt::format("'fence' needs a scope: {}", base::list_names(kPtxScopes)));
    fence.scope = *scope;
  }
  if (!no_more_suffixes()) return std::nullopt;
  return fence;
}

// bar.cta.MODE id[, name[, quorum]] is the form of the public tests; bar.MODE id[, quorum] is PTX's own, where the id
// also names the barrier.
PtxCell::Read PtxCell::barrier() {
  Barrier barrier;
  const bool current = edition_ == PtxEdition::current;
  const bool named = current && take("cta");
  if (current && !named && take("cluster")) return cluster_barrier();
  if (take("arrive")) {
    barrier.kind = Barrier::Kind::arrive;
  } else if (!take("sync")) {
    return mistake(fmt::format("'{}' needs 'sync' or 'arrive'", mnemonic_.head));
  }
  take("aligned");
  if (!no_more_suffixes()) return std::nullopt;
  if (!operand(barrier.id)) return std::nullopt;
  if (!cursor_.accept(",")) return barrier;
  std::optional<Operand>& second = named ? barrier.name : barrier.quorum;
  second = operand();
  if (!second) return std::nullopt;
  if (!named || !cursor_.accept(",")) return barrier;
  barrier.quorum = operand();
  if (!barrier.quorum) return std::nullopt;
  return barrier;
}

// ---- control and computation ----

PtxCell::Read PtxCell::jump(std::optional<CompareOp> op) {
  if (!op) take("uni");
  if (!no_more_suffixes()) return std::nullopt;
  return branch(op);
}

PtxCell::Read PtxCell::compute(ComputeOp op) {
  if (op == ComputeOp::mul) take("lo");
  const std::optional<Type> type = take(kPtxTypes);
  if (!no_more_suffixes()) return std::nullopt;
  const std::optional<Compute> compute = computation(op);
  if (!compute) return std::nullopt;
  return finish_compute(*compute, type ? std::optional(ComputeTypes{*type, std::nullopt}) : std::nullopt);
}

PtxCell::Read PtxCell::set_predicate() {
  const std::optional<CompareOp> op = take(kPtxCompareOps);
  if (!op) return mistake(fmt::format("'setp' needs a comparison: {}", base::list_names(kPtxCompareOps)));
  const std::optional<Type> type = take(kPtxTypes);
  if (!no_more_suffixes()) return std::nullopt;
  const std::optional<Compute> compute = computation(as_compute(*op));
  if (!compute) return std::nullopt;
  settle(compute->target, Type::pred);
  return finish_compute(*compute, type ? std::optional(ComputeTypes{*type, std::nullopt}) : std::nullopt);
}

PtxCell::Read PtxCell::convert() {
  const std::optional<Type> type = take(kPtxTypes);
  const std::optional<Type> source = take(kPtxTypes);
  if (!source) return mistake("'cvt' needs two types, as in 'cvt.u64.u32'");
  if (!no_more_suffixes()) return std::nullopt;
  std::optional<RegisterId> into = target();
  if (!into || !comma()) return std::nullopt;
  std::optional<Operand> left = operand();
  if (!left) return std::nullopt;
  settle(*into, *type);
  if (const auto* reg = std::get_if<RegisterId>(&*left)) settle(*reg, *source);
  const ComputeTypes types{*type, source};
  return finish_compute(conversion(builder_.test.threads[thread_.index], *into, *left, types), types);
}

// An instruction without a type has type s32 in 2015, as in the papers. In the current dialect it works at the width of
// its target.
PtxCell::Read PtxCell::finish_compute(Compute compute, std::optional<ComputeTypes> types) {
  if (!types && edition_ == PtxEdition::y2015) types = ComputeTypes{};
  settle(compute.target, types ? types->type : Type::s32);
  if (types) {
    typing_.uses.push_back({thread_, builder_.test.threads[thread_.index].instructions.size(), *types});
  }
  return compute;
}

// ---- operands ----

bool PtxCell::is_register(const Token& word) const {
  return word.kind == Token::Kind::word &&
         (is_numbered_register(word.text) || builder_.find_register(thread_, word.text).has_value());
}

void PtxCell::settle(RegisterId reg, Type type) {
  if (edition_ == PtxEdition::y2015) return;
  const ObservedRegister id{thread_, reg};
  if (typing_.settled.insert(id).second) builder_[id].type = type;
}

std::optional<RegisterId> PtxCell::target() {
  if (edition_ == PtxEdition::y2015) return reg();
  return any_register();
}

// An undeclared register is reported once.
std::optional<RegisterId> PtxCell::reg() {
  std::optional<Token> name = cursor_.word("a register");
  if (!name) return std::nullopt;
  const bool known = builder_.find_register(thread_, name->text).has_value();
  const RegisterId reg = builder_.reg(thread_, name->text);
  if (known) return reg;
  if (edition_ == PtxEdition::y2015) {
    cursor_.mistake(name->span, fmt::format("register {} is not declared in the initial state", describe(*name)));
    typing_.undeclared.insert({thread_, reg});
  } else if (!is_numbered_register(name->text)) {
    cursor_.mistake(name->span, fmt::format("{} is not a register; registers are r0, r1, ..., those declared in the "
                                            "initial state and those written above",
                                            describe(*name)));
  }
  return reg;
}

// [register [+ bytes]] | [location [+ register] [+ bytes]]; the current dialect may leave out the brackets around a
// location. PTX itself cannot add a register to a location: this is how an address dependency is written here.
bool PtxCell::address(Access& access) {
  const bool bracket = cursor_.accept("[");
  if (!bracket && (edition_ == PtxEdition::y2015 || is_register(cursor_.peek()))) {
    cursor_.expected("'[' and an address");
    return false;
  }
  Address& address = access.address;
  const Token name = cursor_.peek();
  if (is_register(name)) {
    address.index = reg();
  } else {
    if (!cursor_.word("a location or a register")) return false;
    address.location = builder_.location(name.text);
  }
  if (!index_and_offset(address)) return false;
  if (bracket && !cursor_.expect("]", "after the address")) return false;
  const bool typed = address.location && builder_.has_given_type(*address.location);
  access.type = type_.value_or(typed ? builder_[*address.location].type : Type::s32);
  return true;
}

bool PtxCell::index_and_offset(Address& address) {
  if (address.location && cursor_.peek().is("+") && cursor_.peek_second().kind == Token::Kind::word) {
    cursor_.next();
    address.index = reg();
    if (!address.index) return false;
  }
  if (!cursor_.peek().is("-") && !cursor_.accept("+")) return true;
  std::optional<std::int64_t> offset = cursor_.integer("an offset in bytes");
  if (offset) address.offset = *offset;
  return offset.has_value();
}

// ---- suffixes ----

bool PtxCell::take(std::string_view word) {
  auto found = std::find_if(mnemonic_.suffixes.begin(), mnemonic_.suffixes.end(),
                            [&](const Suffix& s) { return s.text == word; });
  if (found == mnemonic_.suffixes.end()) return false;
  mnemonic_.suffixes.erase(found);
  return true;
}

bool PtxCell::no_more_suffixes() {
  if (mnemonic_.suffixes.empty()) return true;
  const Suffix& suffix = mnemonic_.suffixes.front();
  cursor_.mistake(suffix.span, fmt::format("unexpected suffix '.{}' of '{}'", suffix.text, mnemonic_.head));
  return false;
}

bool PtxCell::access_suffixes(Access& access, AccessKind kind) {
  access.order = kind == AccessKind::rmw ? Order::relaxed : Order::plain;
  if (!order_and_scope(access, kind)) return false;
  if (auto space = take(kPtxSpaces)) access.space = *space;
  if (auto cache = take(kPtxCacheOps)) access.cache = *cache;
  if (kind != AccessKind::rmw) vector_ = take("v2") ? 2 : take("v4") ? 4 : 0;
  type_ = take(kPtxTypes);
  if (!no_more_suffixes()) return false;
  if (vector_ > 0 && !type_) {
    mistake(fmt::format("a vector {} needs the type of its elements", to_string(kind)));
    return false;
  }
  if (!has_cache_op(kind, access.cache)) {
    mistake(fmt::format("a {} has no cache operator '.{}'", to_string(kind), to_string(access.cache)));
    return false;
  }
  if (access.cache != CacheOp::none && (access.order != Order::plain || access.tags.has(Tag::volatile_))) {
    mistake("a cache operator is for weak accesses only");
    return false;
  }
  return true;
}

// GPU_PTX has no orders: a volatile access is a plain one that the compiler leaves alone, and keeps its tag. In current
// PTX volatile is defined as relaxed with scope sys.
bool PtxCell::order_and_scope(Access& access, AccessKind kind) {
  const bool is_volatile = kind != AccessKind::rmw && take("volatile");
  if (is_volatile) access.tags.insert(Tag::volatile_);
  if (edition_ == PtxEdition::y2015) return true;
  if (is_volatile) {
    access.order = Order::relaxed;
    access.scope = Scope::system;
    return true;
  }
  if (auto order = take(kPtxOrders)) access.order = *order;
  if (!has_order(kind, access.order)) {
    constexpr std::string_view kExpected[] = {"weak, relaxed, acquire or volatile",
                                              "weak, relaxed, release or volatile",
                                              "relaxed, acquire, release or acq_rel"};
    mistake(fmt::format("a {} cannot be '{}'; expected {}", to_string(kind), base::name_of(kPtxOrders, access.order),
                        kExpected[static_cast<std::size_t>(kind)]));
    return false;
  }
  const std::optional<Scope> scope = take(kPtxScopes);
  if (scope && access.order == Order::plain) {
    mistake(fmt::format("a weak {} has no scope", to_string(kind)));
    return false;
  }
  // A read-modify-write without a scope is of scope gpu (PTX ISA, "atom").
  if (!scope && access.order != Order::plain && kind != AccessKind::rmw) {
    mistake(fmt::format("a {} {} needs a scope: {}", base::name_of(kPtxOrders, access.order), to_string(kind),
                        base::list_names(kPtxScopes)));
    return false;
  }
  access.scope = scope.value_or(Scope::device);
  return true;
}

}  // namespace weakspot::litmus
