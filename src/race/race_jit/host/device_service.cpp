// SPDX-License-Identifier: MIT
#include "race_jit/host/device_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "race/allocated_name.h"
#include "race/replay.h"
#include "race_jit/host/launch_rules.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"

namespace weakspot::race_jit {
namespace {

// Trying a launch again under another schedule takes a copy of all memory.
constexpr std::uint64_t kCopyLimit = std::uint64_t{64} << 20;
constexpr std::uint64_t kFirstLaunches = 8;
constexpr std::uintmax_t kLargestSource = std::uintmax_t{16} << 20;

bool is_power_of_two(std::uint64_t n) { return (n & (n - 1)) == 0; }

}  // namespace

// Every call in the source is looked at once.
std::string DeviceService::name_at(const race::Place& at) {
  auto [found, fresh] = names_.try_emplace(at);
  const std::string path = (std::filesystem::path(folder_) / at.file).string();
  if (!fresh || at.line == 0 || !base::is_file(path)) return found->second;
  std::error_code error;
  if (std::filesystem::file_size(path, error) > kLargestSource || error) return found->second;
  if (const base::Result<std::string> source = base::read_file(path)) {
    found->second = race::allocated_name(*source, at.line, at.column);
  }
  return found->second;
}

char* DeviceService::allocate(std::uint64_t size, const std::string& name, const race::Place& at) {
  char* memory = machine_.arena().allocate(size, name.empty() ? name_at(at) : name);
  if (memory == nullptr) return nullptr;
  machine_.arena().set_place(memory, at);
  used_ += size;
  return memory;
}

// The whole surface must lie in one allocation: kernels read and write through it.
std::uint64_t DeviceService::add_texture(const Texture& texture) {
  const Surface& surface = texture.surface;
  const Arena& arena = machine_.arena();
  const Allocation* allocation = arena.contains(surface.data) ? arena.find(surface.data) : nullptr;
  if (allocation == nullptr || allocation->freed) return 0;
  const auto at = static_cast<std::uint64_t>(surface.data - arena.base()) - allocation->begin;
  // Each is compared with what is left, so that no product is too large.
  const std::uint64_t room = allocation->size - at, texel = surface.texel_bytes();
  if (texel == 0 || surface.width > room / texel || surface.width * texel > surface.pitch) return 0;
  if (surface.height == 0 || surface.depth == 0 || surface.height > room || surface.depth > room / surface.height)
    return 0;
  const std::uint64_t rows_before = surface.height * surface.depth - 1, last_row = surface.width * texel;
  if (rows_before > 0 && surface.pitch > (room - last_row) / rows_before) return 0;
  return machine_.textures().add(texture);
}

void DeviceService::cannot_load(const std::string& why) {
  if (launches_ == 0 && load_error_.empty()) load_error_ = why;
}

void DeviceService::note_call(const std::string& what, const std::string& file, std::uint32_t line) {
  session_.collector().add_not_modelled({what, {file, line, 0}, race::Effect::call, true});
  machine_.doubt(race::Effect::call, 0);
}

void DeviceService::note_unseen(const std::string& what, race::Effect effect, bool doubtful) {
  session_.collector().add_not_modelled({what, {}, effect, true});
  if (doubtful) machine_.doubt(effect, 0);
}

void DeviceService::note_overlap(const std::string& kernel) {
  const Kernel* launched = find(kernel);
  if (launched == nullptr) return;
  session_.collector().add_not_modelled(
      {"programmatic dependent launch of " + launched->name, launched->place, race::Effect::grids, true});
  machine_.doubt(race::Effect::grids, 0);
}

void DeviceService::note_refusal(const std::string& kernel, const std::string& error) {
  const Kernel* refused = find(kernel);
  if (refused == nullptr || !session_.is_asked_for(*refused)) return;
  session_.ask_for(*refused, fmt::format("its launch failed: {}", error));
}

void DeviceService::share_with_host(const void* pointer) {
  const Arena& arena = machine_.arena();
  if (!arena.contains(pointer)) return;
  if (const Allocation* allocation = arena.find(pointer)) of_host_.insert(allocation->begin);
}

bool DeviceService::is_of_host(std::uint64_t address) const {
  const auto* pointer = reinterpret_cast<const char*>(address);
  const Arena& arena = machine_.arena();
  const Allocation* allocation = arena.contains(pointer) ? arena.find(pointer) : nullptr;
  return allocation != nullptr && of_host_.contains(allocation->begin);
}

const Kernel* DeviceService::find(const std::string& symbol) const {
  const auto& kernels = module_.kernels();
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& kernel) { return kernel.symbol == symbol; });
  return found == kernels.end() ? nullptr : &*found;
}

const Kernel* DeviceService::find(const LaunchCall& call) const {
  const Kernel* found = find(call.kernel);
  if (found == nullptr || found->parameters.size() != call.arguments.size()) return nullptr;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (found->parameters[i].size != call.arguments[i].size()) return nullptr;
  }
  return found;
}

// Memory that cudaMalloc gave has no name of its own: it gets that of the first parameter it is passed for.
void DeviceService::name_allocations(const Kernel& kernel, void** arguments) {
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!kernel.parameters[i].pointer) continue;
    void* pointer = nullptr;
    std::memcpy(&pointer, arguments[i], sizeof pointer);
    if (pointer != nullptr && machine_.arena().contains(pointer)) {
      machine_.arena().name_once(pointer, kernel.parameters[i].name);
    }
  }
}

// So that the launch can be made again when main() has ended.
void DeviceService::keep_for_trials(const Kernel& kernel, const race::LaunchShape& shape, void** arguments,
                                    Arena::Snapshot memory, const LaunchChoice& choice) {
  if (session_.trials().has_enough(kernel)) return;
  Trial trial{&kernel, {shape, {}, {}}, request_.seed, std::move(memory), {}, {}, {}};
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const char* bytes = static_cast<const char*>(arguments[i]);
    trial.parameters.emplace_back(bytes, bytes + kernel.parameters[i].size);
  }
  for (const std::uint32_t launch : choice.concurrent) {
    const auto found = trial_of_launch_.find(launch);
    if (found == trial_of_launch_.end()) continue;
    if (launch == choice.depends_on) trial.depends_on = found->second;
    if (std::find(trial.concurrent.begin(), trial.concurrent.end(), found->second) != trial.concurrent.end()) continue;
    trial.concurrent.push_back(found->second);
  }
  kept_trial_ = session_.trials().add(std::move(trial));
}

// On memory that is put back after each; the program goes on with what the last one leaves, in the usual order.
void DeviceService::try_other_schedules(const Kernel& kernel, const race::LaunchShape& shape, void** arguments,
                                        LaunchChoice& choice) {
  const std::uint64_t count = ++launches_of_[kernel.symbol + race::launch_text(shape)];
  const bool often = count > kFirstLaunches && !is_power_of_two(count);
  if (often || used_ > kCopyLimit) return;
  Arena::Snapshot before = machine_.arena().save();
  const race::Doubt doubt = machine_.detector().doubt();
  for (unsigned i = 1; i < request_.schedules && time_left(); ++i) {
    const std::size_t printed = machine_.output().size();
    choice.schedule.order = i == 1 ? Schedule::reversed : Schedule::random;
    (void)session_.launch(kernel, shape, arguments, choice);
    machine_.output().resize(printed);
    machine_.arena().restore(before);
    machine_.detector().set_doubt(doubt);
  }
  keep_for_trials(kernel, shape, arguments, std::move(before), choice);
}

LaunchAnswer DeviceService::launch(const LaunchCall& call) {
  LaunchAnswer answer;
  const Kernel* kernel = find(call);
  if (kernel == nullptr || !is_valid_launch(call.shape) || !race::check_cluster(call.shape)) return answer;
  if (!module_.prepare(*kernel)) return answer;
  std::vector<void*> arguments;
  for (const std::string& bytes : call.arguments) arguments.push_back(const_cast<char*>(bytes.data()));
  name_allocations(*kernel, arguments.data());
  LaunchChoice choice{.keep_history = call.keep_history};
  if (!of_host_.empty()) choice.is_of_host = [this](std::uint64_t address) { return is_of_host(address); };
  for (const std::uint64_t number : call.unordered) {
    if (auto found = launch_of_work_.find(number); found != launch_of_work_.end()) {
      choice.concurrent.push_back(found->second);
    }
  }
  if (auto found = launch_of_work_.find(call.depends_on); found != launch_of_work_.end()) {
    choice.depends_on = found->second;
    choice.concurrent.push_back(found->second);
  }
  ++launches_;
  kept_trial_ = std::nullopt;
  try_other_schedules(*kernel, call.shape, arguments.data(), choice);
  if (!time_left()) return answer;
  choice.schedule.order = Schedule::forward;
  answer.made = session_.launch(*kernel, call.shape, arguments.data(), choice).ok();
  if (!answer.made) return answer;
  launch_of_work_[call.work] = session_.last();
  if (kept_trial_) trial_of_launch_[session_.last()] = *kept_trial_;
  answer.ended = session_.ended();
  answer.asserted = session_.asserted();
  answer.output = std::exchange(machine_.output(), {});
  return answer;
}

}  // namespace weakspot::race_jit
