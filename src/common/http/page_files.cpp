// SPDX-License-Identifier: MIT
#include "http/page_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"

namespace weakspot::http {
namespace {

namespace fs = std::filesystem;

// Letters, digits and a few marks; no part is empty or begins with a dot.
bool is_plain(std::string_view path) {
  bool begins = true;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (begins && (c == '.' || c == '/')) return false;
    if (!letter && std::string_view("-_./+@").find(c) == std::string_view::npos) return false;
    begins = c == '/';
  }
  return !path.empty() && !begins;
}

}  // namespace

base::Result<fs::path> page_folder(std::string_view file) {
  for (const std::string_view name : {"page", "build/page"}) {
    fs::path folder = base::data_directory(name);
    std::error_code none;
    if (!folder.empty() && fs::is_regular_file(folder / file, none)) return folder;
  }
  return base::error("the page is not built: './run --page' builds it and installs what it needs",
                     base::ErrorKind::environment);
}

std::optional<Response> page_file(const fs::path& folder, std::string_view path) {
  const std::string name(path.empty() ? "index.html" : path);
  if (!is_plain(name)) return std::nullopt;
  std::error_code none;
  const fs::path file = fs::canonical(folder / name, none);
  const fs::path inside = fs::canonical(folder, none);
  // A link may lead elsewhere.
  if (none || std::mismatch(inside.begin(), inside.end(), file.begin(), file.end()).first != inside.end()) {
    return std::nullopt;
  }
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  base::Result<std::string> content = base::read_file(file.string());
  if (!content) return std::nullopt;
  Response response;
  response.type = content_type(name);
  response.body = *std::move(content);
  return response;
}

}  // namespace weakspot::http
