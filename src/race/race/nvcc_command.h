// SPDX-License-Identifier: MIT
// nvcc's command line, as far as it means something here: for weakspot-nvcc, for 'weakspot race', which takes nvcc's
// options among its own, and for the commands of a compile_commands.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"

namespace weakspot::race {

enum class NvccPhase : std::uint8_t { link, compile, preprocess, dependencies, device_link, library };

struct NvccInput {
  std::string path;
  std::string language;  // cu, hip, c++ or c for sources; empty for objects, archives and libraries
};

struct NvccCommand {
  NvccPhase phase = NvccPhase::link;
  std::vector<NvccInput> sources;
  // For the linker, in their order: objects, archives, -l, -L and its own options. A source stands there as its number,
  // "#0".
  std::vector<std::string> link_words;
  std::vector<std::string> language_flags;  // -I, -D, -std and the like, for host and device
  std::vector<std::string> host_flags;      // for the host alone: -O2, -g, -fPIC, warnings
  std::vector<Architecture> architectures;  // those that are asked for, the newest last
  unsigned wave = 0;                        // lanes of waves of HIP code, if an option says so
  std::string gpu;                          // one of AMD that is asked for, the last: "gfx90a"
  std::string language;                     // of the sources, if an option says so
  bool relocatable = false;
  bool shared = false;
  bool run = false;
  std::string output;
  bool dependencies = false;  // beside the object
  bool system_dependencies = true;
  std::string dependency_file;
  std::vector<std::string> dependency_targets;
  bool phony_targets = false;
  bool verbose = false, dry_run = false, version = false, help = false;
  bool with_runtime = true;  // link with the CUDA runtime
  std::vector<std::string> run_arguments;
};

struct NvccReading {
  std::filesystem::path folder;  // names of response files are relative to it
  bool forgiving = false;        // leave out options that are an error: they are another compiler's concern
  bool hip = false;              // as hipcc: sources in C++ are HIP
};

// `words` without the name of the program. Reads response files.
base::Result<NvccCommand> parse_nvcc(const std::vector<std::string>& words, const NvccReading& reading = {});

// The number of words that nvcc's option at words[at] takes, with its value; 0 if nvcc does not have it.
std::size_t nvcc_option_words(const std::vector<std::string>& words, std::size_t at);

}  // namespace weakspot::race
