// SPDX-License-Identifier: MIT
#include "race_jit/compile/frontend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "base/source.h"
#include "race_jit/compile/clang_compiler.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/gpu_code.h"
#include "race_jit/compile/hip_flags.h"
#include "race_jit/compile/host_headers.h"
#include "race_jit/compile/kernel_templates.h"
#include "race_jit/compile/nvcc_ptx.h"
#include "race_jit/from_ptx/translate.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

bool with_toolkit(const race::Request& request) { return !request.cuda_path.empty(); }

// The header that is read before all else.
const char* prefix(const race::Request& request) {
  if (request.is_hip()) return kHipPrefix;
  return with_toolkit(request) ? "weakspot_toolkit.h" : "weakspot/device.h";
}

// Whether the user's folders have libcu++, with which cub and thrust come: the user's copy then counts.
bool brings_libraries(const race::Request& request) {
  const std::vector<std::string>& words = request.compiler_arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool apart = (words[i] == "-I" || words[i] == "-isystem") && i + 1 < words.size();
    const std::string folder = apart ? words[i + 1] : words[i].starts_with("-I") ? words[i].substr(2) : std::string();
    std::error_code error;
    if (!folder.empty() && fs::exists(fs::path(folder) / "cuda" / "std" / "__cccl", error)) return true;
  }
  return false;
}

std::vector<std::string> header_flags(const race::Request& request) {
  if (request.is_hip()) return hip_flags(request);
  if (!with_toolkit(request)) {
    std::vector<std::string> flags = {"--cuda-path=/nonexistent", "-nocudainc", "-Xclang", "-target-sdk-version=12.5"};
    if (brings_libraries(request)) {
      // Behind the user's folders, whatever the order of the words.
      flags.insert(flags.end(), {"-idirafter", request.headers, "-D__WS_OTHER_CCCL"});
    } else {
      flags.push_back("-I" + request.headers);
    }
    return flags;
  }
  // clang 19 does not know CUDA 13, and would then take every launch for one of the time before CUDA 9.2.
  std::vector<std::string> flags = {"--cuda-path=" + request.cuda_path, "-I" + request.headers + "/toolkit", "-Xclang",
                                    "-target-sdk-version=12.5"};
  const fs::path libraries = fs::path(request.cuda_path) / "include" / "cccl";  // since CUDA 13 apart from the rest
  std::error_code error;
  if (fs::exists(libraries, error)) flags.insert(flags.end(), {"-isystem", libraries.string()});
  return flags;
}

// Options for code that nvcc and gcc accept, at most with a warning, and clang does not.
constexpr const char* kForgiven[] = {"-Wno-c++11-narrowing",
                                     "-Wno-c++11-narrowing-const-reference",
                                     "-Wno-register",
                                     "-Wno-reserved-user-defined-literal",
                                     "-Wno-dynamic-exception-spec",
                                     "-Wno-non-pod-varargs",
                                     "-Wno-enum-constexpr-conversion",
                                     "-Wno-missing-template-arg-list-after-template-kw",
                                     "-Wno-invalid-offsetof",
                                     "-Wno-static-float-init",
                                     "-Wno-undefined-var-template",
                                     "-Wno-writable-strings"};

// Macros that are meant for the headers of the system, which ours read, and for compilers.
constexpr std::string_view kMeantForSystem[] = {
    "_GNU_SOURCE", "_POSIX_",      "_XOPEN_",   "_ISOC",    "_LARGEFILE", "_FILE_OFFSET_BITS",
    "_TIME_BITS",  "_DEFAULT_",    "_BSD_",     "_SVID_",   "_ATFILE_",   "_FORTIFY_",
    "_REENTRANT",  "_THREAD_SAFE", "_GLIBCXX_", "_LIBCPP_", "_DYNAMIC_",  "__STDC_",
    "__NVCC__",    "__CUDACC",     "__CUDA_",   "_FORTIFY", "__USE_",     "__STRICT_ANSI__"};

// A macro of the user's, "-DNAME=VALUE" or "-UNAME".
bool is_definition(const std::string& word) {
  if (word.size() < 3 || !(word.starts_with("-D") || word.starts_with("-U"))) return false;
  const std::string_view name = std::string_view(word).substr(2);
  return std::none_of(std::begin(kMeantForSystem), std::end(kMeantForSystem),
                      [&](std::string_view known) { return name.starts_with(known); });
}

// nvcc defines it for the host as well: the architectures that it compiles for, of which there is one here.
constexpr const char* kArchitectures = "__CUDA_ARCH_LIST__";
unsigned architectures_of(const race::Request& request) {
  return request.architecture.value_or(race::Architecture{}).number * 10;
}

}  // namespace

std::string definitions_of(const race::Request& request) {
  std::string lines;
  if (!request.is_hip()) lines = fmt::format("#define {} {}\n", kArchitectures, architectures_of(request));
  for (const std::string& word : request.compiler_arguments) {
    if (!is_definition(word)) continue;
    std::string text = word.substr(2);
    if (word.starts_with("-U")) {
      lines += fmt::format("#undef {}\n", text);
      continue;
    }
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      text += " 1";
    } else {
      text[equals] = ' ';
    }
    lines += fmt::format("#define {}\n", text);
  }
  return lines;
}

namespace {

// Our headers need C++14, of which older languages are all but subsets.
std::string with_newer_language(const std::string& word) {
  for (const char* old : {"++98", "++03", "++0x", "++11"}) {
    if (word.starts_with("-std=") && word.ends_with(old)) return word.substr(0, word.size() - 2) + "14";
  }
  return word;
}

std::vector<std::string> common_flags(const race::Request& request) {
  std::vector<std::string> flags = header_flags(request);
  flags.insert(flags.end(), std::begin(kForgiven), std::end(kForgiven));
  // With modules, which C++20 turns on, clang takes the host's and the device's function of one signature for one
  // function when it reads compiled headers. What our headers use of templates is part of the compiled ones: clang
  // would else make it again for every file, in two thirds of its time.
  if (!request.is_hip()) flags.insert(flags.end(), {"-x", "cuda", "-nocudalib"});
  flags.insert(flags.end(), {"-g", "-fno-discard-value-names", "-Wno-unknown-cuda-version", "-Xclang",
                             "-fcuda-allow-variadic-functions", "-Xclang", "-fno-cxx-modules", "-Xclang",
                             "-fpch-instantiate-templates"});
  auto has = [&](std::string_view option) {
    return std::any_of(request.compiler_arguments.begin(), request.compiler_arguments.end(),
                       [&](const std::string& word) { return word.starts_with(option); });
  };
  if (!has("-cuid=")) flags.push_back("-cuid=weakspot");
  if (!has("-std=")) flags.push_back("-std=c++17");
  for (const std::string& word : request.compiler_arguments) {
    if (!is_definition(word)) flags.push_back(with_newer_language(word));
  }
  return flags;
}

// clang 19 ends at sm_90a, and does not know every number before: macros say what differs.
std::vector<std::string> architecture_flags(const race::Architecture& architecture) {
  using Features = race::Architecture::Features;
  const unsigned number = architecture.number;
  unsigned known = 70;
  for (const unsigned later : {72, 75, 80, 86, 87, 89, 90}) known = later <= number ? later : known;
  const bool all = architecture.features == Features::all;
  std::vector<std::string> flags = {fmt::format("--cuda-gpu-arch=sm_{}{}", known, all && known == number ? "a" : ""),
                                    "-Xclang", "-target-feature", "-Xclang", number < 90 ? "+ptx75" : "+ptx83"};
  if (known != number) flags.insert(flags.end(), {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}0", number)});
  if (all && known != number) flags.push_back(fmt::format("-D__CUDA_ARCH_FEAT_SM{}_ALL", number));
  if (all) flags.push_back(fmt::format("-D__CUDA_ARCH_SPECIFIC__={}0", number));
  if (architecture.features != Features::common && number >= 100) {
    flags.push_back(fmt::format("-D__CUDA_ARCH_FAMILY_SPECIFIC__={}0", number));
  }
  return flags;
}

// The debug information has the members of structures, which clang would leave out of code for a GPU.
std::vector<std::string> device_flags(const race::Request& request) {
  std::vector<std::string> flags = common_flags(request);
  for (std::string& flag : request.is_hip() ? hip_gpu_flags(request)
                                            : architecture_flags(request.architecture.value_or(race::Architecture{}))) {
    flags.push_back(std::move(flag));
  }
  flags.insert(flags.end(), {"--cuda-device-only", "-Xclang", "-debug-info-kind=limited", "-O1", "-Xclang",
                             "-disable-llvm-passes", "-emit-llvm"});
  return flags;
}

// With a device part, even an empty one, the program tells the runtime its kernels and variables when it starts.
std::vector<std::string> host_command(const race::Request& request, const std::string& library,
                                      const std::string& empty, const std::string& definitions) {
  std::vector<std::string> command = host_flags(request, definitions);
  command.insert(command.end(), {"-O1", "-fPIC"});
  use_compiled_headers(request, command);
  command.insert(command.begin(), request.clang);
  command.insert(command.end(), {"-shared", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", empty, "-Wl,--wrap=exit",
                                 "-Wl,-Bsymbolic", request.file, "-o", library});
  if (request.is_hip()) command.push_back("-no-hip-rt");
  return command;
}

// The compiler's own temporary files go to `folder`: if it is killed, they go away with ours.
base::Result<base::ProcessResult> run_child(const std::vector<std::string>& command, const fs::path& folder,
                                            double seconds) {
  base::ProcessOptions options;
  options.environment = {"TMPDIR=" + folder.string()};
  options.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  options.output_limit = std::size_t{512} << 20;
  return base::run_process(command, options);
}

CompileFailure failure_of(const base::Result<base::ProcessResult>& result) {
  if (!result) {
    return {true, base::render(result.errors()) +
                      "note: main() is compiled by clang 19: install the package clang-19, or name it with --clang\n"};
  }
  if (result->timed_out) return {false, "error: clang did not finish in its time (--compile-seconds)\n"};
  return {false, result->errors.empty() ? "error: clang failed without a message\n" : result->errors};
}

// Mentioning an instance of a template makes it exist.
std::string uses_of(const std::vector<std::string>& instances) {
  std::string text;
  for (const std::string& name : instances) {
    text += fmt::format("# 1 \"kernel {0}\"\nstatic void* const {1}{2} = (void*)&{0};\n", name, kUseOfInstance,
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
    if (!flag.starts_with("-I")) key += " " + flag;
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

std::vector<std::string> host_flags(const race::Request& request, const std::string& definitions) {
  std::vector<std::string> flags = {"--cuda-host-only", "-include", prefix(request)};
  if (!definitions.empty()) flags.insert(flags.end(), {"-include", definitions});
  for (std::string& flag : common_flags(request)) flags.push_back(std::move(flag));
  return flags;
}

std::string use_compiled_headers(const race::Request& request, std::vector<std::string>& flags) {
  const std::string header = request.headers + (with_toolkit(request) ? "/toolkit/" : "/") + prefix(request);
  std::string compiled = compiled_host_headers(request.clang, header, flags_of_headers(flags, request.headers));
  if (!compiled.empty()) include_compiled(flags, prefix(request), compiled);
  return compiled;
}

std::vector<std::string> macros(const race::Request& request) {
  std::vector<std::string> words;
  if (!request.is_hip()) words.push_back(fmt::format("-D{}={}", kArchitectures, architectures_of(request)));
  for (const std::string& word : request.compiler_arguments) {
    if (is_definition(word)) words.push_back(word);
  }
  return words;
}

namespace {

constexpr int kMostRounds = 4;

// Compiles without the functions in which the compiler finds errors, and in the end without the bodies of all: errors
// are mostly in host code, which is of no interest here. Template kernels that only those functions would instantiate
// are lost, so they are named.
ClangResult compile_without_failures(ClangJob& job) {
  ClangResult result = run_clang(job);
  std::string left_out;
  ClangResult attempt = result;
  for (int round = 0; !attempt.ok && round < kMostRounds; ++round) {
    // One after the other: each moves what stands behind it.
    bool more = insert_missing(attempt.missing, job.replaced) || replace_launches(attempt.launches, job.replaced);
    for (const FailedFunction& function : attempt.failed) {
      if (function.place.empty() || !job.skipped_bodies.insert(function.place).second) continue;
      more = true;
      left_out +=
          fmt::format("{}: warning: host function '{}' is left out, with the instances of kernels it makes: {}\n",
                      function.place, function.name, function.problem);
    }
    if (!more) break;
    attempt = run_clang(job);
  }
  if (!attempt.ok) {
    job.skip_host_bodies = true;
    attempt = run_clang(job);
    left_out = fmt::format(
        "{}: warning: all host functions are left out, with the instances of kernels they make: "
        "they do not compile\n",
        job.file);
  }
  if (!attempt.ok) return result;
  attempt.messages = left_out + attempt.messages;
  return attempt;
}

Compiled translate_ptx(const race::Request& request) {
  Compiled compiled;
  const base::Result<std::string> text = request.text ? *request.text : base::read_file(request.file);
  const base::Result<std::uint64_t> shared = shared_beside(request.file);
  if (!text || !shared) {
    compiled.failure.messages = base::render(text ? shared.errors() : text.errors());
    return compiled;
  }
  base::Result<std::string> bitcode = bitcode_of_ptx(base::Source(request.file, *text), {.shared = *shared});
  compiled.ok = bitcode.ok();
  if (bitcode) {
    compiled.bitcode = *std::move(bitcode);
  } else {
    compiled.failure.messages = base::render(bitcode.errors());
  }
  return compiled;
}

// What clang is asked for the device part.
ClangJob device_job(const race::Request& request, const std::vector<std::string>& instances) {
  ClangJob job;
  job.arguments = device_flags(request);
  job.file = request.file;
  if (request.text) job.replaced[request.file] = *request.text;
  job.hip = request.is_hip();
  job.architecture = request.architecture.value_or(race::Architecture{}).number;
  job.appended = uses_of(instances);
  job.prefix = prefix(request);
  job.definitions = definitions_of(request);
  if (const fs::path cache = CompileCache::default_folder(); !cache.empty()) {
    job.prefix_cache = prefix_file(cache, request, job.arguments);
  }
  return job;
}

// All that decides what becomes of a job besides the contents of files.
std::string cache_key(const char* kind, const race::Request& request, const ClangJob& job) {
  std::string key = std::string(kind) + "\n" + fs::current_path().string() + "\n" + request.file + "\n" + job.appended +
                    job.definitions + headers_stamp(request);
  for (const std::string& flag : job.arguments) key += "\n" + flag;
  return key;
}

std::optional<Compiled> cached(const CompileCache& cache, const std::string& key) {
  std::optional<CachedCompilation> found = cache.find(key);
  if (!found) return std::nullopt;
  Compiled compiled;
  compiled.ok = true;
  compiled.bitcode = std::move(found->bitcode);
  compiled.warnings = std::move(found->messages);
  return compiled;
}

Compiled no_clang() {
  Compiled compiled;
  compiled.failure = {true, "error: the headers of clang 19 are not installed ('tools/setup build' installs them)\n"};
  return compiled;
}

Compiled compile_by_clang(const race::Request& request, const std::vector<std::string>& instances) {
  if (clang_resource_folder().empty()) return no_clang();
  ClangJob job = device_job(request, instances);
  const CompileCache cache(CompileCache::default_folder());
  // The first word changes with the notes that the bitcode carries.
  const std::string key = cache_key("statements", request, job);
  if (!request.text) {
    if (std::optional<Compiled> known = cached(cache, key)) return *std::move(known);
  }
  Compiled compiled;
  ClangResult result = compile_without_failures(job);
  compiled.ok = result.ok;
  compiled.replaced = std::move(job.replaced);
  if (compiled.ok) {
    if (compiled.replaced.empty()) cache.store(key, {result.bitcode, result.messages}, result.read_files);
    compiled.bitcode = std::move(result.bitcode);
    compiled.warnings = std::move(result.messages);
  } else {
    compiled.failure.messages = std::move(result.messages);
  }
  return compiled;
}

// nvcc makes PTX of the device part, and clang tells what the PTX lacks, also of a text that it cannot compile.
Compiled compile_by_nvcc(const race::Request& request, const std::vector<std::string>& instances,
                         const std::string& nvcc, const std::string& folder) {
  if (clang_resource_folder().empty()) return no_clang();
  ClangJob job = device_job(request, instances);
  const CompileCache cache(CompileCache::default_folder());
  std::string key = cache_key("nvcc", request, job) + "\n" + nvcc + " " + file_stamp(nvcc) + " " +
                    file_stamp("/proc/self/exe");  // which translates
  for (const std::string& flag : nvcc_flags(request)) key += "\n" + flag;
  std::optional<Compiled> known = cached(cache, key);
  if (known) {
    known->front = race::FrontUsed::nvcc;
    return *std::move(known);
  }
  Compiled compiled;
  compiled.front = race::FrontUsed::nvcc;
  NvccPtx made = run_nvcc(request, nvcc, job.appended, folder);
  if (!made.ok) {
    compiled.failure.messages = std::move(made.messages);
    return compiled;
  }
  const ClangResult syntax = compile_without_failures(job);
  compiled.replaced = std::move(job.replaced);
  base::Result<std::string> bitcode = bitcode_of_ptx(base::Source("nvcc's PTX of " + request.file, made.text),
                                                     {.shared = 0, .source = request.file, .notes = syntax.notes});
  compiled.ok = bitcode.ok();
  if (!bitcode) {
    compiled.failure.messages = base::render(bitcode.errors());
    return compiled;
  }
  std::vector<std::string> read = std::move(made.read_files);
  read.insert(read.end(), syntax.read_files.begin(), syntax.read_files.end());
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  std::erase_if(read, [&](const std::string& file) { return file.starts_with(folder + "/"); });
  if (compiled.replaced.empty()) cache.store(key, {*bitcode, ""}, read);
  compiled.bitcode = *std::move(bitcode);
  return compiled;
}

Compiled no_nvcc(const race::Request& request) {
  Compiled compiled;
  compiled.front = race::FrontUsed::nvcc;
  compiled.failure.messages =
      request.cuda_path.empty()
          ? "error: --front nvcc needs the nvcc of a CUDA toolkit, and there is none in PATH or in "
            "/usr/local/cuda/bin; name a toolkit with --cuda-path\n"
          : fmt::format("{}/bin/nvcc: error: --front nvcc needs this program, and it does not exist\n",
                        request.cuda_path);
  return compiled;
}

}  // namespace

Compiled compile_device(const race::Request& request, const std::vector<std::string>& instances,
                        const std::string& folder) {
  if (request.is_ptx()) return translate_ptx(request);
  // nvcc reads files of CUDA alone.
  const bool clang_alone = request.front == race::Front::clang || request.text || request.is_hip();
  const std::string nvcc = clang_alone ? std::string() : find_nvcc(request);
  if (request.front == race::Front::nvcc) {
    return nvcc.empty() ? no_nvcc(request) : compile_by_nvcc(request, instances, nvcc, folder);
  }
  Compiled compiled = compile_by_clang(request, instances);
  if (compiled.ok || compiled.failure.no_compiler || nvcc.empty()) return compiled;
  Compiled other = compile_by_nvcc(request, instances, nvcc, folder);
  if (!other.ok) return compiled;
  other.front = race::FrontUsed::nvcc_instead;
  return other;
}

base::Result<std::string> ptx_of(const race::Request& request, const std::vector<std::string>& instances,
                                 const std::string& bitcode, const std::string& folder) {
  if (request.is_ptx()) return base::read_file(request.file);
  if (request.is_hip()) return base::error_in(request.file, "there is no PTX of HIP");
  const std::string nvcc = request.front == race::Front::clang ? std::string() : find_nvcc(request);
  if (!nvcc.empty()) {
    NvccPtx made = run_nvcc(request, nvcc, uses_of(instances), folder);
    if (made.ok) return std::move(made.text);
    if (request.front == race::Front::nvcc) return base::error_in(request.file, "nvcc failed: " + made.messages);
  }
  return gpu_code_of(bitcode, request.architecture.value_or(race::Architecture{}));
}

base::Result<std::vector<std::string>> replacing_flags(const std::map<std::string, std::string>& replaced,
                                                       const std::string& name) {
  std::vector<std::string> flags;
  for (const auto& [file, text] : replaced) {
    const std::string better = fmt::format("{}.{}", name, flags.size());
    if (base::Status written = base::write_file(better, text, base::Durable::no); !written) return written.errors();
    flags.insert(flags.end(), {"-Xclang", "-remap-file", "-Xclang", file + ";" + better});
  }
  return flags;
}

Compiled compile_host(const race::Request& request, const std::string& library,
                      const std::map<std::string, std::string>& replaced) {
  Compiled compiled;
  const std::string empty = library + ".empty", definitions = library + ".definitions.h";
  for (const auto& [file, text] : {std::pair(empty, std::string()), std::pair(definitions, definitions_of(request))}) {
    if (base::Status written = base::write_file(file, text); !written) {
      compiled.failure = {true, base::render(written.errors())};
      return compiled;
    }
  }
  std::vector<std::string> command = host_command(request, library, empty, definitions);
  const base::Result<std::vector<std::string>> better = replacing_flags(replaced, library + ".replaced");
  if (better) command.insert(command.end(), better->begin(), better->end());
  base::Result<base::ProcessResult> result =
      run_child(command, fs::path(library).parent_path(), request.compile_seconds);
  compiled.ok = result && result->succeeded();
  if (!compiled.ok) compiled.failure = failure_of(result);
  return compiled;
}

}  // namespace weakspot::race_jit
