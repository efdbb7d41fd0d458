// SPDX-License-Identifier: MIT
// Whether a device can show the outcome that a test asks about: decided here for conform, tune and score alike.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "backend/device.h"
#include "base/result.h"
#include "litmus/test.h"
#include "model/cat_model.h"

namespace weakspot::workbench {

class Observability {
 public:
  explicit Observability(backend::DeviceInfo device) : device_(std::move(device)) {}

  // Why the device cannot show it, such as "cannot be seen on this device: tso forbids it": the model that judges runs
  // there forbids the test in the form in which the device's code has it. Nothing if it can, or if the model cannot
  // tell within a few seconds. Fails if the model cannot be read.
  base::Result<std::optional<std::string>> why_not(const litmus::LitmusTest& test);

 private:
  backend::DeviceInfo device_;
  std::map<std::string, model::Model> models_;
};

}  // namespace weakspot::workbench
