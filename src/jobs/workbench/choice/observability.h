// SPDX-License-Identifier: MIT
// Decides whether a device can show the outcome that a test asks about, for conform, tune and score alike.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "backend/device.h"
#include "base/result.h"
#include "litmus/test.h"
#include "model/model_shelf.h"
#include "workbench/devices.h"

namespace weakspot::workbench {

class Observability {
 public:
  // `stop`: the user's wish to end; null: none.
  explicit Observability(const backend::DeviceInfo& device, const std::atomic<bool>* stop = nullptr)
      : platform_(platform_of(device)), stop_(stop) {}

  // The model that is asked about the test.
  std::string model_for(const litmus::LitmusTest& test) const;

  // Why the device cannot show it, such as "cannot be seen on this device: tso forbids it": the model that judges runs
  // there forbids the test in the form in which the device's code has it. Nothing if it can, or if the model cannot
  // tell within a few seconds and some memory. Fails if the model cannot be read, or if the user wants to end.
  base::Result<std::optional<std::string>> why_not(const litmus::LitmusTest& test);

 private:
  questions::Platform platform_;
  const std::atomic<bool>* stop_;
  model::ModelShelf models_;
};

}  // namespace weakspot::workbench
