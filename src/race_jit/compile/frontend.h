// A CUDA file compiled without a CUDA toolkit: its device part to bitcode, by clang in this process, and its host part
// to a shared object, by clang as a child.
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

// What came of it, or why nothing did.
struct Compiled {
  std::string bitcode;  // of the device part
  std::string warnings;
  bool ok = false;
  CompileFailure failure;
};

// The folders of headers that are not the user's.
std::vector<std::string> header_folders(const race::Request& request);

// Instances of templates, "sum<float>", are made whether the file uses them or not.
Compiled compile_device(const race::Request& request, const std::vector<std::string>& instances = {});
// The host part, as a shared object in the file `library`.
Compiled compile_host(const race::Request& request, const std::string& library);

}  // namespace weakspot::race_jit
