// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "http/page_files.h"
#include "serve/result_server.h"

namespace weakspot::cli {
namespace {

constexpr int kMostPort = 65535;

struct Serve {
  std::string store;
  bool is_public = false;
  int port = 8080;
  double per_minute = 6;

  int run() const {
    const InterruptGuard guard;
    serve::ResultServer server;
    server.store = store;
    server.is_public = is_public;
    server.port = static_cast<std::uint16_t>(port);
    server.submissions_per_minute = per_minute;
    server.stop = InterruptGuard::flag();
    if (const base::Result<std::filesystem::path> folder = http::page_folder("index.html")) server.folder = *folder;
    server.ready = [&](const std::string& url) {
      print_output(url + "\n");
      std::fflush(stdout);
      if (server.folder.empty()) print_error("The page was not built: only the interface for programs is served.\n");
      print_error(is_public ? "Every machine that reaches this one can send results. Ctrl-C ends the server.\n"
                            : "Only this machine reaches the server. Ctrl-C ends it.\n");
    };
    server.problem = [](const std::string& line) { print_error(fmt::format("{}\n", line)); };
    const base::Status done = serve::serve_results(server);
    return done ? kFine : fail(done.errors());
  }
};

}  // namespace

void add_serve(Command& app, int& exit_code) {
  auto options = std::make_shared<Serve>();
  Command* command = app.add_subcommand("serve", "Serve the page and collect results that people send");
  command->add_option("--store STORE", options->store, "a file of SQLite, made if missing, or postgresql://...")
      ->required();
  command->add_flag("--public", options->is_public, "answer other machines as well (default: this machine alone)");
  command->add_option("--port N", options->port, "0 to 65535, 0 for a free one (default 8080)")->range(0, kMostPort);
  command
      ->add_option("--rate N", options->per_minute,
                   "submissions per minute that one address may send, 0 for no limit (default 6)")
      ->range(0, 1e6);
  command->footer(
      "The server speaks plain HTTP; put a proxy with HTTPS in front of a public one.\n\n"
      "Examples:\n  weakspot serve --store results.db\n  weakspot serve --store postgresql:///weakspot --public");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
