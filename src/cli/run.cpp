#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>

#include "campaign/record_json.h"
#include "campaign/runner.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "cli/run_session.h"
#include "cli/run_setup.h"
#include "cli/run_text.h"
#include "codegen/test_program.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using campaign::RunGroup;
using campaign::RunRecord;
using campaign::RunState;

struct Run {
  std::vector<std::string> files;
  RunSetup setup;
  RunOutputs outputs;
  std::string model;
  bool json = false;
  bool brief = false;

  int run() const {
    const TestInputs inputs = load_tests(files);
    if (!inputs.errors.empty()) return fail(inputs.errors, kBadInput);
    int exit_code = kFine;
    const base::Result<std::vector<DeviceSetup>> devices = setup.devices(exit_code);
    if (!devices) return fail(devices.errors(), exit_code);
    std::size_t runs = 0;
    for (const DeviceSetup& device : *devices) runs += inputs.tests.size() * device.environments.size();
    auto session = RunSession::begin(setup.executor(), outputs, runs, json);
    if (!session) return fail(session.errors(), kBadInput);

    const InterruptGuard guard;
    Judging judging(model);
    std::map<std::string, std::size_t> verdicts;
    Failures failures;
    for (const TestInput& input : inputs.tests) {
      if (InterruptGuard::interrupted()) break;
      const base::Result<stats::Expected> expected = judging.expected(input.test);
      if (!expected) return fail(expected.errors(), kBadInput);
      std::vector<RunGroup> groups;
      for (const DeviceSetup& device : *devices) {
        if (InterruptGuard::interrupted()) break;
        const RunGroup& group = groups.emplace_back(run_group(input.test, device, *expected, **session));
        failures.add(input.test, group);
        ++verdicts[campaign::verdict_word(group.sum())];
        (*session)->clear();
        if (!json) print_output(group_text(group, devices->size() == 1));
        std::fflush(stdout);
      }
      if (!json && !brief && groups.size() > 1) print_output(device_table_text(campaign::device_table(groups)));
    }
    const base::Status ended = (*session)->end();
    if (json) print_output(json_text(contract_json((*session)->records())));
    if (!json && inputs.tests.size() * devices->size() > 1) print_output(tally(verdicts));
    if (!ended) return fail(ended.errors(), kDeviceFailed);
    return failures.exit_code();
  }

 private:
  // What keeps a command from ending well.
  struct Failures {
    bool forbidden = false;
    bool device = false;  // one failed, or lacks what a test needs
    bool ran = false;

    void add(const litmus::LitmusTest& test, const RunGroup& group) {
      const RunRecord sum = group.sum();
      forbidden = forbidden || sum.count(stats::OutcomeClass::forbidden) != 0;
      ran = ran || sum.instances != 0;
      for (const RunRecord& record : group.records) {
        device = device || record.status == RunState::failed || record.status == RunState::lost;
        // In one environment of many it may be refused, as long as it runs in others.
        const bool refused = record.status == RunState::refused && sum.instances == 0;
        device = device || (refused && codegen::runs_somewhere(test, record.environment));
      }
    }

    int exit_code() const {
      if (forbidden) return kFinding;
      if (InterruptGuard::interrupted()) return kInterrupted;
      if (device) return kDeviceFailed;
      return ran ? kFine : kBadInput;
    }
  };

  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  RunGroup run_group(const litmus::LitmusTest& test, const DeviceSetup& device, const stats::Expected& expected,
                     RunSession& session) const {
    RunGroup group;
    for (const codegen::TestEnvironment& environment : device.environments) {
      campaign::RunRequest request = setup.request(test, device, environment);
      request.expected = expected;
      if (!device.problem.empty()) {
        session.note_failure(request, device.problem, group);
        break;
      }
      session.run(request, group);
      // What the device lacks for this environment it may not need for the next; what the test needs, it does.
      if (InterruptGuard::interrupted()) break;
    }
    return group;
  }

  // Where several devices run, a table of all of them has the outcomes.
  std::string group_text(const RunGroup& group, bool alone) const {
    std::string text = verdict_line(group);
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    if (!brief && alone) text += outcome_lines(group.sum(), {.colour = terminal, .width = 100});
    for (const RunRecord& record : group.records) text += campaign::witness_text(record);
    return text;
  }

  static std::string tally(const std::map<std::string, std::size_t>& verdicts) {
    std::string text;
    for (const auto& [word, count] : verdicts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
    return fmt::format("\n{}\n", text);
  }

  // What scripts rely on: fewer fields than a record, and none that depends on the machine or the time of day.
  static Json contract_json(const std::vector<RunRecord>& records) {
    Json array = Json::array();
    for (const RunRecord& record : records) {
      Json full = Json::parse(campaign::to_json(record));
      Json json;
      for (const char* field :
           {"test", "hash", "device", "environment", "deliberately_broken", "seed", "model", "remark", "instances",
            "seconds", "outcomes", "unfinished", "barrier_timeouts", "witnesses", "status", "message"}) {
        if (full.contains(field)) json[field] = std::move(full[field]);
      }
      for (Json& outcome : json["outcomes"]) outcome.erase("first");
      array.push_back(std::move(json));
    }
    return array;
  }
};

}  // namespace

void add_run(Command& app, int& exit_code) {
  auto options = std::make_shared<Run>();
  Command* command = app.add_subcommand("run", "Run tests on devices and judge every outcome by a memory model");
  command->add_option("TEST", options->files, "files, folders, @indexes, '-', or tests of the corpus by name")
      ->required();
  options->setup.add_options(*command);
  command->add_option("--model", options->model, "judge by this model; default: by the test's kind");
  command->add_flag("--brief", options->brief, "one line per test, without its outcomes");
  command->add_flag("--json", options->json, "print an array of results");
  options->outputs.add_options(*command);
  command->footer(
      "Exit codes: 1 a forbidden outcome was seen, 2 bad usage or input, 3 a device failed or lacks a feature.\n\n"
      "Examples:\n"
      "  weakspot run MP SB --device all --seconds 5\n"
      "  weakspot run conformance --device cuda:0 --env stress,workgroup_size=32 --brief");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

void add_worker(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("worker", "Run requests from standard input; started by 'run'");
  command->hide();
  command->callback([&exit_code] { exit_code = campaign::serve_requests(); });
}

}  // namespace weakspot::cli
