// SPDX-License-Identifier: MIT
// The words and types of the C-like dialects, one language with three faces: C11 tests (header `C`), OpenCL tests
// (header `OPENCL`) and tests of the Linux kernel's memory model (header `C`, told by their words). read_c*.cpp read
// the language, adapt_c.cpp and print_c.cpp write it.
//
// The mapping to instructions:
//  - a pointer parameter names the location of the same name; its pointee gives the location its type;
//  - local variables are registers; a value in the middle of an expression gets a register `__tN` of its own;
//  - `*x` is a plain (non-atomic) access, whether or not the pointee is declared atomic; `volatile` tags it;
//  - if, while, do and for become branches to labels. Labels `LN` belong to the reader and are numbered by their
//    place in the thread, so that any spelling of the same control flow gives the same instructions;
//  - compare-exchange reads and, when it fails, replaces its expected value. With a local variable `e` both are one
//    register: on success the old value is what `e` already holds. With a pointer the expected value is loaded before,
//    and stored back after a failure, by plain accesses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/names.h"
#include "litmus/test.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

enum class CFace : std::uint8_t { c11, opencl, linux_kernel };

std::string_view to_string(CFace face);  // "C11", "OpenCL" or "the Linux kernel's C", for messages
// Whether the word is one of the Linux kernel's, whose tests have the header `C` as well.
bool is_linux_word(std::string_view word);

// A type as declared. The qualifiers belong to the pointee of the last pointer.
struct CType {
  Type base = Type::s32;
  int pointers = 0;
  bool is_atomic = false;
  bool is_volatile = false;
  bool is_bool = false;
  Space space = Space::none;

  Type value() const { return pointers > 0 ? Type::s64 : base; }
  CType pointee() const {
    CType type = *this;
    --type.pointers;
    return type;
  }
};

// Whether a declaration or a cast starts here.
bool starts_c_type(const Token& token, CFace face);
// Qualifiers and the type's words, in any order, without the stars. Reports a mistake and gives nullopt otherwise.
std::optional<CType> read_c_specifiers(Cursor& cursor, CFace face);
// The stars and the qualifiers after them.
void read_c_stars(Cursor& cursor, CType& type);
// "int", "volatile global atomic_int", without stars.
std::string c_type_text(const CType& type, CFace face);

// Types of one word, which may have `atomic_` before it.
inline constexpr base::Named<Type> kCTypes[] = {
    {"int8_t", Type::s8},   {"uint8_t", Type::u8},    {"int16_t", Type::s16},   {"uint16_t", Type::u16},
    {"int32_t", Type::s32}, {"uint32_t", Type::u32},  {"int64_t", Type::s64},   {"uint64_t", Type::u64},
    {"uchar", Type::u8},    {"ushort", Type::u16},    {"uint", Type::u32},      {"ulong", Type::u64},
    {"schar", Type::s8},    {"llong", Type::s64},     {"ullong", Type::u64},    {"intptr_t", Type::s64},
    {"size_t", Type::u64},  {"ptrdiff_t", Type::s64}, {"uintptr_t", Type::u64},
};

// Words that combine: `unsigned long int`.
inline constexpr std::string_view kCBasicTypes[] = {"int",      "char",   "short", "long",
                                                    "unsigned", "signed", "bool",  "_Bool"};

inline constexpr std::string_view kCQualifiers[] = {"const", "volatile", "restrict", "__restrict", "_Atomic"};

inline constexpr base::Named<Space> kCSpaces[] = {
    {"global", Space::global},  {"__global", Space::global},   {"local", Space::shared},
    {"__local", Space::shared}, {"constant", Space::constant}, {"__constant", Space::constant},
    {"generic", Space::none},   {"__generic", Space::none},
};

inline constexpr base::Named<Order> kCOrders[] = {
    {"memory_order_relaxed", Order::relaxed}, {"memory_order_consume", Order::consume},
    {"memory_order_acquire", Order::acquire}, {"memory_order_release", Order::release},
    {"memory_order_acq_rel", Order::acq_rel}, {"memory_order_seq_cst", Order::seq_cst},
};

inline constexpr base::Named<Scope> kCScopes[] = {
    {"memory_scope_work_item", Scope::thread},       {"memory_scope_sub_group", Scope::subgroup},
    {"memory_scope_work_group", Scope::workgroup},   {"memory_scope_device", Scope::device},
    {"memory_scope_all_svm_devices", Scope::system}, {"memory_scope_all_devices", Scope::system},
};

inline constexpr base::Named<Space> kCFlags[] = {
    {"CLK_GLOBAL_MEM_FENCE", Space::global},
    {"CLK_LOCAL_MEM_FENCE", Space::shared},
};

// The read-modify-writes that take one value; the names lack `_explicit`.
inline constexpr base::Named<RmwOp> kCFetches[] = {
    {"atomic_exchange", RmwOp::exch},  {"atomic_fetch_add", RmwOp::add}, {"atomic_fetch_sub", RmwOp::sub},
    {"atomic_fetch_and", RmwOp::and_}, {"atomic_fetch_or", RmwOp::or_},  {"atomic_fetch_xor", RmwOp::xor_},
    {"atomic_fetch_min", RmwOp::min},  {"atomic_fetch_max", RmwOp::max},
};

inline constexpr base::Named<ComputeOp> kCOperators[] = {
    {"+", ComputeOp::add}, {"-", ComputeOp::sub},  {"*", ComputeOp::mul},  {"&", ComputeOp::and_},
    {"|", ComputeOp::or_}, {"^", ComputeOp::xor_}, {"<<", ComputeOp::shl}, {">>", ComputeOp::shr},
    {"==", ComputeOp::eq}, {"!=", ComputeOp::ne},  {"<", ComputeOp::lt},   {"<=", ComputeOp::le},
    {">", ComputeOp::gt},  {">=", ComputeOp::ge},
};

// Words that cannot be the name of a variable, a location or a label.
bool is_c_word(std::string_view word, CFace face);

// The prefix of the registers that hold intermediate values.
inline constexpr std::string_view kCTemporary = "__t";

// Labels the reader makes carry kCFreshLabel, which no text can spell, until number_c_labels() names them.
inline constexpr char kCFreshLabel = '#';
// Whether the label is `L0`, `L1`, ... or a fresh one, a name without a meaning.
bool is_c_numbered_label(std::string_view name);
// Names these labels L0, L1, ... in the order they stand in the thread. Idempotent.
void number_c_labels(Thread& thread);

}  // namespace weakspot::litmus
