// SPDX-License-Identifier: MIT
#include "campaign/run/loaded_programs.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace weakspot::campaign {
namespace {

constexpr std::size_t kMostPrograms = 1024;

std::string entry_key(const RunRequest& request) { return request.test.text() + codegen::to_text(request.environment); }

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
    key += e.name + ' ' + std::to_string(e.workgroup_size) + ' ' + std::to_string(e.shared_bytes) + '\n';
  }
  return base::hash_bytes(key).hex();
}

}  // namespace

ReadyProgram* LoadedPrograms::get(const RunRequest& request, LoadError& error) {
  const std::string key = entry_key(request);
  ++clock_;
  auto found = entries_.find(key);
  if (found == entries_.end()) {
    const backend::DeviceInfo& info = device_.info();
    auto test = codegen::TestProgram::compile(*request.test, request.environment, info.target, info.limits);
    if (!test) {
      error = {RunState::refused, base::messages(test.errors())};
      return nullptr;
    }
    const codegen::DeviceProgram& program = test->program();
    std::string hash = base::hash_bytes(code_bytes(program)).hex();
    std::string code = code_key(program, key);
    found = entries_.emplace(key, Entry{{*std::move(test), std::move(hash), nullptr}, std::move(code), clock_}).first;
  }
  Entry& entry = found->second;
  entry.used = clock_;
  auto code = codes_.find(entry.code_key);
  if (code == codes_.end()) {
    auto loaded = device_.load(entry.program.test.program());
    if (!loaded) {
      error = {RunState::failed, base::messages(loaded.errors())};
      return nullptr;
    }
    code = codes_.emplace(entry.code_key, Code{*std::move(loaded), 0, clock_}).first;
  }
  code->second.used = clock_;
  entry.program.loaded = code->second.loaded;
  make_room();
  return &entry.program;
}

void LoadedPrograms::prepare(std::span<const RunRequest> requests) {
  const backend::DeviceInfo& info = device_.info();
  std::vector<const codegen::DeviceProgram*> programs;
  std::vector<std::string> keys;
  ++clock_;
  for (const RunRequest& request : requests) {
    std::string key = entry_key(request);
    auto found = entries_.find(key);
    if (found == entries_.end()) {
      auto test = codegen::TestProgram::compile(*request.test, request.environment, info.target, info.limits);
      if (!test) continue;
      std::string hash = base::hash_bytes(code_bytes(test->program())).hex();
      std::string code = code_key(test->program(), key);
      found = entries_.emplace(std::move(key), Entry{{*std::move(test), std::move(hash), nullptr}, code, clock_}).first;
    }
    Entry& entry = found->second;
    entry.used = clock_;
    if (codes_.contains(entry.code_key)) continue;
    if (std::find(keys.begin(), keys.end(), entry.code_key) != keys.end()) continue;
    keys.push_back(entry.code_key);
    programs.push_back(&entry.program.test.program());
  }
  auto loaded = device_.load_all(programs);
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    if (loaded[i]) codes_.emplace(keys[i], Code{*std::move(loaded[i]), 0, clock_});
  }
  make_room();
}

void LoadedPrograms::note_memory(const ReadyProgram& program, std::uint64_t bytes) {
  for (auto& [key, code] : codes_) {
    if (code.loaded == program.loaded) code.bytes = std::max(code.bytes, bytes);
  }
}

void LoadedPrograms::make_room() {
  const std::uint64_t most_bytes = device_.info().memory_bytes / 8;
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::uint64_t, std::string>> by_age;
  for (const auto& [key, code] : codes_) {
    bytes += code.bytes;
    by_age.emplace_back(code.used, key);
  }
  std::sort(by_age.begin(), by_age.end());
  for (const auto& [used, key] : by_age) {
    const bool too_many = codes_.size() > kMostPrograms;
    if (used == clock_ || (bytes <= most_bytes && !too_many)) break;
    Code& code = codes_.at(key);
    if (!too_many && code.bytes == 0) continue;
    bytes -= code.bytes;
    if (!too_many && code.loaded->release_memory()) {
      code.bytes = 0;
      continue;
    }
    std::erase_if(entries_, [&](const auto& entry) { return entry.second.code_key == key; });
    codes_.erase(key);
  }
  // Compiled tests take host memory.
  if (entries_.size() <= 4 * kMostPrograms) return;
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.used + kMostPrograms < clock_; });
}

}  // namespace weakspot::campaign
