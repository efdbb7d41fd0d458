// clang as a child process: a CUDA file to bitcode, of its device or of its host part, without a CUDA toolkit.
#pragma once

#include <string>

#include "base/result.h"
#include "race/request.h"

namespace weakspot::race_jit {

struct CompileFailure {
  bool no_compiler = false;
  std::string messages;  // clang's own, with its carets
};

// What came of it, or why nothing did.
struct Compiled {
  std::string bitcode;  // of the device part
  std::string warnings;
  bool ok = false;
  CompileFailure failure;
};

Compiled compile_device(const race::Request& request);
// The host part, as a shared object in the file `library`.
Compiled compile_host(const race::Request& request, const std::string& library);

}  // namespace weakspot::race_jit
