// SPDX-License-Identifier: MIT
// Runs clang in this process, to compile the device part of a CUDA file to bitcode. Our own headers are read once and
// kept compiled. The bodies of host functions can be skipped: they often fail to compile without a toolkit.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "race_jit/compile/changed_source.h"

namespace weakspot::race_jit {

struct ClangJob {
  std::vector<std::string> arguments;  // as for the compiler's command line, without its name
  std::string file;
  std::string appended;                  // to the text of the file
  std::string prefix;                    // a header, as in #include, to read first
  std::string prefix_cache;              // a file that keeps it compiled; empty: none
  std::string definitions;               // lines to read after the prefix: the user's macros do not reach our headers
  bool skip_host_bodies = false;         // bodies of all functions
  std::set<std::string> skipped_bodies;  // bodies of these, by FailedFunction::place
  std::map<std::string, std::string> replaced;  // texts to read instead of files
  bool hip = false;
  unsigned architecture = 0;  // noted in the module, see DeviceModule::architecture()
};

// A function of the host in which the compiler found an error.
struct FailedFunction {
  std::string name;
  std::string place;    // file:line:column
  std::string problem;  // the first error in it
};

struct ClangResult {
  bool ok = false;
  std::string bitcode;
  std::string messages;  // with carets
  std::string notes;     // bitcode of a module without code: what the syntax says of the file, errors or not
  std::vector<std::string> read_files;
  std::vector<FailedFunction> failed;
  LaunchPlaces launches;  // errors in functions of the device, which may be launches
  MissingWords missing;
};

ClangResult run_clang(const ClangJob& job);

// The folder of the compiler's own headers; empty if they are not installed beside its library.
std::string clang_resource_folder();

}  // namespace weakspot::race_jit
