// SPDX-License-Identifier: MIT
// Shared parts of the machines' readers: one thread as text of a litmus dialect, and the words of a line.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/machine_code.h"

namespace weakspot::compile {

// A thread in the dialect of its machine.
struct ThreadText {
  std::vector<std::string> cells;
  // Registers that hold the address of a location at first.
  std::vector<std::pair<std::string, std::string>> addresses;
  // The register that holds each result at the end, by the name of the observed register.
  std::map<std::string, std::string> results;
  // Registers that are zero in every execution that counts: a store-exclusive in a loop succeeded.
  std::vector<std::string> zeros;
  std::string error;  // the part that is not understood; empty if there is none
};

ThreadText read_aarch64(const MachineFunction& function);
ThreadText read_x86_64(const MachineFunction& function);
ThreadText read_ptx(const MachineFunction& function);
ThreadText read_spirv(const MachineFunction& function);

// A line taken apart: the mnemonic, and its operands, which commas outside of brackets separate.
struct Words {
  std::string mnemonic;
  std::vector<std::string> operands;
};
Words words_of(std::string_view line);

// "name:" without its colon; empty if the line is an instruction.
std::string label_in(const std::string& line);
// The label as dialects take it: letters, digits and underscores.
std::string label_name(std::string_view label);

std::string upper(std::string_view text);
bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> heads);

// The observed register or the location that a symbol is for; empty if it is not such a symbol.
std::string result_of_symbol(std::string_view symbol);
std::string location_of_symbol(std::string_view symbol);

}  // namespace weakspot::compile
