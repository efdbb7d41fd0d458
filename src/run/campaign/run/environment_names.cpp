// SPDX-License-Identifier: MIT
#include "campaign/environment_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::campaign {

std::string EnvironmentNames::name(const std::string& settings) {
  if (settings.find(',') == std::string::npos) return settings;
  for (const codegen::Preset& preset : codegen::presets()) {
    if (codegen::to_text(preset.environment) == settings) return std::string(preset.name);
  }
  const auto known =
      std::find_if(numbered_.begin(), numbered_.end(), [&](const Entry& entry) { return entry.settings == settings; });
  if (known != numbered_.end()) return known->name;
  numbered_.push_back({fmt::format("env {}", numbered_.size() + 1), settings});
  return numbered_.back().name;
}

}  // namespace weakspot::campaign
