#include <fmt/format.h>

#include "campaign/record_json.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "cli/run_session.h"
#include "cli/run_setup.h"
#include "cli/run_text.h"

namespace weakspot::cli {
namespace {

using campaign::OutcomeCount;
using campaign::RunRecord;
using stats::OutcomeClass;

struct Replay {
  std::string file;
  std::size_t number = 0;  // from 1; 0: the first with a forbidden outcome, or the first
  std::string device;
  double factor = 1;
  bool no_isolation = false;
  RunOutputs outputs;

  int run() const {
    base::Result<std::vector<RunRecord>> records = campaign::read_records(file);
    if (!records) return fail(records.errors(), kBadInput);
    if (number > records->size()) {
      return fail(
          {base::error_in(file, fmt::format("there is no record {}; the file has {}", number, records->size()))},
          kBadInput);
    }
    const RunRecord& record = (*records)[number != 0 ? number - 1 : most_interesting(*records)];
    base::Result<campaign::RunRequest> request = campaign::repeat(record);
    if (!request) return fail(request.errors(), kBadInput);
    if (!device.empty()) request->device = device;
    if (request->instances != 0) {
      request->instances = static_cast<std::uint64_t>(static_cast<double>(request->instances) * factor);
    }
    request->started = now_text();
    const base::Result<stats::Expected> expected = Judging(record.model).expected(request->test);
    if (!expected) return fail(expected.errors(), kBadInput);
    request->expected = *expected;

    RunSetup setup;
    setup.no_isolation = no_isolation;
    auto session = RunSession::begin(setup.executor(), outputs, 1, false);
    if (!session) return fail(session.errors(), kBadInput);
    const InterruptGuard guard;
    campaign::RunGroup group;
    (*session)->run(*request, group);
    (*session)->clear();
    const RunRecord& again = group.records.front();
    print_output(verdict_line(group) + outcome_lines(again, {}) + campaign::witness_text(again) +
                 comparison(record, again));
    if (const base::Status ended = (*session)->end(); !ended) return fail(ended.errors(), kDeviceFailed);
    if (again.count(OutcomeClass::forbidden) != 0) return kFinding;
    if (InterruptGuard::interrupted()) return kInterrupted;
    return again.instances == 0 ? kDeviceFailed : kFine;
  }

 private:
  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  static std::size_t most_interesting(const std::vector<RunRecord>& records) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (records[i].count(OutcomeClass::forbidden) != 0) return i;
    }
    return 0;
  }

  // Whether what was forbidden, or if nothing was, what was weak, has shown again.
  static std::string comparison(const RunRecord& before, const RunRecord& again) {
    std::string text = "\n";
    if (again.code_hash != before.code_hash && !again.code_hash.empty()) {
      text += fmt::format("note: the code differs from that of the record, {}\n", before.code_hash);
    }
    const OutcomeClass looked_for =
        before.count(OutcomeClass::forbidden) != 0 ? OutcomeClass::forbidden : OutcomeClass::weak;
    bool any = false;
    for (const OutcomeCount& outcome : before.outcomes) {
      if (outcome.outcome_class != looked_for) continue;
      any = true;
      std::uint64_t count = 0;
      for (const OutcomeCount& other : again.outcomes) {
        if (other.outcome == outcome.outcome) count = other.count;
      }
      text += fmt::format("{}  {}  {} then, {} now\n", count != 0 ? "again    " : "not-again", outcome.outcome,
                          outcome.count, count);
    }
    if (!any) text += "the record has no forbidden and no weak outcome to look for\n";
    return text;
  }
};

}  // namespace

void add_replay(Command& app, int& exit_code) {
  auto options = std::make_shared<Replay>();
  Command* command = app.add_subcommand("replay", "Repeat a recorded run and say whether its outcome shows again");
  command->add_option("FILE", options->file, "records that 'run --out' wrote")->required();
  command->add_option("--test", options->number, "which record, from 1; default: the first with a forbidden outcome")
      ->positive();
  command->add_option("--device", options->device, "instead of the record's");
  command->add_option("--times", options->factor, "run so many times the instances of the record; default 1")
      ->positive();
  command->add_flag("--no-isolation", options->no_isolation, "use the device in this process");
  options->outputs.add_options(*command);
  command->footer(
      "Exit code 1: a forbidden outcome was seen.\n\nExamples:\n"
      "  weakspot replay runs.jsonl\n  weakspot replay runs.jsonl --test 3 --device cpu --times 10");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
