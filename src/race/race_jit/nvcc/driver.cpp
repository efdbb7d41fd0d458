// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/host/device_code.h"
#include "race_jit/nvcc/link_object.h"
#include "race_jit/nvcc/places.h"
#include "race_jit/nvcc/python.h"
#include "system/temporary_folder.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

class Nvcc {
 public:
  Nvcc(race::NvccCommand command, NvccPlaces places) : command_(std::move(command)), places_(std::move(places)) {}

  bool run() {
    if (folder_.path().empty()) return fail("cannot make a temporary folder");
    if (command_.sources.empty() && command_.link_words.empty()) return fail("no input files");
    switch (command_.phase) {
      case race::NvccPhase::preprocess:
      case race::NvccPhase::dependencies:
        return std::all_of(command_.sources.begin(), command_.sources.end(),
                           [&](const race::NvccInput& source) { return preprocess(source); });
      case race::NvccPhase::compile:
        return std::all_of(command_.sources.begin(), command_.sources.end(),
                           [&](const race::NvccInput& source) { return compile(source, object_name(source)); });
      case race::NvccPhase::device_link:
        return compile_all() && device_link();
      case race::NvccPhase::library:
        return compile_all() && archive();
      case race::NvccPhase::link:
        return compile_all() && link() && (!command_.run || run_made());
    }
    return false;
  }

 private:
  static bool fail(const std::string& why) {
    fmt::print(stderr, "weakspot-nvcc: error: {}\n", why);
    return false;
  }
  static bool fail(const base::Diagnostics& errors) {
    std::fputs(base::render(errors).c_str(), stderr);
    return false;
  }

  static bool has_device_part(const race::NvccInput& source) {
    return source.language == "cu" || source.language == "hip";
  }

  std::string temporary(const std::string& name) { return folder_.path().string() + "/" + name; }

  std::string object_name(const race::NvccInput& source) const {
    return command_.output.empty() ? fs::path(source.path).stem().string() + ".o" : command_.output;
  }

  // The same for the same object of the same source.
  std::string unit_id(const race::NvccInput& source) const {
    std::error_code error;
    return base::hash_bytes(fs::absolute(source.path, error).string() + "\n" +
                            fs::absolute(object_name(source), error).string())
        .hex()
        .substr(0, 16);
  }

  // Of HIP, each object has a symbol with the name of its unit.
  bool names_unit(const race::NvccInput& source) const { return command_.relocatable || source.language == "hip"; }

  race::Request request_for(const race::NvccInput& source) const {
    race::Request request;
    request.file = source.path;
    request.headers = places_.headers;
    request.clang = places_.clang;
    request.front = places_.front;
    request.architecture = places_.architecture ? places_.architecture : race::newest_of(command_.architectures);
    request.hip = source.language == "hip";
    request.gpu = places_.gpu.empty() ? command_.gpu : places_.gpu;
    request.wave = command_.wave;
    if (!request.hip) request.compiler_arguments = {"-D__NVCC__", "-D__CUDACC_VER_BUILD__=40"};
    append(request.compiler_arguments, command_.language_flags);
    if (command_.relocatable) append(request.compiler_arguments, {"-fgpu-rdc"});
    if (names_unit(source)) append(request.compiler_arguments, {"-cuid=" + unit_id(source)});
    return request;
  }

  // The clang command for a source for the host. The user's macros are in the file `definitions`, if it is not empty.
  Words host_command(const race::NvccInput& source, const std::string& definitions) const {
    Words words = {places_.clang};
    if (has_device_part(source)) {
      const race::Request request = request_for(source);
      append(words, host_flags(request, definitions));
      if (definitions.empty()) append(words, macros(request));
      // clang's driver hands it to its compiler for the device alone: kernels of one file would have two names.
      if (names_unit(source)) append(words, {"-Xclang", "-cuid=" + unit_id(source)});
      words.push_back("-g0");  // the device part has its own
    } else {
      append(words, {"-isystem", places_.toolkit + "/include"});
      append(words, command_.language_flags);
      append(words, {"-x", source.language});
    }
    append(words, {"-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"});
    for (const std::string& flag : command_.host_flags) {
      // clang warns of other things than the compiler that the project was written for.
      if (flag != "-Werror" && !flag.starts_with("-Werror=") && !flag.starts_with("-flto")) words.push_back(flag);
    }
    return words;
  }

  std::string dependency_file(const std::string& object) const {
    return command_.dependency_file.empty() ? fs::path(object).replace_extension(".d").string()
                                            : command_.dependency_file;
  }

  Words dependency_flags(const std::string& object) const {
    Words words;
    if (!command_.dependencies) return words;
    words.push_back(command_.system_dependencies ? "-MD" : "-MMD");
    append(words, {"-MF", dependency_file(object)});
    for (const std::string& target : command_.dependency_targets) append(words, {"-MT", target});
    if (command_.dependency_targets.empty()) append(words, {"-MT", object});
    if (command_.phony_targets) words.push_back("-MP");
    return words;
  }

  // A file with the user's macros; empty if there is none.
  std::string write_definitions(const race::NvccInput& source) {
    if (!has_device_part(source)) return {};
    const std::string file = temporary("definitions.h");
    return base::write_file(file, definitions_of(request_for(source)), base::Durable::no) ? file : std::string();
  }

  // Our file of macros and our compiled headers may go away, and nothing may depend on them.
  void forget_own_files(const std::string& object, const std::string& headers) const {
    if (!command_.dependencies) return;
    const std::string file = dependency_file(object);
    base::Result<std::string> text = base::read_file(file);
    if (!text) return;
    for (const std::string& ours : {folder_.path().string() + "/definitions.h", headers}) {
      if (ours.empty()) continue;
      for (std::size_t at = text->find(ours); at != std::string::npos; at = text->find(ours, at)) {
        const bool target = text->compare(at + ours.size(), 1, ":") == 0;
        text->erase(at, ours.size() + (target ? 1 : 0));
      }
    }
    if (base::Status written = base::write_file(file, *text, base::Durable::no); !written) fail(written.errors());
  }

  bool preprocess(const race::NvccInput& source) {
    // The output may be printed, dependencies included, and must not name a file of ours.
    Words words = host_command(source, "");
    if (command_.phase == race::NvccPhase::preprocess) {
      append(words, {"-E"});
      append(words, dependency_flags(object_name(source)));
    } else {
      words.push_back(command_.system_dependencies ? "-M" : "-MM");
      for (const std::string& target : command_.dependency_targets) append(words, {"-MT", target});
    }
    words.push_back(source.path);
    const std::string output = command_.output.empty() ? command_.dependency_file : command_.output;
    if (!output.empty()) append(words, {"-o", output});
    return run_tool(words, command_.verbose);
  }

  bool compile(const race::NvccInput& source, const std::string& object) {
    if (!has_device_part(source)) {
      Words words = host_command(source, "");
      append(words, dependency_flags(object));
      append(words, {"-c", source.path, "-o", object});
      return run_tool(words, command_.verbose);
    }
    const Compiled device = compile_device(request_for(source), {}, folder_.path().string());
    if (!device.ok) {
      std::fputs(device.failure.messages.c_str(), stderr);
      return false;
    }
    if (device.front == race::FrontUsed::nvcc_instead) {
      fmt::print(stderr, "{}: note: nvcc compiles the kernels, since clang could not\n", source.path);
    }
    DeviceCode code;
    code.relocatable = command_.relocatable;
    std::error_code error;
    code.source = fs::absolute(source.path, error).lexically_normal().string();
    code.id = base::hash_bytes(unit_id(source) + device.bitcode).hex();
    code.bitcode = device.bitcode;
    const std::string bytes = temporary("device.code");
    if (base::Status written = base::write_file(bytes, to_bytes(code), base::Durable::no); !written) {
      return fail(written.errors());
    }
    const base::Result<Words> replacing = replacing_flags(device.replaced, temporary("replaced"));
    if (!replacing) return fail(replacing.errors());
    Words flags = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", bytes};
    append(flags, *replacing);
    return compile_host_part(source, object, flags);
  }

  bool compile_host_part(const race::NvccInput& source, const std::string& object, const Words& flags) {
    Words words = host_command(source, write_definitions(source));
    words.erase(words.begin());  // the name of the compiler
    const std::string headers = use_compiled_headers(request_for(source), words);
    words.insert(words.begin(), places_.clang);
    append(words, dependency_flags(object));
    append(words, flags);
    if (!command_.relocatable) {
      append(words, {"-c", source.path, "-o", object});
      const bool done = run_tool(words, command_.verbose);
      forget_own_files(object, headers);
      return done;
    }
    // Relocatable code calls a function with a name of its own to register itself, which nvlink would make.
    const std::string assembly = temporary("host.s");
    append(words, {"-S", source.path, "-o", assembly});
    if (!run_tool(words, command_.verbose)) return false;
    forget_own_files(object, headers);
    base::Result<std::string> text = base::read_file(assembly);
    if (!text) return fail(text.errors());
    rename_registration(*text, unit_id(source));
    if (base::Status written = base::write_file(assembly, *text, base::Durable::no); !written) {
      return fail(written.errors());
    }
    return run_tool({places_.clang, "-c", assembly, "-o", object}, command_.verbose);
  }

  static void rename_registration(std::string& assembly, const std::string& id) {
    constexpr std::string_view kCall = "__cudaRegisterLinkedBinary", kWrap = "__fatbinwrap__nv_";
    for (std::size_t at = assembly.find(kCall); at != std::string::npos; at = assembly.find(kCall, at + 1)) {
      const std::size_t end = end_of_name(assembly, at);
      assembly.replace(at, end - at, "__wsRegisterLinkedBinary");
    }
    // Named after the text of the path, which may be that of another file in another folder.
    for (std::size_t at = assembly.find(kWrap); at != std::string::npos; at = assembly.find(kWrap, at + 1)) {
      const std::size_t end = end_of_name(assembly, at);
      assembly.replace(at, end - at, std::string(kWrap) + id);
    }
  }

  static std::size_t end_of_name(const std::string& text, std::size_t at) {
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_')) ++at;
    return at;
  }

  // Replaces sources by temporary objects.
  bool compile_all() {
    for (std::string& word : command_.link_words) {
      if (!word.starts_with('#')) continue;
      const std::size_t number = std::stoul(word.substr(1));
      word = temporary(fmt::format("{}.o", number));
      if (!compile(command_.sources[number], word)) return false;
    }
    return true;
  }

  bool device_link() {
    base::Result<std::string> code = relocatable_code(command_.link_words);
    if (!code) return fail(code.errors());
    return make_link_object(*code, command_.output.empty() ? "a_dlink.o" : command_.output, folder_.path().string(),
                            places_, command_);
  }

  bool archive() {
    Words words = {"ar", "rcs", command_.output.empty() ? "a.a" : command_.output};
    for (const std::string& word : command_.link_words) {
      if (!word.starts_with('-')) words.push_back(word);
    }
    return run_tool(words, command_.verbose);
  }

  std::string made_program() const {
    if (!command_.output.empty()) return command_.output;
    return command_.shared ? "a.so" : "a.out";
  }

  bool link() {
    base::Result<std::string> code = relocatable_code(command_.link_words);
    if (!code) return fail(code.errors());
    Words words = {places_.linker, "-o", made_program()};
    if (command_.shared) words.push_back("-shared");
    if (!code->empty()) {
      words.push_back(temporary("linked.o"));
      if (!make_link_object(*code, words.back(), folder_.path().string(), places_, command_)) return false;
    }
    append(words, command_.link_words);
    words.push_back("-L" + places_.libraries());
    if (command_.with_runtime) append(words, {"-lcudart", "-lpthread", "-ldl", "-lm"});
    return run_tool(words, command_.verbose);
  }

  bool run_made() const {
    Words words = {fs::absolute(made_program()).string()};
    append(words, command_.run_arguments);
    return run_tool(words, command_.verbose);
  }

  race::NvccCommand command_;
  NvccPlaces places_;
  base::TemporaryFolder folder_;
};

}  // namespace

int run_nvcc(const std::vector<std::string>& words, bool hip) {
  if (!hip && !words.empty() && words.front() == "--python") {
    base::Result<NvccPlaces> places = find_places();
    if (places) return run_python(*places, {words.begin() + 1, words.end()});
    std::fputs(base::render(places.errors()).c_str(), stderr);
    return 3;
  }
  base::Result<race::NvccCommand> command = race::parse_nvcc(words, {.folder = {}, .hip = hip});
  if (!command) {
    std::fputs(base::render(command.errors()).c_str(), stderr);
    return 2;
  }
  if (command->version || command->help) {
    const std::string text =
        command->help ? (hip ? hip_help_text() : help_text()) : (hip ? hip_version_text() : version_text());
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  base::Result<NvccPlaces> places = find_places();
  if (!places) {
    std::fputs(base::render(places.errors()).c_str(), stderr);
    return 3;
  }
  if (command->verbose) {
    std::fputs((hip ? hip_verbose_text(*places, *command) : verbose_text(*places, *command)).c_str(), stderr);
  }
  if (hip && std::find(words.begin(), words.end(), "-print-targets") != words.end()) return 0;
  if (command->dry_run) return 0;
  return Nvcc(*std::move(command), *std::move(places)).run() ? 0 : 1;
}

}  // namespace weakspot::race_jit
