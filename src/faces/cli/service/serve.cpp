// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/invocation.h"
#include "cli/command/commands.h"
#include "console/interrupt.h"
#include "http/page_files.h"
#include "http/sender.h"
#include "serve/result_server.h"
#include "store/open_store.h"
#include "store/token_store.h"

namespace weakspot::cli {
namespace {

constexpr int kMostPort = 65535;

// Actions on the tokens of agents, instead of serving.
struct TokenOptions {
  std::string made;
  std::string revoked;
  bool list = false;

  bool any() const { return list || !made.empty() || !revoked.empty(); }

  int run(const std::string& place) const {
    const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::create);
    if (!database) return fail(database.errors());
    store::TokenStore tokens(**database);
    if (!made.empty()) return make(**database, tokens);
    if (!revoked.empty()) return revoke(tokens);
    const base::Result<std::vector<store::AgentToken>> all = tokens.list();
    if (!all) return fail(all.errors());
    for (const store::AgentToken& one : *all) {
      const auto day = std::chrono::floor<std::chrono::days>(one.created);
      const std::chrono::year_month_day date(day);
      print_results(fmt::format("{}  {:04}-{:02}-{:02}\n", one.name, static_cast<int>(date.year()),
                                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())));
    }
    return kFine;
  }

 private:
  int make(store::Database& database, store::TokenStore& tokens) const {
    const base::Result<store::Time> now = database.now();
    if (!now) return fail(now.errors());
    const base::Result<std::string> token = tokens.create(made, *now);
    if (!token) return fail(token.errors());
    print_output(*token + "\n");
    print_error("The token is not shown again. Agents take it from --token FILE or WEAKSPOT_TOKEN.\n");
    return kFine;
  }

  int revoke(store::TokenStore& tokens) const {
    const base::Result<bool> gone = tokens.revoke(revoked);
    if (!gone) return fail(gone.errors());
    if (!*gone) return fail({base::error(fmt::format("there is no token '{}'", revoked))});
    print_results(fmt::format("revoked {}\n", revoked));
    return kFine;
  }
};

struct Serve {
  TokenOptions tokens;
  std::string store;
  bool is_public = false;
  int port = 8080;
  double per_minute = 6;
  std::vector<std::string> proxies;

  int run() const {
    if (tokens.any()) return tokens.run(store);
    const InterruptGuard guard;
    base::set_invocation({});  // visitors are not told how it was started
    serve::ResultServer server;
    server.store = store;
    server.is_public = is_public;
    server.port = static_cast<std::uint16_t>(port);
    server.submissions_per_minute = per_minute;
    for (const std::string& proxy : proxies) {
      const std::optional<std::string> address = http::read_sender_address(proxy);
      if (!address || *address != proxy) {
        return fail({base::error(fmt::format("--behind-proxy: expected an IPv4 address, found '{}'", proxy))});
      }
      server.proxies.push_back(*address);
    }
    server.stop = InterruptGuard::flag();
    if (const base::Result<std::filesystem::path> folder = http::page_folder("index.html")) server.folder = *folder;
    server.ready = [&](const std::string& url, std::size_t connections) {
      print_output(url + "\n");
      std::fflush(stdout);
      if (server.folder.empty())
        print_error("The page is not built ('./run --page' builds it): only the interface for programs is served.\n");
      print_error(fmt::format(
          "{} At most {} connections are open at a time. Ctrl-C ends the server.\n",
          is_public ? "Every machine that reaches this one can send results." : "Only this machine reaches the server.",
          connections));
    };
    server.problem = [](const std::string& line) { print_error(fmt::format("{}\n", line)); };
    const base::Status done = serve::serve_results(server);
    return done ? kFine : fail(done.errors());
  }
};

// Without one, as of a variable that is not set, the command would serve.
std::string has_name(const std::string& name) { return name.empty() ? "expected a name" : ""; }

}  // namespace

void add_serve(Command& app, int& exit_code) {
  auto options = std::make_shared<Serve>();
  Command* command = app.add_subcommand("serve", "Serve the page, collect results, and give work to agents");
  command->add_option("--store STORE", options->store, "a file of SQLite, made if missing, or postgresql://...")
      ->required();
  command->add_flag("--public", options->is_public, "answer other machines as well (default: this machine alone)");
  command->add_option("--port N", options->port, "0 to 65535, 0 for a free one (default 8080)")->range(0, kMostPort);
  command
      ->add_option("--rate N", options->per_minute,
                   "submissions per minute that one address may send, 0 for no limit (default 6)")
      ->range(0, 1e6);
  command
      ->add_option("--behind-proxy ADDRESS", options->proxies,
                   "the IPv4 address of a proxy whose X-Forwarded-For is believed; may be repeated (default: none)")
      ->repeatable();
  command->add_option("--new-token NAME", options->tokens.made, "make a token for agents, print it, and end")
      ->check(has_name);
  command->add_flag("--tokens", options->tokens.list, "list the names of the tokens, and end");
  command->add_option("--revoke-token NAME", options->tokens.revoked, "make a token useless, and end")->check(has_name);
  command->footer(
      "The server speaks plain HTTP; put a proxy with HTTPS in front of a public one,\n"
      "and say so with --behind-proxy: rates are per address.\n\n"
      "Examples:\n  weakspot serve --store results.db --new-token node1\n"
      "  weakspot serve --store postgresql:///lab --public --behind-proxy 127.0.0.1");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
