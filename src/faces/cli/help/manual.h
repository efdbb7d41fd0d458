// SPDX-License-Identifier: MIT
// The manual: a page for each command, from the same tables as the help, in the language of man(1).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}  // namespace CLI

namespace weakspot::cli {

struct ManualPage {
  std::string name;  // "weakspot-run"
  std::string text;
};
// The program's page and those of its commands.
std::vector<ManualPage> manual_pages(const CLI::App& app, const std::string& version);

// Writes pages and the scripts for shells where an installation has them below its share/ folder.
base::Status write_manual(const CLI::App& app, const std::string& version, const std::string& folder);

}  // namespace weakspot::cli
