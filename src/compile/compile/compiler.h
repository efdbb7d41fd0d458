// SPDX-License-Identifier: MIT
// A compiler of the user's: functions in, their machine code as text out.
//
// Functions are compiled many at a time, files side by side. A function that the compiler refuses, crashes on or does
// not finish in time has that as its answer, and the others of its file are compiled without it. Each function is
// compiled once in the life of a Compiler.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compile/machine_code.h"
#include "compile/source.h"

namespace weakspot::compile {

struct CompilerLimits {
  std::chrono::milliseconds time{20'000};         // for one file
  std::uint64_t memory = std::uint64_t{4} << 30;  // bytes, of one process
  std::size_t functions = 100;                    // in one file
  unsigned threads = 1;                           // files compiled at the same time
  const std::atomic<bool>* stop = nullptr;        // the user's wish to end; null: none
};

class Compiler {
 public:
  // `command`: as for a shell. The names of the files take the places of {in} and {out}; a command that has neither is
  // given options for them.
  Compiler(std::string command, CompilerLimits limits) : command_(std::move(command)), limits_(limits) {}

  const std::string& command() const { return command_; }

  // Compiles those that are new.
  void compile(const std::vector<const ThreadSource*>& functions);
  // The code of a compiled function, or the failure; valid until the next call of compile().
  const MachineFunction& code_of(const ThreadSource& function) const;

  // Messages of the compiler from successful calls, each once.
  const std::set<std::string>& warnings() const { return warnings_; }
  std::size_t calls() const { return calls_; }

 private:
  struct Batch {
    std::vector<const ThreadSource*> functions;
    std::vector<MachineFunction> code;  // in the order of `functions`
    std::set<std::string> warnings;
    std::size_t calls = 0;
  };
  std::vector<Batch> batches_of(const std::vector<const ThreadSource*>& functions) const;
  // Compiles the functions at these places of the batch.
  void compile(Batch& batch, const std::vector<std::size_t>& places) const;

  std::string command_;
  CompilerLimits limits_;
  std::map<ThreadSource, MachineFunction> code_;
  std::set<std::string> warnings_;
  std::size_t calls_ = 0;
};

}  // namespace weakspot::compile
