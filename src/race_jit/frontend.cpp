#include "race_jit/frontend.h"

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "base/subprocess.h"

namespace weakspot::race_jit {
namespace {

std::vector<std::string> common_flags(const race::Request& request) {
  std::vector<std::string> flags = {"-x",
                                    "cuda",
                                    "--cuda-path=/nonexistent",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "-I" + request.headers,
                                    "-include",
                                    "weakspot/device.h",
                                    "-Xclang",
                                    "-target-sdk-version=12.5",
                                    "-g",
                                    "-fno-discard-value-names",
                                    "-Wno-unknown-cuda-version",
                                    "-cuid=weakspot"};
  const bool has_standard = std::any_of(request.compiler_arguments.begin(), request.compiler_arguments.end(),
                                        [](const std::string& word) { return word.starts_with("-std="); });
  if (!has_standard) flags.push_back("-std=c++17");
  flags.insert(flags.end(), request.compiler_arguments.begin(), request.compiler_arguments.end());
  return flags;
}

std::vector<std::string> device_command(const race::Request& request) {
  std::vector<std::string> command = {request.clang};
  for (std::string& flag : common_flags(request)) command.push_back(std::move(flag));
  command.insert(command.end(),
                 {"--cuda-device-only", "--cuda-gpu-arch=sm_70", "-Xclang", "-target-feature", "-Xclang", "+ptx75",
                  "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", request.file, "-o", "-"});
  return command;
}

// With a device part, even an empty one, the program tells the runtime its kernels and variables when it starts.
std::vector<std::string> host_command(const race::Request& request, const std::string& library,
                                      const std::string& empty) {
  std::vector<std::string> command = {request.clang};
  for (std::string& flag : common_flags(request)) command.push_back(std::move(flag));
  command.insert(command.end(), {"--cuda-host-only", "-O1", "-fPIC", "-shared", "-Xclang", "-fcuda-include-gpubinary",
                                 "-Xclang", empty, "-Wl,--wrap=exit", "-Wl,-Bsymbolic", request.file, "-o", library});
  return command;
}

base::Result<base::ProcessResult> run_clang(const std::vector<std::string>& command) {
  base::ProcessOptions options;
  options.deadline = std::chrono::milliseconds(120'000);
  options.output_limit = std::size_t{512} << 20;
  return base::run_process(command, options);
}

CompileFailure failure_of(const base::Result<base::ProcessResult>& result) {
  if (!result) return {true, base::render(result.errors())};
  if (result->timed_out) return {false, "error: clang did not end within two minutes\n"};
  return {false, result->errors.empty() ? "error: clang ended without a word\n" : result->errors};
}

}  // namespace

Compiled compile_device(const race::Request& request) {
  Compiled compiled;
  base::Result<base::ProcessResult> result = run_clang(device_command(request));
  compiled.ok = result && result->succeeded() && !result->output.empty();
  if (compiled.ok) {
    compiled.bitcode = std::move(result->output);
    compiled.warnings = std::move(result->errors);
  } else {
    compiled.failure = failure_of(result);
  }
  return compiled;
}

Compiled compile_host(const race::Request& request, const std::string& library) {
  Compiled compiled;
  const std::string empty = library + ".empty";
  if (base::Status written = base::write_file(empty, ""); !written) {
    compiled.failure = {true, base::render(written.errors())};
    return compiled;
  }
  base::Result<base::ProcessResult> result = run_clang(host_command(request, library, empty));
  compiled.ok = result && result->succeeded();
  if (!compiled.ok) compiled.failure = failure_of(result);
  return compiled;
}

}  // namespace weakspot::race_jit
