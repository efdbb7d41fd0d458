// SPDX-License-Identifier: MIT
#include "campaign/conform.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/source.h"
#include "campaign/conform_report.h"
#include "json/json.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

litmus::LitmusTest test_named(const std::string& name) {
  return litmus::read_tests(base::Source("test", "weakspot " + name +
                                                     "\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
                                                     "exists (1:r0=1 /\\ 1:r1=0)\n"))
      ->front();
}

base::JsonValue parsed(const std::string& text) { return base::read_json_text(base::Source("json", text)).value(); }

ConformanceSuite suite() {
  ConformanceSuite suite;
  suite.name = "two";
  suite.environments.resize(2);
  suite.environments[1].memory_stride = 4;
  for (const std::string name : {"A", "B"}) {
    SuiteTest test{test_named(name), {}};
    for (const std::string mutant : {"1", "2"}) test.mutants.push_back({test_named(name + mutant), "m", {}, "", {}});
    suite.tests.push_back(std::move(test));
  }
  return suite;
}

// A device with rates by test and stride, that needs no time.
struct Rates final : Executor {
  RunRecord execute(const RunRequest& request, RunObserver&) override {
    ++runs;
    RunRecord record = begin_record(request);
    record.device_name = "a table";
    record.driver = "none";
    if (request.test->name == refused) {
      record.status = RunState::refused;
      return record;
    }
    record.seconds = request.seconds;
    record.instances = 1000;
    record.status = state;
    record.message = state == RunState::finished ? "" : "it broke";
    const double rate = rates[{request.test->name, request.environment.memory_stride}];
    const auto count = static_cast<std::uint64_t>(rate * request.seconds);
    const bool judged = !request.expected.model.empty();
    if (count != 0) {
      record.outcomes.push_back(
          {"1:r0=1; 1:r1=0;", count, judged ? stats::OutcomeClass::forbidden : stats::OutcomeClass::unknown, true, {}});
    }
    return record;
  }
  void prepare(std::span<const RunRequest> requests) override { prepared += requests.size(); }

  std::map<std::pair<std::string, int>, double> rates;
  RunState state = RunState::finished;
  std::string refused;  // a test
  std::size_t prepared = 0;
  int runs = 0;
};

Rates good_device() {
  Rates device;
  device.rates = {{{"A1", 1}, 1e5}, {{"A2", 1}, 1e4}, {{"B1", 4}, 1e5}, {{"B2", 4}, 1e5}, {{"B1", 1}, 1e6}};
  return device;
}

ConformReport run(const ConformanceSuite& suite, Executor& device, double budget = 1, bool optcheck = false) {
  RunObserver observer;
  ConformOptions options;
  options.budget = budget;
  options.setup.optcheck = optcheck;
  auto report = conform(
      suite, options,
      [](const litmus::LitmusTest&) -> base::Result<stats::Expected> {
        stats::Expected expected;
        expected.model = "m";
        return expected;
      },
      device, observer);
  return *std::move(report);
}

TEST(Conform, ADeviceThatKillsItsMutantsAndShowsNothingElse) {
  const ConformanceSuite two = suite();
  Rates device = good_device();
  const ConformReport report = run(two, device);
  EXPECT_EQ(ConformVerdict::conformant, report.verdict);
  ASSERT_EQ(2u, report.tests.size());
  EXPECT_EQ(0u, report.tests[0].plan.parts[0].environment);
  EXPECT_EQ(1u, report.tests[1].plan.parts[0].environment);  // the only one that kills both
  for (const TestResult& test : report.tests) {
    EXPECT_EQ(ConformVerdict::conformant, test.verdict);
    EXPECT_GE(test.reproducibility, 0.99999);
  }
  EXPECT_GE(report.total_reproducibility.value(), 0.99998);
  EXPECT_NEAR(1, report.device_seconds(), 1e-6);
  EXPECT_GT(device.prepared, 0u);
}

// Knows only afterwards whose code was changed.
struct CheckedLater final : Executor {
  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    EXPECT_TRUE(request.optcheck && request.code_later);
    return device.execute(request, observer);
  }
  std::vector<std::optional<CheckedCode>> codes(std::span<const RunRequest> requests) override {
    std::vector<std::optional<CheckedCode>> all;
    for (const RunRequest& request : requests) {
      const bool is_changed = changed.contains(request.test->name);
      all.push_back(CheckedCode{is_changed ? optcheck::CodeVerdict::changed : optcheck::CodeVerdict::matched,
                                is_changed ? "a store is missing" : ""});
    }
    return all;
  }

  Rates device = good_device();
  std::set<std::string> changed;
};

TEST(Conform, AMutantThatWasNotRunIsNotSilent) {
  const ConformanceSuite two = suite();
  Rates device = good_device();
  device.refused = "A1";
  const ConformReport report = run(two, device);
  EXPECT_EQ(ConformVerdict::inconclusive, report.verdict);
  EXPECT_EQ(ConformVerdict::inconclusive, report.tests[0].verdict);
  EXPECT_EQ("A1 was not run", report.tests[0].reason);
}

TEST(Conform, CodeIsCheckedBesideTheRuns) {
  const ConformanceSuite two = suite();
  CheckedLater device;
  EXPECT_EQ(ConformVerdict::conformant, run(two, device, 1, true).verdict);

  // A mutant that was changed was not killed.
  device.changed = {"A1"};
  const ConformReport mutant = run(two, device, 1, true);
  EXPECT_EQ(ConformVerdict::inconclusive, mutant.tests[0].verdict);
  EXPECT_EQ("A1 was never killed", mutant.tests[0].reason);
  EXPECT_EQ(ConformVerdict::conformant, mutant.tests[1].verdict);

  // A test that was changed says nothing, whatever it shows.
  device.changed = {"B"};
  device.device.rates[{"B", 4}] = 1e4;
  const ConformReport test = run(two, device, 1, true);
  EXPECT_EQ(ConformVerdict::conformant, test.tests[0].verdict);
  EXPECT_EQ(ConformVerdict::inconclusive, test.tests[1].verdict);
  EXPECT_EQ("the code is not the test: a store is missing", test.tests[1].reason);
  for (const RunRecord& record : test.tests[1].records) {
    EXPECT_EQ(0u, record.count(stats::OutcomeClass::forbidden));
    EXPECT_EQ(0u, record.matches());
  }
}

// The same with a clock of its own, on which every new program takes a while.
struct SlowCompiler final : Executor {
  SlowCompiler(Rates& fast, double seconds) : device(fast), each(seconds) {}

  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    compile(request);
    now += request.seconds;
    return device.execute(request, observer);
  }
  void prepare(std::span<const RunRequest> requests) override {
    for (const RunRequest& request : requests) compile(request);
  }
  void compile(const RunRequest& request) {
    if (compiled.insert(request.test.text() + codegen::to_text(request.environment)).second) now += each;
  }

  Rates& device;
  double each, now = 0;
  std::set<std::string> compiled;
};

ConformReport run_slowly(const ConformanceSuite& suite, SlowCompiler& device, double budget) {
  RunObserver observer;
  ConformOptions options;
  options.budget = budget;
  options.clock = [&] { return device.now; };
  return *conform(
      suite, options, [](const litmus::LitmusTest&) -> base::Result<stats::Expected> { return stats::Expected{}; },
      device, observer);
}

ConformanceSuite many_tests() {
  ConformanceSuite many;
  many.environments.resize(8);
  for (int e = 0; e < 8; ++e) many.environments[static_cast<std::size_t>(e)].memory_stride = e + 1;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "T" + std::to_string(i);
    many.tests.push_back({test_named(name), {{test_named(name + "-m"), "m", {}, "", {}}}});
  }
  return many;
}

TEST(Conform, TheBudgetIsTimeByTheClock) {
  const ConformanceSuite many = many_tests();
  Rates rates;
  for (int i = 0; i < 20; ++i) {
    for (int e = 1; e <= 8; ++e) rates.rates[{"T" + std::to_string(i) + "-m", e}] = 1e5;
  }
  for (const double each : {1e-4, 0.05, 0.3, 1.0, 5.0}) {
    SlowCompiler device(rates, each);
    const ConformReport report = run_slowly(many, device, 20);
    EXPECT_LE(device.now, 22.5 + 2 * each) << each;
    EXPECT_NEAR(device.now, report.wall_seconds, 1e-9);
    std::size_t conformant = 0, not_run = 0;
    for (const TestResult& test : report.tests) {
      conformant += test.verdict == ConformVerdict::conformant ? 1 : 0;
      not_run += test.reason.starts_with("not run: ") ? 1 : 0;
    }
    EXPECT_EQ(20u, conformant + not_run) << each;
    const std::size_t least = each < 0.1 ? 20 : each < 0.5 ? 15 : each < 2 ? 3 : 0;
    EXPECT_GE(conformant, least) << each;
    ASSERT_EQ(not_run != 0, report.enough_budget.has_value()) << each;
    if (not_run == 0) continue;
    EXPECT_GT(*report.enough_budget, report.wall_seconds) << each;
    SlowCompiler again(rates, each);
    const ConformReport longer = run_slowly(many, again, *report.enough_budget);
    EXPECT_EQ(ConformVerdict::conformant, longer.verdict) << each << ": " << *report.enough_budget;
    EXPECT_LT(*report.enough_budget, 40 * each / 0.8 * 2 + 20) << "not much more than 40 programs take";
  }
}

// Compiles announced programs on sixteen cores beside the run, so that they wait only for the slowest.
struct SideBySide final : Executor {
  explicit SideBySide(Rates& fast) : device(fast) {}

  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    const auto [found, is_new] = ready_at.try_emplace(key(request), now + kEach);
    now = std::max(now, found->second) + request.seconds;
    return device.execute(request, observer);
  }
  void prepare(std::span<const RunRequest> requests) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ready_at.try_emplace(key(requests[i]), now + kEach * std::floor(1 + static_cast<double>(i) / 16));
    }
  }
  static std::string key(const RunRequest& request) {
    return request.test.text() + codegen::to_text(request.environment);
  }

  static constexpr double kEach = 0.05;
  Rates& device;
  double now = 0;
  std::map<std::string, double> ready_at;
};

TEST(Conform, ManyProgramsAreAnnouncedTogetherToADeviceThatCompilesSideBySide) {
  const ConformanceSuite many = many_tests();
  Rates rates;
  for (int i = 0; i < 20; ++i) {
    for (int e = 1; e <= 8; ++e) rates.rates[{"T" + std::to_string(i) + "-m", e}] = 1e5;
  }
  const auto conformant_with = [&](std::size_t at_once) {
    SideBySide device(rates);
    RunObserver observer;
    ConformOptions options;
    options.budget = 1;
    options.at_once = at_once;
    options.clock = [&] { return device.now; };
    const ConformReport report = *conform(
        many, options, [](const litmus::LitmusTest&) -> base::Result<stats::Expected> { return stats::Expected{}; },
        device, observer);
    EXPECT_LE(device.now, 1.7);
    return std::count_if(report.tests.begin(), report.tests.end(),
                         [](const TestResult& test) { return test.verdict == ConformVerdict::conformant; });
  };
  EXPECT_LT(conformant_with(1), 20);
  EXPECT_EQ(20, conformant_with(64));
}

TEST(Conform, TimeSetAsideForProgramsGoesToWhatIsInconclusive) {
  const ConformanceSuite two = suite();
  Rates rates = good_device();
  rates.rates[{"A2", 1}] = 3;
  rates.rates[{"B2", 1}] = 1e5;
  // The programs of mutants take half a second and those of tests none.
  struct Compiler final : Executor {
    explicit Compiler(Rates& fast) : device(fast) {}
    RunRecord execute(const RunRequest& request, RunObserver& observer) override {
      if (request.test->name.size() > 1 && compiled.insert(request.test->name).second) now += 0.5;
      now += request.seconds;
      return device.execute(request, observer);
    }
    void prepare(std::span<const RunRequest>) override {}
    Rates& device;
    double now = 0;
    std::set<std::string> compiled;
  } device(rates);
  RunObserver observer;
  ConformOptions options;
  options.budget = 10;
  options.clock = [&] { return device.now; };
  const ConformReport report = *conform(
      two, options, [](const litmus::LitmusTest&) -> base::Result<stats::Expected> { return stats::Expected{}; },
      device, observer);
  EXPECT_EQ(ConformVerdict::inconclusive, report.tests[0].verdict);
  EXPECT_TRUE(report.tests[0].reason.starts_with("A2 would need ")) << report.tests[0].reason;
  EXPECT_EQ(2u, report.tests[0].records.size());
  EXPECT_NEAR(10, device.now, 1e-6);
  EXPECT_EQ(ConformVerdict::conformant, report.tests[1].verdict);
  EXPECT_EQ(1u, report.tests[1].records.size());
}

TEST(Conform, AMutantThatIsQuietAtFirstIsMeasuredAgain) {
  const ConformanceSuite two = suite();
  struct QuietAtFirst final : Executor {
    RunRecord execute(const RunRequest& request, RunObserver& observer) override {
      if (request.test->name != "A2") return device.execute(request, observer);
      device.rates[{"A2", 1}] = ++runs <= 4 ? 0 : 1e3;  // in both environments, twice
      return device.execute(request, observer);
    }
    Rates device = good_device();
    int runs = 0;
  } device;
  const ConformReport report = run(two, device);
  EXPECT_GT(device.runs, 4);
  EXPECT_EQ(ConformVerdict::conformant, report.verdict) << report.tests[0].reason;
  EXPECT_NEAR(1, report.device_seconds(), 1e-6);
}

TEST(Conform, AForbiddenOutcomeIsAViolation) {
  const ConformanceSuite two = suite();
  Rates device = good_device();
  device.rates[{"B", 4}] = 100;
  const ConformReport report = run(two, device);
  EXPECT_EQ(ConformVerdict::violation, report.verdict);
  EXPECT_EQ(ConformVerdict::conformant, report.tests[0].verdict);
  EXPECT_EQ(ConformVerdict::violation, report.tests[1].verdict);
}

TEST(Conform, WhatTheBudgetCannotReachIsInconclusive) {
  const ConformanceSuite two = suite();
  Rates device = good_device();
  device.rates[{"A2", 1}] = 20;
  const ConformReport report = run(two, device);
  EXPECT_EQ(ConformVerdict::inconclusive, report.verdict);
  EXPECT_EQ(ConformVerdict::inconclusive, report.tests[0].verdict);
  EXPECT_TRUE(report.tests[0].reason.starts_with("A2 would need ")) << report.tests[0].reason;
  EXPECT_EQ(ConformVerdict::conformant, report.tests[1].verdict);
  ASSERT_TRUE(report.enough_budget.has_value());
  EXPECT_TRUE(report.tests[0].reason.ends_with(fmt::format("; try --budget {:g}s", *report.enough_budget)));
  EXPECT_EQ("", report.tests[1].reason);
  EXPECT_LT(*report.enough_budget, 10);
  const ConformReport longer = run(two, device, *report.enough_budget);
  EXPECT_EQ(ConformVerdict::conformant, longer.verdict);
  EXPECT_FALSE(longer.enough_budget.has_value());
}

TEST(Conform, MutantsThatCannotBeSeenDoNotCount) {
  ConformanceSuite two = suite();
  Rates device = good_device();
  device.rates[{"A2", 1}] = 0;
  two.tests[0].mutants[1].status = MutantStatus::unobservable;
  EXPECT_EQ(ConformVerdict::conformant, run(two, device).verdict);
  two.tests[0].mutants[0].status = MutantStatus::unseen;
  const ConformReport report = run(two, device);
  EXPECT_EQ(ConformVerdict::conformant, report.verdict);
  EXPECT_EQ(ConformVerdict::unobservable, report.tests[0].verdict);
  for (SuiteMutant& mutant : two.tests[1].mutants) mutant.status = MutantStatus::unobservable;
  EXPECT_EQ(ConformVerdict::inconclusive, run(two, device).verdict);
}

TEST(Conform, ADeviceThatFailsIsInconclusive) {
  const ConformanceSuite two = suite();
  for (const RunState state : {RunState::failed, RunState::lost, RunState::refused}) {
    Rates device = good_device();
    device.state = state;
    const ConformReport report = run(two, device);
    EXPECT_EQ(ConformVerdict::inconclusive, report.verdict);
    EXPECT_EQ(state == RunState::lost ? "it broke" : std::string(to_string(state)) + ": it broke",
              report.tests[0].reason);
  }
}

TEST(Conform, ACuratedSuiteKeepsWhatIsOfUse) {
  ConformanceSuite two = suite();
  two.environments.resize(5);
  Rates device = good_device();
  device.rates[{"A2", 1}] = 0;
  const ConformReport report = run(two, device);
  const ConformanceSuite kept = curated(report);
  EXPECT_EQ(2u, kept.environments.size());
  EXPECT_EQ("a table, none", kept.measured_on);
  EXPECT_EQ(MutantStatus::unseen, kept.tests[0].mutants[1].status);
  ASSERT_EQ(1u, kept.tests[0].mutants[0].rates.size());
  EXPECT_NEAR(1e5, kept.tests[0].mutants[0].rates[0].per_second, 2e3);
  const auto read = suite_from_json(base::Source("s.json", to_json(kept)));
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(kept, *read);
  Rates again = good_device();
  again.rates[{"A2", 1}] = 0;
  EXPECT_EQ(ConformVerdict::conformant, run(*read, again).verdict);
}

TEST(Conform, AKnownMutantIsNotForgottenForAShortRun) {
  ConformanceSuite two = suite();
  two.tests[0].mutants[1].rates = {{1, 3}};
  Rates device = good_device();
  device.rates[{"A2", 1}] = 0;
  const ConformReport report = run(two, device);
  const ConformanceSuite kept = curated(report);
  EXPECT_EQ(MutantStatus::observable, kept.tests[0].mutants[1].status);
  ASSERT_EQ(1u, kept.tests[0].mutants[1].rates.size());
  EXPECT_EQ(3, kept.tests[0].mutants[1].rates[0].per_second);
  // Nothing is known of it, but neither was there time to see it.
  two = suite();
  two.tests[0].mutants[1].rates.clear();
  const ConformReport brief = run(two, device, 0.02);
  EXPECT_EQ(MutantStatus::observable, curated(brief).tests[0].mutants[1].status);
}

TEST(Conform, WithoutMutantsATestRunsEverywhere) {
  ConformanceSuite two = suite();
  for (SuiteTest& test : two.tests) test.mutants.clear();
  Rates device = good_device();
  const ConformReport report = run(two, device);
  EXPECT_EQ(two.environments.size(), report.tests[0].records.size());
  EXPECT_EQ("it has no mutants; its outcome was not seen", report.tests[0].reason);
  EXPECT_FALSE(report.total_reproducibility.has_value());
  EXPECT_TRUE(
      parsed(conform_json({report})).at("devices").at(0).at("total_reproducibility").is(base::JsonValue::Kind::null));
}

TEST(Conform, ALostDeviceIsGivenUp) {
  const ConformanceSuite two = suite();
  Rates device = good_device();
  device.state = RunState::lost;
  const ConformReport report = run(two, device);
  EXPECT_EQ("it broke", report.problem);
  EXPECT_EQ(2, device.runs);
  const std::string junit = conform_junit({report});
  EXPECT_NE(std::string::npos, junit.find("errors=\"2\" skipped=\"0\"")) << junit;
  EXPECT_EQ("device-failed", parsed(conform_sarif({report})).at("runs").at(0).at("results").at(0).at("ruleId").text());
}

// Lost, then not to be opened again, then lost, and so on.
struct FallsOffTheBus final : Executor {
  RunRecord execute(const RunRequest& request, RunObserver&) override {
    RunRecord record = begin_record(request);
    const bool opened = runs++ % 2 == 0;
    record.device_name = opened ? "a table" : "";
    record.status = opened ? RunState::lost : RunState::failed;
    record.message = opened ? "it fell off the bus" : "cannot open it";
    return record;
  }
  int runs = 0;
};

TEST(Conform, ALostDeviceThatDoesNotOpenAgainIsGivenUp) {
  const ConformanceSuite two = suite();
  FallsOffTheBus device;
  EXPECT_EQ("cannot open it", run(two, device).problem);
  EXPECT_EQ(2, device.runs);
}

TEST(Measure, ARecordIsASlice) {
  RunRecord record;
  record.device_name = "a table";
  record.status = RunState::finished;
  record.instances = 10;
  record.seconds = 2;
  record.outcomes = {{"x=1;", 3, stats::OutcomeClass::weak, true, {}}};
  Slice measured;
  measured.kills = 3;
  measured.instances = 10;
  measured.seconds = 2;
  EXPECT_EQ(measured, slice_of(record, false));
  EXPECT_EQ(measured, slice_of(record, true));  // the interrupt came too late
  const auto lost_and_interrupted = [&](RunState status, bool cancelled) {
    record.status = status;
    const Slice slice = slice_of(record, cancelled);
    return std::pair(slice.lost, slice.interrupted);
  };
  EXPECT_EQ(std::pair(true, false), lost_and_interrupted(RunState::lost, false));
  EXPECT_EQ(std::pair(true, true), lost_and_interrupted(RunState::lost, true));
  EXPECT_EQ(std::pair(false, false), lost_and_interrupted(RunState::failed, false));
  EXPECT_EQ(std::pair(false, true), lost_and_interrupted(RunState::stopped, true));
  record.device_name = "";  // never opened
  EXPECT_EQ(std::pair(true, false), lost_and_interrupted(RunState::failed, false));
  EXPECT_EQ(std::pair(false, false), lost_and_interrupted(RunState::refused, false));
}

TEST(ConformReport, EveryDeviceHasItsOwnSuite) {
  const ConformanceSuite two = suite();
  ConformanceSuite other = suite();
  other.name = "other";
  other.family = "its own";
  for (codegen::TestEnvironment& environment : other.environments) environment.workgroup_size = 32;
  Rates device = good_device(), again = good_device();
  const ConformReports reports = {run(two, device), run(other, again)};
  const auto json = parsed(conform_json(reports));
  EXPECT_EQ("other", json.at("devices").at(1).at("suite").text());
  EXPECT_EQ("its own", json.at("devices").at(1).at("family").text());
  const std::string environment =
      json.at("devices").at(1).at("tests").at(0).at("mutants").at(0).at("rates").at(0).at("environment").text();
  EXPECT_NE(std::string::npos, environment.find("workgroup_size=32")) << environment;
  EXPECT_NE(std::string::npos, conform_html(reports).find("Suite other for its own"));
}

TEST(ConformSuite, ErrorsSayWhatIsWrong) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"{", "expected a key in double quotes, found the end"},
      {"{\"format\": 2}", "the suite has format 2; this program reads format 1"},
      {R"({"format":1,"suite":"s","family":"","measured_on":"","environments":["wat"],"tests":[]})",
       "expected name=value or a preset"},
      {R"({"format":1,"suite":"s","family":"","measured_on":"","environments":[],"tests":[]})",
       "the suite has no environments"},
      {R"({"format":1,"suite":"s","family":"","measured_on":"","environments":["basic"],"tests":[{"text":"nonsense"}]})",
       "unknown architecture 'nonsense'"},
  };
  for (const Case& c : cases) {
    const auto read = suite_from_json(base::Source("s.json", c.text));
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_TRUE(read.errors().front().message.starts_with(c.message)) << read.errors().front().message;
  }
}

TEST(Suites, TestsKnowTheirLines) {
  const std::string text = to_json(suite());
  const auto read = suite_from_json(base::Source("suites/s.json", text));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->tests.size(), 2u);
  const SuitePlace& place = read->tests[1].place;
  EXPECT_EQ(place.file, "suites/s.json");
  const std::size_t at = text.find("\"text\"", text.find("\"test\": \"B\""));
  EXPECT_EQ(place.line,
            1u + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
}

TEST(ConformReport, EveryFormHasTheVerdicts) {
  ConformanceSuite two = suite();
  two.tests[1].place = {"suites/s.json", 12};
  Rates device = good_device();
  device.rates[{"B", 4}] = 100;
  device.rates[{"A2", 1}] = 0;
  const ConformReports reports = {run(two, device)};
  const auto json = parsed(conform_json(reports));
  EXPECT_EQ("violation", json.at("verdict").text());
  EXPECT_EQ("inconclusive", json.at("devices").at(0).at("tests").at(0).at("verdict").text());
  EXPECT_EQ("A2 was never killed", json.at("devices").at(0).at("tests").at(0).at("reason").text());
  const std::string junit = conform_junit(reports);
  EXPECT_NE(std::string::npos, junit.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"")) << junit;
  EXPECT_NE(std::string::npos, junit.find("\nweakspot run B.litmus --device ")) << junit;
  const auto sarif = parsed(conform_sarif(reports));
  ASSERT_EQ(2u, sarif.at("runs").at(0).at("results").items().size());
  EXPECT_EQ("note", sarif.at("runs").at(0).at("results").at(0).at("level").text());
  const base::JsonValue& violation = sarif.at("runs").at(0).at("results").at(1);
  EXPECT_EQ("memory-model-violation", violation.at("ruleId").text());
  const base::JsonValue& location = violation.at("locations").at(0);
  EXPECT_EQ("B", location.at("logicalLocations").at(0).at("name").text());
  const base::JsonValue& place = location.at("physicalLocation");
  EXPECT_EQ("suites/s.json", place.at("artifactLocation").at("uri").text());
  EXPECT_EQ(12u, place.at("region").at("startLine").whole());
  EXPECT_EQ(32u, violation.at("partialFingerprints").at("lines/v1").text().size());
  const std::string html = conform_html(reports);
  EXPECT_NE(std::string::npos, html.find("Conformance: violation"));
  EXPECT_NE(std::string::npos, html.find("Judged by m."));
  EXPECT_NE(std::string::npos, html.find("<svg"));
}

TEST(ConformReport, Percentages) {
  const std::pair<double, const char*> cases[] = {
      {0, "0 %"},           {0.5, "50 %"}, {0.95, "95 %"}, {0.99999, "99.999 %"}, {0.99999999995, "> 99.9999999 %"},
      {1, "> 99.9999999 %"}};
  for (const auto& [probability, text] : cases) EXPECT_EQ(text, percent_text(probability));
}

}  // namespace
}  // namespace weakspot::campaign
