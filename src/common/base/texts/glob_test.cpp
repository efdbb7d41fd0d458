// SPDX-License-Identifier: MIT
#include "base/glob.h"

#include <gtest/gtest.h>

namespace weakspot::base::glob_test {
namespace {

TEST(Glob, PatternsAndPaths) {
  static constexpr struct {
    std::string_view pattern, path;
    bool fits;
  } kTests[] = {
      {"a.cu", "a.cu", true},
      {"a.cu", "src/a.cu", false},
      {"*.cu", "a.cu", true},
      {"*.cu", "src/a.cu", false},
      {"*.cu", "a.cuh", false},
      {"src/*.cu", "src/a.cu", true},
      {"src/*.cu", "src/deep/a.cu", false},
      {"src/**/*.cu", "src/a.cu", true},
      {"src/**/*.cu", "src/very/deep/a.cu", true},
      {"src/**/*.cu", "other/a.cu", false},
      {"**/test_?.cu", "x/y/test_1.cu", true},
      {"**/test_?.cu", "x/y/test_12.cu", false},
      {"src/**", "src/a/b.cu", true},
      {"**", "a", true},
      {"*a*b*.cu", "xxaxxbxx.cu", true},
      {"*a*b*.cu", "xxbxxaxx.cu", false},
      {"**/*.cu", ".hidden/a.cu", false},
      {"*.cu", ".a.cu", false},
      {".hidden/*.cu", ".hidden/a.cu", true},
      {"../**/*.cu", "../b/a.cu", true},
      {"", "", true},
      {"*", "", false},
  };
  for (const auto& [pattern, path, fits] : kTests) {
    EXPECT_EQ(matches_glob(pattern, path), fits) << pattern << " and " << path;
  }
}

TEST(Glob, ManyStarsTakeNoTime) {
  std::string pattern, path;
  for (int i = 0; i < 200; ++i) pattern += "**/*a*a*a/", path += "aaaaaaaaaaaaaaaab/";
  EXPECT_FALSE(matches_glob(pattern, path));
}

}  // namespace
}  // namespace weakspot::base::glob_test
