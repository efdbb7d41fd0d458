// SPDX-License-Identifier: MIT
// Compiles a CUDA file without a CUDA toolkit: its device part to bitcode, with clang in this process, and its host
// part to a shared object, with clang as a child process. Where there is a toolkit, its nvcc can make the device part.
#pragma once

#include <map>
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
  std::string bitcode;  // the device part
  std::string ptx;      // the same for a GPU, if the request asks for it; see ptx_of()
  race::FrontUsed front = race::FrontUsed::clang;
  std::string warnings;
  bool ok = false;
  CompileFailure failure;
  std::map<std::string, std::string> replaced;  // texts of files that had to be changed; the host's part needs them too
};

// The folders of headers that are not the user's.
std::vector<std::string> header_folders(const race::Request& request);

// __CUDA_ARCH_LIST__ and the user's macros as lines of a header. It is read after ours, whose names a macro could
// change.
std::string definitions_of(const race::Request& request);

// The flags with which clang compiles the host part of a file. `definitions` is a file with the lines above, or empty.
std::vector<std::string> host_flags(const race::Request& request, const std::string& definitions);

// Takes our headers from a compiled file where these flags have them included, and gives its name; empty if there is
// none. The flags must be all that the headers depend on.
std::string use_compiled_headers(const race::Request& request, std::vector<std::string>& flags);

// The same macros as options, as they were given: "-DNAME=VALUE" and "-UNAME".
std::vector<std::string> macros(const race::Request& request);

// `instances` of templates, as "sum<float>", are made even if the file does not use them. Files that other programs
// make go to `folder`.
Compiled compile_device(const race::Request& request, const std::vector<std::string>& instances,
                        const std::string& folder);
// PTX of the same file for a GPU: the file itself, what nvcc makes of it, or without nvcc what clang makes of the
// bitcode. Lines are those of the source.
base::Result<std::string> ptx_of(const race::Request& request, const std::vector<std::string>& instances,
                                 const std::string& bitcode, const std::string& folder);
// Flags that make clang read these texts instead of files. They are written to files beginning with `name`.
base::Result<std::vector<std::string>> replacing_flags(const std::map<std::string, std::string>& replaced,
                                                       const std::string& name);
// The host part, as a shared object in the file `library`. `replaced` is that of the device's part.
Compiled compile_host(const race::Request& request, const std::string& library,
                      const std::map<std::string, std::string>& replaced = {});

}  // namespace weakspot::race_jit
