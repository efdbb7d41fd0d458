// SPDX-License-Identifier: MIT
// The common part of the readers of one cell of a table whose instructions are written `word.suffix operand, operand`:
// the canonical form, PTX and Vulkan. The assembly dialects share the labels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/text/builder.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

// Takes the labels at the cursor, `name:`, and calls `emit(Label, span)` for each.
template <typename Emit>
void read_labels(Cursor& cursor, const Emit& emit) {
  while (cursor.peek().kind == Token::Kind::word && cursor.peek_second().is(":")) {
    const Token name = cursor.next();
    cursor.next();
    emit(Label{std::string(name.text)}, name.span);
  }
}

struct Suffix {
  std::string_view text;
  base::Span span;
};

// A word split at its dots: `ld.acq.wg` has the head `ld` and the suffixes `acq` and `wg`.
struct Mnemonic {
  Token word;
  std::string_view head;
  std::vector<Suffix> suffixes;
};

// Every function that reads reports its own mistakes.
class CellReader {
 public:
  CellReader(Cursor& cursor, TestBuilder& builder, ThreadId thread)
      : cursor_(cursor), builder_(builder), thread_(thread) {}
  virtual ~CellReader() = default;

 protected:
  // A register that is read, and one that is written.
  virtual std::optional<RegisterId> reg() = 0;
  virtual std::optional<RegisterId> target() { return reg(); }
  // Whether an operand can be the address of a location.
  virtual bool has_addresses() const { return true; }

  // Any word but `_`.
  std::optional<RegisterId> any_register();
  // register | number | &location [+ number]
  std::optional<Operand> operand();
  bool operand(Operand& into);
  bool comma() { return cursor_.expect(",", "between operands"); }

  void labels();
  bool mnemonic();
  // [left, right,] label
  std::optional<Operation> branch(std::optional<CompareOp> op);
  // target, left [, right]
  std::optional<Compute> computation(ComputeOp op);
  // [expected,] operand
  bool rmw_values(Rmw& rmw);

  void unknown_suffix(const Suffix& suffix);
  // Reports a suffix that repeats what another one has said.
  void suffix_again(const Suffix& suffix);

  Cursor& cursor_;
  TestBuilder& builder_;
  ThreadId thread_;
  Mnemonic mnemonic_;
};

}  // namespace weakspot::litmus
