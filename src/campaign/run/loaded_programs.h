// SPDX-License-Identifier: MIT
// Programs that a device has compiled, kept for the next run of the same test in the same or a similar environment:
// compiling takes longer than a short run. Environments that differ only in how a launch is planned share a program.
//
// The cache is bounded: programs that were not used for long are dropped first, and their device memory is freed when
// they take too much of it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

#include "backend/device.h"
#include "campaign/run_record.h"
#include "codegen/test_program.h"

namespace weakspot::campaign {

// A test ready to run on a device. Several environments may share the loaded program.
struct ReadyProgram {
  codegen::TestProgram test;
  std::string code_hash;
  std::shared_ptr<backend::LoadedProgram> loaded;
};

struct LoadError {
  RunState state = RunState::refused;
  std::string message;
};

class LoadedPrograms {
 public:
  // The device must outlive it.
  explicit LoadedPrograms(backend::Device& device) : device_(device) {}

  // Compiles the program if it is not cached. The pointer is good until the next call; if it is null, `error` says why.
  ReadyProgram* get(const RunRequest& request, LoadError& error);
  // Compiles the programs of these requests, all at once where the device can do that. Errors show when they are run.
  void prepare(std::span<const RunRequest> requests);
  // Notes the bytes that launches of the program take on the device.
  void note_memory(const ReadyProgram& program, std::uint64_t bytes);

 private:
  struct Code {
    std::shared_ptr<backend::LoadedProgram> loaded;
    std::uint64_t bytes = 0;
    std::uint64_t used = 0;  // when, as counted by clock_
  };
  struct Entry {
    ReadyProgram program;
    std::string code_key;
    std::uint64_t used = 0;
  };

  void make_room();

  backend::Device& device_;
  std::unordered_map<std::string, Entry> entries_;  // by test and environment
  std::unordered_map<std::string, Code> codes_;     // by the program that the device was given
  std::uint64_t clock_ = 0;
};

}  // namespace weakspot::campaign
