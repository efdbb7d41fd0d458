// SPDX-License-Identifier: MIT
#include "optcheck/disassembler.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "base/subprocess.h"
#include "base/temporary_folder.h"

namespace weakspot::optcheck {
namespace {

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(name); home != nullptr && *home != 0)
      folders.push_back(std::string(home) + "/bin");
  }
  folders.emplace_back("/usr/local/cuda/bin");
  folders.emplace_back("/opt/cuda/bin");
  return folders;
}

// Looked for once.
const std::vector<std::string>& disassembler() {
  static const std::vector<std::string> kCommand = []() -> std::vector<std::string> {
    if (const std::string found = base::find_program("nvdisasm", toolkit_folders()); !found.empty()) {
      return {found, "-c"};
    }
    if (const std::string found = base::find_program("cuobjdump", toolkit_folders()); !found.empty()) {
      return {found, "-sass"};
    }
    return {};
  }();
  return kCommand;
}

}  // namespace

base::Result<std::string> disassemble_cubin(std::span<const std::uint8_t> image) {
  std::vector<std::string> command = disassembler();
  if (command.empty())
    return base::error("no disassembler: neither nvdisasm nor cuobjdump of the CUDA toolkit was found");
  const base::TemporaryFolder folder;
  const std::string file = (folder.path() / "program.cubin").string();
  if (base::Status written = base::write_file(file, std::string(image.begin(), image.end())); !written) {
    return written.errors();
  }
  command.push_back(file);
  const base::Result<base::ProcessResult> result = base::run_process(command);
  if (!result) return result.errors();
  if (!result->succeeded()) return base::error(fmt::format("{} failed: {}", command.front(), result->errors));
  return result->output;
}

}  // namespace weakspot::optcheck
