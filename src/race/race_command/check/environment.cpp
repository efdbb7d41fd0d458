// SPDX-License-Identifier: MIT
#include "race_command/check/environment.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "system/spawn.h"

namespace weakspot::race_command {
namespace {

// Names, and beginnings of names that end with '_'.
constexpr std::string_view kPassedOn[] = {"PATH",
                                          "HOME",
                                          "USER",
                                          "LOGNAME",
                                          "LANG",
                                          "LANGUAGE",
                                          "LC_",
                                          "TZ",
                                          "TERM",
                                          "TMPDIR",
                                          "XDG_CACHE_HOME",
                                          "OMP_",
                                          "GOMP_",
                                          "KMP_",
                                          "CUDA_VISIBLE_DEVICES",
                                          "CPATH",
                                          "C_INCLUDE_PATH",
                                          "CPLUS_INCLUDE_PATH",
                                          "LIBRARY_PATH",
                                          "LD_LIBRARY_PATH",
                                          "ASAN_OPTIONS",
                                          "UBSAN_OPTIONS",
                                          "TSAN_OPTIONS",
                                          "LSAN_OPTIONS",
                                          "LLVM_PROFILE_FILE"};

bool is_passed_on(std::string_view name) {
  return std::any_of(std::begin(kPassedOn), std::end(kPassedOn), [&](std::string_view known) {
    return known.ends_with('_') ? name.starts_with(known) : name == known;
  });
}

}  // namespace

std::vector<std::string> environment_of_program(const std::vector<std::string>& more, bool trust) {
  std::vector<std::string> given;
  for (const std::string& one : more) {
    const char* value = one.find('=') == std::string::npos ? std::getenv(one.c_str()) : nullptr;
    if (value != nullptr) given.push_back(one + "=" + value);
    if (one.find('=') != std::string::npos) given.push_back(one);
  }
  std::vector<std::string> all = base::merged_environment(given);
  if (trust) return all;
  std::erase_if(all, [&](const std::string& entry) {
    const bool asked = std::find(given.begin(), given.end(), entry) != given.end();
    return !asked && !is_passed_on(std::string_view(entry).substr(0, entry.find('=')));
  });
  return all;
}

}  // namespace weakspot::race_command
