// SPDX-License-Identifier: MIT
#include "race_jit/host/host_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "race/replay.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"

namespace weakspot::race_jit {

extern "C" const char* cudaGetErrorName(cudaError_t error);

HostDevice* host_device = nullptr;

namespace {

constexpr std::uint64_t kMaxGrid[3] = {0x7fffffff, 65535, 65535};
constexpr std::uint32_t kMaxBlock[3] = {race::kMaxBlockThreads, race::kMaxBlockThreads, 64};
// Trying a launch again under another schedule takes a copy of all memory.
constexpr std::uint64_t kCopyLimit = std::uint64_t{64} << 20;
constexpr std::uint64_t kFirstLaunches = 8;

bool valid(const race::LaunchShape& call) {
  for (unsigned i = 0; i < 3; ++i) {
    if (call.grid[i] == 0 || call.grid[i] > kMaxGrid[i] || call.block[i] == 0 || call.block[i] > kMaxBlock[i])
      return false;
  }
  return call.cluster.count() > 0 && call.block.count() <= race::kMaxBlockThreads;
}

bool is_power_of_two(std::uint64_t n) { return (n & (n - 1)) == 0; }

}  // namespace

void HostDevice::register_kernel(const void* host, const std::string& symbol) { kernels_[host] = symbol; }

void HostDevice::register_variable(void* host, const std::string& symbol, std::uint64_t size) {
  variables_[host] = {symbol, size};
}

void* HostDevice::allocate(std::uint64_t size, const char* name) {
  void* memory = machine_.arena().allocate(size, name);
  if (memory != nullptr) used_ += size;
  return memory;
}

void HostDevice::note_call(const char* what, const char* file, unsigned line) {
  session_.collector().add_not_modelled({what, {file, line, 0}, race::Effect::call, true});
  machine_.doubt(race::Effect::call, 0);
}

void HostDevice::note_overlap(const void* host) {
  const Kernel* launched = kernel(host);
  if (launched == nullptr) return;
  session_.collector().add_not_modelled(
      {"programmatic dependent launch of " + launched->name, launched->place, race::Effect::grids, true});
  machine_.doubt(race::Effect::grids, 0);
}

void HostDevice::share_with_host(const void* pointer) {
  if (const Allocation* allocation = machine_.arena().find(pointer)) of_host_.insert(allocation->begin);
}

bool HostDevice::is_of_host(std::uint64_t address) const {
  const auto* pointer = reinterpret_cast<const char*>(address);
  const Arena& arena = machine_.arena();
  const Allocation* allocation = arena.contains(pointer) ? arena.find(pointer) : nullptr;
  return allocation != nullptr && of_host_.contains(allocation->begin);
}

bool HostDevice::is_accessible(const void* pointer, std::uint64_t size) const {
  if (pointer == nullptr) return size == 0;
  const Arena& arena = machine_.arena();
  if (!arena.contains(pointer)) return true;
  const Allocation* allocation = arena.find(pointer);
  if (allocation == nullptr || allocation->freed) return false;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(pointer) - arena.base()) - allocation->begin;
  return size <= allocation->size - offset;
}

std::uint64_t HostDevice::bytes_at(const void* pointer) const {
  const Arena& arena = machine_.arena();
  const Allocation* allocation = arena.contains(pointer) ? arena.find(pointer) : nullptr;
  if (allocation == nullptr || allocation->freed) return 0;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(pointer) - arena.base()) - allocation->begin;
  return allocation->size - offset;
}

cudaError_t HostDevice::submit(const void* stream, bool waits) {
  const StreamId id = stream_id(stream);
  if (!streams_.has_stream(id)) return fail(cudaErrorInvalidResourceHandle);
  std::vector<std::uint64_t> ignored;
  streams_.submit(id, ignored);
  if (!waits) return cudaSuccess;
  streams_.host_waits_for_stream(id);
  return waited();
}

void* HostDevice::symbol_address(const void* host) const {
  auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : module_.variable(found->second.symbol);
}

std::uint64_t HostDevice::symbol_size(const void* host) const {
  auto found = variables_.find(host);
  return found == variables_.end() ? 0 : found->second.size;
}

const Kernel* HostDevice::kernel(const void* host) const {
  auto found = kernels_.find(host);
  if (found == kernels_.end()) return nullptr;
  for (const Kernel& kernel : module_.kernels()) {
    if (kernel.symbol == found->second) return &kernel;
  }
  return nullptr;
}

// Memory that cudaMalloc gave has no name of its own: it gets that of the first parameter it is passed for.
void HostDevice::name_allocations(const Kernel& kernel, void** arguments) {
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (!kernel.parameters[i].pointer) continue;
    void* pointer = nullptr;
    std::memcpy(&pointer, arguments[i], sizeof pointer);
    if (pointer != nullptr && is_device(pointer)) machine_.arena().name_once(pointer, kernel.parameters[i].name);
  }
}

bool HostDevice::register_host(void* host, std::uint64_t size) {
  if (host == nullptr || size == 0 || device_of_host(host) != nullptr) return false;
  void* device = is_device(host) ? host : allocate(size, "");
  if (device == nullptr) return false;
  registered_[static_cast<const char*>(host)] = {size, device};
  share_with_host(device);
  return true;
}

bool HostDevice::unregister_host(void* host) {
  auto found = registered_.find(static_cast<const char*>(host));
  if (found == registered_.end()) return false;
  if (found->second.device != host) release(found->second.device);
  registered_.erase(found);
  return true;
}

void* HostDevice::device_of_host(const void* host) const {
  const auto* pointer = static_cast<const char*>(host);
  auto after = registered_.upper_bound(pointer);
  if (after == registered_.begin()) return nullptr;
  const auto& [begin, memory] = *std::prev(after);
  const auto offset = static_cast<std::uint64_t>(pointer - begin);
  return offset < memory.size ? static_cast<char*>(memory.device) + offset : nullptr;
}

// The arguments are copied: what they pointed to may be gone when the graph is launched.
cudaError_t HostDevice::capture(const void* host, const Kernel& kernel, const CallConfiguration& call,
                                void** arguments) {
  auto values = std::make_shared<std::vector<std::vector<char>>>();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const char* value = static_cast<const char*>(arguments[i]);
    values->emplace_back(value, value + kernel.parameters[i].size);
  }
  graphs_.add([this, host, call, values](void* stream) {
    std::vector<void*> pointers;
    for (std::vector<char>& value : *values) pointers.push_back(value.data());
    CallConfiguration here = call;
    here.stream = stream_id(stream);
    return launch(host, here, pointers.data());
  });
  return cudaSuccess;
}

// A managed variable has a place on each side; they are made equal around every launch.
void HostDevice::copy_managed(bool to_device) {
  for (const auto& [host, variable] : variables_) {
    if (!module_.is_managed(variable.symbol)) continue;
    void* device = module_.variable(variable.symbol);
    if (device == nullptr) continue;
    if (to_device) {
      std::memcpy(device, host, variable.size);
    } else {
      std::memcpy(const_cast<void*>(host), device, variable.size);
    }
  }
  for (const auto& [host, memory] : registered_) {
    if (memory.device == host) continue;
    if (to_device) {
      std::memcpy(memory.device, host, memory.size);
    } else {
      std::memcpy(const_cast<char*>(host), memory.device, memory.size);
    }
  }
}

cudaError_t HostDevice::refuse(const Kernel& kernel, cudaError_t error) {
  if (session_.is_asked_for(kernel)) {
    session_.ask_for(kernel, fmt::format("its launch failed: {}", cudaGetErrorName(error)));
  }
  return fail(error);
}

cudaError_t HostDevice::launch(const void* host, const CallConfiguration& call, void** arguments) {
  const Kernel* kernel = this->kernel(host);
  if (kernel == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  if (!valid(call)) return refuse(*kernel, cudaErrorInvalidConfiguration);
  if (!streams_.has_stream(call.stream)) return refuse(*kernel, cudaErrorInvalidResourceHandle);
  if (failed_ != cudaSuccess) return refuse(*kernel, failed_);
  if (call.shared + module_.static_shared() > Arena::kMaxShared) return refuse(*kernel, cudaErrorInvalidValue);
  if (graphs_.is_capturing()) return capture(host, *kernel, call, arguments);
  // Registered memory may be passed by the host's address.
  std::vector<void*> places(kernel->parameters.size()), passed(arguments, arguments + kernel->parameters.size());
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (!kernel->parameters[i].pointer || registered_.empty()) continue;
    std::memcpy(&places[i], passed[i], sizeof places[i]);
    if (is_device(places[i])) continue;
    places[i] = device_of_host(places[i]);
    if (places[i] != nullptr) passed[i] = &places[i];
  }
  arguments = passed.data();
  const race::LaunchShape shape = with_cluster(*kernel, call, false);
  if (!race::check_cluster(shape)) return refuse(*kernel, cudaErrorInvalidClusterSize);
  name_allocations(*kernel, arguments);
  copy_managed(true);
  const cudaError_t result = run(*kernel, shape, arguments, call.stream);
  copy_managed(false);
  std::fwrite(machine_.output().data(), 1, machine_.output().size(), stdout);
  machine_.output().clear();
  return result;
}

// So that the launch can be made again when main() has ended.
void HostDevice::keep_for_trials(const Kernel& kernel, const race::LaunchShape& shape, void** arguments,
                                 Arena::Snapshot memory) {
  if (session_.trials().has_enough(kernel)) return;
  Trial trial{&kernel, {shape, {}, {}}, request_.seed, std::move(memory), {}};
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const char* bytes = static_cast<const char*>(arguments[i]);
    trial.parameters.emplace_back(bytes, bytes + kernel.parameters[i].size);
  }
  session_.trials().add(std::move(trial));
}

cudaError_t HostDevice::run(const Kernel& kernel, const race::LaunchShape& shape, void** arguments, StreamId stream) {
  std::vector<std::uint64_t> unordered;
  const std::uint64_t work = streams_.submit(stream, unordered);
  LaunchChoice choice{.keep_history = streams_.has_streams()};
  if (!of_host_.empty()) choice.is_of_host = [this](std::uint64_t address) { return is_of_host(address); };
  for (const std::uint64_t number : unordered) {
    if (auto found = launch_of_work_.find(number); found != launch_of_work_.end()) {
      choice.concurrent.push_back(found->second);
    }
  }
  ++launches_;
  // Under other schedules first, on memory that is put back after each; the program goes on with the last.
  const std::uint64_t count = ++launches_of_[kernel.symbol + race::launch_text(shape)];
  const bool often = count > kFirstLaunches && !is_power_of_two(count);
  if (!often && used_ <= kCopyLimit) {
    const InLaunch busy;
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
    keep_for_trials(kernel, shape, arguments, std::move(before));
  }
  leave_if_time_is_up();
  const auto run_forward = [&] {
    const InLaunch busy;
    choice.schedule.order = Schedule::forward;
    return session_.launch(kernel, shape, arguments, choice);
  };
  if (base::Status done = run_forward(); !done) {
    return fail(cudaErrorInvalidValue);
  }
  launch_of_work_[work] = session_.last();
  leave_if_time_is_up();
  // What a launch did that could not end is known when the program waits for it.
  if (!session_.ended()) failed_ = cudaErrorLaunchFailure;
  return cudaSuccess;
}

}  // namespace weakspot::race_jit
