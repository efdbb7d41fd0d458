// SPDX-License-Identifier: MIT
// Tests as OpenCL C kernels, a table of them for a host in C++, and a host.
#include <fmt/format.h>

#include "workbench/conformance/suite_texts.h"

namespace weakspot::workbench {

std::string opencl_kernels(const ProvedTest& test) {
  return proof_comment(test, "//") + "\n" + test.program.program.text;
}

std::string opencl_table(const std::vector<ProvedTest>& tests) {
  std::string text =
      "// The tests of this folder: OpenCL C with the kernels `test` and `check`, and what a host needs to run them.\n"
      "#pragma once\n\nstruct ProvedTest {\n  const char* name;\n  const char* mutant_of;  // empty: a test\n"
      "  const char* source;\n  unsigned workgroups, workgroup_size, instances;\n"
      "  unsigned words[3];  // of the buffers memory, results and counts, which begin as 0\n};\n\n"
      "static const ProvedTest kProvedTests[] = {\n";
  for (const ProvedTest& test : tests) {
    const codegen::SuiteProgram& program = test.program;
    text += fmt::format("    {{\"{}\", \"{}\",\n     R\"opencl(\n{})opencl\",\n     {}, {}, {}, {{{}, {}, {}}}}},\n",
                        test.name, test.mutant_of, program.program.text, program.shape.workgroups,
                        program.shape.workgroup_size, program.instances, program.buffer_words[0],
                        program.buffer_words[1], program.buffer_words[2]);
  }
  return text + "};\n";
}

std::string opencl_host() {
  // The host's own headers are not ours: they stand here as words.
  const std::string includes = fmt::format("#include {}\n\n", "<CL/cl.h>");
  const std::string table = fmt::format("\n#include {}\n", "\"proved_tests.h\"");
  return R"(// Runs the tests of proved_tests.h on the first OpenCL device: c++ run.cpp -lOpenCL && ./a.out [REPEATS [NAME]]
// Prints a line per test: passed, FAILED, or killed and survived for mutants. Exits with 1 if a test failed.
#define CL_TARGET_OPENCL_VERSION 300
)" + includes +
         R"(#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
)" + table +
         R"(
static void require(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "error: %s: OpenCL error %d\n", what, code);
  std::exit(3);
}

int main(int argc, char** argv) {
  const unsigned repeats = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 256;
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  require(clGetPlatformIDs(1, &platform, nullptr), "no platform");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "no device");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  require(code, "context");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  require(code, "queue");
  bool failed = false;
  for (const ProvedTest& test : kProvedTests) {
    if (argc > 2 && std::strcmp(argv[2], test.name) != 0) continue;
    cl_program program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&test.source), nullptr, &code);
    require(code, test.name);
    require(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), test.name);
    cl_kernel kernels[2] = {clCreateKernel(program, "test", &code), clCreateKernel(program, "check", &code)};
    require(code, test.name);
    cl_mem buffers[3];
    for (unsigned i = 0; i < 3; ++i) {
      std::vector<cl_uint> zeros(test.words[i], 0);
      buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros.size() * 4, zeros.data(), &code);
      require(code, "buffer");
      for (cl_kernel kernel : kernels) require(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "argument");
    }
    const size_t local = test.workgroup_size, global = local * test.workgroups;
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < repeats; ++i) {
      for (cl_kernel kernel : kernels) {
        require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "launch");
      }
    }
    cl_uint counts[2] = {};
    require(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof counts, counts, 0, nullptr, nullptr), "result");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const bool whole = counts[1] == static_cast<cl_uint>(test.instances * repeats);
    const bool fine = counts[0] == 0 && whole, mutant = test.mutant_of[0] != '\0';
    failed = failed || !whole || (!fine && !mutant);
    std::printf("%-9s %s  %u of %u instances, %.3f s\n",
                mutant && whole ? fine ? "survived" : "killed" : fine ? "passed" : "FAILED", test.name, counts[0],
                counts[1], seconds.count());
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    for (cl_kernel kernel : kernels) clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
  return failed ? 1 : 0;
}
)";
}

}  // namespace weakspot::workbench
