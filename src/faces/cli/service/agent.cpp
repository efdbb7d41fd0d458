// SPDX-License-Identifier: MIT
#include "workbench/agent.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "console/interrupt.h"
#include "serve/server_source.h"

namespace weakspot::cli {
namespace {

class NotePrinter final : public workbench::AgentWatch {
 public:
  void note(const std::string& text) override { print_error("note: " + text + "\n"); }
};

// A file has no place in a list of processes, and neither has a variable.
base::Result<std::string> token_from(const std::string& file) {
  const char* given = std::getenv("WEAKSPOT_TOKEN");
  if (file.empty() && given == nullptr) {
    return base::error("a server needs a token: --token FILE, or the variable WEAKSPOT_TOKEN");
  }
  if (file.empty()) return std::string(given);
  base::Result<std::string> text = base::read_file(file);
  if (!text) return text;
  const std::size_t end = text->find_last_not_of(" \t\r\n");
  return text->substr(0, end == std::string::npos ? 0 : end + 1);
}

struct Agent {
  workbench::AgentRequest request;
  std::string store;
  std::string server;
  std::string token_file;
  bool no_isolation = false;
  bool json = false;

  int run() {
    const InterruptGuard guard;
    request.stop = InterruptGuard::flag();
    request.now = now_text;
    const base::Result<std::unique_ptr<workbench::WorkSource>> source = source_of_work();
    if (!source) return fail(source.errors());
    std::vector<std::string> worker;
    if (!no_isolation) worker = {"/proc/self/exe", "worker"};
    NotePrinter printer;
    const base::Result<workbench::AgentResult> result = workbench::run_agent(request, **source, worker, printer);
    if (!result) return fail(result.errors());
    if (json) print_output(json_text(json_of(*result)));
    for (const workbench::AgentDevice& device : result->devices) {
      if (!json) print_results(line_of(device, result->seconds));
    }
    print_errors(result->problems);
    // An agent that was told to end did what it should.
    return result->ending == workbench::Ending::cancelled ? kFine : exit_code_of(result->ending);
  }

 private:
  base::Result<std::unique_ptr<workbench::WorkSource>> source_of_work() const {
    if (store.empty() == server.empty()) return base::error("give either --store or --server");
    if (!store.empty()) return workbench::store_source(store);
    base::Result<std::string> token = token_from(token_file);
    if (!token) return token.errors();
    return serve::server_source(server, *std::move(token));
  }

  static base::JsonValue json_of(const workbench::AgentResult& result) {
    base::JsonValue devices = base::json_array();
    for (const workbench::AgentDevice& device : result.devices) {
      devices.push_back(base::json_object({{"device", device.id},
                                           {"shards", device.shards},
                                           {"failures", device.failures},
                                           {"too_late", device.lease_lost},
                                           {"given_back", device.returned},
                                           {"device_seconds", device.device_seconds},
                                           {"waited_seconds", device.waited_seconds},
                                           {"quarantined", device.quarantined}}));
    }
    return base::json_object({{"agent", result.agent}, {"seconds", result.seconds}, {"devices", std::move(devices)}});
  }

  static std::string line_of(const workbench::AgentDevice& device, double seconds) {
    std::string text = fmt::format("{}: {}, {:.3g} s of device time in {:.3g} s", device.id,
                                   base::counted(device.shards, "shard"), device.device_seconds, seconds);
    if (device.waited_seconds >= 0.001) text += fmt::format(", waited {:.3g} s", device.waited_seconds);
    if (device.failures != 0) text += ", " + base::counted(device.failures, "failure");
    if (device.lease_lost != 0) text += fmt::format(", {} too late", device.lease_lost);
    if (device.returned != 0) text += fmt::format(", {} given back", device.returned);
    if (!device.quarantined.empty()) text += ", quarantined: " + device.quarantined;
    return text + "\n";
  }
};

}  // namespace

void add_agent(Command& app, int& exit_code) {
  auto options = std::make_shared<Agent>();
  workbench::AgentRequest& request = options->request;
  Command* command = app.add_subcommand("agent", "Run the shards of campaigns on the devices of this machine");
  command->add_option("--store STORE", options->store, "a file of SQLite or postgresql://...");
  command->add_option("--server URL", options->server,
                      "a server that 'weakspot serve' runs, http://HOST:PORT, instead of a store");
  command->add_option("--token FILE", options->token_file,
                      "a file with a token for the server (default: the variable WEAKSPOT_TOKEN)");
  command->add_option("--campaign ID", request.campaign, "only this campaign (default: all of the store)");
  command
      ->add_option(
          "--device ID,...", request.devices,
          "devices as 'weakspot devices' lists them, or recorded:FILE for a file of run records (default: all)")
      ->delimiter(',');
  command->add_flag(
      "--until-done", request.until_done,
      "end when nothing is left for these devices; paused campaigns do not count unless --campaign names one");
  command->add_option("--seconds TIME", request.seconds, "end after this time, 1ms to 1e7s (default: go on)")
      ->as_time();
  command
      ->add_option("--lease TIME", request.lease,
                   "how long a claim lasts without a sign of life, 1s to 1h (default 60s)")
      ->as_time(0.2, 3600);
  command->add_option("--name NAME", request.host, "what this machine is called in the store (default: its host name)");
  add_isolation_option(*command, options->no_isolation);
  command->add_flag("--json", options->json, "print an object at the end");
  command->footer(
      "SIGTERM and Ctrl-C end it in good order. Exit codes: 2 bad usage or input,\n"
      "3 a device is quarantined, or the store or the server failed.\n\nExamples:\n"
      "  weakspot agent --store lab.db --until-done\n"
      "  weakspot agent --server http://lab:8080 --token token.txt --device cuda:0,vulkan:0");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
