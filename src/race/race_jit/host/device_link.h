// SPDX-License-Identifier: MIT
// The calls of device_calls.h over a socket of packets: the program's end, and what answers at the other one.
#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>

#include "base/unique_fd.h"
#include "race_jit/host/device_calls.h"

namespace weakspot::race_jit {

// In the process of the program. Any of its threads may call. A copy that the program makes of itself has no device, as
// with CUDA. A program that closed the socket and calls the runtime nevertheless is killed: what it would launch cannot
// be checked.
class DeviceLink : public DeviceCalls {
 public:
  explicit DeviceLink(int socket);

  char* allocate(std::uint64_t size, const std::string& name, const race::Place& at) override;
  bool release(const void* pointer) override;
  LaunchAnswer launch(const LaunchCall& call) override;
  void note_call(const std::string& what, const std::string& file, std::uint32_t line) override;
  void note_unseen(const std::string& what, race::Effect effect, bool doubtful) override;
  void note_overlap(const std::string& kernel) override;
  void note_refusal(const std::string& kernel, const std::string& error) override;
  void share_with_host(const void* pointer) override;
  std::uint64_t add_texture(const Texture& texture) override;
  bool remove_texture(std::uint64_t handle) override;
  bool add_code() override;
  bool compile_source() override;
  void cannot_load(const std::string& why) override;

 private:
  std::string ask(const std::string& request);
  [[noreturn]] static void give_up();

  int socket_;
  pid_t owner_;
  std::mutex one_at_a_time_;
};

enum class Answered : std::uint8_t { yes, closed, not_a_request };
// Answers one request that waits in the socket. Gives up sending when `goes_on` says so.
Answered answer_request(int socket, DeviceCalls& device, const std::function<bool()>& goes_on);

}  // namespace weakspot::race_jit
