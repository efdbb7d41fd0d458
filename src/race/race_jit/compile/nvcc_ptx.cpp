// SPDX-License-Identifier: MIT
#include "race_jit/compile/nvcc_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

bool is_nvcc(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && fs::canonical(path, error).filename() != "weakspot-nvcc";
}

// Languages with extensions of GNU are asked for without them.
std::string plain_language(const std::string& word) {
  const std::size_t gnu = word.find("gnu++");
  return gnu == std::string::npos ? word : word.substr(0, gnu) + "c++" + word.substr(gnu + 5);
}

// The files of a rule as make reads it, "x.ptx : a.cu \ b.h"; names with spaces are not told apart.
std::vector<std::string> files_of_rule(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  const std::size_t begin = rule.find(" : ");
  for (std::size_t i = begin == std::string::npos ? rule.size() : begin + 3; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : ' ';
    if (c != ' ' && c != '\n' && c != '\\') {
      word += c;
    } else if (!word.empty()) {
      files.push_back(std::move(word));
      word.clear();
    }
  }
  return files;
}

}  // namespace

std::string find_nvcc(const race::Request& request) {
  if (!request.cuda_path.empty()) {
    const fs::path path = fs::path(request.cuda_path) / "bin" / "nvcc";
    return is_nvcc(path) ? path.string() : std::string();
  }
  const std::string found = base::find_program("nvcc");
  if (!found.empty() && is_nvcc(found)) return found;
  const fs::path usual = "/usr/local/cuda/bin/nvcc";
  return is_nvcc(usual) ? usual.string() : std::string();
}

std::vector<std::string> nvcc_flags(const race::Request& request) {
  // The machine has all features of the default architecture, and our headers offer them without being asked.
  constexpr race::Architecture kDefault{race::Architecture{}.number, race::Architecture::Features::all};
  const std::string name = race::architecture_name(request.architecture.value_or(kDefault)).substr(3);
  std::vector<std::string> flags = {"-ptx",
                                    "-lineinfo",
                                    "-w",
                                    "--extended-lambda",
                                    "--expt-relaxed-constexpr",
                                    "-gencode",
                                    fmt::format("arch=compute_{0},code=sm_{0}", name)};
  bool language = false;
  const std::vector<std::string>& words = request.compiler_arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool pair = word == "-I" || word == "-isystem" || word == "-include" || word == "-D" || word == "-U";
    if (pair && i + 1 < words.size()) {
      flags.insert(flags.end(), {word, words[++i]});
    } else if (word.starts_with("-D__NVCC__") || word.starts_with("-D__CUDACC")) {
      continue;  // its own
    } else if (word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-U")) {
      flags.push_back(word);
    } else if (word.starts_with("-std=")) {
      language = true;
      flags.push_back(plain_language(word));
    } else if (word == "-fgpu-rdc") {
      flags.push_back("-rdc=true");
    }
  }
  if (!language) flags.push_back("-std=c++17");
  return flags;
}

NvccPtx run_nvcc(const race::Request& request, const std::string& nvcc, const std::string& uses,
                 const std::string& folder) {
  NvccPtx made;
  std::error_code error;
  const std::string source = fs::absolute(request.file, error).lexically_normal().string();
  const std::string ptx = folder + "/device.ptx", rule = folder + "/device.d", wrapper = folder + "/device.cu";
  if (!uses.empty()) {
    if (base::Status written = base::write_file(wrapper, fmt::format("#include \"{}\"\n{}", source, uses)); !written) {
      made.messages = base::render(written.errors());
      return made;
    }
  }
  std::vector<std::string> command = {nvcc};
  for (std::string& flag : nvcc_flags(request)) command.push_back(std::move(flag));
  command.insert(command.end(), {"-x", "cu", uses.empty() ? source : wrapper, "-o", ptx, "-MD", "-MF", rule});
  base::ProcessOptions options;
  options.environment = {"TMPDIR=" + folder};
  options.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(request.compile_seconds * 1000));
  const base::Result<base::ProcessResult> result = base::run_process(command, options);
  if (!result) {
    made.messages = base::render(result.errors());
  } else if (result->timed_out) {
    made.messages = "error: nvcc did not finish in its time (--compile-seconds)\n";
  } else if (!result->succeeded()) {
    made.messages = result->errors + result->output;
    if (made.messages.empty()) made.messages = "error: nvcc failed without a message\n";
  } else if (base::Result<std::string> text = base::read_file(ptx)) {
    made.ok = true;
    made.text = *std::move(text);
    if (const base::Result<std::string> files = base::read_file(rule)) made.read_files = files_of_rule(*files);
  } else {
    made.messages = base::render(text.errors());
  }
  return made;
}

}  // namespace weakspot::race_jit
