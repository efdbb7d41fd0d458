// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cli/command/commands.h"
#include "system/subprocess.h"

namespace weakspot::cli {
namespace {

// Runs this program once more, so that a device or a kernel that fails takes nothing with it.
base::Result<std::string> ask_program(const std::vector<std::string>& words, const std::string& input) {
  std::error_code code;
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe", code).string()};
  command.insert(command.end(), words.begin(), words.end());
  base::ProcessOptions options;
  options.input = input;
  options.deadline = std::chrono::minutes(5);
  const base::Result<base::ProcessResult> done = base::run_process(command, options);
  if (!done) return done.errors();
  if (done->timed_out) return base::error("it did not come to its end within five minutes");
  // Findings and what is incomplete are answers too.
  if (!done->output.empty()) return done->output;
  return base::error(done->errors.empty() ? fmt::format("it ended with status {}", done->exit_code) : done->errors);
}

struct Mcp {
  std::vector<std::string> allow;

  int run() const {
    mcp::Options options;
    options.run = std::find(allow.begin(), allow.end(), "run") != allow.end();
    options.race = std::find(allow.begin(), allow.end(), "race") != allow.end();
    options.program = ask_program;
    mcp::Server server(std::move(options));
    for (std::string line; std::getline(std::cin, line);) {
      if (const std::optional<std::string> reply = server.answer(line)) {
        print_bytes(*reply + "\n");
        std::fflush(stdout);
      }
    }
    return kFine;
  }
};

}  // namespace

void add_mcp(Command& app, int& exit_code) {
  auto options = std::make_shared<Mcp>();
  Command* command = app.add_subcommand("mcp", "Answer a program that speaks the Model Context Protocol");
  command
      ->add_option("--allow WHAT", options->allow,
                   "what may run code: run (tests on devices) or race (CUDA files, in the sandbox); may be repeated "
                   "(default: nothing)")
      ->one_of({"run", "race"})
      ->repeatable();
  command->footer(
      "Messages are lines of JSON on standard input and output. Without --allow it only\n"
      "reads, judges and writes tests: no file is opened and no code runs.\n\n"
      "Examples:\n  weakspot mcp\n  weakspot mcp --allow run --allow race");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
