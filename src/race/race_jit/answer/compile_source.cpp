// SPDX-License-Identifier: MIT
#include "race_jit/answer/compile_source.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "race/nvcc_command.h"
#include "race_jit/compile/clang_compiler.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/compile/named_symbols.h"
#include "race_jit/guard/readable.h"
#include "race_jit/host/device_code.h"
#include "system/temporary_folder.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

CompiledSource not_compiled(const std::string& why) { return {false, why, {}, {}}; }

// nvrtc's names of options that nvcc spells differently.
std::string as_nvcc_takes_it(const std::string& option) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {{"--pre-include=", "-include="},
                                                                       {"-default-device", ""},
                                                                       {"--device-as-default-execution-space", ""},
                                                                       {"-dlto", ""},
                                                                       {"--dlink-time-opt", ""}};
  for (const auto& [theirs, ours] : kOthers) {
    if (option.starts_with(theirs)) return std::string(ours) + (ours.empty() ? "" : option.substr(theirs.size()));
  }
  return option;
}

bool are_functions_of_device(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& one) {
    return one == "-default-device" || one == "--device-as-default-execution-space";
  });
}

// A name that stays below the folder it is written to.
bool stays_below(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && path.is_relative() && *path.begin() != "..";
}

// The files that this source may include. A program in the sandbox says in its options what it likes: its sources see
// what it sees itself.
std::vector<std::string> readable_by(const race::Request& request) {
  const char* const seen = std::getenv(kReadableVariable);
  std::vector<std::string> places;
  if (seen == nullptr) {
    places = readable_by_compiler(request);
  } else {
    for (std::string_view rest = seen; !rest.empty();) {
      places.emplace_back(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(rest.size(), places.back().size() + 1));
    }
    for (std::string& place : places_of_headers(request)) places.push_back(std::move(place));
  }
  places.push_back(fs::path(clang_resource_folder()).parent_path().parent_path().parent_path().string());
  return places;
}

// Messages without the folder that the source lies in only now.
std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

}  // namespace

CompiledSource compile_program_source(const SourceToCompile& source, const race::Request& request) {
  const base::TemporaryFolder folder;
  if (folder.path().empty()) return not_compiled("cannot make a temporary folder");
  const std::string top = folder.path().string() + "/";
  const std::string name = stays_below(source.name) ? source.name : fs::path(source.name).filename().string();
  if (!stays_below(name)) return not_compiled(fmt::format("'{}' cannot be the name of a source", source.name));
  std::map<std::string, std::string> texts = source.headers;
  const char* const begin = "#pragma clang force_cuda_host_device begin\n#line 1\n";
  const char* const end = "\n#pragma clang force_cuda_host_device end\n";
  texts[name] = are_functions_of_device(source.options) ? begin + source.text + end : source.text;
  for (const auto& [header, text] : texts) {
    if (!stays_below(header)) return not_compiled(fmt::format("'{}' cannot be the name of a header", header));
    std::error_code error;
    fs::create_directories((fs::path(top) / header).parent_path(), error);
    if (!base::write_file(top + header, text, base::Durable::no)) return not_compiled("cannot write a temporary file");
  }
  std::vector<std::string> words;
  for (const std::string& option : source.options) {
    if (std::string word = as_nvcc_takes_it(option); !word.empty()) words.push_back(std::move(word));
  }
  base::Result<race::NvccCommand> command = race::parse_nvcc(words, {.folder = top, .forgiving = true});
  if (!command) return not_compiled(base::render(command.errors()));

  race::Request one = request;
  one.file = name;
  one.compiler_arguments = std::move(command->language_flags);
  one.compiler_arguments.insert(one.compiler_arguments.end(),
                                {"-I.", "-D__CUDACC_RTC__=1", "-fdebug-compilation-dir=."});
  if (const auto newest = race::newest_of(command->architectures)) one.architecture = newest;
  std::vector<std::string> readable = readable_by(one);
  readable.push_back(folder.path().string());
  std::vector<std::string> writable = {folder.path().string()};
  if (const fs::path cache = CompileCache::default_folder(); !cache.empty()) writable.push_back(cache.string());
  Compiled compiled;
  bool is_there = false;
  const base::Result<bool> confined = confined_to(readable, writable, [&] {
    // A working folder of this thread alone: the flags, and so our compiled headers, are the same for all sources.
    is_there = unshare(CLONE_FS) == 0 && chdir(top.c_str()) == 0;
    if (is_there) compiled = compile_device(one, source.expressions, folder.path().string());
  });
  if (!is_there) return not_compiled("this system allows no thread a working folder of its own");
  if (!confined) return not_compiled(base::render(confined.errors()));
  if (!compiled.ok) return not_compiled(without_folder(compiled.failure.messages, top));
  DeviceCode code;
  code.source = name;
  code.id = base::hash_bytes(compiled.bitcode).hex();
  code.bitcode = std::move(compiled.bitcode);
  CompiledSource answer;
  answer.done = true;
  answer.log = without_folder(compiled.warnings, top);
  answer.symbols = symbols_of(code.bitcode, source.expressions);
  answer.code = to_bytes(code);
  return answer;
}

}  // namespace weakspot::race_jit
