// SPDX-License-Identifier: MIT
#include "campaign/run/loaded_programs.h"

#include <algorithm>
#include <chrono>

#include "base/hash.h"
#include "optcheck/optcheck.h"

namespace weakspot::campaign {
namespace {

constexpr std::size_t kMostPrograms = 1024;
// Threads that check code, the programs that each takes at a time, and how long it waits for more of them: a
// disassembler takes as long for many as for one.
constexpr int kCheckers = 2;
constexpr std::size_t kMostChecked = 64;
constexpr std::chrono::milliseconds kGather{50};

std::string entry_key(const RunRequest& request) {
  return request.test.text() + codegen::to_text(request.environment) + (request.optcheck ? " checked" : "");
}

std::string code_bytes(const codegen::DeviceProgram& program) {
  std::string bytes = program.text;
  bytes.append(reinterpret_cast<const char*>(program.words.data()), program.words.size() * 4);
  return bytes;
}

// Programs with the same key are the same to the device. A CPU is given more than its listing says.
std::string code_key(const codegen::DeviceProgram& program, const std::string& entry) {
  if (program.cpu) return entry;
  std::string key = code_bytes(program);
  for (const codegen::Entry& e : program.entries) {
    key += e.name + ' ' + std::to_string(e.workgroup_size) + ' ' + std::to_string(e.shared_bytes) +
           (e.inspected ? " inspected\n" : "\n");
  }
  return base::hash_bytes(key).hex();
}

}  // namespace

LoadedPrograms::~LoadedPrograms() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (std::thread& thread : checkers_) thread.join();
}

void LoadedPrograms::make(Lock& lock, const Job& job, Entry& entry) {
  entry.stage = Stage::making;
  lock.unlock();
  const backend::DeviceInfo& info = device_.info();
  auto test = codegen::TestProgram::compile(*job.test, job.environment, info.target, info.limits);
  std::string hash, code;
  if (test && job.optcheck) test->inspect();
  if (test) {
    hash = base::hash_bytes(code_bytes(test->program())).hex();
    code = code_key(test->program(), job.key);
  }
  lock.lock();
  if (test) {
    entry.program = ReadyProgram{*std::move(test), std::move(hash), nullptr};
    entry.code_key = std::move(code);
    if (!codes_.contains(entry.code_key)) load(lock, entry);
    if (job.optcheck) check(lock, job.key, entry);
  } else {
    entry.message = base::messages(test.errors());
  }
  entry.stage = Stage::made;
  changed_.notify_all();
}

void LoadedPrograms::load(Lock& lock, const Entry& entry) {
  Code& code = codes_[entry.code_key];
  code.used = clock_;
  lock.unlock();
  auto loaded = device_.load(entry.program->test.program());
  lock.lock();
  code.stage = Stage::made;
  if (loaded) {
    code.loaded = *std::move(loaded);
  } else {
    code.message = base::messages(loaded.errors());
  }
  changed_.notify_all();
}

void LoadedPrograms::check(Lock& lock, const std::string& key, const Entry& entry) {
  const auto found = codes_.find(entry.code_key);
  if (found == codes_.end() || found->second.loaded == nullptr || verdicts_.contains(key)) return;
  verdicts_[key] = std::nullopt;
  unchecked_.push_back({key, entry.program->test, found->second.loaded->machine_code()});
  // Beside a device that loads one program after the other nothing is gained, and a CPU's runs would be disturbed.
  if (!device_.info().loads_in_parallel) {
    const Unchecked one = std::move(unchecked_.back());
    unchecked_.pop_back();
    lock.unlock();
    optcheck::CodeCheck result = optcheck::check_code(one.test, one.code);
    lock.lock();
    verdicts_[key] = CheckedCode{result.verdict, std::move(result.reason)};
    return;
  }
  while (checkers_.size() < kCheckers) checkers_.emplace_back([this] { check_batches(); });
  changed_.notify_all();
}

void LoadedPrograms::check_batches() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !unchecked_.empty(); });
    changed_.wait_for(lock, kGather, [&] { return ends_ || unchecked_.size() >= kMostChecked; });
    if (ends_) return;
    std::vector<Unchecked> batch;
    for (; !unchecked_.empty() && batch.size() < kMostChecked; unchecked_.pop_front()) {
      batch.push_back(std::move(unchecked_.front()));
    }
    lock.unlock();
    std::vector<optcheck::CodeToCheck> codes;
    for (const Unchecked& one : batch) codes.push_back({&one.test, &one.code});
    std::vector<optcheck::CodeCheck> results = optcheck::check_codes(codes);
    lock.lock();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      verdicts_[batch[i].key] = CheckedCode{results[i].verdict, std::move(results[i].reason)};
    }
    changed_.notify_all();
  }
}

std::optional<CheckedCode> LoadedPrograms::code(const RunRequest& request, bool wait) {
  Lock lock(mutex_);
  const std::string key = entry_key(request);
  if (!verdicts_.contains(key)) return CheckedCode{optcheck::CodeVerdict::unknown, "the program has not run"};
  if (wait) changed_.wait(lock, [&] { return verdicts_.at(key).has_value(); });
  return verdicts_.at(key);
}

ReadyProgram* LoadedPrograms::get(const RunRequest& request, LoadError& error) {
  Lock lock(mutex_);
  ++clock_;
  const std::string key = entry_key(request);
  const auto found = entries_.try_emplace(key).first;
  Entry& entry = found->second;
  entry.used = clock_;
  // One that no thread has begun is not waited for.
  if (entry.stage == Stage::waiting) make(lock, {key, request.test, request.environment, request.optcheck}, entry);
  changed_.wait(lock, [&] { return entry.stage == Stage::made; });
  if (!entry.program) {
    error = {RunState::refused, std::move(entry.message)};
    entries_.erase(found);
    return nullptr;
  }
  if (!codes_.contains(entry.code_key)) load(lock, entry);
  Code& code = codes_.at(entry.code_key);
  changed_.wait(lock, [&] { return code.stage == Stage::made; });
  if (code.loaded == nullptr) {
    error = {RunState::failed, std::move(code.message)};
    codes_.erase(entry.code_key);
    return nullptr;
  }
  code.used = clock_;
  entry.program->loaded = code.loaded;
  if (request.optcheck) check(lock, key, entry);
  make_room();
  return &*entry.program;
}

void LoadedPrograms::prepare(std::span<const RunRequest> requests) {
  if (!device_.info().loads_in_parallel) {
    LoadError ignored;
    for (const RunRequest& request : requests) get(request, ignored);
    return;
  }
  start_threads();
  const Lock lock(mutex_);
  ++clock_;
  for (const RunRequest& request : requests) {
    std::string key = entry_key(request);
    const auto [found, is_new] = entries_.try_emplace(key);
    found->second.used = clock_;
    if (is_new) waiting_.push_back({std::move(key), request.test, request.environment, request.optcheck});
    const auto code = codes_.find(found->second.code_key);
    if (code != codes_.end()) code->second.used = clock_;
  }
  changed_.notify_all();
}

// One core is for the thread that runs programs.
void LoadedPrograms::start_threads() {
  if (!threads_.empty()) return;
  const unsigned count = std::max(2u, std::thread::hardware_concurrency()) - 1;
  for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

void LoadedPrograms::work() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (ends_) return;
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    const auto found = entries_.find(job.key);
    if (found != entries_.end() && found->second.stage == Stage::waiting) make(lock, job, found->second);
  }
}

void LoadedPrograms::note_memory(const ReadyProgram& program, std::uint64_t bytes) {
  const Lock lock(mutex_);
  for (auto& [key, code] : codes_) {
    if (code.loaded == program.loaded) code.bytes = std::max(code.bytes, bytes);
  }
}

void LoadedPrograms::make_room() {
  const std::uint64_t most_bytes = device_.info().memory_bytes / 8;
  std::uint64_t bytes = 0;
  for (const auto& [key, code] : codes_) bytes += code.bytes;
  std::vector<std::pair<std::uint64_t, std::string>> by_age;
  if (bytes > most_bytes || codes_.size() > kMostPrograms) {
    for (const auto& [key, code] : codes_) by_age.emplace_back(code.used, key);
  }
  std::sort(by_age.begin(), by_age.end());
  for (const auto& [used, key] : by_age) {
    const bool too_many = codes_.size() > kMostPrograms;
    if (used == clock_ || (bytes <= most_bytes && !too_many)) break;
    Code& code = codes_.at(key);
    if (code.stage != Stage::made || (!too_many && code.bytes == 0)) continue;
    bytes -= code.bytes;
    if (!too_many && code.loaded->release_memory()) {
      code.bytes = 0;
      continue;
    }
    std::erase_if(entries_,
                  [&](const auto& entry) { return entry.second.stage == Stage::made && entry.second.code_key == key; });
    codes_.erase(key);
  }
  // Compiled tests take host memory.
  if (entries_.size() <= 4 * kMostPrograms) return;
  std::erase_if(entries_, [&](const auto& entry) {
    return entry.second.stage == Stage::made && entry.second.used + kMostPrograms < clock_;
  });
}

}  // namespace weakspot::campaign
