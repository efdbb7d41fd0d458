// SPDX-License-Identifier: MIT
#include "race/allocated_name.h"

#include <gtest/gtest.h>

namespace weakspot::race {
namespace {

TEST(AllocatedName, IsWhatStandsBehindTheFirstAmpersand) {
  struct Case {
    const char* call;
    const char* name;
  };
  for (const auto& [call, name] : {
           Case{"cudaMalloc(&counts, n * sizeof(int));", "counts"},
           Case{"cudaMalloc((void**)&counts, n);", "counts"},
           Case{"cudaMalloc((void **) & counts , n);", "counts"},
           Case{"cudaMalloc(reinterpret_cast<void**>(&counts), n);", "counts"},
           Case{"cudaMallocManaged(&s.data, n);", "s.data"},
           Case{"cudaMallocAsync(&(this->buffer), n, stream);", "this->buffer"},
           Case{"cudaMalloc<float>(&parts[i + 1], f(a, b));", "parts[i + 1]"},
           Case{"::cudaMalloc(&x, n);", "x"},
           Case{"cudaHostAlloc(&x, n, 0);", "x"},
           Case{"CHECK(cudaMalloc(\n    (void**)&x,\n    n));", "x"},
           Case{"cudaMalloc(&x, n), cudaMalloc(&y, n);", "x"},
           Case{"BOTH(cudaMalloc(&x, n), cudaMalloc(&y, n));", ""},
           Case{"ALLOCATE(x, n);", ""},
           Case{"ALLOCATE(x, n); cudaMalloc(&y, n);", ""},
           Case{"cudaMalloc(pointers, n);", ""},
           Case{"cudaMalloc(pointers + 1, n);", ""},
           Case{"cudaMalloc(&f<1, 2>(x), n);", ""},
           Case{"cudaMalloc(((&x", ""},
           Case{"cudaMalloc", ""},
           Case{"cudaMalloc()", ""},
       }) {
    EXPECT_EQ(allocated_name(call, 1, 1), name) << call;
  }
}

TEST(AllocatedName, IsLookedForAtItsPlace) {
  const char* source = "int *x, *y;\ncudaMalloc(&x, 4); cudaMalloc(&y, 4);\n";
  EXPECT_EQ(allocated_name(source, 2, 1), "x");
  EXPECT_EQ(allocated_name(source, 2, 20), "y");
  EXPECT_EQ(allocated_name(source, 3, 1), "");
  EXPECT_EQ(allocated_name(source, 9, 1), "");
  EXPECT_EQ(allocated_name("CHECK(cudaMalloc(&z, 4));\n", 1, 17), "z");
  EXPECT_EQ(allocated_name("CHECK(cudaMalloc(&z, 4));\n", 1, 4000), "z");
  EXPECT_EQ(allocated_name("", 0, 0), "");
}

}  // namespace
}  // namespace weakspot::race
