// SPDX-License-Identifier: MIT
// Declarations of registers, also as parameters and results of functions. Functions return false after having noted a
// mistake.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "race/ptx_text/operand_reader.h"

namespace weakspot::race::ptx {

class RegisterReader : public OperandReader {
 public:
  using OperandReader::OperandReader;

  // ".reg .v2 .u32 a, %b<10>;", the first word of which is known.
  bool read_registers();
  // A vector is one parameter for each of its parts.
  bool read_register_parameter(std::vector<Variable>& to);
  // Declares the parameters of this function that were read since register_parameters_ was cleared.
  bool declare_register_parameters(Function& function);

 private:
  struct RegisterType {
    std::string name;
    unsigned lanes = 1;
  };

  bool read_register_type(RegisterType& type);

 protected:
  std::vector<std::pair<std::string, RegisterType>> register_parameters_;
};

}  // namespace weakspot::race::ptx
