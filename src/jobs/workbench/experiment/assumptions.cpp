// SPDX-License-Identifier: MIT
#include "workbench/assumptions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/file.h"
#include "litmus/text.h"
#include "questions/expected_outcomes.h"
#include "workbench/devices.h"
#include "workbench/experiment/platform_form.h"
#include "workbench/inputs.h"
#include "workbench/results/writable.h"
#include "workbench/run_tests.h"

namespace weakspot::workbench {
namespace {

using campaign::Assumption;
using campaign::AssumptionRun;
using campaign::RunRecord;
using campaign::RunState;
using litmus::LitmusTest;

constexpr const char* kFolder = "assumptions";
// The longest that a model may think about one of these small tests.
constexpr double kJudging = 20;

struct Idiom {
  std::string_view test;
  std::string_view idiom;
  std::string_view claim;
};
constexpr Idiom kCatalogue[] = {
    {"coRR", "read-read coherence", "Two loads of one location never see its values in the wrong order."},
    {"mp", "message passing", "Data stored before a flag is there for a reader that sees the flag."},
    {"mp-L1", "message passing through L1", "The first-level cache has no stale data for a reader that sees the flag."},
    {"coRR-L2-L1", "mixed cache operators", "A load from L2 leaves nothing older behind for a later load from L1."},
    {"mp-volatile", "volatile shared memory", "Volatile accesses to shared memory are sequentially consistent."},
    {"lb", "load buffering", "A load never sees a store that another thread makes because of a later store."},
    {"sb", "store buffering", "One of two threads that store and then load sees the other's store."},
    {"sb-shared-global", "store buffering, shared and global", "The same, with one location in shared memory."},
    {"dlb-mp", "work-stealing deque, push and steal", "A thief that sees the new tail sees the task behind it."},
    {"dlb-lb", "work-stealing deque, steal and pop", "A thief never takes a task pushed after its steal."},
    {"cas-sl", "spin lock by compare-and-swap", "A lock made of atomic operations alone protects its data."},
    {"cas-sl-branch", "spin lock by compare-and-swap, branch", "The same, with a branch before the critical section."},
    {"exch-sl", "spin lock by exchange", "An atomic exchange orders the data of the critical section."},
    {"sl-future", "fence behind the unlock", "A fence behind the unlock keeps the critical section in front of it."},
};

AssumptionRun run_of(const stats::Expected& expected, const LitmusTest& test) {
  AssumptionRun run;
  run.test = test.name;
  run.model = expected.model;
  const bool reached = std::any_of(expected.allowed.outcomes.begin(), expected.allowed.outcomes.end(),
                                   [&](const litmus::Outcome& outcome) { return litmus::satisfies(test, outcome); });
  if (reached || expected.allowed.complete) run.allowed = reached;
  if (expected.contradicted) run.allowed.reset();
  return run;
}

// The reason why the test cannot run, without its name, which stands beside it; empty: it can.
std::string refusal_of(const LitmusTest& test, const codegen::TestEnvironment& environment,
                       const backend::DeviceInfo& device) {
  const auto made = codegen::TestProgram::compile(test, environment, device.target, device.limits);
  if (made) return {};
  const std::optional<base::Refusal>& refusal = made.errors().front().refusal;
  return refusal ? base::without_test(*refusal) : base::messages(made.errors());
}

// A refusal is not a failure: the table says that the platform does not have the test.
void add_record(const RunRecord& record, const LitmusTest& test, const backend::DeviceInfo& device, AssumptionRun& run,
                Ending& ending) {
  run.instances += record.instances;
  run.observed += record.matches();
  run.seconds += record.seconds;
  if (record.count(stats::OutcomeClass::forbidden) != 0) ending = Ending::finding;
  if (record.instances == 0 && !record.message.empty()) {
    run.problem = record.status == RunState::refused ? refusal_of(test, record.environment, device) : "";
    if (run.problem.empty()) run.problem = record.message;
  }
  const bool failed = record.status == RunState::failed || record.status == RunState::lost;
  run.failed = run.failed || failed;
  if (failed && ending == Ending::fine) ending = Ending::failed;
}

RunTestsRequest run_request(const AssumptionsRequest& asked, const backend::DeviceInfo& device) {
  RunTestsRequest request;
  request.devices = {device.id};
  request.environments = asked.environments;
  request.seconds = asked.seconds;
  request.instances = asked.instances;
  request.seed = asked.seed;
  request.model = asked.model;
  request.stop = asked.stop;
  return request;
}

base::Result<std::vector<LitmusTest>> corpus_tests(const backend::DeviceInfo& device) {
  TestInputs inputs = load_tests({kFolder});
  if (!inputs.errors.empty()) return inputs.errors;
  std::vector<LitmusTest> tests;
  for (TestInput& input : inputs.tests) tests.push_back(platform_form(std::move(input.test), device));
  return tests;
}

// Ranks a fenced form as the repair: fences of both threads for the whole device first.
int repair_rank(const std::string& name) {
  if (name.ends_with("+membar.gls")) return 0;
  if (name.ends_with("+membar.gl")) return 1;
  return 2;
}

Assumption assumption_of(const Idiom& idiom, const std::map<std::string, AssumptionRun, std::less<>>& runs) {
  Assumption assumption;
  assumption.idiom = idiom.idiom;
  assumption.claim = idiom.claim;
  assumption.run = runs.find(idiom.test)->second;
  std::vector<AssumptionRun> repairs;
  for (const auto& [name, run] : runs) {
    if (name.starts_with(std::string(idiom.test) + "+")) repairs.push_back(run);
  }
  const auto best = std::min_element(repairs.begin(), repairs.end(), [](const auto& a, const auto& b) {
    return repair_rank(a.test) < repair_rank(b.test);
  });
  if (best == repairs.end()) return assumption;
  assumption.repaired = *best;
  repairs.erase(best);
  assumption.other_repairs = std::move(repairs);
  return assumption;
}

}  // namespace

std::vector<std::string> catalogued_tests() {
  std::vector<std::string> names;
  for (const Idiom& idiom : kCatalogue) names.emplace_back(idiom.test);
  return names;
}

base::Result<std::vector<AssumptionRun>> judge_and_run(const std::vector<LitmusTest>& tests,
                                                       const backend::DeviceInfo& device,
                                                       const AssumptionsRequest& request, campaign::Executor& executor,
                                                       RunWatch& watch, Ending& ending) {
  questions::ExpectedOutcomes outcomes(request.model, questions::limits_beside_job(kJudging, request.stop));
  const questions::Platform platform = platform_of(device);
  std::vector<AssumptionRun> runs;
  for (const LitmusTest& test : tests) {
    AssumptionRun run;
    run.test = test.name;
    run.problem = refusal_of(test, {}, device);
    if (!run.problem.empty()) {
      run.model = questions::judging_model(test, &platform, request.model);
    } else {
      const base::Result<stats::Expected> expected = outcomes.of(test, &platform);
      if (!expected) return expected.errors();
      run = run_of(*expected, test);
    }
    runs.push_back(std::move(run));
  }
  RunTestsRequest asked = run_request(request, device);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (!runs[i].problem.empty()) continue;
    asked.given.push_back(tests[i]);
    numbers.push_back(i);
  }
  if (numbers.empty()) return runs;
  const base::Result<RunTestsResult> result = run_tests(asked, executor, watch);
  if (!result) return result.errors();
  const std::vector<campaign::RunGroup> groups = campaign::group_records(result->records);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    AssumptionRun& run = runs[numbers[i]];
    for (const RunRecord& record : groups[i].records) add_record(record, tests[numbers[i]], device, run, ending);
    if (run.instances != 0) run.problem.clear();
  }
  for (AssumptionRun& run : runs) {
    if (run.instances != 0 || !run.problem.empty()) continue;
    run.problem = "interrupted";
    run.failed = true;
  }
  return runs;
}

base::Result<TableResult<campaign::AssumptionTable>> assumptions(const AssumptionsRequest& request,
                                                                 campaign::Executor& executor, RunWatch& watch) {
  if (const base::Status writable = can_write(request.html); !writable) return writable.errors();
  const base::Result<backend::DeviceInfo> device = find_one_device(request.device);
  if (!device) return device.errors();
  const base::Result<std::vector<LitmusTest>> tests = corpus_tests(*device);
  if (!tests) return tests.errors();
  TableResult<campaign::AssumptionTable> result;
  const auto runs = judge_and_run(*tests, *device, request, executor, watch, result.ending);
  if (!runs) return runs.errors();
  std::map<std::string, AssumptionRun, std::less<>> by_name;
  for (const AssumptionRun& run : *runs) by_name.emplace(run.test, run);
  result.table.device = device->id;
  result.table.device_name = device->name;
  result.table.driver = device->driver;
  for (const Idiom& idiom : kCatalogue) {
    if (by_name.contains(idiom.test)) result.table.assumptions.push_back(assumption_of(idiom, by_name));
  }
  if (watch.cancelled() && result.ending == Ending::fine) result.ending = Ending::cancelled;
  if (request.html.empty()) return result;
  if (const base::Status written = base::write_file(request.html, to_html(result.table)); !written) {
    add_problems(base::of_kind(base::ErrorKind::environment, written).errors(), result.problems, result.ending);
  }
  return result;
}

}  // namespace weakspot::workbench
