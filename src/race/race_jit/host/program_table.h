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

// From the program: a source that it compiles while it runs, by nvrtc.
struct SourceToCompile {
  std::string name, text;
  std::vector<std::string> options;
  std::map<std::string, std::string> headers;  // texts, by the names of #include
  std::vector<std::string> expressions;        // name kernels, perhaps instances of templates
};

// From the checker: the answer to that.
struct CompiledSource {
  bool done = false;
  std::string log;                             // the compiler's messages
  std::string code;                            // bytes of device code
  std::map<std::string, std::string> symbols;  // by the expressions that name them
};

template <typename Value, typename T>
concept ProgramValue = std::same_as<std::remove_const_t<Value>, T>;

template <typename Bytes, ProgramValue<ProgramWords> Value>
void fields(Bytes& bytes, Value& words) {
  bytes(words.command, words.attempt, words.codes, words.libraries);
}

template <typename Bytes, ProgramValue<SourceToCompile> Value>
void fields(Bytes& bytes, Value& source) {
  bytes(source.name, source.text, source.options, source.headers, source.expressions);
}

template <typename Bytes, ProgramValue<CompiledSource> Value>
void fields(Bytes& bytes, Value& compiled) {
  bytes(compiled.done, compiled.log, compiled.code, compiled.symbols);
}

template <typename Bytes, ProgramValue<KernelParameter> Value>
void fields(Bytes& bytes, Value& parameter) {
  bytes(parameter.name, parameter.type, parameter.size, parameter.alignment, parameter.pointer);
}

template <typename Bytes, ProgramValue<Kernel> Value>
void fields(Bytes& bytes, Value& kernel) {
  bytes(kernel.name, kernel.symbol, kernel.parameters, kernel.cluster, kernel.static_shared, kernel.most_threads);
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
