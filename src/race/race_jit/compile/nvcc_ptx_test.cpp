// SPDX-License-Identifier: MIT
#include "race_jit/compile/nvcc_ptx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace weakspot::race_jit::nvcc_ptx_test {
namespace {

std::string flags_of(const race::Request& request) { return fmt::format("{}", fmt::join(nvcc_flags(request), " ")); }

const std::string kAlways = "-ptx -lineinfo -w --extended-lambda --expt-relaxed-constexpr -gencode ";

TEST(NvccPtx, AsksForTheArchitectureWithItsFeatures) {
  race::Request request;
  EXPECT_EQ(flags_of(request), kAlways + "arch=compute_90a,code=sm_90a -std=c++17");
  request.architecture = race::Architecture{80, race::Architecture::Features::common};
  EXPECT_EQ(flags_of(request), kAlways + "arch=compute_80,code=sm_80 -std=c++17");
}

TEST(NvccPtx, TakesTheWordsThatNvccKnows) {
  race::Request request;
  request.compiler_arguments = {"-D__NVCC__", "-DN=2", "-I",           "a",         "-Ib",    "-isystem", "c",
                                "-fPIC",      "-Wall", "-std=gnu++20", "-fgpu-rdc", "-cuid=1"};
  EXPECT_EQ(flags_of(request), kAlways + "arch=compute_90a,code=sm_90a -DN=2 -I a -Ib -isystem c -std=c++20 -rdc=true");
}

TEST(NvccPtx, IsOfTheNamedToolkitAlone) {
  race::Request request;
  request.cuda_path = "/nonexistent/toolkit";
  EXPECT_EQ(find_nvcc(request), "");
}

}  // namespace
}  // namespace weakspot::race_jit::nvcc_ptx_test
