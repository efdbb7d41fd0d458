// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "litmus/assembly/assembly.h"
#include "litmus/assembly/assembly_printer.h"
#include "litmus/normalize.h"
#include "litmus/text/printers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

bool is_ordering(ComputeOp op) { return op >= ComputeOp::lt; }
bool is_ordering(CompareOp op) { return op != CompareOp::eq && op != CompareOp::ne; }

// A number as a register of 32 bits holds it.
void cut(Operand& operand) {
  auto* value = std::get_if<Value>(&operand);
  if (value != nullptr && !value->base) value->number = wrap(value->number, Type::s32);
}

}  // namespace

bool is_wide(const std::vector<Register>& registers, const Operand& operand) {
  if (const auto* id = std::get_if<RegisterId>(&operand)) return size_in_bytes(registers[id->index].type) == 8;
  return std::get<Value>(operand).base.has_value();
}

int computing_bits(const std::vector<Register>& registers, const Compute& compute) {
  if (size_in_bytes(registers[compute.target.index].type) != 8) return 32;
  if (fills_upper_half(compute)) return 64;
  return is_wide(registers, compute.left) || is_wide(registers, *compute.right) ? 64 : 32;
}

int comparison_bits(const std::vector<Register>& registers, const Operand& left, const Operand& right) {
  const bool constants = std::holds_alternative<Value>(left) && std::holds_alternative<Value>(right);
  for (const Operand* side : {&left, &right}) {
    if (is_wide(registers, *side)) return 64;
    // Between two constants the numbers decide.
    if (constants && wrap(std::get<Value>(*side).number, Type::s32) != std::get<Value>(*side).number) return 64;
  }
  return 32;
}

base::Result<LitmusTest> AssemblyAdapter::adapt() {
  check_test();
  guards_to_branches(test_);
  for (thread_ = 0; thread_ < test_.threads.size() && !obstacle_; ++thread_) {
    settle_types();
    rewrite_thread();
    if (!obstacle_) name_registers();
  }
  if (obstacle_) return cannot_express(original_, dialect_, *obstacle_);
  name_labels();
  test_.arch = arch_;
  normalize(test_);
  if (!is_printable(test_)) return cannot_express(original_, dialect_, too_many_registers());
  return test_;
}

// Gives labels of several threads a name each: herd7 takes them for labels of the whole test.
void AssemblyAdapter::name_labels() {
  std::map<std::string, std::size_t> threads;  // by label
  auto label_in = [](Instruction& instruction) -> std::string* {
    if (auto* branch = std::get_if<Branch>(&instruction.operation)) return &branch->label;
    auto* label = std::get_if<Label>(&instruction.operation);
    return label == nullptr ? nullptr : &label->name;
  };
  for (Thread& thread : test_.threads) {
    for (Instruction& instruction : thread.instructions) {
      if (std::holds_alternative<Label>(instruction.operation)) ++threads[*label_in(instruction)];
    }
  }
  const std::map<std::string, std::size_t> before = threads;
  for (std::size_t t = 0; t < test_.threads.size(); ++t) {
    std::map<std::string, std::string> names;
    for (Instruction& instruction : test_.threads[t].instructions) {
      std::string* const label = label_in(instruction);
      if (label == nullptr || before.at(*label) < 2) continue;
      std::string& name = names[*label];
      if (name.empty()) {
        name = fmt::format("{}{}", *label, t);
        while (!threads.try_emplace(name, 1).second) name += '_';
      }
      *label = name;
    }
  }
}

std::string AssemblyAdapter::too_many_registers() const {
  return fmt::format("a thread needs more registers than {} has", dialect_);
}

void AssemblyAdapter::refuse(std::string reason) {
  if (!obstacle_) obstacle_ = std::move(reason);
}

// ---- refusals ----

void AssemblyAdapter::check_test() {
  if (test_.scopes) lacks("scopes to place threads in");
  for (Location& location : test_.locations) {
    if (location.alias_of) lacks("aliases such as location '{}'", location.name);
    if (location.space == Space::global) location.space = Space::none;
    if (location.space != Space::none) {
      lacks("memory space '{}' for location '{}'", to_string(location.space), location.name);
    }
    if (location.type == Type::pred) refuse("a predicate cannot be in memory");
    if (location.type == Type::b32) location.type = Type::s32;
    if (location.type == Type::b64) location.type = Type::s64;
  }
}

void AssemblyAdapter::check_access(const Access& access) {
  if (access.order == Order::plain) lacks("non-atomic accesses");
  if (access.order == Order::consume) lacks("order 'con'");
  if (access.scope != Scope::device) lacks("scope '{}'", to_string(access.scope));
  if (access.space != Space::none && access.space != Space::global) {
    lacks("memory space '{}' for an access", to_string(access.space));
  }
  if (access.cache != CacheOp::none) lacks("cache operator '{}'", to_string(access.cache));
  if (access.proxy != Proxy::generic) lacks("{} proxy", to_string(access.proxy));
  for (Tag tag : {Tag::volatile_, Tag::non_private, Tag::available, Tag::visible, Tag::vector, Tag::no_availability}) {
    if (access.tags.has(tag) && !(tag == Tag::vector && has_pairs())) lacks("'{}' accesses", to_string(tag));
  }
  if (!access.semantics.empty()) lacks("accesses with storage-class semantics");
}

// ---- registers ----

void AssemblyAdapter::settle_types() {
  if (registers().size() > register_names().size()) {
    refuse(too_many_registers());
    return;
  }
  for (std::uint32_t i = 0; i < registers().size(); ++i) settle_register(i);
}

void AssemblyAdapter::settle_register(std::uint32_t index) {
  Register& one = registers()[index];
  const RegisterId id{index};
  const std::vector<Instruction>& code = test_.threads[thread_].instructions;
  const bool pointer = one.initial.base || std::any_of(code.begin(), code.end(), [&](const Instruction& instruction) {
                         const Access* access = access_of(instruction);
                         return access != nullptr && !access->address.location && access->address.index == id;
                       });
  switch (one.type) {
    case Type::s8:
    case Type::u8:
    case Type::s16:
    case Type::u16:
      refuse(fmt::format("register '{}' has type {}; registers have 32 or 64 bits", one.name, to_string(one.type)));
      return;
    case Type::pred:
      for (const Instruction& instruction : code) {
        for_each_written(instruction, [&](RegisterId written) {
          const auto* compute = std::get_if<Compute>(&instruction.operation);
          if (written == id && (compute == nullptr || !is_comparison(compute->op))) {
            refuse(fmt::format("predicate '{}' is not the result of a comparison", one.name));
          }
        });
      }
      break;
    case Type::u32:
      if (sign_shows(id)) refuse(fmt::format("unsigned register '{}' is compared, shifted or extended", one.name));
      break;
    default:
      break;
  }
  one.type = pointer || size_in_bytes(one.type) == 8 ? Type::s64 : Type::s32;
  if (one.type == Type::s32 && !fits(one.initial.number, Type::s32)) {
    one.initial.number = wrap(one.initial.number, Type::s32);
  }
}

// Whether some use of an unsigned 32-bit register tells it from a signed one: an address, an extension to 64 bits, an
// ordering, a right shift, or a comparison with a value of another type. If not, the register can become s32.
bool AssemblyAdapter::sign_shows(RegisterId id) const {
  const Thread& thread = test_.threads[thread_];
  auto differs = [&](const Operand& other) {
    if (const auto* value = std::get_if<Value>(&other)) {
      return value->base || value->number < 0 || value->number > INT32_MAX;
    }
    return thread.registers[std::get<RegisterId>(other).index].type != Type::u32;
  };
  for (const Instruction& instruction : thread.instructions) {
    if (const Access* access = access_of(instruction)) {
      if (access->address.index == id) return true;
      if (size_in_bytes(access->type) != 8) continue;
    }
    bool reads = false;
    for_each_operand(instruction, [&](const Operand& operand) { reads = reads || operand == Operand(id); });
    if (!reads) continue;
    if (access_of(instruction) != nullptr) return true;
    if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
      if (is_ordering(compute->op) || compute->op == ComputeOp::shr) return true;
      if (size_in_bytes(thread.registers[compute->target.index].type) == 8) return true;
      if (is_comparison(compute->op) && (differs(compute->left) || differs(*compute->right))) return true;
    }
    auto compares = [&](const Comparison& condition) {
      if (condition.left != Operand(id) && condition.right != Operand(id)) return false;
      return is_ordering(condition.op) || differs(condition.left) || differs(condition.right);
    };
    if (const auto* branch = std::get_if<Branch>(&instruction.operation)) {
      if (compares(*branch->condition)) return true;
    }
    if (const auto* select = std::get_if<Select>(&instruction.operation)) {
      if (compares(select->condition)) return true;
      const bool chosen = select->yes == Operand(id) || select->no == Operand(id);
      if (chosen && size_in_bytes(thread.registers[select->target.index].type) == 8) return true;
    }
  }
  return false;
}

RegisterId AssemblyAdapter::fresh(Type type) {
  const RegisterId id{static_cast<std::uint32_t>(registers().size())};
  Register& one = registers().emplace_back();
  one.type = type;
  return id;
}

// Registers keep names that the processor has; the others, and fresh ones, take the unused names in order.
void AssemblyAdapter::name_registers() {
  const std::vector<std::string>& names = register_names();
  std::set<std::string> used;
  for (Register& one : registers()) {
    const bool legal = std::find(names.begin(), names.end(), one.name) != names.end();
    if (!legal || !used.insert(one.name).second) one.name.clear();
  }
  auto next = names.begin();
  for (Register& one : registers()) {
    if (!one.name.empty()) continue;
    next = std::find_if(next, names.end(), [&](const std::string& name) { return !used.contains(name); });
    if (next == names.end()) {
      refuse(too_many_registers());
      return;
    }
    one.name = *next++;
  }
}

// ---- instructions ----

void AssemblyAdapter::put(Operation operation) {
  Instruction& instruction = code_.emplace_back();
  instruction.operation = std::move(operation);
  instruction.span = span_;
}

void AssemblyAdapter::move(RegisterId target, Operand source) {
  put(Compute{ComputeOp::mov, target, source, std::nullopt});
}

void AssemblyAdapter::widen(Operand& operand) {
  const auto* id = std::get_if<RegisterId>(&operand);
  if (id == nullptr || bits(*id) == 64) return;
  const RegisterId wide = fresh(Type::s64);
  move(wide, operand);
  operand = wide;
}

void AssemblyAdapter::keep_apart(Operand& operand, RegisterId from) {
  if (operand != Operand(from)) return;
  const RegisterId copy = fresh(reg(from).type);
  move(copy, from);
  operand = copy;
}

void AssemblyAdapter::keep_apart(Address& address, RegisterId from) {
  if (address.index != from) return;
  const RegisterId copy = fresh(reg(from).type);
  move(copy, from);
  address.index = copy;
}

void AssemblyAdapter::settle_comparison(Operand& left, Operand& right) {
  if (comparison_bits(registers(), left, right) == 64) {
    widen(left);
    widen(right);
    return;
  }
  for (Operand* side : {&left, &right}) {
    if (auto* value = std::get_if<Value>(side)) value->number = wrap(value->number, Type::s32);
  }
}

void AssemblyAdapter::rewrite_thread() {
  begin_thread();
  const std::vector<Instruction> old = test_.threads[thread_].instructions;
  code_.clear();
  for (const Instruction& instruction : old) {
    span_ = instruction.span;
    rewrite_instruction(instruction.operation);
  }
  for (std::size_t i = 1; i < code_.size() && has_pairs(); ++i) check_pair(code_[i - 1], code_[i]);
  test_.threads[thread_].instructions = std::move(code_);
}

// Two registers of 32 or 64 bits, at an address without an index.
void AssemblyAdapter::check_pair(const Instruction& before, const Instruction& instruction) {
  const Access* second = access_of(instruction);
  if (second == nullptr || !second->tags.has(Tag::vector)) return;
  const Access* first = access_of(before);
  if (first == nullptr || first->address.location != second->address.location ||
      first->address.index != second->address.index) {
    return refuse("a value of a vector access needs an instruction of its own");
  }
  if (first->tags.has(Tag::vector) || size_in_bytes(second->type) < 4 || first->order != Order::relaxed) {
    return lacks("vector accesses other than plain pairs of 32 or 64 bits");
  }
  if (second->address.location && second->address.index) lacks("pairs at an address with an index");
  const auto* one = std::get_if<Load>(&before.operation);
  const auto* other = std::get_if<Load>(&instruction.operation);
  if (one == nullptr || other == nullptr) return;
  const bool extends = first->type == Type::s32 && bits(one->target) == 64;
  if (extends != (second->type == Type::s32 && bits(other->target) == 64)) {
    lacks("pairs of which only one is sign-extended");
  }
}

void AssemblyAdapter::rewrite_instruction(Operation operation) {
  if (auto* load = std::get_if<Load>(&operation)) {
    settle(*load);
    rewrite(*load);
  } else if (auto* store = std::get_if<Store>(&operation)) {
    settle(*store);
    rewrite(*store);
  } else if (auto* rmw = std::get_if<Rmw>(&operation)) {
    const std::optional<RegisterId> target = rmw->target;
    const bool extended = settle(*rmw);
    const std::optional<RegisterId> narrow = rmw->target;
    rewrite(*rmw);
    if (extended) move(*target, *narrow);
  } else if (auto* fence = std::get_if<Fence>(&operation)) {
    rewrite(*fence);
  } else if (std::holds_alternative<Barrier>(operation)) {
    lacks("execution barriers");
  } else if (auto* compute = std::get_if<Compute>(&operation)) {
    settle(*compute);
    rewrite(*compute);
  } else if (auto* select = std::get_if<Select>(&operation)) {
    settle(*select);
    rewrite(*select);
  } else if (auto* branch = std::get_if<Branch>(&operation)) {
    if (branch->condition) settle_comparison(branch->condition->left, branch->condition->right);
    put(*branch);
  } else {
    put(std::move(operation));
  }
}

void AssemblyAdapter::settle(Load& load) {
  check_access(load.access);
  load.access.space = Space::none;
  Type& type = load.access.type;
  const int bytes = size_in_bytes(type);
  if (bytes == 8 && bits(load.target) == 32) {
    refuse(fmt::format("register '{}' is loaded with 64 bits but holds 32", reg(load.target).name));
  }
  if (bytes == 8 || (bytes == 4 && bits(load.target) == 32)) type = type_of_size(bytes);
  if (type == Type::b32) type = Type::s32;
  if (type == Type::pred) refuse("a predicate cannot be in memory");
}

void AssemblyAdapter::settle(Store& store) {
  check_access(store.access);
  store.access.space = Space::none;
  if (store.access.type == Type::pred) refuse("a predicate cannot be in memory");
  store.access.type = type_of_size(size_in_bytes(store.access.type));
  if (store.access.type == Type::s64) widen(store.value);
  if (store.access.type == Type::s32) cut(store.value);
}

// True if the instruction leaves the old value in a fresh register, from which it must be moved with its sign.
bool AssemblyAdapter::settle(Rmw& rmw) {
  check_access(rmw.access);
  rmw.access.space = Space::none;
  if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec) {
    lacks("atomic '{}' that wraps at an operand", to_string(rmw.op));
  }
  if (rmw.may_fail) lacks("compare-and-swap that may fail spuriously");
  if (rmw.failure_order != Order::relaxed) lacks("failure order for a compare-and-swap");
  Type& type = rmw.access.type;
  const int bytes = size_in_bytes(type);
  const bool sign_matters = rmw.op == RmwOp::min || rmw.op == RmwOp::max;
  if (bytes < 4 && is_signed(type) && (sign_matters || rmw.target)) {
    lacks("read-modify-write of type {}", to_string(type));
  }
  if (type == Type::pred) refuse("a predicate cannot be in memory");
  bool extended = false;
  if (bytes == 8) {
    widen(rmw.operand);
    if (rmw.expected) widen(*rmw.expected);
    if (rmw.target && bits(*rmw.target) == 32) {
      refuse(fmt::format("register '{}' is loaded with 64 bits but holds 32", reg(*rmw.target).name));
    }
  } else if (bytes == 4 && rmw.target && bits(*rmw.target) == 64 && type != Type::u32) {
    rmw.target = fresh(Type::s32);
    extended = true;
  }
  if (bytes == 4 && rmw.op != RmwOp::and_) {
    cut(rmw.operand);
    if (rmw.expected) cut(*rmw.expected);
  }
  if (sign_matters && bytes >= 4) {
    if (type == Type::b32 || type == Type::b64) type = type_of_size(bytes);
  } else if (!(type == Type::u32 && rmw.target && bits(*rmw.target) == 64)) {
    type = type_of_size(bytes);
  }
  return extended;
}

void AssemblyAdapter::settle(Select& select) {
  settle_comparison(select.condition.left, select.condition.right);
  for (Operand* choice : {&select.yes, &select.no}) {
    if (bits(select.target) == 64) {
      widen(*choice);
    } else {
      cut(*choice);
    }
  }
}

void AssemblyAdapter::settle(Compute& compute) {
  if (is_comparison(compute.op)) {
    settle_comparison(compute.left, *compute.right);
    return;
  }
  if (compute.op == ComputeOp::shl || compute.op == ComputeOp::shr) {
    const auto* amount = std::get_if<Value>(&*compute.right);
    if (amount == nullptr || amount->base || amount->number < 0 || amount->number >= bits(compute.target)) {
      refuse("the amount of a shift must be a constant below the width of its register");
      return;
    }
  }
  if (bits(compute.target) == 64) return;
  cut(compute.left);
  if (compute.right) cut(*compute.right);
  if (compute.op == ComputeOp::shr && is_wide(registers(), compute.left)) {
    if (std::holds_alternative<Value>(compute.left)) lacks("shift of one half of an address");
    const RegisterId narrow = fresh(Type::s32);
    move(narrow, compute.left);
    compute.left = narrow;
  }
}

}  // namespace weakspot::litmus
