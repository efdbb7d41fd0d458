// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/file.h"
#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/live.h"
#include "cli/display/run_text.h"
#include "cli/display/status_text.h"
#include "console/interrupt.h"
#include "json/invocation_json.h"
#include "workbench/campaigns.h"

namespace weakspot::cli {
namespace {

// A campaign in a store.
struct ChosenCampaign {
  std::string store;
  std::string campaign;
};

void add_chosen(Command& command, ChosenCampaign& chosen, const std::string& otherwise = "the only one of the store") {
  command.add_option("CAMPAIGN", chosen.campaign, fmt::format("its id or name (default: {})", otherwise));
  command.add_option("--store STORE", chosen.store, "a file of SQLite or postgresql://...")->required();
}

struct InitCampaign {
  workbench::PlanRequest request;
  std::string store, name;
  bool json = false;

  int run() const {
    const base::Result<campaign::CampaignPlan> plan = workbench::plan_campaign(request);
    if (!plan) return fail(plan.errors());
    const base::Result<bool> created = workbench::create_campaign(store, name.empty() ? plan->suite : name, *plan);
    if (!created) return fail(created.errors());
    if (json) {
      print_output(json_text(base::json_object({{"campaign", plan->id()},
                                                {"new", *created},
                                                {"tests", plan->tests.size()},
                                                {"shards", campaign::count_shards(*plan)},
                                                {"device_seconds", device_seconds(*plan)}})));
      return kFine;
    }
    print_results(text_of(*plan, *created));
    return kFine;
  }

 private:
  static double device_seconds(const campaign::CampaignPlan& plan) {
    double cells = 0;
    for (const campaign::DeviceClass& one : plan.classes) {
      cells += static_cast<double>(plan.tests.size() * one.environments.size());
    }
    return cells * static_cast<double>(plan.seeds) * plan.seconds;
  }

  static std::string text_of(const campaign::CampaignPlan& plan, bool is_new) {
    std::string text = fmt::format("{} campaign {}: {}, {}, {}", is_new ? "new" : "known", plan.id(),
                                   base::counted(plan.tests.size(), "test"),
                                   base::counted(plan.classes.size(), "device class", "device classes"),
                                   base::counted(campaign::count_shards(plan), "shard"));
    if (const double seconds = device_seconds(plan); seconds > 0) {
      text += fmt::format(", {} of device time", seconds < 10 ? fmt::format("{:.3g} s", seconds) : time_text(seconds));
    }
    text += "\n";
    for (const campaign::DeviceClass& one : plan.classes) {
      text += fmt::format("  {}: {}\n", one.name, base::counted(one.environments.size(), "environment"));
    }
    return text;
  }
};

void add_init(Command& app, int& exit_code) {
  auto options = std::make_shared<InitCampaign>();
  workbench::PlanRequest& request = options->request;
  Command* command = app.add_subcommand("init", "Plan a campaign and put it into a store");
  command
      ->add_option("SUITE ...", request.tests,
                   "suites as 'weakspot suite' lists them, files, folders, @indexes, or tests of the corpus")
      ->required();
  command->add_option("--store STORE", options->store, "a file of SQLite, made if missing, or postgresql://...")
      ->required();
  command
      ->add_option(
          "--devices CLASS,...", request.classes,
          "classes of devices: an interface (cuda), an id (cuda:0), a family (nvidia, cpu-aarch64) or the name "
          "of a card")
      ->delimiter(',')
      ->required();
  command
      ->add_option("--environments ENV", request.environments,
                   "a file that tune or 'conform --save-suite' wrote, a file of lines, an environment as 'run --env' "
                   "takes it, 'sweep', or 'default' for the class's own; may be repeated (default: default)")
      ->repeatable();
  command
      ->add_option("--seconds TIME", request.seconds,
                   "device time of a run, such as 50ms or 1s; 1ms to 1e7s (default 1s)")
      ->as_time();
  command->add_option("--instances N", request.instances, "instances of a run, instead of --seconds")->range(1, 1e18);
  command
      ->add_option("--seeds N", request.seeds,
                   "runs of each test in each environment on each class, with different seeds, 1 to 1e6 (default 1)")
      ->range(1, 1e6);
  command
      ->add_option("--seeds-per-shard N", request.seeds_per_shard,
                   "runs that are claimed and stored together, 1 to 1e6 (default 1)")
      ->range(1, 1e6);
  add_seed_option(*command, request.first_seed);
  add_memory_option(*command, request.memory, "1/32 of it, from 64M to 1G");
  add_model_option(*command, request.model);
  command->add_option("--name NAME", options->name, "what people call it (default: the words of SUITE)");
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "The same plan is the same campaign: planning it again changes nothing.\n\nExamples:\n"
      "  weakspot campaign init mc-mutants --store lab.db --devices cpu --seconds 50ms\n"
      "  weakspot campaign init classic --store postgresql://db/lab \\\n"
      "    --devices cuda,vulkan --environments sweep --seeds 10");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

struct WatchCampaign {
  ChosenCampaign chosen;
  bool watch = false;
  bool json = false;

  int run() const {
    const InterruptGuard guard;
    std::size_t lines = 0;
    while (true) {
      const auto statuses = workbench::campaign_status(chosen.store, chosen.campaign);
      if (!statuses) return fail(statuses.errors());
      const std::string text = json ? json_text(json_of(*statuses)) : text_of(*statuses);
      if (lines != 0) print_bytes(fmt::format("\x1b[{}F\x1b[J", lines));
      json ? print_output(text) : print_results(text);
      std::fflush(stdout);
      const bool over = std::all_of(statuses->begin(), statuses->end(),
                                    [](const store::CampaignStatus& status) { return status.over(); });
      if (!watch || over) return kFine;
      // Lines are drawn over on a terminal only.
      const bool redraws = !json && terminal_of(1).redraws;
      lines = redraws ? static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) : 0;
      pause_a_second();
      if (InterruptGuard::interrupted()) return InterruptGuard::exit_code();
    }
  }

 private:
  static void pause_a_second() {
    for (int i = 0; i < 10 && !InterruptGuard::interrupted(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  static std::string text_of(const std::vector<store::CampaignStatus>& statuses) {
    std::string text;
    for (const store::CampaignStatus& status : statuses) text += (text.empty() ? "" : "\n") + status_text(status);
    return text;
  }

  static base::JsonValue json_of(const std::vector<store::CampaignStatus>& statuses) {
    base::JsonValue array = base::json_array();
    for (const store::CampaignStatus& status : statuses) array.push_back(workbench::status_json(status));
    return array;
  }
};

void add_status(Command& app, int& exit_code) {
  auto options = std::make_shared<WatchCampaign>();
  Command* command = app.add_subcommand("status", "Show how far campaigns are, by class of devices");
  add_chosen(*command, options->chosen, "all of the store");
  command->add_flag("--watch", options->watch, "show it again every second until all is done");
  command->add_flag("--json", options->json, "print an array");
  command->footer(
      "'rate' is device time per second of the clock: 2 devices that are always busy make 2.\n\nExamples:\n"
      "  weakspot campaign status --store lab.db\n"
      "  weakspot campaign status --store lab.db --watch");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

void add_pause(Command& app, int& exit_code, bool paused) {
  struct Pause {
    ChosenCampaign chosen;
    bool json = false;
  };
  auto options = std::make_shared<Pause>();
  Command* command = paused ? app.add_subcommand("pause", "Hand out no more shards; what agents have begun is finished")
                            : app.add_subcommand("resume", "Hand out shards again after a pause");
  add_chosen(*command, options->chosen);
  command->add_flag("--json", options->json, "print an object");
  const std::string word = paused ? "pause" : "resume";
  command->footer(
      fmt::format("Examples:\n  weakspot campaign {} --store lab.db\n"
                  "  weakspot campaign {} nightly --store postgresql://db/lab",
                  word, word));
  command->callback([options, paused, &exit_code] {
    const ChosenCampaign& chosen = options->chosen;
    const base::Result<std::string> done = workbench::pause_campaign(chosen.store, chosen.campaign, paused);
    if (!done) {
      exit_code = fail(done.errors());
      return;
    }
    if (options->json) return print_output(json_text(base::json_object({{"campaign", *done}, {"paused", paused}})));
    print_results(fmt::format("{} campaign {}\n", paused ? "paused" : "running", *done));
  });
}

void add_pardon(Command& app, int& exit_code) {
  struct Pardon {
    ChosenCampaign chosen;
    std::string device;
    bool json = false;
  };
  auto options = std::make_shared<Pardon>();
  Command* command = app.add_subcommand("pardon", "Try quarantined shards, or a quarantined device, again");
  add_chosen(*command, options->chosen);
  command->add_option("--device NAME", options->device,
                      "a device as 'campaign report' names it (default: the shards of the campaign)");
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "Examples:\n  weakspot campaign pardon --store lab.db\n"
      "  weakspot campaign pardon --store lab.db --device node7/cuda:0");
  command->callback([options, &exit_code] {
    const ChosenCampaign& chosen = options->chosen;
    const base::Result<std::string> done = workbench::pardon_campaign(chosen.store, chosen.campaign, options->device);
    if (!done) {
      exit_code = fail(done.errors());
      return;
    }
    if (options->json) {
      return print_output(json_text(base::json_object({{"campaign", *done}, {"device", options->device}})));
    }
    print_results(options->device.empty() ? fmt::format("pardoned the shards of campaign {}\n", *done)
                                          : fmt::format("pardoned device {}\n", options->device));
  });
}

struct ExportCampaign {
  ChosenCampaign chosen;
  std::string out;

  int run() const {
    std::string text;
    const bool to_file = !out.empty();
    const base::Result<std::size_t> count =
        workbench::export_campaign(chosen.store, chosen.campaign, [&](const std::string& line) {
          if (to_file) {
            text += line + "\n";
          } else {
            print_output(line + "\n");
          }
        });
    if (!count) return fail(count.errors());
    if (!to_file) return kFine;
    if (const base::Status written = base::write_file(out, text); !written) return fail(written.errors());
    print_results(fmt::format("{}: {}\n", out, base::counted(*count, "record")));
    return kFine;
  }
};

void add_export(Command& app, int& exit_code) {
  auto options = std::make_shared<ExportCampaign>();
  Command* command = app.add_subcommand("export", "Write the run records of a campaign as lines of JSON");
  add_chosen(*command, options->chosen);
  command->add_option("--out FILE", options->out, "the file (default: standard output)");
  command->footer(
      "Examples:\n  weakspot campaign export --store lab.db --out runs.jsonl\n"
      "  weakspot campaign export nightly --store lab.db | head");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

struct ReportCampaign {
  ChosenCampaign chosen;
  std::string html;
  bool json = false;
  bool verbose = false;

  int run() const {
    const base::Result<campaign::CampaignReport> report = workbench::report_campaign(chosen.store, chosen.campaign);
    if (!report) return fail(report.errors());
    if (!html.empty()) {
      const base::Status written = base::write_file(html, campaign::campaign_html(*report));
      if (!written) return fail(written.errors());
    }
    if (json) {
      base::JsonValue object = campaign::to_json_value(*report);
      base::add_invocation(object);
      print_output(json_text(object));
    } else {
      campaign::EnvironmentNames names;
      print_results(campaign::campaign_text(*report, results_width(), names));
      print_results(environment_legend(names, verbose));
      // Commands are printed without folding: a folded command does not run.
      print_output(campaign::campaign_commands(*report));
    }
    return report->findings.empty() ? kFine : kFinding;
  }
};

void add_campaign_report(Command& app, int& exit_code) {
  auto options = std::make_shared<ReportCampaign>();
  Command* command = app.add_subcommand("report", "Merge the results of a campaign into one report");
  add_chosen(*command, options->chosen);
  command->add_option("--html FILE", options->html, "also write it as a page");
  add_verbose_option(*command, options->verbose);
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "Exit codes: 1 a forbidden outcome was seen.\n\nExamples:\n"
      "  weakspot campaign report --store lab.db\n"
      "  weakspot campaign report --store lab.db --html report.html");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace

void add_campaign(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("campaign", "Run a suite on many devices and machines: plan, watch, report");
  command->require_subcommand(1, 1);
  add_init(*command, exit_code);
  add_status(*command, exit_code);
  add_pause(*command, exit_code, true);
  add_pause(*command, exit_code, false);
  add_pardon(*command, exit_code);
  add_export(*command, exit_code);
  add_campaign_report(*command, exit_code);
  command->footer(
      "'weakspot agent' runs campaigns; docs/campaigns.md is the manual.\n\nExamples:\n"
      "  weakspot campaign init mc-mutants --store lab.db --devices cpu --seconds 50ms\n"
      "  weakspot campaign report --store lab.db");
}

}  // namespace weakspot::cli
