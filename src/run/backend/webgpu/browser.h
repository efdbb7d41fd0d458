// SPDX-License-Identifier: MIT
// A browser without a window, started for us alone: fresh profile, one page, ended with us.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "system/child.h"
#include "system/temporary_folder.h"

namespace weakspot::backend::webgpu {

// The Chromium or Chrome of this machine: $WEAKSPOT_BROWSER, or the first one on the PATH. Empty if there is none.
std::filesystem::path find_browser();

// Whether the machine has a device file of a GPU, which does not promise a driver.
bool has_gpu();

enum class Adapter { hardware, software };

class Browser {
 public:
  static base::Result<Browser> start(const std::filesystem::path& program, Adapter adapter, const std::string& url);
  Browser(Browser&& other) noexcept;
  Browser& operator=(Browser&&) = delete;
  // Ends the browser and all its processes.
  ~Browser();

  // The way the browser ended; empty while it runs.
  std::optional<base::Ending> ending();

 private:
  Browser(pid_t process, base::UniqueFd commands, base::UniqueFd replies, std::unique_ptr<base::TemporaryFolder> folder)
      : process_(process), commands_(std::move(commands)), replies_(std::move(replies)), folder_(std::move(folder)) {}

  pid_t process_ = -1;
  std::optional<base::Ending> ending_;
  // The browser ends when these are closed, and so when we are killed.
  base::UniqueFd commands_, replies_;
  std::unique_ptr<base::TemporaryFolder> folder_;
};

}  // namespace weakspot::backend::webgpu
