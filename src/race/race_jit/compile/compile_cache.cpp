// SPDX-License-Identifier: MIT
#include "race_jit/compile/compile_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/hash.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;
using base::JsonValue;

constexpr std::size_t kMostEntries = 2000;

}  // namespace

std::string file_stamp(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return "none";
  return fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

fs::path CompileCache::default_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "weakspot" / "race";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return fs::path(home) / ".cache" / "weakspot" / "race";
  }
  return {};
}

fs::path CompileCache::entry(const std::string& key) const { return folder_ / (base::hash_bytes(key).hex() + ".bc"); }

// An entry is a line of JSON and the bitcode.
std::optional<CachedCompilation> CompileCache::find(const std::string& key) const {
  std::error_code error;
  if (folder_.empty() || !fs::exists(entry(key), error)) return std::nullopt;
  base::Result<std::string> text = base::read_file(entry(key).string());
  if (!text) return std::nullopt;
  const std::size_t end = text->find('\n');
  if (end == std::string::npos) return std::nullopt;
  const base::Result<JsonValue> head = base::read_json_text(base::Source("head", text->substr(0, end)));
  if (!head || head->at("key").text() != key || !head->at("files").is(JsonValue::Kind::object)) return std::nullopt;
  for (const base::JsonMember& file : head->at("files").members()) {
    if (file_stamp(file.key) != file.value.text()) return std::nullopt;
  }
  return CachedCompilation{text->substr(end + 1), head->at("messages").text()};
}

void CompileCache::store(const std::string& key, const CachedCompilation& made,
                         const std::vector<std::string>& read_files) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;
  JsonValue files = base::json_object();
  for (const std::string& file : read_files) files[fs::absolute(file, error).string()] = file_stamp(file);
  const JsonValue head = base::json_object({{"key", key}, {"messages", made.messages}, {"files", std::move(files)}});
  // Two that compile the same at once must not see halves of each other.
  const fs::path fresh = folder_ / fmt::format("new.{}", getpid());
  if (!base::write_file(fresh.string(), base::json_compact(head) + "\n" + made.bitcode)) return;
  fs::rename(fresh, entry(key), error);
  if (error) fs::remove(fresh, error);
  drop_oldest();
}

void CompileCache::drop_oldest() const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    if (file.path().extension() == ".bc") entries.emplace_back(file.last_write_time(error), file.path());
  }
  if (entries.size() <= kMostEntries) return;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i < kMostEntries / 10; ++i) fs::remove(entries[i].second, error);
}

}  // namespace weakspot::race_jit
