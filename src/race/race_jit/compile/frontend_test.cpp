// SPDX-License-Identifier: MIT
#include "race_jit/compile/frontend.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weakspot::race_jit {
namespace {

race::Request request_with(std::vector<std::string> arguments) {
  race::Request request;
  request.headers = "/headers";
  request.compiler_arguments = std::move(arguments);
  return request;
}

TEST(Frontend, ReadsMacrosOfTheUserAfterItsOwnHeaders) {
  const race::Request request = request_with({"-DN=3", "-D_X", "-U_Y", "-D__tile=a=b", "-D_GNU_SOURCE", "-I/users"});
  EXPECT_EQ(definitions_of(request),
            "#define __CUDA_ARCH_LIST__ 900\n#define N 3\n#define _X 1\n#undef _Y\n#define __tile a=b\n");
  EXPECT_EQ(macros(request),
            (std::vector<std::string>{"-D__CUDA_ARCH_LIST__=900", "-DN=3", "-D_X", "-U_Y", "-D__tile=a=b"}));
}

TEST(Frontend, ReadsItsHeadersThenMacrosThenFilesOfTheUser) {
  const std::vector<std::string> flags = host_flags(request_with({"-include", "config.h", "-DN=3"}), "macros.h");
  std::vector<std::string> included;
  for (std::size_t i = 0; i + 1 < flags.size(); ++i) {
    if (flags[i] == "-include") included.push_back(flags[i + 1]);
  }
  EXPECT_EQ(included, (std::vector<std::string>{"weakspot/device.h", "macros.h", "config.h"}));
  EXPECT_EQ(std::count(flags.begin(), flags.end(), "-DN=3"), 0);
}

}  // namespace
}  // namespace weakspot::race_jit
