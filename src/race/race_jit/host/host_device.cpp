// SPDX-License-Identifier: MIT
#include "race_jit/host/host_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "race/request.h"
#include "race_jit/host/built_program.h"
#include "race_jit/host/launch_rules.h"
#include "race_jit/host/registrations.h"
#include "race_jit/search/arguments.h"

namespace weakspot::race_jit {

extern "C" const char* cudaGetErrorName(cudaError_t error);

// Destructors of the program may still use it.
CurrentDevice& host_device = *new CurrentDevice();

CurrentDevice::Turn CurrentDevice::operator->() {
  const std::lock_guard lock(turns_);
  if (device_ == nullptr) {
    device_ = &device_of_built_program();
  } else {
    add_new_code();
  }
  return {turns_, device_};
}

void* HostDevice::allocate(std::uint64_t size, const char* name, const race::Place& at) {
  char* memory = device_.allocate(size, name, at);
  if (memory == nullptr) return nullptr;
  memory_.adopt(memory, size);
  used_ += size;
  return memory;
}

bool HostDevice::release(void* pointer) { return memory_.release(pointer) && device_.release(pointer); }

void HostDevice::note_overlap(const void* host) {
  if (const Kernel* launched = kernel(host)) device_.note_overlap(launched->symbol);
}

bool HostDevice::is_accessible(const void* pointer, std::uint64_t size) const {
  if (size == 0) return true;  // also at the end of an allocation, and beyond it
  if (pointer == nullptr) return false;
  const Arena& arena = memory_;
  if (!arena.contains(pointer)) return true;
  const Allocation* allocation = arena.find(pointer);
  if (allocation == nullptr || allocation->freed) return false;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(pointer) - arena.base()) - allocation->begin;
  return size <= allocation->size - offset;
}

std::uint64_t HostDevice::bytes_at(const void* pointer) const {
  const Arena& arena = memory_;
  const Allocation* allocation = arena.contains(pointer) ? arena.find(pointer) : nullptr;
  if (allocation == nullptr || allocation->freed) return 0;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(pointer) - arena.base()) - allocation->begin;
  return allocation->size - offset;
}

const char* HostDevice::allocation_at(const void* pointer, std::size_t& size) const {
  const Arena& arena = memory_;
  const Allocation* allocation = arena.contains(pointer) ? arena.find(pointer) : nullptr;
  if (allocation == nullptr || allocation->freed) return nullptr;
  size = allocation->size;
  return arena.base() + allocation->begin;
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
  const Registrations::Symbol* found = registrations().variable(host);
  return found == nullptr ? nullptr : module_.variable(found->name);
}

std::uint64_t HostDevice::symbol_size(const void* host) const {
  const Registrations::Symbol* found = registrations().variable(host);
  return found == nullptr ? 0 : found->size;
}

const Kernel* HostDevice::kernel(const void* host) const {
  const Registrations::Symbol* found = registrations().kernel(host);
  if (found == nullptr) return nullptr;
  for (const Kernel& kernel : module_.kernels()) {
    if (kernel.symbol == found->name) return &kernel;
  }
  return nullptr;
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
HostGraphs::Work HostDevice::later(const void* host, const CallConfiguration& call, void** arguments) {
  const Kernel* launched = kernel(host);
  if (launched == nullptr || (arguments == nullptr && !launched->parameters.empty())) return {};
  auto values = std::make_shared<std::vector<std::vector<char>>>();
  for (std::size_t i = 0; i < launched->parameters.size(); ++i) {
    const char* value = static_cast<const char*>(arguments[i]);
    values->emplace_back(value, value + launched->parameters[i].size);
  }
  return [this, host, call, values](void* stream) {
    std::vector<void*> pointers;
    for (std::vector<char>& value : *values) pointers.push_back(value.data());
    CallConfiguration here = call;
    here.stream = stream_id(stream);
    return launch(host, here, pointers.data());
  };
}

// A managed variable has a place on each side; they are made equal around every launch.
void HostDevice::copy_managed(bool to_device) {
  for (const auto& [host, variable] : registrations().variables()) {
    if (!module_.is_managed(variable.name)) continue;
    void* device = module_.variable(variable.name);
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
  device_.note_refusal(kernel.symbol, cudaGetErrorName(error));
  return fail(error);
}

cudaError_t HostDevice::launch(const void* host, const CallConfiguration& call, void** arguments) {
  const Kernel* kernel = this->kernel(host);
  if (kernel == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  if (!is_valid_launch(call)) return refuse(*kernel, cudaErrorInvalidConfiguration);
  if (!streams_.has_stream(call.stream)) return refuse(*kernel, cudaErrorInvalidResourceHandle);
  if (failed_ != cudaSuccess) return refuse(*kernel, failed_);
  if (call.shared + kernel->static_shared > Arena::kMaxShared) return refuse(*kernel, cudaErrorInvalidValue);
  if (graphs_.is_capturing()) {
    graphs_.add(cudaGraphNodeTypeKernel, later(host, call, arguments));
    return cudaSuccess;
  }
  // Registered memory may be passed by the host's address.
  std::vector<void*> places(kernel->parameters.size()), passed(arguments, arguments + kernel->parameters.size());
  for (std::size_t i = 0; i < passed.size(); ++i) {
    // PTX does not always say which of its parameters are pointers.
    if (kernel->parameters[i].size != sizeof(void*) || registered_.empty()) continue;
    std::memcpy(&places[i], passed[i], sizeof places[i]);
    if (is_device(places[i])) continue;
    places[i] = device_of_host(places[i]);
    if (places[i] != nullptr) passed[i] = &places[i];
  }
  arguments = passed.data();
  const race::LaunchShape shape = with_cluster(*kernel, call, false);
  if (!race::check_cluster(shape)) return refuse(*kernel, cudaErrorInvalidClusterSize);
  if (shape.cluster.count() > 1 && !has_clusters()) return refuse(*kernel, cudaErrorNotSupported);
  copy_managed(true);
  const cudaError_t result = run(*kernel, shape, arguments, call.stream);
  copy_managed(false);
  return result;
}

cudaError_t HostDevice::run(const Kernel& kernel, const race::LaunchShape& shape, void** arguments, StreamId stream) {
  LaunchCall call{.kernel = kernel.symbol, .shape = shape};
  const bool overlaps = std::exchange(next_overlaps_, false);
  // Only kernels overlap, and not what the host has waited for.
  if (const std::uint64_t last = streams_.last_of(stream); overlaps && last == last_launch_[stream]) {
    call.depends_on = last;
  }
  call.work = last_launch_[stream] = streams_.submit(stream, call.unordered);
  call.keep_history = streams_.has_streams();
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    call.arguments.emplace_back(static_cast<const char*>(arguments[i]), kernel.parameters[i].size);
  }
  const LaunchAnswer answer = device_.launch(call);
  if (!answer.made) return fail(cudaErrorInvalidValue);
  std::fwrite(answer.output.data(), 1, answer.output.size(), stdout);
  // The failure of a launch is told when the program waits for it.
  if (answer.asserted || !answer.ended) failed_ = answer.asserted ? cudaErrorAssert : cudaErrorLaunchFailure;
  return cudaSuccess;
}

}  // namespace weakspot::race_jit
