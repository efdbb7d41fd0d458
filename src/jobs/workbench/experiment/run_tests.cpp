// SPDX-License-Identifier: MIT
#include "workbench/run_tests.h"

#include <algorithm>
#include <deque>

#include "codegen/test_program.h"
#include "gen/split.h"
#include "questions/expected_outcomes.h"
#include "stats/outcome_class.h"
#include "workbench/choice/best_environment.h"
#include "workbench/devices.h"
#include "workbench/environments.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

using campaign::RunGroup;
using campaign::RunRecord;
using campaign::RunState;

// Seconds that a run may take beyond what was asked, before its device is given up.
constexpr double kDeadlineSlack = 30;
constexpr double kInstancesDeadline = 300;

struct PlannedDevice {
  FoundDevice device;
  Environments environments;              // at least one
  std::optional<BestEnvironments> known;  // to choose from for each test, if no environment was asked for
};

base::Result<std::vector<PlannedDevice>> plan_devices(const RunTestsRequest& request) {
  const base::Result<std::vector<FoundDevice>> found = find_usable_devices(request.devices);
  if (!found) return found.errors();
  std::vector<PlannedDevice> planned;
  for (const FoundDevice& device : *found) {
    base::Result<Environments> environments = choose_environments(request.environments, device.info);
    if (!environments) return environments.errors();
    planned.push_back({device, *std::move(environments), std::nullopt});
    if (!request.environments.empty()) continue;
    base::Result<BestEnvironments> known = BestEnvironments::of(device.info);
    if (!known) return known.errors();
    planned.back().known = *std::move(known);
  }
  return planned;
}

campaign::RunRequest run_request(const RunTestsRequest& asked, const campaign::RunTest& test,
                                 const PlannedDevice& planned, const codegen::TestEnvironment& environment) {
  campaign::RunRequest request;
  request.test = test;
  request.device = planned.device.info.id;
  request.environment = environment;
  request.seed = asked.seed;
  request.seconds = asked.seconds / static_cast<double>(planned.environments.size());
  request.instances = asked.instances;
  request.memory = asked.memory;
  request.judging = asked.judging;
  request.optcheck = asked.optcheck;
  request.deadline = asked.deadline != 0    ? asked.deadline
                     : asked.instances != 0 ? kInstancesDeadline
                                            : request.seconds + kDeadlineSlack;
  if (asked.now) request.started = asked.now();
  return request;
}

// With a number of instances the time of a run is not known.
questions::LimitsPerTest limits_per_test(const RunTestsRequest& request) {
  double seconds = request.instances != 0 ? questions::LimitsPerTest{}.seconds : request.seconds;
  if (request.deadline != 0) seconds = std::min(seconds, request.deadline);
  questions::LimitsPerTest limits = questions::limits_beside_job(seconds, request.stop);
  if (request.judging != 0) limits.seconds = request.judging;
  return limits;
}

// Whether some environment can run the test there; otherwise there is nothing to judge.
bool can_run(const litmus::LitmusTest& test, const PlannedDevice& planned) {
  const backend::DeviceInfo& info = planned.device.info;
  return std::any_of(planned.environments.begin(), planned.environments.end(), [&](const auto& environment) {
    return codegen::can_compile(test, environment, info.target, info.limits);
  });
}

// The environments that the test runs in; the reason goes to `why` if one was chosen for the test.
Environments environments_of(const campaign::RunTest& test, const PlannedDevice& planned, std::string* why = nullptr) {
  const auto chosen = planned.known ? planned.known->choose(*test) : std::nullopt;
  if (!chosen) return planned.environments;
  if (why != nullptr) *why = chosen->why;
  return {chosen->environment};
}

// Announces the programs of the coming tests, so that a device compiles them while others run.
class Announcer {
 public:
  Announcer(const RunTestsRequest& asked, const std::vector<TestInput>& tests,
            const std::vector<PlannedDevice>& devices, campaign::Executor& executor)
      : asked_(asked), tests_(tests), devices_(devices), executor_(executor), announced_(devices.size()) {}

  // Before a test runs on a device.
  void reach(std::size_t test, std::size_t device) {
    const PlannedDevice& planned = devices_[device];
    if (!planned.device.info.loads_in_parallel || !planned.device.problem.empty()) return;
    Announced& so_far = announced_[device];
    while (!so_far.programs.empty() && so_far.next - so_far.programs.size() < test) {
      so_far.ahead -= so_far.programs.front();
      so_far.programs.pop_front();
    }
    if (so_far.ahead >= kLeastAhead) return;
    std::vector<campaign::RunRequest> requests;
    for (; so_far.next < tests_.size() && so_far.ahead < kMostAhead; ++so_far.next) {
      const campaign::RunTest printed(tests_[so_far.next].test);
      const Environments environments = environments_of(printed, planned);
      for (const codegen::TestEnvironment& environment : environments) {
        requests.push_back(run_request(asked_, printed, planned, environment));
      }
      so_far.programs.push_back(environments.size());
      so_far.ahead += environments.size();
    }
    if (requests.size() > 1) executor_.prepare(requests);
  }

 private:
  static constexpr std::size_t kLeastAhead = 128;  // programs
  static constexpr std::size_t kMostAhead = 256;
  struct Announced {
    std::size_t next = 0;              // the first test that was not announced
    std::deque<std::size_t> programs;  // numbers of programs of announced tests that are still to come
    std::size_t ahead = 0;             // their sum
  };

  const RunTestsRequest& asked_;
  const std::vector<TestInput>& tests_;
  const std::vector<PlannedDevice>& devices_;
  campaign::Executor& executor_;
  std::vector<Announced> announced_;  // by device
};

RunGroup run_group(const RunTestsRequest& asked, const campaign::RunTest& test, const PlannedDevice& planned,
                   const stats::Expected& expected, RunSession& session, RunWatch& watch) {
  RunGroup group;
  std::string why;
  const Environments environments = environments_of(test, planned, &why);
  if (!why.empty()) watch.environment_chosen(environments.front(), why);
  for (const codegen::TestEnvironment& environment : environments) {
    campaign::RunRequest request = run_request(asked, test, planned, environment);
    request.expected = expected;
    if (!planned.device.problem.empty()) {
      session.note_failure(request, planned.device.problem, group);
      break;
    }
    session.run(request, group);
    if (watch.cancelled() || (asked.until_seen && group.records.back().matches() != 0)) break;
  }
  return group;
}

// Tests that have no splits are left out.
void split_tests(std::vector<TestInput>& tests) {
  std::vector<TestInput> made;
  for (const TestInput& input : tests) {
    for (litmus::LitmusTest& one : gen::splits(input.test)) made.push_back({std::move(one), input.file});
  }
  tests = std::move(made);
}

// The reasons for another ending than `fine`.
struct RunFailures {
  bool forbidden = false;
  bool device = false;  // one failed, or lacks what a test needs
  bool ran = false;

  void add(const litmus::LitmusTest& test, const RunGroup& group) {
    const RunRecord sum = group.sum();
    forbidden = forbidden || sum.count(stats::OutcomeClass::forbidden) != 0;
    ran = ran || sum.instances != 0;
    for (const RunRecord& record : group.records) {
      device = device || record.status == RunState::failed || record.status == RunState::lost;
      // One environment of many may refuse a test, as long as it runs in others.
      const bool refused = record.status == RunState::refused && sum.instances == 0;
      device = device || (refused && codegen::runs_somewhere(test, record.environment));
    }
  }

  Ending ending(bool cancelled) const {
    if (forbidden) return Ending::finding;
    if (cancelled) return Ending::cancelled;
    if (device) return Ending::failed;
    return ran ? Ending::fine : Ending::bad_input;
  }
};

}  // namespace

base::Result<RunTestsResult> run_tests(const RunTestsRequest& request, campaign::Executor& executor, RunWatch& watch) {
  TestInputs inputs = load_tests(request.tests);
  if (!inputs.errors.empty()) return inputs.errors;
  for (const litmus::LitmusTest& test : request.given) inputs.tests.push_back({test, ""});
  if (request.split) split_tests(inputs.tests);
  if (inputs.tests.empty()) return base::error("none of the tests can be divided between a CPU and a GPU");
  const base::Result<std::vector<PlannedDevice>> devices = plan_devices(request);
  if (!devices) return devices.errors();
  auto session = RunSession::begin(executor, request.files, watch);
  if (!session) return session.errors();
  std::size_t runs = 0;
  for (const PlannedDevice& planned : *devices) runs += inputs.tests.size() * planned.environments.size();
  watch.planned(inputs.tests.size(), devices->size(), runs);

  questions::ExpectedOutcomes outcomes(request.model, limits_per_test(request));
  RunTestsResult result;
  RunFailures failures;
  Announcer announcer(request, inputs.tests, *devices, executor);
  for (std::size_t i = 0; i < inputs.tests.size(); ++i) {
    const TestInput& input = inputs.tests[i];
    std::vector<RunGroup> groups;
    const campaign::RunTest printed(input.test);
    for (std::size_t d = 0; d < devices->size(); ++d) {
      const PlannedDevice& planned = (*devices)[d];
      if (watch.cancelled()) break;
      announcer.reach(i, d);
      const questions::Platform platform = platform_of(planned.device.info);
      stats::Expected nothing;
      nothing.model = questions::judging_model(input.test, &platform, request.model);
      const base::Result<stats::Expected> expected = can_run(input.test, planned)
                                                         ? outcomes.of(input.test, &platform)
                                                         : base::Result<stats::Expected>(std::move(nothing));
      if (watch.cancelled()) break;
      if (!expected) return expected.errors();
      groups.push_back(run_group(request, printed, planned, *expected, **session, watch));
      failures.add(input.test, groups.back());
      ++result.verdicts[campaign::verdict_word(groups.back().sum())];
      watch.group_ended(groups.back());
    }
    if (watch.cancelled() && groups.empty()) break;
    watch.test_ended(groups);
  }
  if (const base::Status ended = (*session)->end(); !ended) result.problems = ended.errors();
  result.records = (*session)->records();
  result.ending = result.problems.empty() ? failures.ending(watch.cancelled()) : ending_of(result.problems);
  add_problems(outcomes.problems(), result.problems, result.ending);
  return result;
}

}  // namespace weakspot::workbench
