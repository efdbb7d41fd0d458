// SPDX-License-Identifier: MIT
#include "race_jit/nvcc/link_object.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "race_jit/host/device_code.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

// The archives and objects that the words name. Shared libraries register their own code.
std::vector<std::string> files_of(const std::vector<std::string>& words) {
  std::vector<std::string> files, folders;
  for (const std::string& word : words) {
    if (word.starts_with("-L")) folders.push_back(word.substr(2));
  }
  std::error_code error;
  for (const std::string& word : words) {
    if (!word.starts_with("-")) {
      if (!word.ends_with(".so") && word.find(".so.") == std::string::npos) files.push_back(word);
      continue;
    }
    if (!word.starts_with("-l")) continue;
    for (const std::string& folder : folders) {
      const fs::path archive = fs::path(folder) / fmt::format("lib{}.a", word.substr(2));
      const fs::path library = fs::path(folder) / fmt::format("lib{}.so", word.substr(2));
      if (fs::exists(library, error)) break;
      if (!fs::exists(archive, error)) continue;
      files.push_back(archive.string());
      break;
    }
  }
  return files;
}

}  // namespace

base::Result<std::string> relocatable_code(const std::vector<std::string>& link_words) {
  std::string all;
  std::set<std::string> known;
  for (const std::string& file : files_of(link_words)) {
    base::Result<std::string> bytes = base::read_file(file);
    if (!bytes) return bytes.errors();
    for (const DeviceCode& code : device_code_in(*bytes)) {
      if (code.relocatable && known.insert(code.id).second) all += to_bytes(code);
    }
  }
  return all;
}

bool make_link_object(const std::string& code, const std::string& object, const std::string& folder,
                      const NvccPlaces& places, const race::NvccCommand& command) {
  const std::string bytes = folder + "/linked.code", source = folder + "/linked.c";
  const std::string text = fmt::format(
      "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.balign 8\\n__ws_linked_begin:\\n.incbin \\\"{}\\\"\\n"
      "__ws_linked_end:\\n.text\\n\");\n"
      "extern const char __ws_linked_begin[] __attribute__((visibility(\"hidden\")));\n"
      "extern const char __ws_linked_end[] __attribute__((visibility(\"hidden\")));\n"
      "void __wsRegisterDeviceLibrary(const char*, const char*);\n"
      "__attribute__((constructor)) static void add(void) {{\n"
      "  __wsRegisterDeviceLibrary(__ws_linked_begin, __ws_linked_end);\n}}\n",
      bytes);
  for (const auto& [file, content] : {std::pair(bytes, code), std::pair(source, code.empty() ? "" : text)}) {
    if (base::Status written = base::write_file(file, content, base::Durable::no); !written) {
      fmt::print(stderr, "{}", base::render(written.errors()));
      return false;
    }
  }
  return run_tool({places.clang, "-c", "-fPIC", source, "-o", object}, command.verbose);
}

}  // namespace weakspot::race_jit
