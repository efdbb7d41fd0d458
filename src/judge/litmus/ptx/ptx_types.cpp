// SPDX-License-Identifier: MIT
#include "litmus/ptx/ptx_types.h"

#include <fmt/format.h>

namespace weakspot::litmus {
namespace {

int bits(Type type) { return 8 * size_in_bytes(type); }
bool is_bits(Type type) { return type == Type::b32 || type == Type::b64; }

bool is_equality(ComputeOp op) { return op == ComputeOp::eq || op == ComputeOp::ne; }
bool is_shift(ComputeOp op) { return op == ComputeOp::shl || op == ComputeOp::shr; }
bool is_logic(ComputeOp op) {
  return op == ComputeOp::mov || op == ComputeOp::not_ || op == ComputeOp::and_ || op == ComputeOp::or_ ||
         op == ComputeOp::xor_;
}

std::int64_t mask(Type type) { return (std::int64_t{1} << bits(type)) - 1; }

Type as_number(Type type) {
  if (type == Type::b32) return Type::s32;
  return type == Type::b64 ? Type::s64 : type;
}

Type as_bits(Type type) {
  if (type == Type::s32 || type == Type::u32) return Type::b32;
  return type == Type::s64 || type == Type::u64 ? Type::b64 : type;
}

Type as_unsigned(Type type) {
  switch (size_in_bytes(type)) {
    case 1:
      return Type::u8;
    case 2:
      return Type::u16;
    case 4:
      return Type::u32;
    default:
      return Type::u64;
  }
}

const Register* register_of(const Thread& thread, const Operand& operand) {
  const auto* id = std::get_if<RegisterId>(&operand);
  return id == nullptr ? nullptr : &thread.registers[id->index];
}

std::string has_type(const Register& reg) {
  return fmt::format("register '{}' has type {}", reg.name, to_string(reg.type));
}

bool holds(PtxEdition edition, Type reg, Type access) {
  if (reg == Type::pred) return false;
  const int size = size_in_bytes(reg);
  const int needed = size_in_bytes(access);
  if (edition == PtxEdition::current) return size >= needed;
  return size == needed || (needed < size && size <= 4);
}

struct AccessChecker {
  PtxEdition edition;
  const Thread& thread;
  Type type;
  AccessKind kind;

  std::optional<std::string> reg(RegisterId id) const {
    const Register& reg = thread.registers[id.index];
    if (holds(edition, reg.type, type)) return std::nullopt;
    return fmt::format("{}; a {} of type {} needs {}{} bits", has_type(reg), to_string(kind), to_string(type),
                       edition == PtxEdition::current ? "at least " : "", bits(type));
  }

  std::optional<std::string> operand(const Operand& operand) const {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return reg(*id);
    if (!std::get<Value>(operand).base || edition == PtxEdition::current || bits(type) == 64) return std::nullopt;
    return fmt::format("an address has 64 bits, but the {} is of type {}", to_string(kind), to_string(type));
  }
};

std::optional<std::string> address_clash(PtxEdition edition, const Thread& thread, const Address& address) {
  if (!address.index) return std::nullopt;
  const Register& reg = thread.registers[address.index->index];
  if (reg.type == Type::pred) return has_type(reg) + "; an address cannot be a predicate";
  if (edition == PtxEdition::y2015 && !address.location && bits(reg.type) != 64) {
    return has_type(reg) + "; an address has 64 bits";
  }
  return std::nullopt;
}

std::optional<std::string> width_clash(const Thread& thread, const Operand& operand, Type type, std::string_view what) {
  const Register* reg = register_of(thread, operand);
  if (reg != nullptr) {
    if (same_width(reg->type, type)) return std::nullopt;
    return fmt::format("{}, but {} is of type {}", has_type(*reg), what, to_string(type));
  }
  const Value& value = std::get<Value>(operand);
  if (value.base) {
    if (bits(type) == 64) return std::nullopt;
    return fmt::format("an address has 64 bits, but {} is of type {}", what, to_string(type));
  }
  if (fits(value.number, type)) return std::nullopt;
  return fmt::format("{} does not fit {} of type {}", value.number, what, to_string(type));
}

std::optional<std::string> comparison_clash(const Thread& thread, const Compute& compute, Type type) {
  const Register& target = thread.registers[compute.target.index];
  if (target.type != Type::pred) return has_type(target) + ", but 'setp' writes a predicate";
  if (type == Type::pred) return "'setp' compares numbers, not predicates";
  const Register* signs = nullptr;  // the register that says how the others are read
  for (const Operand& operand : {compute.left, *compute.right}) {
    if (auto clash = width_clash(thread, operand, type, "'setp'")) return clash;
    const Register* reg = register_of(thread, operand);
    if (reg == nullptr) continue;
    if (signs != nullptr && is_signed(signs->type) != is_signed(reg->type)) {
      return fmt::format("{} and {}; 'setp' needs both signed or both unsigned", has_type(*signs), has_type(*reg));
    }
    signs = reg;
  }
  if (!is_equality(compute.op)) {
    if (is_bits(type)) {
      return fmt::format("'setp.{}' needs a signed or unsigned type, not {}", to_string(compute.op), to_string(type));
    }
    if (signs != nullptr && is_signed(signs->type) != is_signed(type)) {
      return fmt::format("{}, which 'setp.{}.{}' would read with another sign", has_type(*signs), to_string(compute.op),
                         to_string(type));
    }
  }
  const Type reading = signs != nullptr ? signs->type : type;
  for (const Operand& operand : {compute.left, *compute.right}) {
    const auto* value = std::get_if<Value>(&operand);
    if (value != nullptr && !value->base && wrap(value->number, reading) != value->number) {
      return fmt::format("{} is not a number of type {}", value->number, to_string(reading));
    }
  }
  return std::nullopt;
}

std::optional<std::string> conversion_clash(const Thread& thread, const Compute& compute, const ComputeTypes& types) {
  const Type source = *types.source;
  if (types.type == Type::pred || source == Type::pred) return "'cvt' does not convert predicates";
  if (auto clash = width_clash(thread, compute.target, types.type, "'cvt'")) return clash;
  if (auto clash = width_clash(thread, compute.left, source, "the source of 'cvt'")) return clash;
  const Register* reg = register_of(thread, compute.left);
  if (reg != nullptr && bits(types.type) > bits(source) && is_signed(source) && !is_signed(reg->type)) {
    return fmt::format("{}; 'cvt' from {} would extend its sign", has_type(*reg), to_string(source));
  }
  return std::nullopt;
}

std::optional<std::string> shift_clash(const Thread& thread, const Compute& compute, Type type) {
  const Operand& amount = *compute.right;
  if (const Register* reg = register_of(thread, amount)) {
    if (reg->type == Type::pred || bits(reg->type) != 32) {
      return fmt::format("{}, but a shift amount has 32 bits", has_type(*reg));
    }
  } else if (const Value& value = std::get<Value>(amount);
             value.base || wrap(value.number, Type::u32) != value.number) {
    return "a shift amount must be a number of type u32";
  }
  if (compute.op != ComputeOp::shr) return std::nullopt;
  const bool extends_sign = is_signed(type) && !is_bits(type);
  for (const Operand& operand : {Operand(compute.target), compute.left}) {
    const Register* reg = register_of(thread, operand);
    if (reg != nullptr && is_signed(reg->type) != extends_sign) {
      return fmt::format("{}, which 'shr.{}' would read with another sign", has_type(*reg), to_string(type));
    }
  }
  return std::nullopt;
}

}  // namespace

bool same_width(Type a, Type b) {
  return (a == Type::pred) == (b == Type::pred) && size_in_bytes(a) == size_in_bytes(b);
}

std::optional<std::string> access_type_clash(PtxEdition edition, const Thread& thread, const Instruction& instruction) {
  if (instruction.guard && edition == PtxEdition::y2015) {
    const Register& reg = thread.registers[instruction.guard->predicate.index];
    if (reg.type != Type::pred) return has_type(reg) + "; a guard must be a predicate";
  }
  const Access* access = access_of(instruction);
  if (access == nullptr) return std::nullopt;
  if (auto clash = address_clash(edition, thread, access->address)) return clash;
  if (access->type == Type::pred) return "a predicate cannot be in memory";
  if (const auto* load = std::get_if<Load>(&instruction.operation)) {
    return AccessChecker{edition, thread, access->type, AccessKind::load}.reg(load->target);
  }
  if (const auto* store = std::get_if<Store>(&instruction.operation)) {
    return AccessChecker{edition, thread, access->type, AccessKind::store}.operand(store->value);
  }
  const auto& rmw = std::get<Rmw>(instruction.operation);
  const AccessChecker checker{edition, thread, access->type, AccessKind::rmw};
  std::optional<std::string> clash = checker.operand(rmw.operand);
  if (!clash && rmw.target) clash = checker.reg(*rmw.target);
  if (!clash && rmw.expected) clash = checker.operand(*rmw.expected);
  return clash;
}

Compute conversion(const Thread& thread, RegisterId target, const Operand& left, const ComputeTypes& types) {
  const Type source = types.source.value_or(types.type);
  Compute compute{ComputeOp::mov, target, left, std::nullopt};
  if (const Register* reg = register_of(thread, left)) {
    if (bits(types.type) > bits(source) && !is_signed(source) && is_signed(reg->type)) {
      compute.op = ComputeOp::and_;
      compute.right = integer(mask(source));
    }
  } else if (const Value& value = std::get<Value>(left); !value.base && fits(value.number, source)) {
    compute.left = integer(wrap(value.number, source));
  }
  return compute;
}

std::optional<std::string> compute_type_clash(const Thread& thread, const Compute& compute, const ComputeTypes& types) {
  if (types.source) return conversion_clash(thread, compute, types);
  if (is_comparison(compute.op)) return comparison_clash(thread, compute, types.type);
  const std::string op = fmt::format("'{}'", to_string(compute.op));
  if (types.type == Type::pred && !is_logic(compute.op)) return op + " has no type pred";
  if (auto clash = width_clash(thread, compute.target, types.type, op)) return clash;
  if (auto clash = width_clash(thread, compute.left, types.type, op)) return clash;
  if (is_shift(compute.op)) return shift_clash(thread, compute, types.type);
  return compute.right ? width_clash(thread, *compute.right, types.type, op) : std::nullopt;
}

ComputeTypes spelled_types(const Thread& thread, const Compute& compute) {
  const Type target = thread.registers[compute.target.index].type;
  const Register* left = register_of(thread, compute.left);
  const Register* right = compute.right ? register_of(thread, *compute.right) : nullptr;
  if (is_comparison(compute.op)) {
    const Register* reg = left != nullptr ? left : right;
    const Type type = reg != nullptr ? reg->type : Type::s64;
    return {is_equality(compute.op) ? type : as_number(type), std::nullopt};
  }
  const bool widens = left != nullptr && left->type != Type::pred && bits(target) > bits(left->type);
  if (compute.op == ComputeOp::mov) {
    if (left == nullptr || same_width(target, left->type)) return {target, std::nullopt};
    return {as_number(target), as_number(left->type)};
  }
  if (compute.op == ComputeOp::and_ && widens && is_signed(left->type) && bits(left->type) < 64 &&
      *compute.right == Operand(integer(mask(left->type)))) {
    return {as_number(target), as_unsigned(left->type)};
  }
  if (is_logic(compute.op) || compute.op == ComputeOp::shl) return {as_bits(target), std::nullopt};
  return {as_number(target), std::nullopt};
}

std::optional<std::string> space_clash(const LitmusTest& test, const Instruction& instruction) {
  const Access* access = access_of(instruction);
  if (access == nullptr || access->space == Space::none || !access->address.location) return std::nullopt;
  const Location& location = test[*access->address.location];
  if (location.space == Space::none || location.space == access->space) return std::nullopt;
  return fmt::format("location '{}' is in space '{}', but the access names '{}'", location.name,
                     to_string(location.space), to_string(access->space));
}

}  // namespace weakspot::litmus
