// SPDX-License-Identifier: MIT
#include "race_jit/compile/host_headers.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

using Words = std::vector<std::string>;

TEST(HostHeaders, DependOnFewFlags) {
  const Words flags = {"--cuda-host-only",
                       "-include",
                       "weakspot/device.h",
                       "-I/our/cuda",
                       "-I/their/folder",
                       "-I",
                       "apart",
                       "-std=c++17",
                       "-D_GNU_SOURCE",
                       "-Xclang",
                       "-cuid=ab",
                       "-cuid=ab",
                       "-isystem",
                       "other",
                       "-O2"};
  EXPECT_EQ(flags_of_headers(flags, "/our/cuda"),
            (Words{"--cuda-host-only", "-I/our/cuda", "-std=c++17", "-D_GNU_SOURCE", "-isystem", "other", "-O2",
                   "-cuid=weakspot"}));
}

TEST(HostHeaders, AreIncludedFirst) {
  Words flags = {"-x", "cuda", "-include", "weakspot/device.h", "-include", "mine.h"};
  include_compiled(flags, "weakspot/device.h", "/cache/a.pch");
  EXPECT_EQ(flags, (Words{"-x", "cuda", "-Xclang", "-include-pch", "-Xclang", "/cache/a.pch", "-include", "mine.h"}));
}

}  // namespace
}  // namespace weakspot::race_jit
