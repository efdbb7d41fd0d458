// SPDX-License-Identifier: MIT
// Keeps the first launch of a run as a capture (capture/capture.h), with the PTX that a GPU can run.
#pragma once

#include <string>

#include "race/request.h"
#include "race_jit/answer/channel.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

class LaunchKeeper {
 public:
  LaunchKeeper(const race::Request& request, std::string ptx, const Arena& arena, const DeviceModule& module,
               const Channel& channel)
      : request_(request), ptx_(std::move(ptx)), arena_(arena), module_(module), channel_(channel) {}

  // Sends the files of the capture, if it is the first launch. Memory must be as the launch finds it.
  void before(const Kernel& kernel, const race::LaunchShape& shape, void** arguments);
  // Why nothing was sent; empty if it was.
  std::string problem() const;

 private:
  const race::Request& request_;
  std::string ptx_;
  const Arena& arena_;
  const DeviceModule& module_;
  const Channel& channel_;
  bool kept_ = false, too_large_ = false;
};

}  // namespace weakspot::race_jit
