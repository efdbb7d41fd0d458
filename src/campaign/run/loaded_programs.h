// Programs that a device has compiled, kept for the next run of the same test in the same or a similar environment:
// compiling takes longer than a short run. Environments that differ only in how a launch is planned share a program.
//
// What is kept is bounded: programs that were not used for long go first, and so does the device memory of programs
// when there is too much of it.
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

// A test ready to run on a device. The loaded program may be that of other environments, too.
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

  // Compiles what there is not yet. The pointer is good until the next call; nullptr: `error` says why.
  ReadyProgram* get(const RunRequest& request, LoadError& error);
  // Compiles what these requests will need, all at once where the device can do that. Errors show when they are run.
  void prepare(std::span<const RunRequest> requests);
  // The bytes that launches of the program have taken on the device.
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
  std::unordered_map<std::string, Code> codes_;     // by what the device was given
  std::uint64_t clock_ = 0;
};

}  // namespace weakspot::campaign
