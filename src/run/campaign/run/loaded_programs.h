// SPDX-License-Identifier: MIT
// Programs that a device has compiled, kept for the next run of the same test in the same or a similar environment:
// compiling takes longer than a short run. Environments that differ only in how a launch is planned share a program.
//
// Programs that were announced are compiled by threads of their own, while others run, if the device can do that. Their
// code is then checked by further threads, many programs at a time.
//
// The cache is bounded: programs that were not used for long are dropped first, and their device memory is freed when
// they take too much of it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

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
  LoadedPrograms(const LoadedPrograms&) = delete;
  LoadedPrograms& operator=(const LoadedPrograms&) = delete;
  ~LoadedPrograms();

  // Compiles the program if it is not cached, or waits for the thread that does. The pointer is good until the next
  // call; if it is null, `error` says why.
  ReadyProgram* get(const RunRequest& request, LoadError& error);
  // Has the programs of these requests compiled, in this order. Errors show when they are run.
  void prepare(std::span<const RunRequest> requests);
  // Whether the code of a request's program, which must have been got, is the test. Empty while the check is running,
  // unless `wait`.
  std::optional<CheckedCode> code(const RunRequest& request, bool wait);
  // Notes the bytes that launches of the program take on the device.
  void note_memory(const ReadyProgram& program, std::uint64_t bytes);

 private:
  enum class Stage : std::uint8_t { waiting, making, made };
  struct Code {
    Stage stage = Stage::making;
    std::shared_ptr<backend::LoadedProgram> loaded;  // null once made: `message` says why
    std::string message;
    std::uint64_t bytes = 0;
    std::uint64_t used = 0;  // when, as counted by clock_
  };
  struct Entry {
    Stage stage = Stage::waiting;
    std::optional<ReadyProgram> program;  // missing once made: `message` says why
    std::string message;
    std::string code_key;
    std::uint64_t used = 0;
  };
  // The inputs from which a thread makes an entry.
  struct Job {
    std::string key;
    RunTest test;
    codegen::TestEnvironment environment;
    bool optcheck = false;
  };
  struct Unchecked {
    std::string key;
    codegen::TestProgram test;
    backend::MachineCode code;
  };
  using Lock = std::unique_lock<std::mutex>;

  // Both are called with the lock, and give it back while they compile.
  void make(Lock& lock, const Job& job, Entry& entry);
  void load(Lock& lock, const Entry& entry);
  // The same: has the code compared with the test, if it is loaded and not compared yet.
  void check(Lock& lock, const std::string& key, const Entry& entry);
  void work();
  void check_batches();
  void start_threads();
  void make_room();

  backend::Device& device_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::unordered_map<std::string, Entry> entries_;  // by test and environment
  std::unordered_map<std::string, Code> codes_;     // by the program that the device was given
  std::deque<Job> waiting_;
  // By test and environment, for good; empty while a thread finds it out.
  std::unordered_map<std::string, std::optional<CheckedCode>> verdicts_;
  std::deque<Unchecked> unchecked_;
  bool ends_ = false;
  std::uint64_t clock_ = 0;
  std::vector<std::thread> threads_;
  std::vector<std::thread> checkers_;
};

}  // namespace weakspot::campaign
