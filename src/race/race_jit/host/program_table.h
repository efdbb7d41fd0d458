// SPDX-License-Identifier: MIT
// Messages that a program built by weakspot-nvcc and the checker beside it exchange before the first call, as bytes of
// a file in memory; see built_program.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

// Descriptors of the checker: the calls of device_link.h, the memory of the device, and the file for this. It is there
// twice: the program's words first, the checker's answer in place of them.
inline constexpr int kProgramSocket = 3, kProgramMemory = 4, kProgramTable = 5;

// From the program. Where it opens libraries later, it says the same of what is new then.
struct ProgramWords {
  std::vector<std::string> command;    // the command that started it
  std::uint64_t attempt = 0;           // number of times that addresses did not suit
  std::vector<std::string> codes;      // bytes of device code, in the order of registration
  std::vector<std::string> libraries;  // bytes with device code that others may call
};

struct TableVariable {
  std::string symbol;
  std::uint64_t address = 0, size = 0;
  bool managed = false;
};

// From the checker, with what is new.
struct ProgramTable {
  std::string problem;                  // why there is no device; empty if there is one
  std::uint64_t address = 0, size = 0;  // the memory of the device, at the same address in both processes
  std::uint64_t architecture = 0;
  std::deque<Kernel> kernels;
  std::vector<TableVariable> variables;
  std::vector<std::map<std::string, std::string>> renamed;  // for each code, symbols that have another name here
};

template <typename Value, typename T>
concept ProgramValue = std::same_as<std::remove_const_t<Value>, T>;

template <typename Bytes, ProgramValue<ProgramWords> Value>
void fields(Bytes& bytes, Value& words) {
  bytes(words.command, words.attempt, words.codes, words.libraries);
}

template <typename Bytes, ProgramValue<KernelParameter> Value>
void fields(Bytes& bytes, Value& parameter) {
  bytes(parameter.name, parameter.type, parameter.size, parameter.pointer);
}

template <typename Bytes, ProgramValue<Kernel> Value>
void fields(Bytes& bytes, Value& kernel) {
  bytes(kernel.name, kernel.symbol, kernel.parameters, kernel.cluster, kernel.static_shared);
}

template <typename Bytes, ProgramValue<TableVariable> Value>
void fields(Bytes& bytes, Value& variable) {
  bytes(variable.symbol, variable.address, variable.size, variable.managed);
}

template <typename Bytes, ProgramValue<ProgramTable> Value>
void fields(Bytes& bytes, Value& table) {
  bytes(table.problem, table.address, table.size, table.architecture, table.kernels, table.variables, table.renamed);
}

}  // namespace weakspot::race_jit
