// SPDX-License-Identifier: MIT
#include "litmus/c/c_language.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "litmus/instruction.h"

namespace weakspot::litmus {
namespace {

constexpr std::string_view kKeywords[] = {
    "auto",   "break",  "case", "continue", "default", "do",     "else",     "enum",   "extern",   "false",
    "float",  "double", "for",  "goto",     "if",      "inline", "register", "return", "sizeof",   "static",
    "struct", "switch", "true", "typedef",  "union",   "void",   "while",    "kernel", "__kernel",
};

constexpr std::string_view kLinuxWords[] = {
    "READ_ONCE",         "WRITE_ONCE",        "atomic_t",          "spinlock_t",          "atomic_read",
    "atomic_set",        "atomic_inc",        "atomic_dec",        "atomic_add",          "atomic_sub",
    "atomic_add_return", "atomic_sub_return", "atomic_inc_return", "atomic_dec_return",   "atomic_add_unless",
    "atomic_cmpxchg",    "atomic_xchg",       "call_rcu",          "atomic_read_acquire", "atomic_set_release",
};

constexpr std::string_view kFunctions[] = {
    "barrier", "work_group_barrier", "sub_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence",
};

template <std::size_t N>
bool contains(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view without_atomic(std::string_view word) {
  if (word.starts_with("atomic_")) word.remove_prefix(7);
  return word;
}

bool is_linux_type(std::string_view word, CFace face) {
  return face == CFace::linux_kernel && (word == "atomic_t" || word == "spinlock_t" || word == "intptr_t");
}

bool is_type_word(std::string_view word) {
  const std::string_view plain = without_atomic(word);
  return contains(kCBasicTypes, plain) || base::value_of(kCTypes, plain).has_value();
}

// Puts the words of one type together.
class Specifiers {
 public:
  Specifiers(Cursor& cursor, CFace face) : cursor_(cursor), face_(face) {}

  std::optional<CType> read() {
    const Token first = cursor_.peek();
    while (starts_c_type(cursor_.peek(), face_)) {
      if (!word(cursor_.next())) return std::nullopt;
    }
    if (!complete()) {
      if (cursor_.peek().kind == Token::Kind::word && cursor_.peek().text.find("int128") != std::string_view::npos) {
        cursor_.mistake(cursor_.peek().span, "types of 128 bits are not supported");
      } else if (cursor_.peek().is("struct") && face_ == CFace::linux_kernel) {
        const base::Span word = cursor_.next().span;
        const Token name = cursor_.peek();
        cursor_.mistake({word.begin, name.span.end}, fmt::format("'struct {}' is not modelled", name.text));
      } else if (cursor_.peek().kind == Token::Kind::word) {
        cursor_.mistake(cursor_.peek().span,
                        fmt::format("unknown type {}; expected an integer type such as int", describe(cursor_.peek())));
      } else {
        cursor_.expected("a type");
      }
      return std::nullopt;
    }
    if (!combine()) {
      cursor_.mistake({first.span.begin, cursor_.last_end()}, "these words do not make a type");
      return std::nullopt;
    }
    // The kernel's model knows no sizes, and its tests keep pointers in any type: all are as wide as a pointer.
    if (face_ == CFace::linux_kernel) type_.base = Type::s64;
    return type_;
  }

 private:
  bool complete() const { return named_ || ints_ + chars_ + shorts_ + longs_ + unsigneds_ + signeds_ + bools_ > 0; }

  bool word(const Token& token) {
    const std::string_view text = token.text;
    if (text == "volatile") return type_.is_volatile = true;
    if (text == "_Atomic") return atomic();
    if (contains(kCQualifiers, text)) return true;
    if (std::optional<Space> space = base::value_of(kCSpaces, text); space && face_ == CFace::opencl) {
      type_.space = *space;
      return true;
    }
    // The kernel's atomic_t is a structure around an int, its locks are as good as one.
    if (is_linux_type(text, face_) && text != "intptr_t") return ++ints_;
    if (text.starts_with("atomic_")) type_.is_atomic = true;
    return basic(without_atomic(text));
  }

  bool basic(std::string_view text) {
    if (text == "int") return ++ints_;
    if (text == "char") return ++chars_;
    if (text == "short") return ++shorts_;
    if (text == "long") return ++longs_;
    if (text == "unsigned") return ++unsigneds_;
    if (text == "signed") return ++signeds_;
    if (text == "bool" || text == "_Bool") return ++bools_;
    again_ = again_ || named_.has_value();
    named_ = base::value_of(kCTypes, text);
    return true;
  }

  // `_Atomic(int)` or `_Atomic int`
  bool atomic() {
    type_.is_atomic = true;
    if (!cursor_.accept("(")) return true;
    if (depth_++ > 0) {
      cursor_.mistake(cursor_.peek().span, "'_Atomic' is nested");
      return false;
    }
    while (starts_c_type(cursor_.peek(), face_)) {
      if (!word(cursor_.next())) return false;
    }
    return cursor_.expect(")", "after the atomic type");
  }

  bool combine() {
    if (named_) {
      type_.base = *named_;
      return !again_ && ints_ + chars_ + shorts_ + longs_ + unsigneds_ + signeds_ + bools_ == 0;
    }
    const bool is_unsigned = unsigneds_ > 0;
    if (unsigneds_ + signeds_ > 1 || ints_ > 1 || (chars_ > 0) + (shorts_ > 0) + (longs_ > 0) + (bools_ > 0) > 1 ||
        chars_ > 1 || shorts_ > 1 || longs_ > 2 || bools_ > 1 || ((chars_ > 0 || bools_ > 0) && ints_ > 0)) {
      return false;
    }
    if (bools_ > 0) {
      type_.is_bool = true;
      return unsigneds_ + signeds_ == 0;
    }
    type_.base = is_unsigned ? Type::u32 : Type::s32;
    if (chars_ > 0) type_.base = is_unsigned ? Type::u8 : Type::s8;
    if (shorts_ > 0) type_.base = is_unsigned ? Type::u16 : Type::s16;
    if (longs_ > 0) type_.base = is_unsigned ? Type::u64 : Type::s64;
    return true;
  }

  Cursor& cursor_;
  CFace face_;
  CType type_;
  std::optional<Type> named_;
  bool again_ = false;
  int ints_ = 0, chars_ = 0, shorts_ = 0, longs_ = 0, unsigneds_ = 0, signeds_ = 0, bools_ = 0;
  int depth_ = 0;
};

std::string_view base_type_text(Type type, CFace face) {
  if (face == CFace::linux_kernel && type == Type::s64) return "int";
  static constexpr base::Named<Type> kC11[] = {
      {"int8_t", Type::s8}, {"uint8_t", Type::u8},   {"int16_t", Type::s16}, {"uint16_t", Type::u16},
      {"int", Type::s32},   {"uint32_t", Type::u32}, {"int64_t", Type::s64}, {"uint64_t", Type::u64},
  };
  static constexpr base::Named<Type> kOpenCL[] = {
      {"char", Type::s8}, {"uchar", Type::u8}, {"short", Type::s16}, {"ushort", Type::u16},
      {"int", Type::s32}, {"uint", Type::u32}, {"long", Type::s64},  {"ulong", Type::u64},
  };
  return face == CFace::opencl ? base::name_of(kOpenCL, type) : base::name_of(kC11, type);
}

}  // namespace

std::string_view to_string(CFace face) {
  switch (face) {
    case CFace::c11:
      return "C11";
    case CFace::opencl:
      return "OpenCL";
    case CFace::linux_kernel:
      return "the Linux kernel's C";
  }
  return "";
}

bool is_linux_word(std::string_view word) {
  // Asked of every word of a C test.
  if (word.empty() || std::string_view("RWacrsx").find(word[0]) == std::string_view::npos) return false;
  for (std::string_view prefix : {"smp_", "rcu_", "srcu_", "synchronize_", "spin_", "cmpxchg", "xchg"}) {
    if (word.starts_with(prefix)) return true;
  }
  return contains(kLinuxWords, word);
}

bool starts_c_type(const Token& token, CFace face) {
  if (token.kind != Token::Kind::word) return false;
  return is_type_word(token.text) || contains(kCQualifiers, token.text) || is_linux_type(token.text, face) ||
         (face == CFace::opencl && base::value_of(kCSpaces, token.text).has_value());
}

std::optional<CType> read_c_specifiers(Cursor& cursor, CFace face) { return Specifiers(cursor, face).read(); }

void read_c_stars(Cursor& cursor, CType& type) {
  while (cursor.peek().is("*") || (type.pointers > 0 && contains(kCQualifiers, cursor.peek().text))) {
    if (cursor.next().is("*")) type.pointers = std::min(type.pointers + 1, 8);
  }
}

std::string c_type_text(const CType& type, CFace face) {
  std::string text;
  if (type.is_volatile) text += "volatile ";
  if (type.space != Space::none) text += fmt::format("{} ", base::name_of(kCSpaces, type.space));
  const std::string_view base = base_type_text(type.base, face);
  if (!type.is_atomic || face == CFace::linux_kernel) return text + std::string(base);
  if (face == CFace::c11 && type.base != Type::s32) return text + fmt::format("_Atomic({})", base);
  return text + fmt::format("atomic_{}", base);
}

bool is_c_word(std::string_view word, CFace face) {
  if (contains(kKeywords, word) || contains(kCQualifiers, word) || is_type_word(word) || word.starts_with("atomic_") ||
      word.starts_with("memory_order_") || word.starts_with("memory_scope_")) {
    return true;
  }
  return face == CFace::opencl &&
         (base::value_of(kCSpaces, word).has_value() || contains(kFunctions, word) || word.starts_with("CLK_"));
}

bool is_c_numbered_label(std::string_view name) {
  if (name.starts_with(kCFreshLabel)) return true;
  return name.size() > 1 && name[0] == 'L' &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void number_c_labels(Thread& thread) {
  std::map<std::string, std::string, std::less<>> names;
  for (Instruction& instruction : thread.instructions) {
    auto* label = std::get_if<Label>(&instruction.operation);
    if (label == nullptr || !is_c_numbered_label(label->name)) continue;
    label->name = names.emplace(label->name, fmt::format("L{}", names.size())).first->second;
  }
  for (Instruction& instruction : thread.instructions) {
    auto* branch = std::get_if<Branch>(&instruction.operation);
    if (branch == nullptr) continue;
    if (auto found = names.find(branch->label); found != names.end()) branch->label = found->second;
  }
}

}  // namespace weakspot::litmus
