// SPDX-License-Identifier: MIT
// The device behind the calls of a program, in the checker's process: allocations, launches under several schedules,
// textures. It believes nothing that it is told without looking.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "race_jit/host/device_calls.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {

class DeviceService : public DeviceCalls {
 public:
  // The folder is where sources with relative paths are looked for.
  DeviceService(Session& session, Machine& device, DeviceModule& module, const race::Request& request,
                std::string folder = "")
      : session_(session), machine_(device), module_(module), request_(request), folder_(std::move(folder)) {}

  char* allocate(std::uint64_t size, const std::string& name, const race::Place& at) override;
  bool release(const void* pointer) override { return machine_.arena().release(pointer); }
  LaunchAnswer launch(const LaunchCall& call) override;
  void note_call(const std::string& what, const std::string& file, std::uint32_t line) override;
  void note_unseen(const std::string& what, race::Effect effect, bool doubtful) override;
  void note_overlap(const std::string& kernel) override;
  void note_refusal(const std::string& kernel, const std::string& error) override;
  void share_with_host(const void* pointer) override;
  std::uint64_t add_texture(const Texture& texture) override;
  bool remove_texture(std::uint64_t handle) override { return machine_.textures().remove(handle); }
  bool add_code() override { return add_code_ && add_code_(); }
  bool compile_source() override { return compile_source_ && compile_source_(); }
  void cannot_load(const std::string& why) override;

  // How code is added to the module; by default it cannot be.
  void on_new_code(std::function<bool()> add) { add_code_ = std::move(add); }
  // How a source is compiled; by default it cannot be.
  void on_source(std::function<bool()> compile) { compile_source_ = std::move(compile); }
  std::uint64_t launches() const { return launches_; }
  // Why the program could not be loaded; empty if it was.
  const std::string& load_error() const { return load_error_; }

 private:
  std::string name_at(const race::Place& at);
  const Kernel* find(const std::string& symbol) const;
  const Kernel* find(const LaunchCall& call) const;
  bool is_of_host(std::uint64_t address) const;
  void name_allocations(const Kernel& kernel, void** arguments);
  void keep_for_trials(const Kernel& kernel, const race::LaunchShape& shape, void** arguments, Arena::Snapshot memory,
                       const LaunchChoice& choice);
  void try_other_schedules(const Kernel& kernel, const race::LaunchShape& shape, void** arguments,
                           LaunchChoice& choice);

  Session& session_;
  Machine& machine_;
  DeviceModule& module_;
  const race::Request& request_;
  std::string folder_;
  std::set<std::uint64_t> of_host_;           // begins of allocations, see share_with_host()
  std::map<race::Place, std::string> names_;  // names of memory, by the calls that allocate it
  std::map<std::string, std::uint64_t> launches_of_;
  std::map<std::uint64_t, std::uint32_t> launch_of_work_;
  std::map<std::uint32_t, std::size_t> trial_of_launch_;
  std::optional<std::size_t> kept_trial_;  // for the launch at hand
  std::uint64_t used_ = 0, launches_ = 0;
  std::string load_error_;
  std::function<bool()> add_code_, compile_source_;
};

}  // namespace weakspot::race_jit
