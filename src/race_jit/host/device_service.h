// SPDX-License-Identifier: MIT
// The device behind the calls of a program, in the checker's process: allocations, launches under several schedules,
// textures. It believes nothing that it is told without looking.
#pragma once

#include <map>
#include <string>

#include "race_jit/host/device_calls.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {

// Whether a GPU would take it.
bool is_valid_launch(const race::LaunchShape& call);

class DeviceService : public DeviceCalls {
 public:
  DeviceService(Session& session, Machine& device, DeviceModule& module, const race::Request& request)
      : session_(session), machine_(device), module_(module), request_(request) {}

  char* allocate(std::uint64_t size, const std::string& name) override;
  bool release(const void* pointer) override { return machine_.arena().release(pointer); }
  LaunchAnswer launch(const LaunchCall& call) override;
  void note(const std::string& what) override { session_.collector().add_note(what); }
  std::uint64_t add_texture(const Texture& texture) override;
  bool remove_texture(std::uint64_t handle) override { return machine_.textures().remove(handle); }
  void cannot_load(const std::string& why) override;

  std::uint64_t launches() const { return launches_; }
  // Why the program could not be loaded; empty if it was.
  const std::string& load_error() const { return load_error_; }

 private:
  const Kernel* find(const LaunchCall& call) const;
  void name_allocations(const Kernel& kernel, void** arguments);
  void keep_for_trials(const Kernel& kernel, const race::LaunchShape& shape, void** arguments, Arena::Snapshot memory);
  void try_other_schedules(const Kernel& kernel, const race::LaunchShape& shape, void** arguments,
                           LaunchChoice& choice);

  Session& session_;
  Machine& machine_;
  DeviceModule& module_;
  const race::Request& request_;
  std::map<std::string, std::uint64_t> launches_of_;
  std::map<std::uint64_t, std::uint32_t> launch_of_work_;
  std::uint64_t used_ = 0, launches_ = 0;
  std::string load_error_;
};

}  // namespace weakspot::race_jit
