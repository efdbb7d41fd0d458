// SPDX-License-Identifier: MIT
#include "race_jit/compile/host_headers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "race_jit/compile/compile_cache.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

// A set of headers takes some ten megabytes.
constexpr std::size_t kMostKept = 16;

// The files that a rule of make depends on, with their stamps, a line each.
std::string stamps_of(const std::string& rule) {
  std::string lines, name;
  for (std::size_t at = std::min(rule.find(": "), rule.size()) + 1; at <= rule.size(); ++at) {
    const char c = at < rule.size() ? rule[at] : '\n';
    if (c == '\\' && at + 1 < rule.size() && rule[at + 1] == ' ') {
      name += rule[++at];
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (!name.empty()) lines += fmt::format("{}\t{}\n", file_stamp(name), name);
      name.clear();
    } else {
      name += c;
    }
  }
  return lines;
}

bool is_current(const std::string& stamps) {
  std::size_t at = 0;
  while (at < stamps.size()) {
    const std::size_t tab = stamps.find('\t', at), end = stamps.find('\n', at);
    if (tab == std::string::npos || end == std::string::npos || tab > end) return false;
    if (file_stamp(stamps.substr(tab + 1, end - tab - 1)) != stamps.substr(at, tab - at)) return false;
    at = end + 1;
  }
  return !stamps.empty();
}

void drop_oldest(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    if (file.path().extension() == ".stamps") kept.emplace_back(file.last_write_time(error), file.path());
  }
  if (kept.size() <= kMostKept) return;
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size() - kMostKept; ++i) {
    fs::remove(kept[i].second, error);
    fs::remove(kept[i].second.replace_extension(".pch"), error);
  }
}

// Under names of its own first: two that make the same at once must not see halves of each other.
bool make_headers(const std::string& clang, const std::string& header, const std::vector<std::string>& flags,
                  const fs::path& compiled, const fs::path& stamps) {
  const std::string fresh = fmt::format("{}.{}", compiled.string(), getpid()), rule = fresh + ".d";
  std::vector<std::string> command = {clang};
  command.insert(command.end(), flags.begin(), flags.end());
  for (const std::string& word : {std::string("-emit-pch"), std::string("-o"), fresh, std::string("-dependency-file"),
                                  rule, std::string("-MT"), std::string("x"), std::string("-sys-header-deps")}) {
    command.insert(command.end(), {"-Xclang", word});
  }
  command.insert(command.end(), {"-w", "-fsyntax-only", header});
  base::ProcessOptions options;
  options.deadline = std::chrono::milliseconds(120'000);
  const base::Result<base::ProcessResult> result = base::run_process(command, options);
  base::Result<std::string> read = result && result->succeeded() ? base::read_file(rule) : std::string();
  std::error_code error, ignored;
  const bool made = read && !read->empty() && (fs::rename(fresh, compiled, error), !error) &&
                    base::write_file(stamps.string(), stamps_of(*read), base::Durable::no).ok();
  fs::remove(fresh, ignored);
  fs::remove(rule, ignored);
  return made;
}

}  // namespace

std::vector<std::string> flags_of_headers(const std::vector<std::string>& flags, const std::string& folder) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    const std::string next = i + 1 < flags.size() ? flags[i + 1] : std::string();
    const bool with_next = flag == "-include" || flag == "-imacros" || flag == "-I";
    if (with_next || (flag == "-Xclang" && next.starts_with("-cuid="))) {
      ++i;
    } else if (!flag.starts_with("-cuid=") && (!flag.starts_with("-I") || flag.starts_with("-I" + folder))) {
      kept.push_back(flag);
    }
  }
  kept.emplace_back("-cuid=weakspot");
  return kept;
}

void include_compiled(std::vector<std::string>& flags, const std::string& header, const std::string& compiled) {
  for (std::size_t i = 0; i + 1 < flags.size(); ++i) {
    if (flags[i] != "-include" || flags[i + 1] != header) continue;
    flags[i] = "-Xclang";
    flags[i + 1] = "-include-pch";
    flags.insert(flags.begin() + static_cast<std::ptrdiff_t>(i) + 2, {"-Xclang", compiled});
    return;
  }
}

std::string compiled_host_headers(const std::string& clang, const std::string& header,
                                  const std::vector<std::string>& flags) {
  const fs::path folder = CompileCache::default_folder();
  if (folder.empty()) return {};
  std::string key = clang + "\n" + header;
  for (const std::string& flag : flags) key += "\n" + flag;
  const fs::path compiled = folder / ("host-" + base::hash_bytes(key).hex() + ".pch");
  fs::path stamps = compiled;
  stamps.replace_extension(".stamps");
  std::error_code error;
  if (fs::exists(compiled, error) && fs::exists(stamps, error)) {
    const base::Result<std::string> known = base::read_file(stamps.string());
    if (known && is_current(*known)) return compiled.string();
  }
  fs::create_directories(folder, error);
  if (error || !make_headers(clang, header, flags, compiled, stamps)) return {};
  drop_oldest(folder);
  return compiled.string();
}

}  // namespace weakspot::race_jit
