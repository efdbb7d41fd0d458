// SPDX-License-Identifier: MIT
#include "race_jit/driver/triton_cache.h"

#include <cstdlib>

#include "base/file.h"

namespace weakspot::race_jit::driver {
namespace {

namespace fs = std::filesystem;

// A cache that is shared by many is large; a program waits while it is searched.
constexpr unsigned kMostFiles = 200'000;
// Zeros at the end of a file, which none of its parts covers.
constexpr std::uintmax_t kMostPadding = 4096;

bool is_file_of(const fs::directory_entry& entry, std::string_view machine_code) {
  std::error_code error;
  if (entry.path().extension() != ".cubin" || !entry.is_regular_file(error)) return false;
  const std::uintmax_t size = entry.file_size(error);
  if (error || size < machine_code.size() || size - machine_code.size() > kMostPadding) return false;
  const base::Result<std::string> bytes = base::read_file(entry.path().string());
  return bytes && bytes->starts_with(machine_code) &&
         bytes->find_first_not_of('\0', machine_code.size()) == bytes->npos;
}

}  // namespace

std::vector<fs::path> triton_caches() {
  const auto variable = [](const char* name) { return std::string(getenv(name) != nullptr ? getenv(name) : ""); };
  if (const std::string cache = variable("TRITON_CACHE_DIR"); !cache.empty()) return {cache};
  for (const char* name : {"TRITON_HOME", "HOME"}) {
    if (const std::string home = variable(name); !home.empty()) return {fs::path(home) / ".triton" / "cache"};
  }
  return {};
}

std::optional<std::string> ptx_beside(std::string_view machine_code, const std::vector<fs::path>& caches) {
  unsigned files = 0;
  if (machine_code.empty()) return std::nullopt;
  for (const fs::path& cache : caches) {
    std::error_code error;
    fs::recursive_directory_iterator entries(cache, fs::directory_options::skip_permission_denied, error);
    for (; !error && entries != fs::recursive_directory_iterator() && ++files < kMostFiles; entries.increment(error)) {
      if (!is_file_of(*entries, machine_code)) continue;
      const fs::path text = fs::path(entries->path()).replace_extension(".ptx");
      if (base::Result<std::string> ptx = base::read_file(text.string()); ptx) return *std::move(ptx);
    }
  }
  return std::nullopt;
}

}  // namespace weakspot::race_jit::driver
