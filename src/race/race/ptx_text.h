// SPDX-License-Identifier: MIT
// Modules of PTX as text: read into plain structures, without LLVM and without a table of instructions. An instruction
// is its dotted name and its operands; what they mean is left to those who translate it. Names are resolved: a register
// or a variable that is declared in braces is another one than its namesake outside.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::race::ptx {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

enum class Space : std::uint8_t { parameter, global, constant, shared, local };

// A value of an initialiser: a number as its bits, or an address.
struct Initial {
  std::uint64_t bits = 0;
  bool real = false;   // `bits` are those of a double, to be rounded to the type of the variable
  std::string symbol;  // an address if not empty, `bits` behind it
};

struct Variable {
  std::string name;
  Space space = Space::global;
  std::string type;             // "b8", "u64", "f32"
  std::uint64_t alignment = 0;  // 0: that of the type
  std::uint64_t count = 1;      // of elements; 0: as large as the launch says
  bool pointer = false;         // a parameter with .ptr
  bool external = false;
  std::vector<Initial> initial;  // fewer than `count`: the rest is zero
  std::size_t reg = kNone;       // of a parameter or result in a register: index of Function::registers
  base::Span span;

  // Bytes of one element.
  std::uint64_t element() const;
  std::uint64_t size() const { return element() * count; }
};

// A place of the source that the PTX was made from. `inlined_at` is an index of Module::locations: the call.
struct Location {
  unsigned file = 0, line = 0, column = 0;
  std::string function;  // the function that was inlined, where the text names it
  std::size_t inlined_at = kNone;
};

struct Operand {
  enum class Kind : std::uint8_t { reg, name, integer, real, address, vector, list };
  Kind kind = Kind::name;
  std::size_t reg = kNone;   // index of Function::registers; also the base of an address
  std::string name;          // a special register (%tid.x), a variable, a label or "_"; also the base of an address
  bool negated = false;      // !p
  std::uint64_t number = 0;  // bits of an integer or of a real number; the offset of an address or behind a name
  unsigned bits = 0;         // of a real number that is written as its bits, 0f3f800000: 32 or 64; otherwise a double
  std::vector<Operand> elements;  // {a, b}, (a, b), or behind an address, [a, {b, c}]
  base::Span span;
};

struct Guard {
  std::size_t reg = kNone;  // kNone: always
  bool negated = false;
};

struct Instruction {
  Guard guard;
  std::vector<std::string> opcode;  // {"ld", "global", "v4", "b32"}; "shared::cta" is one word
  std::vector<Operand> operands;    // "d|p" is two
  std::size_t location = kNone;     // index of Module::locations
  base::Span span;

  const std::string& name() const { return opcode.front(); }
  // Whether the dotted name has this word after the first.
  bool has(std::string_view word) const;
};

struct Register {
  std::string name;
  std::string type;  // "pred", "b32", "f64"
};

struct Function {
  std::string name;
  bool entry = false;    // a kernel
  bool defined = false;  // has a body
  std::vector<Variable> results, parameters;
  std::map<std::string, std::vector<std::uint64_t>> directives;  // "reqntid": {128, 1, 1}
  std::vector<Register> registers;                               // those that instructions name
  std::vector<Variable> variables;                               // declared in the body
  std::vector<Instruction> body;
  std::map<std::string, std::size_t> labels;  // indices of the instructions behind them
  std::map<std::string, std::vector<std::string>> branch_targets;
  base::Span span;              // its name
  base::Span opening, closing;  // the braces around the body
};

struct Module {
  unsigned version_major = 0, version_minor = 0;
  std::vector<std::string> target;  // {"sm_90a"}
  unsigned address_size = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<unsigned, std::string> files;
  std::vector<Location> locations;
};

// All mistakes of the text, or the module.
base::Result<Module> read_module(const base::Source& source);

// Bytes of a type, "b8" or "pred"; nothing if there is no such type.
std::optional<unsigned> type_size(std::string_view type);

}  // namespace weakspot::race::ptx
