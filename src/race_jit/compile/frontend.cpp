// SPDX-License-Identifier: MIT
#include "race_jit/compile/frontend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "race_jit/compile/clang_compiler.h"
#include "race_jit/compile/compile_cache.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

bool with_toolkit(const race::Request& request) { return !request.cuda_path.empty(); }

// The header that is read before all else.
const char* prefix(const race::Request& request) {
  return with_toolkit(request) ? "weakspot_toolkit.h" : "weakspot/device.h";
}

std::vector<std::string> header_flags(const race::Request& request) {
  if (!with_toolkit(request)) {
    return {"--cuda-path=/nonexistent", "-nocudainc", "-I" + request.headers, "-Xclang", "-target-sdk-version=12.5"};
  }
  std::vector<std::string> flags = {"--cuda-path=" + request.cuda_path, "-I" + request.headers + "/toolkit"};
  const fs::path libraries = fs::path(request.cuda_path) / "include" / "cccl";  // since CUDA 13 apart from the rest
  std::error_code error;
  if (fs::exists(libraries, error)) flags.insert(flags.end(), {"-isystem", libraries.string()});
  return flags;
}

std::vector<std::string> common_flags(const race::Request& request) {
  std::vector<std::string> flags = header_flags(request);
  flags.insert(flags.end(), {"-x", "cuda", "-nocudalib", "-g", "-fno-discard-value-names", "-Wno-unknown-cuda-version",
                             "-cuid=weakspot"});
  const bool has_standard = std::any_of(request.compiler_arguments.begin(), request.compiler_arguments.end(),
                                        [](const std::string& word) { return word.starts_with("-std="); });
  if (!has_standard) flags.push_back("-std=c++17");
  flags.insert(flags.end(), request.compiler_arguments.begin(), request.compiler_arguments.end());
  return flags;
}

std::vector<std::string> device_flags(const race::Request& request) {
  std::vector<std::string> flags = common_flags(request);
  flags.insert(flags.end(), {"--cuda-device-only", "--cuda-gpu-arch=sm_80", "-Xclang", "-target-feature", "-Xclang",
                             "+ptx75", "-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm"});
  return flags;
}

// With a device part, even an empty one, the program tells the runtime its kernels and variables when it starts.
std::vector<std::string> host_command(const race::Request& request, const std::string& library,
                                      const std::string& empty) {
  std::vector<std::string> command = {request.clang};
  for (std::string& flag : host_flags(request)) command.push_back(std::move(flag));
  command.insert(command.end(), {"-O1", "-fPIC", "-shared", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", empty,
                                 "-Wl,--wrap=exit", "-Wl,-Bsymbolic", request.file, "-o", library});
  return command;
}

// The compiler's own temporary files go to `folder`: if it is killed, they go away with ours.
base::Result<base::ProcessResult> run_child(const std::vector<std::string>& command, const fs::path& folder) {
  base::ProcessOptions options;
  options.environment = {"TMPDIR=" + folder.string()};
  options.deadline = std::chrono::milliseconds(120'000);
  options.output_limit = std::size_t{512} << 20;
  return base::run_process(command, options);
}

CompileFailure failure_of(const base::Result<base::ProcessResult>& result) {
  if (!result) return {true, base::render(result.errors())};
  if (result->timed_out) return {false, "error: clang did not finish within two minutes\n"};
  return {false, result->errors.empty() ? "error: clang failed without a message\n" : result->errors};
}

// Mentioning an instance of a template makes it exist.
std::string uses_of(const std::vector<std::string>& instances) {
  std::string text;
  for (const std::string& name : instances) {
    text += fmt::format("# 1 \"kernel {0}\"\nstatic void* const __ws_use_{1} = (void*)&{0};\n", name,
                        base::hash_bytes(name).hex());
  }
  return text;
}

std::string headers_stamp(const race::Request& request) {
  std::vector<std::string> stamps;
  std::error_code error;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(request.headers, error)) {
    if (file.is_regular_file()) stamps.push_back(file.path().string() + " " + file_stamp(file.path()));
  }
  std::sort(stamps.begin(), stamps.end());
  if (with_toolkit(request)) stamps.push_back(file_stamp(fs::path(request.cuda_path) / "include" / "cuda.h"));
  return fmt::format("\n{}\n", fmt::join(stamps, "\n"));
}

// Our headers compiled depend on the language and on little else; definitions may come on top.
std::string prefix_file(const fs::path& folder, const race::Request& request, const std::vector<std::string>& flags) {
  std::string key = headers_stamp(request) + clang_resource_folder() + file_stamp(clang_resource_folder());
  for (const std::string& flag : flags) {
    if (!flag.starts_with("-D") && !flag.starts_with("-I")) key += " " + flag;
  }
  return (folder / (base::hash_bytes(key).hex() + ".pch")).string();
}

}  // namespace

std::vector<std::string> header_folders(const race::Request& request) {
  std::vector<std::string> folders = {request.headers};
  if (!with_toolkit(request)) return folders;
  std::error_code error;
  folders.push_back(request.cuda_path);
  folders.push_back(fs::canonical(request.cuda_path, error).string());
  std::erase(folders, "");
  return folders;
}

std::vector<std::string> host_flags(const race::Request& request) {
  std::vector<std::string> flags = common_flags(request);
  flags.insert(flags.end(), {"-include", prefix(request), "--cuda-host-only"});
  return flags;
}

Compiled compile_device(const race::Request& request, const std::vector<std::string>& instances) {
  Compiled compiled;
  if (clang_resource_folder().empty()) {
    compiled.failure = {true, "error: the headers of clang 19 are not installed ('tools/setup build' installs them)\n"};
    return compiled;
  }
  ClangJob job;
  job.arguments = device_flags(request);
  job.file = request.file;
  job.appended = uses_of(instances);
  job.prefix = prefix(request);
  const CompileCache cache(CompileCache::default_folder());
  std::string key = fs::current_path().string() + "\n" + request.file + "\n" + job.appended + headers_stamp(request);
  for (const std::string& flag : job.arguments) key += "\n" + flag;
  if (std::optional<CachedCompilation> found = cache.find(key)) {
    return {std::move(found->bitcode), std::move(found->messages), true, {}};
  }
  if (!cache.folder().empty()) job.prefix_cache = prefix_file(cache.folder(), request, job.arguments);
  ClangResult result = run_clang(job);
  if (!result.ok) {
    // What fails is mostly host code, which is of no interest here. Kernels that only it would instantiate are lost.
    job.skip_host_bodies = true;
    ClangResult without = run_clang(job);
    if (without.ok) result = std::move(without);
  }
  compiled.ok = result.ok;
  if (compiled.ok) {
    cache.store(key, {result.bitcode, result.messages}, result.read_files);
    compiled.bitcode = std::move(result.bitcode);
    compiled.warnings = std::move(result.messages);
  } else {
    compiled.failure.messages = std::move(result.messages);
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
  base::Result<base::ProcessResult> result =
      run_child(host_command(request, library, empty), fs::path(library).parent_path());
  compiled.ok = result && result->succeeded();
  if (!compiled.ok) compiled.failure = failure_of(result);
  return compiled;
}

}  // namespace weakspot::race_jit
