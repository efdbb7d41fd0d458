# SPDX-License-Identifier: MIT
"""Tests that weakspot-hipcc takes hipcc's place: in a command, in steps, and in CMake's language HIP."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from nvcc_test import NvccTest, needs_nvcc, places  # noqa: E402
from support import PROGRAM, needs_program  # noqa: E402

HIPCC, HIP_CLANG = PROGRAM.parent / "weakspot-hipcc", PROGRAM.parent / "weakspot-hip-clang"

SUMS = """#include "sums.h"
#include <hip/hip_runtime.h>
__global__ void sum(const int* in, int* out) {
  __shared__ int part[128];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < 128; ++i) all += part[i];
    atomicAdd(out, all);
  }
}
int sum_of(const int* in, int count) {
  int *data, *total, result = 0;
  hipMalloc(&data, count * sizeof(int));
  hipMalloc(&total, sizeof(int));
  hipMemcpy(data, in, count * sizeof(int), hipMemcpyHostToDevice);
  hipMemset(total, 0, sizeof(int));
  sum<<<count / 128, 128>>>(data, total);
  hipMemcpy(&result, total, sizeof(int), hipMemcpyDeviceToHost);
  hipFree(data);
  hipFree(total);
  return result;
}
"""
MAIN = """#include "sums.h"
#include <cstdio>
#include <vector>
int main() {
  std::vector<int> ones(512, 1);
  std::printf("%d\\n", sum_of(ones.data(), 512));
  return 3;
}
"""


@needs_program
@needs_nvcc
class Hipcc(NvccTest):
    def setUp(self):
        super().setUp()
        self.write("sums.hip", SUMS)
        self.write("sums.h", "int sum_of(const int* in, int count);\n")
        self.write("main.cpp", MAIN)

    def check(self, program, suffix="sums.hip"):
        self.do(program, status=3)
        self.assertEqual(places(self.merged(1)), {(suffix, 5)})

    def test_a_command(self):
        self.do(HIPCC, "-O2", "-std=c++17", "--offload-arch=gfx1100", "-I.", "main.cpp", "sums.hip", "-o", "sums")
        self.check("./sums")

    def test_steps_and_dependencies(self):
        self.do(HIPCC, "-x", "hip", "-c", "sums.hip", "-MD", "-MF", "sums.d", "-o", "sums.o")
        self.assertIn("sums.h", (self.folder / "sums.d").read_text())
        self.do("g++", "-c", "main.cpp", "-o", "main.o")
        self.do(HIPCC, "main.o", "sums.o", "-o", "sums")
        self.check("./sums")

    def test_what_it_says_of_itself(self):
        self.assertIn("HIP version: 6.2", self.do(HIPCC, "--version").stdout)
        self.assertIn("hipcc", self.do(HIPCC, "--help").stdout)
        self.assertIn("-fgpu-rdc", self.do(HIPCC, "-fgpu-rdc", "-c", "sums.hip", status=2).stderr)

    def test_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(sums LANGUAGES CXX HIP)\n"
                                     "add_executable(sums main.cpp sums.hip)\n")
        self.do("cmake", "-B", "build", f"-DCMAKE_HIP_COMPILER={HIP_CLANG}")
        self.do("cmake", "--build", "build")
        self.check("build/sums")

    def test_a_package_for_files_in_cpp(self):
        self.write("count.cpp", "#include <hip/hip_runtime.h>\nint devices() {\n  int count = 0;\n"
                                "  return hipGetDeviceCount(&count) == hipSuccess ? count : 0;\n}\n")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(sums LANGUAGES CXX HIP)\n"
                                     "find_package(hip 5.0 REQUIRED)\nadd_executable(sums main.cpp count.cpp sums.hip)\n"
                                     "target_link_libraries(sums PRIVATE hip::host)\n")
        self.do("cmake", "-B", "build", f"-DCMAKE_HIP_COMPILER={HIP_CLANG}",
                f"-DCMAKE_PREFIX_PATH={HIP_CLANG.parent}/toolkit")
        self.do("cmake", "--build", "build")
        self.check("build/sums")

    def test_a_source_that_takes_itself_for_cuda(self):
        self.write("sums.hip", "#if defined(USE_HIP)\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n"
                               "#endif\n__global__ void set(int* p) { *p = threadIdx.x; }\n")
        self.do(HIPCC, "-DUSE_HIP", "-c", "sums.hip")
        wrong = self.do(HIPCC, "-c", "sums.hip", status=1).stderr
        self.assertEqual(wrong.count("error:"), 1, wrong)
        self.assertIn("hipcc has none", wrong)

    def test_what_there_is_not(self):
        self.write("sums.hip", "#include <rocblas/rocblas.h>\n")
        self.assertIn("'rocblas/rocblas.h' file not found", self.do(HIPCC, "-c", "sums.hip", status=1).stderr)
        self.write("sums.hip", "#include <hip/hip_runtime.h>\n"
                               "__global__ void set(int* p) { *p = __builtin_amdgcn_nothing(*p); }\n")
        wrong = self.do(HIPCC, "-c", "sums.hip", status=1).stderr
        self.assertEqual(wrong.count("error:"), 1, wrong)
        self.assertIn("'__builtin_amdgcn_nothing'", wrong)


if __name__ == "__main__":
    unittest.main()
