// SPDX-License-Identifier: MIT
// Compiles a CUDA file without a CUDA toolkit: its device part to bitcode, with clang in this process, and its host
// part to a shared object, with clang as a child process.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "race/request.h"

namespace weakspot::race_jit {

struct CompileFailure {
  bool no_compiler = false;
  std::string messages;  // clang's own, with its carets
};

// The result, or why there is none.
struct Compiled {
  std::string bitcode;  // of the device part
  std::string warnings;
  bool ok = false;
  CompileFailure failure;
};

// The folders of headers that are not the user's.
std::vector<std::string> header_folders(const race::Request& request);

// The user's macros as lines of a header. It is read after ours, whose names a macro could change.
std::string definitions_of(const race::Request& request);

// The flags with which clang compiles the host part of a file. `definitions` is a file with the lines above, or empty.
std::vector<std::string> host_flags(const race::Request& request, const std::string& definitions);

// The user's macros as they were given, "-DNAME=VALUE" and "-UNAME".
std::vector<std::string> macros(const race::Request& request);

// `instances` of templates, as "sum<float>", are made even if the file does not use them.
Compiled compile_device(const race::Request& request, const std::vector<std::string>& instances = {});
// The host part, as a shared object in the file `library`.
Compiled compile_host(const race::Request& request, const std::string& library);

}  // namespace weakspot::race_jit
