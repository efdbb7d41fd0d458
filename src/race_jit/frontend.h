// clang as a child process: a CUDA file to bitcode, of its device or of its host part, without a CUDA toolkit.
#pragma once

#include <string>

#include "base/result.h"
#include "race/request.h"

namespace weakspot::race_jit {

enum class Side { device, host };

struct CompileFailure {
  bool no_compiler = false;
  std::string messages;  // clang's own, with its carets
};

// The bitcode, or why there is none.
struct Compiled {
  std::string bitcode;
  std::string warnings;
  bool ok = false;
  CompileFailure failure;
};

Compiled compile_cuda(const race::Request& request, Side side);

}  // namespace weakspot::race_jit
