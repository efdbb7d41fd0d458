#include "race_jit/frontend.h"

#include <algorithm>
#include <chrono>

#include "base/subprocess.h"

namespace weakspot::race_jit {
namespace {

std::vector<std::string> command_line(const race::Request& request, Side side) {
  std::vector<std::string> command = {request.clang,
                                      "-x",
                                      "cuda",
                                      "--cuda-path=/nonexistent",
                                      "-nocudainc",
                                      "-nocudalib",
                                      "-I" + request.headers,
                                      "-include",
                                      "weakspot/device.h",
                                      "-Xclang",
                                      "-target-sdk-version=12.5",
                                      "-emit-llvm",
                                      "-g",
                                      "-fno-discard-value-names",
                                      "-Wno-unknown-cuda-version"};
  if (side == Side::device) {
    command.insert(command.end(), {"--cuda-device-only", "--cuda-gpu-arch=sm_70", "-Xclang", "-target-feature",
                                   "-Xclang", "+ptx75", "-O1", "-Xclang", "-disable-llvm-passes"});
  } else {
    command.insert(command.end(), {"--cuda-host-only", "-O1"});
  }
  const bool has_standard = std::any_of(request.compiler_arguments.begin(), request.compiler_arguments.end(),
                                        [](const std::string& word) { return word.starts_with("-std="); });
  if (!has_standard) command.push_back("-std=c++17");
  command.insert(command.end(), request.compiler_arguments.begin(), request.compiler_arguments.end());
  command.insert(command.end(), {"-c", request.file, "-o", "-"});
  return command;
}

}  // namespace

Compiled compile_cuda(const race::Request& request, Side side) {
  Compiled compiled;
  base::ProcessOptions options;
  options.deadline = std::chrono::milliseconds(120'000);
  options.output_limit = std::size_t{512} << 20;
  base::Result<base::ProcessResult> result = base::run_process(command_line(request, side), options);
  if (!result) {
    compiled.failure.no_compiler = true;
    compiled.failure.messages = base::render(result.errors());
    return compiled;
  }
  compiled.ok = result->succeeded() && !result->output.empty();
  if (compiled.ok) {
    compiled.bitcode = std::move(result->output);
    compiled.warnings = std::move(result->errors);
  } else {
    compiled.failure.messages = result->timed_out ? "error: clang did not end within two minutes\n" : result->errors;
    if (compiled.failure.messages.empty()) compiled.failure.messages = "error: clang ended without a word\n";
  }
  return compiled;
}

}  // namespace weakspot::race_jit
