// SPDX-License-Identifier: MIT
// The operands of instructions. Functions return false after having noted a mistake.
#pragma once

#include "race/ptx_text.h"
#include "race/ptx_text/scopes.h"
#include "race/ptx_text/token_reader.h"

namespace weakspot::race::ptx {

class OperandReader : public TokenReader {
 public:
  using TokenReader::TokenReader;

  // A number with its sign.
  bool read_number(Operand& operand);
  // Any operand; `depth` counts the braces around it.
  bool read_operand(Operand& operand, std::size_t depth = 0);

 private:
  bool read_list(Operand& operand, char end, std::size_t depth);
  bool read_name(Operand& operand);
  bool read_vector(Operand& operand, const std::vector<std::size_t>& lanes);
  bool read_offset(Operand& operand);
  bool read_address(Operand& operand, std::size_t depth);

 protected:
  Scopes* scopes_ = nullptr;  // of the function that is read
};

}  // namespace weakspot::race::ptx
