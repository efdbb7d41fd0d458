// SPDX-License-Identifier: MIT
// The threads of a launch after everything that the launch alone determines has been computed: indices, arguments,
// private memory, loops of known length. What is left of a thread, its residue, are the accesses of memory that others
// may change, and what it does with the values it reads there.
//
// A register holds a number of 1 to 64 bits. Memory is named by addresses of the launch, which `memory` describes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "race/request.h"
#include "race/site.h"

namespace weakspot::residual {

struct Operand {
  bool known = true;
  std::uint64_t bits = 0;  // the value, or the number of a register

  friend bool operator==(const Operand&, const Operand&) = default;
};
inline Operand known_operand(std::uint64_t bits) { return {true, bits}; }
inline Operand register_operand(std::uint64_t number) { return {false, number}; }

enum class Kind : std::uint8_t {
  load,
  store,
  update,  // an atomic read-modify-write
  fence,
  barrier,  // of all threads of the block, or with `op` mov of the warp
  compute,  // target = op(operands)
  branch,   // to `label` if op(operands) holds
  jump,     // to `label`
  label,
  stop,  // the thread ends here: `label` is the number of the reason
  end,
};

// Comparisons and shifts have a signed and an unsigned form. Results of comparisons are 1 or 0.
enum class Op : std::uint8_t {
  mov,
  add,
  sub,
  mul,
  and_,
  or_,
  xor_,
  shl,
  shift_right,
  shift_right_signed,
  sign_extend,  // the first operand is a register
  eq,
  ne,
  less,
  less_equal,
  less_signed,
  less_equal_signed,
  select,  // of the second and the third operand, by the first
  // Updates only; cas has the new and the expected value as operands.
  exchange,
  cas,
  min,
  max,
  min_signed,
  max_signed,
  increment,
  decrement,
};

struct Instruction {
  Kind kind = Kind::end;
  Op op = Op::mov;
  std::optional<std::uint32_t> target;  // a register
  std::vector<Operand> operands;
  std::uint64_t address = 0;
  std::uint8_t size = 0;   // bytes
  std::uint8_t order = 0;  // acquire 1, release 2; of a fence also 4 for one order of all of them
  std::uint8_t scope = 0;  // 0 block, 1 device, 2 system, 3 cluster
  bool strong = false;     // else a plain access
  bool is_volatile = false;
  bool more = false;  // a further element of the access before it
  std::uint32_t label = 0;
  std::uint32_t place = 0;  // in Residual::places

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Thread {
  std::uint64_t block = 0, number = 0;  // the thread's number in its block
  std::vector<std::uint8_t> widths;     // by register, in bits
  std::vector<Instruction> code;
};

// The bytes of an access, before anything runs.
struct Memory {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  std::string name;                    // "data[3]"
  std::uint64_t bits = 0;              // initial contents
  bool initialised = true;             // not so for shared memory
  std::optional<std::uint64_t> block;  // whose shared memory this is
};

// Why a thread cannot be followed further, or that it fails.
struct Stop {
  enum class Kind : std::uint8_t { assertion, trap, invalid, not_modelled, too_much };
  Kind kind = Kind::not_modelled;
  std::string what;
  std::uint32_t place = 0;
};

struct Named {
  race::NamedLocation asked;
  std::string problem;  // empty: `address` and `size` hold
  std::uint64_t address = 0;
  std::uint8_t size = 0;
};

struct Residual {
  std::string kernel;
  race::LaunchShape launch;
  std::vector<std::string> arguments;  // as options state them
  std::vector<Thread> threads;
  std::vector<Memory> memory;  // of all accesses, by address
  std::vector<race::Place> places;
  std::vector<Stop> stops;
  std::vector<Named> named;
  std::uint32_t rounds = 0;  // of evaluation, until no thread shared more
  std::string problem;       // the launch as a whole is too much
};

std::string to_json(const Residual& residual);
base::Result<Residual> from_json(const std::string& text);

// Copies are followed to where they come from, and what nobody reads is left out.
void tidy(Thread& thread);

// The values that registers can have, given those that memory can hold, which is asked by address and size. None: too
// many to list.
using Values = std::optional<std::set<std::uint64_t>>;
inline constexpr std::size_t kMostValues = 64;
using Domains = std::map<std::pair<std::uint64_t, std::uint8_t>, Values>;
// The values of each register, by its number.
std::vector<Values> register_values(const Thread& thread, const Domains& memory);
// All values that the threads can leave at each place that they access, starting with what is there.
Domains memory_values(const std::vector<Thread>& threads, const Domains& initial);

struct Waits {
  std::uint64_t block = 0, warp = 0;  // barriers of the block and of the warp that a thread comes to
  friend bool operator==(const Waits&, const Waits&) = default;
};
// Counts the barriers that a thread comes to; none if that depends on what it reads. A stop on the way is not seen.
std::optional<Waits> waits_of(const Thread& thread);

// The result of a computation or an update of so many bits.
std::uint64_t result_of_op(Op op, unsigned bits, std::uint64_t left, std::uint64_t right);

}  // namespace weakspot::residual
