// SPDX-License-Identifier: MIT
// The classes of AArch64 instructions, Arm Architecture Reference Manual, C4.1.
#include <fmt/format.h>

#include "optcheck/cpu/any_code.h"

namespace weakspot::optcheck {
namespace {

class AnyAArch64 {
 public:
  AnyAArch64(std::uint32_t word, std::uint64_t at) : word_(word) {
    out_.code.at = at;
    out_.code.text = fmt::format(".word {:#010x}", word);
  }

  AnyInstruction read() {
    if (is(0x1c000000, 0x14000000)) {
      control();
    } else if (is(0x0a000000, 0x08000000)) {
      memory();
    } else if (is(0x0e000000, 0x0e000000)) {
      out_.vector = true;
      out_.exact = false;
      write(rd());
      out_.code.step.writes.push_back(kFlagsRegister);
    } else if (is(0x0e000000, 0x0a000000)) {
      registers();
    } else if (is(0x1f000000, 0x10000000)) {
      write(rd());
      out_.code.sum = CpuSum{};  // an address beside the code: which one does not matter
      out_.code.sum->target = static_cast<Register>(rd());
    } else {
      out_.exact = false;
      read_from(rn());
      read_from(rm());
      write(rd());
      out_.code.step.writes.push_back(kFlagsRegister);
    }
    return std::move(out_);
  }

 private:
  std::uint32_t bits(int high, int low) const { return word_ >> low & ((1u << (high - low + 1)) - 1); }
  bool is(std::uint32_t mask, std::uint32_t value) const { return (word_ & mask) == value; }
  std::uint32_t rd() const { return bits(4, 0); }
  std::uint32_t rn() const { return bits(9, 5); }
  std::uint32_t rm() const { return bits(20, 16); }
  static std::int64_t extended(std::uint32_t value, int width) {
    return static_cast<std::int64_t>(std::uint64_t{value} << (64 - width)) >> (64 - width);
  }
  static Register stack_or(std::uint32_t number) {
    return number == 31 ? kStackRegister : static_cast<Register>(number);
  }
  void read_from(std::uint32_t number) {
    if (number != 31) out_.code.step.data.push_back(static_cast<Register>(number));
  }
  void write(std::uint32_t number) {
    if (number != 31) out_.code.step.writes.push_back(static_cast<Register>(number));
  }

  void control() {
    if (is(0xfc000000, 0x94000000)) {
      out_.call = out_.code.at + static_cast<std::uint64_t>(extended(bits(25, 0), 26) * 4);
    } else if (is(0xfe000000, 0xd6000000)) {
      out_.leaves = true;
      out_.code.step.falls_through = bits(24, 21) == 1;
    } else if (is(0x7e000000, 0x36000000)) {
      out_.code.jump = out_.code.at + static_cast<std::uint64_t>(extended(bits(18, 5), 14) * 4);
      if (rd() != 31) out_.code.step.condition = {static_cast<Register>(rd())};
    } else if (!is(0xfffff01f, 0xd503201f)) {  // a hint does nothing
      out_.exact = false;
      write(rd());
    }
  }

  void memory() {
    const bool vector = bits(26, 26) != 0;
    const bool load = bits(22, 22) != 0;
    out_.vector = vector;
    if (is(0x3b000000, 0x18000000)) return literal();
    out_.code.address = CpuAddress{stack_or(rn()), std::nullopt, 0};
    if (is(0x3a000000, 0x28000000)) {
      pair(load);
    } else if (is(0x3b000000, 0x39000000) || is(0x3b200000, 0x38000000) || is(0x3b200c00, 0x38200800)) {
      single();
    } else {
      out_.memory = true;
      out_.exact = false;
      for (const std::uint32_t number : {rd(), rm(), bits(14, 10)}) {
        read_from(number);
        write(number);
      }
    }
  }

  void move_base() {
    out_.code.step.writes.push_back(stack_or(rn()));
    out_.moves_base = true;
  }

  // Constants beside the code.
  void literal() {
    if (!out_.vector) write(rd());
  }

  void pair(bool load) {
    out_.memory = true;
    const std::uint32_t scale = out_.vector ? 2 + bits(31, 30) : bits(31, 31) != 0 ? 3u : 2u;
    out_.code.address->displacement = extended(bits(21, 15), 7) * (std::int64_t{1} << scale);
    if (bits(24, 23) == 1) out_.code.address->displacement = 0;
    if ((bits(24, 23) & 1) != 0) move_base();
    if (out_.vector) return;
    for (const std::uint32_t number : {rd(), bits(14, 10)}) load ? write(number) : read_from(number);
  }

  void single() {
    const std::uint32_t size = bits(31, 30) | (out_.vector ? bits(23, 23) << 2 : 0);
    const std::uint32_t opcode = bits(23, 22);
    const bool load = out_.vector ? (opcode & 1) != 0 : opcode != 0;
    if (!out_.vector && size == 3 && opcode == 2) {  // a prefetch
      out_.code.address.reset();
      return;
    }
    if (bits(24, 24) != 0) {
      out_.code.address->displacement = std::int64_t{bits(21, 10)} << size;
    } else if (bits(21, 21) != 0) {
      if (rm() != 31) out_.code.address->index = static_cast<Register>(rm());
    } else {
      const std::uint32_t mode = bits(11, 10);
      if (mode != 1) out_.code.address->displacement = extended(bits(20, 12), 9);
      if ((mode & 1) != 0) move_base();
    }
    if (out_.vector) {
      out_.memory = true;
      return;
    }
    out_.code.event = Event{};
    out_.code.event->kind = load ? EventKind::load : EventKind::store;
    out_.code.event->bytes = 1 << size;
    out_.code.step.reads = load;
    load ? write(rd()) : read_from(rd());
    out_.code.text = fmt::format("{} x{}, [x{}]", load ? "ldr" : "str", rd(), rn());
  }

  void registers() {
    if (is(0x1fe00000, 0x1a400000)) {  // a conditional comparison
      read_from(rn());
      if (bits(11, 11) == 0) read_from(rm());
      out_.code.step.data.push_back(kFlagsRegister);
      out_.code.step.writes.push_back(kFlagsRegister);
      return;
    }
    read_from(rn());
    const bool one_source = is(0x5fe00000, 0x5ac00000);
    if (!one_source) read_from(rm());
    if (is(0x1f000000, 0x1b000000)) read_from(bits(14, 10));
    write(rd());
    const bool sum = is(0x1f200000, 0x0b200000) || is(0x1fe00000, 0x1a000000);
    if (sum && bits(29, 29) != 0) out_.code.step.writes.push_back(kFlagsRegister);
  }

  std::uint32_t word_;
  AnyInstruction out_;
};

}  // namespace

AnyCode read_any_aarch64(std::span<const std::uint8_t> code, std::uint64_t begin, std::uint64_t end) {
  std::vector<AnyInstruction> all;
  for (std::uint64_t at = begin; at + 4 <= end && at + 4 <= code.size(); at += 4) {
    if (std::optional<CpuDecoded> known = decode_aarch64_at(code, at)) {
      AnyInstruction one;
      one.code = *std::move(known);
      all.push_back(std::move(one));
      continue;
    }
    std::uint32_t word = 0;
    for (std::uint64_t i = 0; i < 4; ++i) word |= std::uint32_t{code[at + i]} << (8 * i);
    all.push_back(AnyAArch64(word, at).read());
  }
  return all;
}

}  // namespace weakspot::optcheck
