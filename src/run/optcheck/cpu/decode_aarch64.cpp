// SPDX-License-Identifier: MIT
// AArch64 words. Field names are those of the Arm Architecture Reference Manual, C4 "A64 Instruction Set Encoding".
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "optcheck/cpu/decoded.h"

namespace weakspot::optcheck {
namespace {

using litmus::Order;
using litmus::RmwOp;

constexpr std::uint32_t kStackNumber = 31;

std::string_view condition_name(std::uint32_t number) {
  static constexpr std::string_view kNames[] = {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                                                "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};
  return kNames[number & 15];
}

Order order_of(bool acquire, bool release) {
  if (acquire) return release ? Order::acq_rel : Order::acquire;
  return release ? Order::release : Order::relaxed;
}

class AArch64Word {
 public:
  AArch64Word(std::uint32_t word, std::uint64_t at) : word_(word) { out_.at = at; }

  std::optional<CpuDecoded> decode() {
    const bool known = branches() || system() || exclusives() || atomics() || memory() || constants() || additions() ||
                       logic() || selection() || others();
    if (!known) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::uint32_t bits(int high, int low) const { return word_ >> low & ((1u << (high - low + 1)) - 1); }
  bool is(std::uint32_t mask, std::uint32_t value) const { return (word_ & mask) == value; }
  bool wide() const { return bits(31, 31) != 0; }
  std::uint32_t rd() const { return bits(4, 0); }
  std::uint32_t rn() const { return bits(9, 5); }
  std::uint32_t rm() const { return bits(20, 16); }

  static Register stack_or(std::uint32_t number) {
    return number == kStackNumber ? kStackRegister : static_cast<Register>(number);
  }
  static std::string name(std::uint32_t number, bool is_wide) {
    const char letter = is_wide ? 'x' : 'w';
    return number == 31 ? fmt::format("{}zr", letter) : fmt::format("{}{}", letter, number);
  }
  static std::string stack_name(std::uint32_t number) {
    return number == kStackNumber ? "sp" : fmt::format("x{}", number);
  }

  template <typename... Args>
  bool text(fmt::format_string<Args...> format, Args&&... args) {
    out_.text = fmt::format(format, std::forward<Args>(args)...);
    return true;
  }
  void reads(std::initializer_list<std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers) {
      if (number != kZeroRegister) out_.step.data.push_back(static_cast<Register>(number));
    }
  }
  void writes(std::uint32_t number) {
    if (number != kZeroRegister) out_.step.writes.push_back(static_cast<Register>(number));
  }
  CpuSum& sum(Register target) {
    out_.sum = CpuSum{};
    out_.sum->target = target;
    return *out_.sum;
  }

  // ---- control ----

  void jump_by(std::int64_t words) { out_.jump = out_.at + static_cast<std::uint64_t>(words * 4); }
  static std::int64_t extended(std::uint32_t value, int width) {
    return static_cast<std::int64_t>(std::uint64_t{value} << (64 - width)) >> (64 - width);
  }

  bool branches() {
    if (is(0xfc000000, 0x14000000)) {
      jump_by(extended(bits(25, 0), 26));
      out_.step.falls_through = false;
      return text("b {:#x}", *out_.jump);
    }
    if (is(0xff000010, 0x54000000)) {
      jump_by(extended(bits(23, 5), 19));
      out_.step.condition = {kFlagsRegister};
      return text("b.{} {:#x}", condition_name(bits(3, 0)), *out_.jump);
    }
    if (is(0x7e000000, 0x34000000)) {
      jump_by(extended(bits(23, 5), 19));
      if (rd() != kZeroRegister) out_.step.condition = {static_cast<Register>(rd())};
      return text("{} {}, {:#x}", bits(24, 24) != 0 ? "cbnz" : "cbz", name(rd(), wide()), *out_.jump);
    }
    if (word_ == 0xd65f03c0) {
      out_.step.falls_through = false;
      return text("ret");
    }
    return false;
  }

  bool system() {
    if (!is(0xfffff01f, 0xd503301f)) return false;
    static constexpr std::string_view kDomains[16] = {"", "oshld", "oshst", "osh", "", "nshld", "nshst", "nsh",
                                                      "", "ishld", "ishst", "ish", "", "ld",    "st",    "sy"};
    const std::uint32_t which = bits(7, 5);
    const std::string_view domain = kDomains[bits(11, 8)];
    if (which == 6) {
      out_.text = "isb";
    } else if ((which == 4 || which == 5) && !domain.empty()) {
      out_.text = fmt::format("{} {}", which == 4 ? "dsb" : "dmb", domain);
    } else {
      return false;
    }
    out_.event = Event{};
    out_.event->kind = EventKind::fence;
    out_.event->fence = out_.text;
    return true;
  }

  // ---- memory ----

  Event& access(EventKind kind, std::uint32_t size) {
    out_.event = Event{};
    out_.event->kind = kind;
    out_.event->bytes = 1 << size;
    out_.step.reads = kind != EventKind::store;
    return *out_.event;
  }
  static std::string_view suffix(std::uint32_t size) { return size == 0 ? "b" : size == 1 ? "h" : ""; }

  bool exclusives() {
    if (!is(0x3f000000, 0x08000000)) return false;
    const std::uint32_t size = bits(31, 30);
    const bool o2 = bits(23, 23) != 0, load = bits(22, 22) != 0, o1 = bits(21, 21) != 0, o0 = bits(15, 15) != 0;
    if (bits(14, 10) != 31) return false;
    out_.address = CpuAddress{stack_or(rn()), std::nullopt, 0};
    const std::string data = name(rd(), size == 3);
    const std::string at = stack_name(rn());
    if (o2 && o1) {
      Event& event = access(EventKind::rmw, size);
      event.op = RmwOp::cas;
      event.order = order_of(load, o0);
      reads({rm(), rd()});
      writes(rm());
      return text("cas{}{}{} {}, {}, [{}]", load ? "a" : "", o0 ? "l" : "", suffix(size), name(rm(), size == 3), data,
                  at);
    }
    if (o1 || (o2 && !o0)) return false;
    Event& event = access(load ? EventKind::load : EventKind::store, size);
    event.exclusive = !o2;
    event.order = order_of(load && o0, !load && o0);
    load ? writes(rd()) : reads({rd()});
    if (o2) return text("{}{} {}, [{}]", load ? "ldar" : "stlr", suffix(size), data, at);
    if (load) return text("{}{} {}, [{}]", o0 ? "ldaxr" : "ldxr", suffix(size), data, at);
    out_.status = static_cast<Register>(rm());
    writes(rm());
    out_.step.reads = true;  // the status of the store comes from memory
    return text("{}{} {}, {}, [{}]", o0 ? "stlxr" : "stxr", suffix(size), name(rm(), false), data, at);
  }

  bool atomics() {
    if (!is(0x3f200c00, 0x38200000)) return false;
    const std::uint32_t size = bits(31, 30);
    const bool acquire = bits(23, 23) != 0, release = bits(22, 22) != 0;
    out_.address = CpuAddress{stack_or(rn()), std::nullopt, 0};
    const std::string target = name(rd(), size == 3);
    const std::string at = stack_name(rn());
    const std::uint32_t opcode = bits(15, 12);
    if (opcode == 12) {
      if (!acquire || release || rm() != 31) return false;
      access(EventKind::load, size).order = Order::acquire_pc;
      writes(rd());
      return text("ldapr{} {}, [{}]", suffix(size), target, at);
    }
    static constexpr std::pair<std::string_view, RmwOp> kOps[] = {
        {"ldadd", RmwOp::add},  {"ldclr", RmwOp::and_}, {"ldeor", RmwOp::xor_},
        {"ldset", RmwOp::or_},  {"ldsmax", RmwOp::max}, {"ldsmin", RmwOp::min},
        {"ldumax", RmwOp::max}, {"ldumin", RmwOp::min}, {"swp", RmwOp::exch}};
    if (opcode > 8) return false;
    Event& event = access(EventKind::rmw, size);
    event.op = kOps[opcode].second;
    event.order = order_of(acquire, release);
    reads({rm()});
    writes(rd());
    return text("{}{}{}{} {}, {}, [{}]", kOps[opcode].first, acquire ? "a" : "", release ? "l" : "", suffix(size),
                name(rm(), size == 3), target, at);
  }

  bool memory() {
    const bool offset = is(0x3f000000, 0x39000000);
    const bool unscaled = is(0x3f200c00, 0x38000000);
    const bool indexed = is(0x3f200c00, 0x38200800);
    if (!offset && !unscaled && !indexed) return false;
    const std::uint32_t size = bits(31, 30);
    const std::uint32_t opcode = bits(23, 22);
    if (size == 3 && opcode > 1) return false;  // prefetch
    CpuAddress address{stack_or(rn()), std::nullopt, 0};
    if (offset) address.displacement = std::int64_t{bits(21, 10)} << size;
    if (unscaled) address.displacement = extended(bits(20, 12), 9);
    if (indexed) {
      if (bits(15, 13) != 3 || bits(12, 12) != 0) return false;  // LSL #0 only
      if (rm() != kZeroRegister) address.index = static_cast<Register>(rm());
    }
    const bool load = opcode != 0;
    access(load ? EventKind::load : EventKind::store, size);
    load ? writes(rd()) : reads({rd()});
    const std::string at = indexed ? fmt::format("[{}, {}]", stack_name(rn()), name(rm(), true))
                           : address.displacement == 0
                               ? fmt::format("[{}]", stack_name(rn()))
                               : fmt::format("[{}, #{}]", stack_name(rn()), address.displacement);
    out_.address = address;
    return text("{}{}{} {}, {}", load ? "ldr" : "str", opcode > 1 ? "s" : "",
                opcode > 1 && size == 2 ? "w" : suffix(size), name(rd(), size == 3 || opcode == 2), at);
  }

  // ---- arithmetic ----

  bool constants() {
    if (!is(0x1f800000, 0x12800000)) return false;
    const std::uint32_t opcode = bits(30, 29);
    const int shift = static_cast<int>(bits(22, 21)) * 16;
    const std::int64_t value = static_cast<std::int64_t>(std::uint64_t{bits(20, 5)} << shift);
    CpuSum& made = sum(static_cast<Register>(rd()));
    writes(rd());
    if (opcode == 3) {
      reads({rd()});
      made.constant = bits(20, 5);
      made.insert = shift;
      return text("movk {}, #{}, lsl #{}", name(rd(), wide()), bits(20, 5), shift);
    }
    if (opcode == 1) return false;
    made.constant = opcode == 2 ? value
                    : wide()    ? ~value
                                : static_cast<std::int64_t>(~static_cast<std::uint32_t>(value));
    return text("mov {}, #{}", name(rd(), wide()), made.constant);
  }

  bool additions() {
    const bool subtract = bits(30, 30) != 0;
    const bool flags = bits(29, 29) != 0;
    const std::string_view verb = subtract ? "sub" : "add";
    if (is(0x1f800000, 0x11000000)) {
      const std::int64_t value = std::int64_t{bits(21, 10)} << (bits(22, 22) != 0 ? 12 : 0);
      const Register from = stack_or(rn());
      out_.step.data.push_back(from);
      if (flags) {
        out_.step.writes.push_back(kFlagsRegister);
        writes(rd());
        return text("{}s {}, {}, #{}", verb, name(rd(), wide()), name(rn(), wide()), value);
      }
      const Register to = stack_or(rd());
      out_.step.writes.push_back(to);
      CpuSum& made = sum(to);
      made.added = {from};
      made.constant = subtract ? -value : value;
      return text("{} {}, {}, #{}", verb, rd() == 31 ? "sp" : name(rd(), wide()),
                  rn() == 31 ? "sp" : name(rn(), wide()), value);
    }
    if (!is(0x1f200000, 0x0b000000)) return false;
    reads({rn(), rm()});
    writes(rd());
    if (flags) out_.step.writes.push_back(kFlagsRegister);
    if (!flags && !subtract && bits(15, 10) == 0 && rn() != 31 && rm() != 31) {
      sum(static_cast<Register>(rd())).added = {static_cast<Register>(rn()), static_cast<Register>(rm())};
    }
    return text("{}{} {}, {}, {}", verb, flags ? "s" : "", name(rd(), wide()), name(rn(), wide()), name(rm(), wide()));
  }

  // The bits that a logical immediate stands for.
  std::optional<std::uint64_t> pattern() const {
    const std::uint32_t n = bits(22, 22), rotate = bits(21, 16), ones = bits(15, 10);
    const int length = static_cast<int>(std::bit_width((n << 6) | (~ones & 0x3f))) - 1;
    if (length < 1 || (n != 0 && !wide())) return std::nullopt;
    const std::uint32_t size = 1u << length;
    const std::uint32_t s = ones & (size - 1), r = rotate & (size - 1);
    if (s == size - 1) return std::nullopt;
    std::uint64_t element = (std::uint64_t{1} << (s + 1)) - 1;
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    if (r != 0) element = ((element >> r) | (element << (size - r))) & all;
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < 64; i += size) value |= element << i;
    return wide() ? value : value & 0xffffffffu;
  }

  bool logic() {
    static constexpr std::string_view kNames[] = {"and", "orr", "eor", "ands"};
    const std::uint32_t opcode = bits(30, 29);
    if (is(0x1f800000, 0x12000000)) {
      const std::optional<std::uint64_t> value = pattern();
      if (!value) return false;
      reads({rn()});
      writes(rd());
      if (opcode == 3) out_.step.writes.push_back(kFlagsRegister);
      if (opcode == 1 && rn() == 31) sum(static_cast<Register>(rd())).constant = static_cast<std::int64_t>(*value);
      return text("{} {}, {}, #{:#x}", kNames[opcode], name(rd(), wide()), name(rn(), wide()), *value);
    }
    if (!is(0x1f000000, 0x0a000000)) return false;
    reads({rn(), rm()});
    writes(rd());
    if (opcode == 3) out_.step.writes.push_back(kFlagsRegister);
    const bool inverted = bits(21, 21) != 0;
    if (opcode == 1 && !inverted && rn() == 31 && bits(15, 10) == 0) {
      CpuSum& made = sum(static_cast<Register>(rd()));
      if (rm() != 31) made.added = {static_cast<Register>(rm())};
      return text("mov {}, {}", name(rd(), wide()), name(rm(), wide()));
    }
    return text("{}{} {}, {}, {}", kNames[opcode], inverted ? " (inverted)" : "", name(rd(), wide()),
                name(rn(), wide()), name(rm(), wide()));
  }

  bool selection() {
    if (!is(0x3fe00800, 0x1a800000)) return false;
    reads({rn(), rm()});
    out_.step.data.push_back(kFlagsRegister);
    writes(rd());
    const std::uint32_t which = bits(30, 30) * 2 + bits(10, 10);
    static constexpr std::string_view kNames[] = {"csel", "csinc", "csinv", "csneg"};
    return text("{} {}, {}, {}, {}", kNames[which], name(rd(), wide()), name(rn(), wide()), name(rm(), wide()),
                condition_name(bits(15, 12)));
  }

  bool others() {
    if (is(0x1f800000, 0x13000000)) {  // bitfields: extensions and shifts by constants
      reads({rn()});
      writes(rd());
      const std::uint32_t opcode = bits(30, 29);
      if (opcode == 3) return false;
      if (opcode == 1) reads({rd()});
      static constexpr std::string_view kNames[] = {"sbfm", "bfm", "ubfm"};
      return text("{} {}, {}, #{}, #{}", kNames[opcode], name(rd(), wide()), name(rn(), wide()), bits(21, 16),
                  bits(15, 10));
    }
    if (is(0x7fe0f000, 0x1ac02000)) {  // shifts by registers
      static constexpr std::string_view kNames[] = {"lsl", "lsr", "asr", "ror"};
      reads({rn(), rm()});
      writes(rd());
      return text("{} {}, {}, {}", kNames[bits(11, 10)], name(rd(), wide()), name(rn(), wide()), name(rm(), wide()));
    }
    if (is(0x7fe08000, 0x1b000000)) {
      const std::uint32_t ra = bits(14, 10);
      reads({rn(), rm(), ra});
      writes(rd());
      CpuSum& made = sum(static_cast<Register>(rd()));
      made.left = static_cast<Register>(rn());
      made.right = static_cast<Register>(rm());
      if (ra != 31) made.added = {static_cast<Register>(ra)};
      if (rn() == 31 || rm() == 31) out_.sum.reset();
      return text("madd {}, {}, {}, {}", name(rd(), wide()), name(rn(), wide()), name(rm(), wide()), name(ra, wide()));
    }
    return false;
  }

  std::uint32_t word_;
  CpuDecoded out_;
};

}  // namespace

base::Result<std::vector<CpuDecoded>> decode_aarch64(std::span<const std::uint8_t> bytes) {
  std::vector<CpuDecoded> code;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
    std::optional<CpuDecoded> decoded = AArch64Word(word, at).decode();
    if (!decoded) return base::error(fmt::format("the AArch64 instruction {:#010x} at {:#x} is not known", word, at));
    code.push_back(*std::move(decoded));
  }
  return code;
}

}  // namespace weakspot::optcheck
