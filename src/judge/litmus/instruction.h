// SPDX-License-Identifier: MIT
// The instructions of a thread: a closed set that covers every dialect. Readers translate into it, printers out of it;
// the models and the code generators look at nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "base/span.h"
#include "litmus/access.h"
#include "litmus/asynchronous.h"
#include "litmus/fence.h"
#include "litmus/operators.h"
#include "litmus/value.h"

namespace weakspot::litmus {

// target = op(left, right), at the width of the target's type. The last six give 0 or 1.
struct Compute {
  ComputeOp op = ComputeOp::mov;
  RegisterId target;
  Operand left;
  std::optional<Operand> right;  // none iff is_unary(op)
  friend bool operator==(const Compute&, const Compute&) = default;
};

struct Comparison {
  CompareOp op = CompareOp::eq;
  Operand left;
  Operand right;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

// target = condition ? yes : no, at the width of the target's type. Signed comparison.
struct Select {
  RegisterId target;
  Comparison condition;
  Operand yes;
  Operand no;
  friend bool operator==(const Select&, const Select&) = default;
};

// Jumps to the label if the comparison holds, or always. Signed comparison.
struct Branch {
  std::string label;
  std::optional<Comparison> condition;
  friend bool operator==(const Branch&, const Branch&) = default;
};

struct Label {
  std::string name;
  friend bool operator==(const Label&, const Label&) = default;
};

// The instruction has an effect only if the register is (not) zero.
struct Guard {
  RegisterId predicate;
  bool negated = false;
  friend bool operator==(const Guard&, const Guard&) = default;
};

using Operation =
    std::variant<Load, Store, Rmw, Fence, Barrier, Compute, Branch, Label, Select, AsyncCopy, Mbarrier, AsyncControl>;

template <typename Op>
inline constexpr bool kIsAsynchronous =
    std::is_same_v<Op, AsyncCopy> || std::is_same_v<Op, Mbarrier> || std::is_same_v<Op, AsyncControl>;

struct Instruction {
  Operation operation;
  std::optional<Guard> guard;  // never on labels
  base::Span span;             // its place in the text, for messages
  // Never in a text: the number, from 1, of the thread's asynchronous operation that this instruction is a step of; 0:
  // of none. Models take copies apart into such steps.
  std::uint32_t agent = 0;
  AsyncEngine engine = AsyncEngine::bulk;  // the agent's engine
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// The Access of a load, store or read-modify-write; nullptr for the others.
const Access* access_of(const Instruction& instruction);
Access* access_of(Instruction& instruction);

// True for an asynchronous copy, an operation on an mbarrier, an operation on groups or grids, and an access to tensor
// memory.
bool is_asynchronous(const Instruction& instruction);

// True for PTX's tcgen05.ld and tcgen05.st.
inline bool is_tensor(const Access& access) { return access.space == Space::tensor; }

// True for PTX's tcgen05 instructions, their fences and tcgen05.commit included.
bool is_tensor(const Instruction& instruction);

}  // namespace weakspot::litmus
