// SPDX-License-Identifier: MIT
#include "race_jit/answer/keep_launch.h"

#include <filesystem>
#include <map>

#include "capture/capture.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kMostKept = std::uint64_t{256} << 20;  // bytes of memory

}  // namespace

void LaunchKeeper::before(const Kernel& kernel, const race::LaunchShape& shape, void** arguments) {
  if (kept_ || too_large_) return;
  capture::Capture kept;
  kept.program = "weakspot race " + request_.file;
  kept.architecture = request_.architecture.value_or(race::Architecture{});
  std::string name = std::filesystem::path(request_.file).filename().string();
  if (!request_.is_ptx()) name += ".ptx";
  kept.modules.push_back({std::move(name), ptx_});
  std::map<std::uint64_t, std::string> variables;  // symbols, by places
  for (const auto& [symbol, address] : module_.variables()) {
    variables[static_cast<std::uint64_t>(static_cast<const char*>(address) - arena_.base())] = symbol;
  }
  std::uint64_t total = 0;
  for (const auto& [begin, allocation] : arena_.allocations()) {
    const auto variable = variables.find(begin);
    const bool unknown = variable != variables.end() && ptx_.find(variable->second) == std::string::npos;
    if (allocation.freed || allocation.size == 0 || unknown) continue;
    total += allocation.size;
    if (total > kMostKept) {
      too_large_ = true;
      return;
    }
    const char* memory = arena_.base() + begin;
    kept.buffers.push_back({.name = allocation.name,
                            .address = reinterpret_cast<std::uint64_t>(memory),
                            .size = allocation.size,
                            .contents = {memory, memory + allocation.size},
                            .variable = variable == variables.end() ? "" : variable->second});
  }
  capture::Capture::Launch launch;
  launch.kernel = kernel.symbol;
  launch.shape = shape;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    launch.arguments.emplace_back(static_cast<const char*>(arguments[i]), kernel.parameters[i].size);
  }
  kept.launches.push_back(std::move(launch));
  for (const capture::CaptureFile& file : capture::files_of(kept)) {
    channel_.send({race::RecordKind::file, file.name + "\n" + file.bytes});
  }
  kept_ = true;
}

std::string LaunchKeeper::problem() const {
  if (kept_) return {};
  return too_large_ ? "the memory of the launch is too large for a capture" : "there was no launch to capture";
}

}  // namespace weakspot::race_jit
