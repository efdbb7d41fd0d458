// SPDX-License-Identifier: MIT
// Chooses the environments in which a job runs tests.
#pragma once

#include <string>
#include <vector>

#include "backend/device.h"
#include "base/result.h"
#include "codegen/environment.h"

namespace weakspot::workbench {

using Environments = std::vector<codegen::TestEnvironment>;

// The environments that are good on many devices of this kind.
Environments sweep_for(const backend::DeviceInfo& info);

// The environments of one text: a preset or name=value,... (as parse_environment() takes it), a file, "sweep",
// "incantations", or "default" for the device's own. A file has one environment per line, one as JSON, or is what
// `tune` or `conform --save-suite` wrote.
base::Result<Environments> read_environments(const std::string& text, const backend::DeviceInfo& info);

// The environments of all texts, as read_environments() takes them; the device's own if there are no texts.
base::Result<Environments> choose_environments(const std::vector<std::string>& texts, const backend::DeviceInfo& info);

// The environments with these names, each once. A name is "sweep", which stands for `sweep`; a file, as above;
// "incantations"; or an environment as parse_environment() takes it.
base::Result<Environments> load_environments(const std::vector<std::string>& names, const Environments& sweep);

// Adds those of `more` that `all` does not have.
void add_missing(Environments& all, const Environments& more);

}  // namespace weakspot::workbench
