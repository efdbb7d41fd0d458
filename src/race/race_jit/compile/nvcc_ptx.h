// SPDX-License-Identifier: MIT
// The device part of a CUDA file as PTX, made by the nvcc of a CUDA toolkit as a child process.
#pragma once

#include <string>
#include <vector>

#include "race/request.h"

namespace weakspot::race_jit {

// The path of nvcc: that of --cuda-path, else of PATH or of the usual folder; empty if there is none. weakspot-nvcc,
// which may take its name, does not count.
std::string find_nvcc(const race::Request& request);

struct NvccPtx {
  bool ok = false;
  std::string text;
  std::string messages;  // nvcc's own
  std::vector<std::string> read_files;
};

// The words behind the name of nvcc that decide what it makes, without its files.
std::vector<std::string> nvcc_flags(const race::Request& request);
// `uses` is appended to the text of the file. Its own files go to `folder`.
NvccPtx run_nvcc(const race::Request& request, const std::string& nvcc, const std::string& uses,
                 const std::string& folder);

}  // namespace weakspot::race_jit
