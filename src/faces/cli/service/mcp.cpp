// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "cli/command/commands.h"
#include "cli/service/ask_self.h"

namespace weakspot::cli {
namespace {

struct Mcp {
  std::vector<std::string> allow;

  int run() const {
    mcp::Options options;
    auto allows = [&](const char* what) { return std::find(allow.begin(), allow.end(), what) != allow.end(); };
    options.run = allows("run");
    options.race = allows("race");
    options.prove = allows("prove");
    options.program = ask_self;
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
                   "what may open files or run code: run (tests on devices), race (CUDA files, in the sandbox) or "
                   "prove (CUDA files, which are not run); may be repeated (default: nothing)")
      ->one_of({"run", "race", "prove"})
      ->repeatable();
  command->footer(
      "Messages are lines of JSON on standard input and output. Without --allow it only\n"
      "reads, judges and writes tests: no file is opened and no code runs.\n\n"
      "Examples:\n  weakspot mcp\n  weakspot mcp --allow race --allow prove");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
