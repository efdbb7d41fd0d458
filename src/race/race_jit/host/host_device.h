// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime while main() runs, in the process of the program: memory, streams, errors. The program
// calls the functions of host_api*.cpp, which all end here; what needs the device goes there (device_calls.h).
#pragma once

#include <weakspot/runtime_types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "race/architecture.h"
#include "race_jit/host/device_calls.h"
#include "race_jit/host/host_graphs.h"
#include "race_jit/host/stream_order.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

// A launch as the host program asks for it: what stands in <<<...>>>.
struct CallConfiguration : race::LaunchShape {
  StreamId stream = 0;
};

class HostDevice {
 public:
  HostDevice(DeviceCalls& device, Arena& memory, const DeviceModule& module)
      : device_(device), memory_(memory), module_(module) {}

  void* allocate(std::uint64_t size, const char* name, const race::Place& at = {});
  bool release(void* pointer);
  // Whether `size` bytes may be read or written there: memory of the device within its bounds, or any of the host's.
  bool is_accessible(const void* pointer, std::uint64_t size) const;
  bool is_device(const void* pointer) const { return memory_.contains(pointer); }
  // The bytes from there to the end of the allocation; 0 outside of any.
  std::uint64_t bytes_at(const void* pointer) const;
  // The begin of the allocation there, and its size; null outside of any.
  const char* allocation_at(const void* pointer, std::size_t& size) const;
  std::uint64_t bytes_used() const { return used_; }

  // Null if no such symbol is registered.
  void* symbol_address(const void* host) const;
  std::uint64_t symbol_size(const void* host) const;

  cudaError_t launch(const void* host, const CallConfiguration& call, void** arguments);
  // The launch as work of a graph, in whose stream it will run; nothing if there is no such kernel.
  HostGraphs::Work later(const void* host, const CallConfiguration& call, void** arguments);
  const Kernel* kernel(const void* host) const;
  int architecture() const { return static_cast<int>(module_.architecture()); }  // 90 for compute capability 9.0
  bool has_clusters() const { return module_.architecture() >= race::kFirstWithClusters; }

  // Host memory that kernels may use: it has a copy on the device, and both are made equal before and after a launch.
  bool register_host(void* host, std::uint64_t size);
  bool unregister_host(void* host);
  // The copy of registered memory on the device; null if it is not registered.
  void* device_of_host(const void* host) const;

  // A call that fails because it is not modelled.
  void note_call(const char* what, const char* file, unsigned line) { device_.note_call(what, file, line); }
  void note_unseen(const std::string& what, race::Effect effect, bool doubtful) {
    device_.note_unseen(what, effect, doubtful);
  }
  // The next launches may overlap with the ones before them.
  void note_overlap(const void* host);
  // The next launch may start before the one before it in its stream has ended.
  void next_overlaps() { next_overlaps_ = true; }
  // Memory of this allocation may be changed by the host at any time.
  void share_with_host(const void* pointer) { device_.share_with_host(pointer); }
  HostGraphs& graphs() { return graphs_; }
  StreamOrder& streams() { return streams_; }
  std::uint64_t add_texture(const Texture& texture) { return device_.add_texture(texture); }
  bool remove_texture(std::uint64_t handle) { return device_.remove_texture(handle); }
  // A copy is work in its stream. After one that waits, the host knows that the stream's work is over.
  cudaError_t submit(const void* stream, bool waits);
  // Sets the error that cudaGetLastError() returns, and returns it.
  cudaError_t fail(cudaError_t error) {
    if (error != cudaSuccess) last_error_ = error;
    return error;
  }
  cudaError_t last_error() const { return last_error_; }
  void clear_error() { last_error_ = failed_; }
  // The result of a call that waits for the device.
  cudaError_t waited() { return fail(failed_); }

  inline static thread_local std::vector<CallConfiguration> pending;  // <<<...>>> of kernels that are not called yet

 private:
  struct Registered {
    std::uint64_t size = 0;
    void* device = nullptr;
  };

  void copy_managed(bool to_device);
  cudaError_t refuse(const Kernel& kernel, cudaError_t error);
  cudaError_t run(const Kernel& kernel, const race::LaunchShape& shape, void** arguments, StreamId stream);

  DeviceCalls& device_;
  Arena& memory_;  // a copy of what the device knows about its allocations, and the memory itself
  const DeviceModule& module_;
  StreamOrder streams_;
  std::map<StreamId, std::uint64_t> last_launch_;  // its work
  bool next_overlaps_ = false;
  HostGraphs graphs_;
  std::map<const char*, Registered> registered_;  // by its begin
  std::uint64_t used_ = 0;
  cudaError_t last_error_ = cudaSuccess;
  cudaError_t failed_ = cudaSuccess;  // the device's; never cleared
};

// The device of the running program. Threads take turns: each expression that uses it has it alone. A program that was
// built by weakspot-nvcc gets its device at the first use.
class CurrentDevice {
 public:
  class Turn {
   public:
    Turn(std::recursive_mutex& turns, HostDevice* device) : lock_(turns), device_(device) {}
    HostDevice* operator->() const { return device_; }

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    HostDevice* device_;
  };

  Turn operator->();
  void set(HostDevice* device) { device_ = device; }

 private:
  std::recursive_mutex turns_;
  HostDevice* device_ = nullptr;
};
extern CurrentDevice& host_device;

}  // namespace weakspot::race_jit
