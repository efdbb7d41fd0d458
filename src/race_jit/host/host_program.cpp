// SPDX-License-Identifier: MIT
#include "race_jit/host/host_program.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>

#include "base/file.h"
#include "race_jit/host/host_api.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

using Main = int (*)(int, char**, char**);

// The text with comments and literals blanked out.
std::string code_only(std::string_view source) {
  std::string text(source);
  auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < text.size(); ++i) text[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      blank(i, end + 2);
      i = end + 1;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      blank(i, end + 1);
      i = end;
    }
  }
  return text;
}

// A function that neither the program nor the stand-in has is named with the line that calls it first.
base::Diagnostic explain_load_error(const std::string& problem, const std::string& file) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = problem.find(kUndefined);
  if (at == std::string::npos) return base::error_in(file, "cannot run the program: " + problem);
  const std::string symbol = problem.substr(at + kUndefined.size());
  std::string place = file;
  if (base::Result<std::string> source = base::read_file(file)) {
    const std::string text = code_only(*source);
    const std::size_t use = text.find(symbol);
    if (use != std::string::npos) {
      place += fmt::format(":{}", 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(use), '\n'));
    }
  }
  return base::error_in(
      place, fmt::format("cannot run the program: it calls {}, which is neither defined in it nor modelled", symbol));
}

}  // namespace

bool defines_main(std::string_view source) {
  const std::string text = code_only(source);
  auto is_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find("main"); at != std::string::npos; at = text.find("main", at + 1)) {
    if ((at > 0 && is_word(at - 1)) || is_word(at + 4)) continue;
    const std::size_t next = text.find_first_not_of(" \t\n", at + 4);
    if (next == std::string::npos || text[next] != '(') continue;
    // A definition: its list of parameters is followed by a body, and a type stands before.
    std::size_t end = next;
    int depth = 0;
    for (; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && --depth == 0) break;
    }
    const std::size_t body = text.find_first_not_of(" \t\n\r", end + 1);
    if (body != std::string::npos && (text[body] == '{' || text.compare(body, 2, "->") == 0)) return true;
  }
  return false;
}

base::Result<ProgramEnd> run_program(const std::string& library, const std::string& name,
                                     const std::vector<std::string>& arguments, HostDevice& device) {
  use_host_api();
  use_host_device_api();
  use_host_texture_api();
  use_host_more_api();
  host_device = &device;
  ProgramEnd end;
  std::vector<std::string> words{name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string load_error;
  // Constructors of the program run when it is loaded, and may do what main() may.
  const HostEnd how = run_host_code([&] {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      load_error = dlerror();
      return 0;
    }
    const auto main_function = reinterpret_cast<Main>(dlsym(handle, "main"));
    if (main_function == nullptr) {
      load_error = "it has no main()";
      return 0;
    }
    return main_function(static_cast<int>(words.size()), argv.data(), environ);
  });
  std::cout.flush();
  std::fflush(nullptr);
  host_device = nullptr;
  if (!load_error.empty()) return explain_load_error(load_error, name);
  end.exit_code = how.code;
  end.problem = how.problem;
  return end;
}

}  // namespace weakspot::race_jit
