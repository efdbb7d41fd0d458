// SPDX-License-Identifier: MIT
// Calls from the stand-in runtime, which lives in the process of the checked program, to the device, which lives in the
// checker's. The two share the memory of the device and nothing else: the program cannot reach shadow memory, findings
// or the report, whatever it does. Copies and fills need no call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "race/launch_shape.h"
#include "race/not_modelled.h"
#include "race/site.h"
#include "race_jit/machine/textures.h"

namespace weakspot::race_jit {

struct LaunchCall {
  std::string kernel;  // its symbol
  race::LaunchShape shape;
  std::vector<std::string> arguments;    // their bytes
  std::uint64_t work = 0;                // its number in the order of streams
  std::vector<std::uint64_t> unordered;  // earlier work that may run at the same time
  std::uint64_t depends_on = 0;          // the work that it may overlap until it waits for it; 0: none
  bool keep_history = false;
};

struct LaunchAnswer {
  bool made = false;      // false: such a launch cannot be made
  bool ended = false;     // the launch came to its end
  bool asserted = false;  // an assert() of it failed
  std::string output;     // the kernel's
};

class DeviceCalls {
 public:
  virtual ~DeviceCalls() = default;
  // Zeroed memory; null if none is left. `at` is the call in the source, if that is known.
  virtual char* allocate(std::uint64_t size, const std::string& name, const race::Place& at) = 0;
  virtual bool release(const void* pointer) = 0;
  virtual LaunchAnswer launch(const LaunchCall& call) = 0;
  // A call of the program that is not modelled, and its place.
  virtual void note_call(const std::string& what, const std::string& file, std::uint32_t line) = 0;
  // Something else that is not modelled. `doubtful`: what runs later may depend on it.
  virtual void note_unseen(const std::string& what, race::Effect effect, bool doubtful) = 0;
  // Launches of this kernel, by its symbol, may overlap with the ones before them.
  virtual void note_overlap(const std::string& kernel) = 0;
  // A launch of this kernel was refused with this error.
  virtual void note_refusal(const std::string& kernel, const std::string& error) = 0;
  // The host may change the memory of this allocation while kernels run.
  virtual void share_with_host(const void* pointer) = 0;
  // The handle; 0 if the texture is not of memory of the device.
  virtual std::uint64_t add_texture(const Texture& texture) = 0;
  virtual bool remove_texture(std::uint64_t handle) = 0;
  // The program has opened a library: its words about the code are in the file of program_table.h, and the answer
  // will be. False if there is no such file.
  virtual bool add_code() = 0;
  // The program compiles a source: its words about it are in that file, and the answer will be. False if there is no
  // such file.
  virtual bool compile_source() = 0;
  // The program cannot be loaded.
  virtual void cannot_load(const std::string& why) = 0;
};

}  // namespace weakspot::race_jit
