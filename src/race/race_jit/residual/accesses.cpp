// SPDX-License-Identifier: MIT
// Memory: private memory and what nobody else writes is kept here; the rest becomes accesses.
#include <fmt/format.h>

#include <cstring>

#include "race_jit/bitcode/read_only.h"
#include "race_jit/residual/walker.h"

namespace weakspot::race_jit {

using llvm::Type;

namespace {

// The element before it may be of memory that nobody else writes.
bool continues(const std::vector<residual::Instruction>& code, const residual::Instruction& access) {
  return !code.empty() && code.back().kind == access.kind && code.back().place == access.place &&
         code.back().address + code.back().size == access.address;
}

}  // namespace

Walker::Where Walker::where(const Instruction& instruction, std::uint64_t address, std::uint64_t size, bool write) {
  if (SteadyAddresses::is_private(address)) return Where::own;
  if (address - SteadyAddresses::kContext < sizeof(ThreadContext)) return Where::context;
  bool inside = false;
  if (addresses_.is_block_shared(address)) {
    const std::uint64_t window = addresses_.window(block_);
    inside = address - window < shared_bytes_ && address - window + size <= shared_bytes_;
    if (!inside && address - window >= Arena::kWindow) {
      stop(instruction, Stop::not_modelled, "shared memory of another block");
      return Where::nowhere;
    }
  } else if (addresses_.is_device(address)) {
    const Allocation* found = addresses_.arena().find(addresses_.pointer(address));
    if (found != nullptr && !found->freed) {
      const std::uint64_t offset = address - SteadyAddresses::kBase - found->begin;
      inside = offset + size <= found->size;
    }
  }
  if (!inside) {
    stop(instruction, Stop::invalid, "an access outside of all arrays and variables");
    return Where::nowhere;
  }
  TouchedBytes& touched = result_.touched[{address, size}];
  (write ? touched.written : touched.read) = true;
  PhaseUse& use = touched.phases[point_.phase];
  (write ? use.written : use.read) = true;
  use.loud = use.loud || point_.phase == kLate;
  if (write) use.written_at.insert(point_.label);
  if (!knowledge_.shared.overlaps(address, size) || knowledge_.quiet.contains({address, size})) return Where::own;
  if (size > 8 || (size & (size - 1)) != 0 || address % size != 0) {
    stop(instruction, Stop::not_modelled,
         fmt::format("an access of {} bytes to memory that others write, or one that is not aligned", size));
    return Where::nowhere;
  }
  const llvm::DILocation* at = instruction.getDebugLoc();
  const llvm::DISubprogram* function = at == nullptr ? nullptr : at->getScope()->getSubprogram();
  const bool read_only =
      function != nullptr && (function->getName().starts_with("__ldg") || function->getName().starts_with("__ldnc"));
  if (read_only || is_read_only(instruction)) {
    stop(instruction, Stop::not_modelled, "a read through the read-only path of memory that others write");
    return Where::nowhere;
  }
  return Where::shared_with_others;
}

residual::Instruction Walker::access(const Instruction& instruction, Kind kind, std::uint64_t address,
                                     std::uint64_t size) {
  residual::Instruction made{.kind = kind};
  made.address = address;
  made.size = static_cast<std::uint8_t>(size);
  made.place = program_.place(instruction);
  return made;
}

// The bytes as they are without this thread, unless it has written them.
std::optional<std::uint64_t> Walker::read_known(std::uint64_t address, std::uint64_t size) const {
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    std::optional<std::uint8_t> byte = point_.memory.byte(address + i);
    if (!byte && !SteadyAddresses::is_private(address + i) && !addresses_.is_block_shared(address + i)) {
      byte = static_cast<std::uint8_t>(*addresses_.pointer(address + i));
    }
    if (!byte) return std::nullopt;
    bits |= std::uint64_t{*byte} << (8 * i);
  }
  return bits;
}

Walker::Value Walker::load(const llvm::LoadInst& load) {
  const Value address = operand(load.getPointerOperand());
  if (load.isAtomic()) {
    stop(load, Stop::not_modelled, "an atomic load that clang makes itself");
    return {};
  }
  if (address.has_undefined()) {
    stop(load, Stop::not_modelled, "a read at an address that was never set");
    return {};
  }
  if (!address.is_known()) {
    need_known(load, load.getPointerOperand(), "an address");
    return {};
  }
  std::uint64_t part = 0;
  return load_parts(load, address.bits, load.getType(), load.isVolatile(), part);
}

Walker::Value Walker::load_parts(const Instruction& instruction, std::uint64_t address, Type* type, bool is_volatile,
                                 std::uint64_t& part) {
  if (ended_) return {};
  if (types_.is_aggregate(type)) {
    Value all{Value::Kind::parts, 0, {}};
    for (std::uint64_t i = 0; i < types_.part_count(type); ++i) {
      all.parts.push_back(
          load_parts(instruction, address + types_.part_offset(type, i), types_.part_type(type, i), is_volatile, part));
    }
    return all;
  }
  const std::uint64_t size = program_.layout().getTypeStoreSize(type);
  const std::uint64_t number = part++;
  switch (where(instruction, address, size, false)) {
    case Where::nowhere:
      return {};
    case Where::context: {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const char*>(&context_) + (address - SteadyAddresses::kContext), size);
      return Value::known(bits);
    }
    case Where::own:
      return load_own(instruction, address, type, number);
    case Where::shared_with_others:
      break;
  }
  residual::Instruction made = access(instruction, Kind::load, address, size);
  made.strong = is_volatile;
  made.is_volatile = is_volatile;
  made.scope = is_volatile ? __ws_hook::kSystemScope : 0;
  made.more = number > 0 && continues(result_.thread.code, made);
  made.target = registers_.of(program_.number(instruction), number, static_cast<unsigned>(8 * size));
  Value result = Value::unknown(*made.target);
  emit(std::move(made));
  const unsigned bits = types_.bits_of(type);
  if (bits == 8 * size) return result;
  return emit_compute(instruction, Op::mov, {result}, bits, number + 1000);
}

Walker::Value Walker::load_own(const Instruction& instruction, std::uint64_t address, Type* type, std::uint64_t part) {
  const std::uint64_t size = program_.layout().getTypeStoreSize(type);
  const auto quiet = knowledge_.quiet.find({address, size});
  if (quiet != knowledge_.quiet.end() && !point_.memory.byte(address) && !point_.memory.touches_cell(address, size)) {
    const auto after = quiet->second.lower_bound(point_.phase);
    if (after != quiet->second.begin()) return std::prev(after)->second;
  }
  if (const std::optional<std::uint32_t> cell = point_.memory.cell(address, size)) {
    return emit_compute(instruction, Op::mov, {Value::unknown(*cell)}, types_.bits_of(type), part);
  }
  if (size > 8) {
    stop(instruction, Stop::not_modelled, fmt::format("a value of {} bytes", size));
    return {};
  }
  if (point_.memory.touches_cell(address, size)) return put_together(instruction, address, type, part);
  const std::optional<std::uint64_t> bits = read_known(address, size);
  if (!bits) return {};
  const unsigned width = types_.bits_of(type);
  return Value::known(width >= 64 ? *bits : *bits & ((std::uint64_t{1} << width) - 1));
}

// A value of bytes that are known and of registers, whole ones or parts.
Walker::Value Walker::put_together(const Instruction& instruction, std::uint64_t address, Type* type,
                                   std::uint64_t part) {
  const std::uint64_t size = program_.layout().getTypeStoreSize(type);
  Value sum = Value::known(0);
  std::uint64_t at = address;
  auto add = [&](const Value& value, std::uint64_t to) {
    const Value there = to == 0 ? value : temporary(instruction, Op::shl, {value, Value::known(8 * to)}, 64);
    sum = temporary(instruction, Op::or_, {sum, there}, 64);
  };
  auto add_known_until = [&](std::uint64_t end) {
    for (; at < end; ++at) {
      const std::optional<std::uint64_t> byte = read_known(at, 1);
      if (!byte) return false;
      if (*byte != 0) add(Value::known(*byte), at - address);
    }
    return true;
  };
  for (const PartialMemory::Cell& cell : point_.memory.cells_in(address, size)) {
    if (!add_known_until(cell.begin)) return {};
    Value value = temporary(instruction, Op::mov, {Value::unknown(cell.reg)}, 64);
    const std::uint64_t skipped = at - cell.begin;
    if (skipped > 0) value = temporary(instruction, Op::shift_right, {value, Value::known(8 * skipped)}, 64);
    add(value, at - address);
    at = std::min(cell.begin + cell.size, address + size);
  }
  if (!add_known_until(address + size)) return {};
  return emit_compute(instruction, Op::mov, {sum}, types_.bits_of(type), part);
}

void Walker::store(const llvm::StoreInst& store) {
  const Value address = operand(store.getPointerOperand());
  const Value value = operand(store.getValueOperand());
  if (ended_) return;
  if (store.isAtomic()) return stop(store, Stop::not_modelled, "an atomic store that clang makes itself");
  if (address.has_undefined()) return stop(store, Stop::not_modelled, "a write at an address that was never set");
  if (!address.is_known()) return need_known(store, store.getPointerOperand(), "an address");
  std::uint64_t part = 0;
  store_parts(store, address.bits, value, store.getValueOperand()->getType(), store.isVolatile(), part);
}

void Walker::store_parts(const Instruction& instruction, std::uint64_t address, const Value& value, Type* type,
                         bool is_volatile, std::uint64_t& part) {
  if (ended_) return;
  if (types_.is_aggregate(type)) {
    for (std::uint64_t i = 0; i < types_.part_count(type); ++i) {
      store_parts(instruction, address + types_.part_offset(type, i), value.parts.at(i), types_.part_type(type, i),
                  is_volatile, part);
    }
    return;
  }
  const std::uint64_t size = program_.layout().getTypeStoreSize(type);
  const std::uint64_t number = part++;
  switch (where(instruction, address, size, true)) {
    case Where::nowhere:
      return;
    case Where::context:
      return stop(instruction, Stop::not_modelled, "a write into the state of the thread");
    case Where::own:
      return store_own(instruction, address, size, value);
    case Where::shared_with_others:
      break;
  }
  if (value.has_undefined()) {
    return stop(instruction, Stop::not_modelled, "a value that was never set is stored where others read");
  }
  residual::Instruction made = access(instruction, Kind::store, address, size);
  made.strong = is_volatile;
  made.is_volatile = is_volatile;
  made.scope = is_volatile ? __ws_hook::kSystemScope : 0;
  made.more = number > 0 && continues(result_.thread.code, made);
  made.operands = {as_operand(value)};
  emit(std::move(made));
}

void Walker::store_own(const Instruction& instruction, std::uint64_t address, std::uint64_t size, const Value& value) {
  const bool is_private = SteadyAddresses::is_private(address);
  if (!is_private) result_.touched[{address, size}].phases[point_.phase].value = value;
  if (size > 8) return stop(instruction, Stop::not_modelled, fmt::format("a value of {} bytes", size));
  // What is overwritten in part has no value any more: in memory of the launch that would bring back the old one.
  const bool exact = point_.memory.cell(address, size).has_value();
  if (!is_private && point_.memory.touches_cell(address, size) && !exact) {
    return stop(instruction, Stop::not_modelled, "a write over a part of a value that depends on what others write");
  }
  if (value.kind == Value::Kind::known) return point_.memory.store_known(address, size, value.bits);
  if (value.kind == Value::Kind::undefined) {
    if (!is_private) return stop(instruction, Stop::not_modelled, "a value that was never set is stored");
    return point_.memory.forget(address, size);
  }
  const std::uint32_t cell = registers_.of_cell(address, size);
  residual::Instruction move{.kind = Kind::compute, .op = Op::mov, .target = cell};
  move.operands = {as_operand(value)};
  move.place = program_.place(instruction);
  emit(std::move(move));
  point_.memory.store_unknown(address, size, cell);
}

void Walker::copy_memory(const llvm::MemTransferInst& copy) {
  const Value to = operand(copy.getDest()), from = operand(copy.getSource()), length = operand(copy.getLength());
  if (!to.is_known() || !from.is_known() || !length.is_known()) {
    return need_known(copy,
                      !to.is_known()     ? copy.getDest()
                      : !from.is_known() ? copy.getSource()
                                         : copy.getLength(),
                      "the copy of a part of memory");
  }
  struct Moved {
    std::uint64_t offset = 0, size = 1;
    Value value;
  };
  std::vector<Moved> all;
  for (std::uint64_t i = 0; i < length.bits;) {
    std::uint64_t size = 1;
    for (const std::uint64_t whole : {8, 4, 2}) {
      if (size == 1 && i + whole <= length.bits && point_.memory.cell(from.bits + i, whole)) size = whole;
    }
    const Where source = where(copy, from.bits + i, size, false);
    if (ended_) return;
    if (source == Where::shared_with_others) {
      return stop(copy, Stop::not_modelled, "the copy of memory that others write as a whole");
    }
    if (source == Where::context) return stop(copy, Stop::not_modelled, "a copy of the state of the thread");
    Value value;
    if (const std::optional<std::uint32_t> cell = point_.memory.cell(from.bits + i, size)) {
      value = Value::unknown(*cell);
    } else if (point_.memory.touches_cell(from.bits + i, size)) {
      return stop(copy, Stop::not_modelled, "the copy of a part of a value that depends on what others write");
    } else if (const std::optional<std::uint64_t> bits = read_known(from.bits + i, size)) {
      value = Value::known(*bits);
    }
    all.push_back({i, size, value});
    i += size;
  }
  for (const Moved& moved : all) {
    const Where target = where(copy, to.bits + moved.offset, moved.size, true);
    if (ended_) return;
    if (target != Where::own) return stop(copy, Stop::not_modelled, "a copy into memory that others access");
    // Bytes that were never set are copied as such: padding.
    if (moved.value.kind == Value::Kind::undefined && SteadyAddresses::is_private(to.bits + moved.offset)) {
      point_.memory.forget(to.bits + moved.offset, moved.size);
      continue;
    }
    store_own(copy, to.bits + moved.offset, moved.size, moved.value);
    if (ended_) return;
  }
}

void Walker::set_memory(const llvm::MemSetInst& set) {
  const Value to = operand(set.getDest()), byte = operand(set.getValue()), length = operand(set.getLength());
  if (!to.is_known() || !byte.is_known() || !length.is_known()) {
    return need_known(set,
                      !to.is_known()     ? set.getDest()
                      : !byte.is_known() ? set.getValue()
                                         : set.getLength(),
                      "the setting of a part of memory");
  }
  for (std::uint64_t i = 0; i < length.bits; ++i) {
    const Where target = where(set, to.bits + i, 1, true);
    if (ended_) return;
    if (target != Where::own) return stop(set, Stop::not_modelled, "setting memory that others access");
    store_own(set, to.bits + i, 1, byte);
    if (ended_) return;
  }
}

}  // namespace weakspot::race_jit
