// clang in this process: the device part of a CUDA file to bitcode. Our own headers are read once and kept compiled;
// the bodies of host functions can be skipped, since it is they that fail where only the device part is wanted.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_jit {

struct ClangJob {
  std::vector<std::string> arguments;  // as for the compiler's command line, without its name
  std::string file;
  std::string appended;      // to the text of the file
  std::string prefix;        // a header, as in #include, that is read before all else
  std::string prefix_cache;  // a file that keeps it compiled; empty: nowhere
  bool skip_host_bodies = false;
};

struct ClangResult {
  bool ok = false;
  std::string bitcode;
  std::string messages;  // with carets
  std::vector<std::string> read_files;
};

ClangResult run_clang(const ClangJob& job);

// Where the compiler's own headers are; empty if they are not installed beside its library.
std::string clang_resource_folder();

}  // namespace weakspot::race_jit
