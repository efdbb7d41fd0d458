// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/ptxas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/build_info.h"
#include "base/file.h"
#include "base/source.h"
#include "race/ptx_text.h"
#include "race_jit/driver/image.h"

namespace weakspot::race_jit {
namespace {

constexpr int kPtxasFailed = 255;

// Options whose value is a word of its own.
constexpr std::array<std::string_view, 14> kWithValue = {
    "-arch",          "--gpu-name", "-m",      "--machine",        "-O",    "--opt-level",       "-maxrregcount",
    "--maxrregcount", "-e",         "--entry", "--def-load-cache", "-dlcm", "--def-store-cache", "-dscm"};

int ptxas_fails(const std::string& why) {
  fmt::print(stderr, "ptxas fatal   : {}\n", why);
  return kPtxasFailed;
}

}  // namespace

int run_ptxas(const std::vector<std::string>& words) {
  std::string input, output = "elf.o";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--version" || word == "-V") {
      fmt::print(
          "ptxas: NVIDIA (R) Ptx optimizing assembler\nThis is weakspot {}, which takes its place.\n"
          "Cuda compilation tools, release 12.8, V12.8.93\n",
          base::kVersion);
      return 0;
    }
    if (word == "-o" || word == "--output-file") {
      if (++i < words.size()) output = words[i];
    } else if (word.starts_with("--output-file=")) {
      output = word.substr(word.find('=') + 1);
    } else if (std::find(kWithValue.begin(), kWithValue.end(), word) != kWithValue.end()) {
      ++i;
    } else if (!word.starts_with('-')) {
      if (!input.empty()) return ptxas_fails("expected one file of PTX");
      input = word;
    }
  }
  if (input.empty()) return ptxas_fails("expected a file of PTX");
  const base::Result<std::string> text = base::read_file(input);
  if (!text) return ptxas_fails(text.errors().front().message);
  if (const auto module = race::ptx::read_module(base::Source(input, *text)); !module) {
    std::fputs(base::render(module.errors()).c_str(), stderr);
    return kPtxasFailed;
  }
  const base::Status written = base::write_file(output, driver::image_with_ptx(*text), base::Durable::no);
  return written ? 0 : ptxas_fails(written.errors().front().message);
}

}  // namespace weakspot::race_jit
