// SPDX-License-Identifier: MIT
// No files: a program in a browser.
#include "base/file.h"

namespace weakspot::base {
namespace {

Diagnostic no_files(const std::string& path) { return error_in(path, "there are no files here"); }

}  // namespace

Result<std::string> read_file(const std::string& path) { return no_files(path); }

Status write_file(const std::string& path, std::string_view, Durable) { return no_files(path); }

Status lock_file(const std::string& path, int) { return no_files(path); }

bool exists(const std::filesystem::path&) { return false; }

bool is_file(const std::filesystem::path&) { return false; }

std::filesystem::path absolute_path(const std::filesystem::path& path) { return path; }

Result<std::vector<std::string>> files_under(const std::string& directory, std::string_view) {
  return no_files(directory);
}

std::filesystem::path data_directory(std::string_view) { return {}; }

std::string missing_data(std::string_view) { return "there are no files here"; }

}  // namespace weakspot::base
