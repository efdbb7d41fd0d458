// SPDX-License-Identifier: MIT
// 'weakspot capture': a program with the recorder loaded before its libraries (race_jit/recorder_main.cpp).
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/markup.h"
#include "cli/command/commands.h"
#include "console/program.h"

namespace weakspot::cli {
namespace {

namespace fs = std::filesystem;

// Set where the recorder is built; a build without it has none to find.
#ifndef WEAKSPOT_RECORDER_FOLDER
#define WEAKSPOT_RECORDER_FOLDER "."
#endif

struct CaptureCommand {
  std::string folder = "captures", kernel;
  std::uint64_t most_bytes = std::uint64_t{64} << 20;
  unsigned launches = 1;

  // Returns only if the program could not be started.
  int run() const {
    const std::vector<std::string>& command = console::words_after_dashes();
    if (command.empty()) return fail({base::error("expected '-- COMMAND', the program whose launches are captured")});
    const std::string recorder = recorder_file();
    if (recorder.empty()) {
      return fail({base::error("this build has no libweakspot-capture.so", base::ErrorKind::environment)});
    }
    const char* others = getenv("LD_PRELOAD");
    set("LD_PRELOAD", others == nullptr || *others == '\0' ? recorder : recorder + ":" + others);
    set("WEAKSPOT_CAPTURE_FOLDER", base::absolute_path(folder).string());
    set("WEAKSPOT_CAPTURE_KERNEL", kernel);
    set("WEAKSPOT_CAPTURE_PROCESS", std::to_string(getpid()));  // the program's, once it has taken our place
    set("WEAKSPOT_CAPTURE_BYTES", std::to_string(most_bytes));
    set("WEAKSPOT_CAPTURE_LAUNCHES", std::to_string(launches));
    std::vector<char*> words;
    std::string line;
    for (const std::string& word : command) {
      words.push_back(const_cast<char*>(word.c_str()));
      line += (line.empty() ? "" : " ") + base::shell_word(word);
    }
    words.push_back(nullptr);
    set("WEAKSPOT_CAPTURE_PROGRAM", line);
    execvp(words.front(), words.data());
    return fail({base::error(fmt::format("cannot start '{}': {}", command.front(), std::strerror(errno)))});
  }

 private:
  static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

  static std::string recorder_file() {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& place : {here, here / WEAKSPOT_RECORDER_FOLDER}) {
      const fs::path file = place / "libweakspot-capture.so";
      if (base::is_file(file)) return file.lexically_normal().string();
    }
    return {};
  }
};

}  // namespace

void add_capture(Command& app, int& exit_code) {
  auto options = std::make_shared<CaptureCommand>();
  Command* command = app.add_subcommand("capture", "Record launches of a program on a GPU, with their memory");
  command->add_option("--folder FOLDER", options->folder, "for a folder of each launch (default: captures)");
  command->add_option("--kernel TEXT", options->kernel, "only kernels whose symbol has this in it (default: all)");
  command->add_option("--launches N", options->launches, "launches of each kernel, the first ones, from 1 (default 1)")
      ->range(1, 1000);
  command
      ->add_option("--max-size BYTES", options->most_bytes,
                   "the most memory that a launch may reach to be recorded, such as 512M (default 64M)")
      ->as_bytes();
  command->footer(
      "The exit code is that of the program; 2 and 3 if it cannot be started.\n\n"
      "Examples:\n"
      "  weakspot capture -- ./app 1000\n"
      "  weakspot capture --kernel softmax --folder seen -- python3 train.py\n"
      "  weakspot race seen/softmax-1");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
