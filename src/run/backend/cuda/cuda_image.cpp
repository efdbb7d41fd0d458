// SPDX-License-Identifier: MIT
#include "backend/cuda/cuda_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "system/subprocess.h"
#include "system/temporary_folder.h"

namespace weakspot::backend::cuda {
namespace {

using Image = std::vector<std::uint8_t>;

base::Result<Image> by_driver(const Driver& driver, const std::string& ptx) {
  if (driver.LinkCreate == nullptr) return base::error("cuda: the driver is too old to give machine code");
  std::string log(16 * 1024, '\0');
  int names[] = {kErrorLogBuffer, kErrorLogBufferSize, kGenerateLineInfo};
  // NOLINTNEXTLINE: numbers are passed as pointers
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size()), reinterpret_cast<void*>(std::uintptr_t{1})};
  LinkState state = nullptr;
  Code code = driver.LinkCreate(3, names, values, &state);
  if (code != kSuccess) return base::error(fmt::format("cuda: linker: {}", driver.describe(code)));
  std::string text = ptx;
  code = driver.LinkAddData(state, kInputPtx, text.data(), text.size() + 1, "program.ptx", 0, nullptr, nullptr);
  void* made = nullptr;
  std::size_t bytes = 0;
  if (code == kSuccess) code = driver.LinkComplete(state, &made, &bytes);
  Image image;
  // The image belongs to the linker.
  if (code == kSuccess) image.assign(static_cast<std::uint8_t*>(made), static_cast<std::uint8_t*>(made) + bytes);
  driver.LinkDestroy(state);
  if (code == kSuccess) return image;
  log.resize(std::min(log.find('\0'), log.size()));
  return base::error(fmt::format("cuda: linker: {}{}{}", driver.describe(code), log.empty() ? "" : "; it says: ", log));
}

base::Result<Image> by_assembler(const std::string& ptxas, const std::string& ptx, unsigned arch) {
  const base::TemporaryFolder folder;
  const std::string source = (folder.path() / "program.ptx").string();
  const std::string target = (folder.path() / "program.cubin").string();
  if (base::Status written = base::write_file(source, ptx); !written) return written.errors();
  const auto result = base::run_process({ptxas, fmt::format("-arch=sm_{}", arch), "-lineinfo", source, "-o", target});
  if (!result) return result.errors();
  if (!result->succeeded()) return base::error(fmt::format("cuda: ptxas: {}", result->errors));
  const base::Result<std::string> made = base::read_file(target);
  if (!made) return made.errors();
  return Image(made->begin(), made->end());
}

}  // namespace

base::Result<Image> make_image(const Driver& driver, const std::string& ptx, unsigned arch) {
  const std::string ptxas = base::find_program("ptxas", {"/usr/local/cuda/bin"});
  if (!ptxas.empty()) return by_assembler(ptxas, ptx, arch);
  return by_driver(driver, ptx);
}

}  // namespace weakspot::backend::cuda
