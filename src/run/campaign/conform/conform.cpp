// SPDX-License-Identifier: MIT
#include "campaign/conform.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "base/names.h"
#include "campaign/conform/conclude.h"
#include "campaign/conform/wall_budget.h"
#include "stats/reproducibility.h"

namespace weakspot::campaign {
namespace {

constexpr double kLeastSlice = 1e-3;  // seconds that a launch takes at least
// Seconds per environment for a test whose mutants say nothing, and for measuring a mutant again.
constexpr double kBlindSlice = 0.02;
// Environments per mutant that are measured again, for longer.
constexpr std::size_t kFinalists = 3;
// Kills after which a rate is known well enough.
constexpr std::uint64_t kEnough = 100;
// Losses in a row after which a device is given up: budgets are short.
constexpr int kMostLosses = 2;
// Parts of the budget after which no program of another test, of one more environment, or of a test without mutants
// is compiled.
constexpr double kUntilTests = 0.8;
constexpr double kUntilMore = 0.4;
constexpr double kUntilBlind = 0.85;
// A test without mutants that could tell gets another environment for each time that is this often a program's.
constexpr double kBlindPrograms = 4;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr base::Named<ConformVerdict> kVerdicts[] = {
    {"conformant", ConformVerdict::conformant},
    {"unobservable", ConformVerdict::unobservable},
    {"inconclusive", ConformVerdict::inconclusive},
    {"violation", ConformVerdict::violation},
};

class Conform {
 public:
  Conform(const ConformanceSuite& suite, const ConformOptions& options, const Judge& judge, Executor& executor,
          RunObserver& observer)
      : suite_(suite),
        options_(options),
        judge_(judge),
        executor_(executor),
        observer_(observer),
        wall_(options.budget, options.clock ? options.clock : seconds_now, options.at_once) {}

  base::Result<ConformReport> run() {
    report_.suite = &suite_;
    report_.options = options_;
    report_.device = options_.setup.device;
    begin();
    for (TestResult& test : report_.tests) {
      base::Result<stats::Expected> expected = judge_(test.test->test);
      if (!expected) return expected.errors();
      test.model = expected->model;
      expected_.push_back(*std::move(expected));
    }
    if (!options_.trust_rates) measure();
    check_mutants();
    plan();
    announce_tests();
    for (std::size_t i = 0; i < report_.tests.size() && !must_stop(); ++i) run_test(i);
    spend_the_rest();
    check_tests();
    report_.wall_seconds = wall_.elapsed();
    conclude(report_);
    return std::move(report_);
  }

 private:
  void begin() {
    for (const SuiteTest& test : suite_.tests) {
      TestResult result;
      result.test = &test;
      for (const SuiteMutant& mutant : test.mutants) {
        MutantResult m;
        m.mutant = &mutant;
        m.slices.resize(suite_.environments.size());
        m.rates.resize(suite_.environments.size());
        if (options_.trust_rates) {
          for (const KillRate& rate : mutant.rates) m.rates[rate.environment] = rate.per_second;
        }
        result.mutants.push_back(std::move(m));
      }
      report_.tests.push_back(std::move(result));
      candidates_.push_back(candidates_of(suite_, test));
    }
    is_begun_.resize(report_.tests.size());
    if (options_.trust_rates) return;
    // Only the first environments if there is no time for all.
    std::size_t cells = 0;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) cells += candidates_[i].size() * counting(i);
    const double room = options_.budget * options_.measuring / 2 / kLeastSlice;
    if (static_cast<double>(cells) <= room) return;
    const double part = room / static_cast<double>(cells);
    for (std::vector<std::size_t>& candidates : candidates_) {
      candidates.resize(
          std::max<std::size_t>(1, static_cast<std::size_t>(part * static_cast<double>(candidates.size()))));
    }
  }

  std::size_t counting(std::size_t test) const {
    const auto& mutants = report_.tests[test].mutants;
    return static_cast<std::size_t>(
        std::count_if(mutants.begin(), mutants.end(), [](const MutantResult& m) { return m.counts(); }));
  }

  bool must_stop() { return losses_.is_gone() || observer_.cancelled(); }

  // Calls visit(test, environment) for the first environment of every test, then for the second, and so on.
  template <typename Visit>
  void for_each_candidate(Visit&& visit) const {
    std::size_t most = 0;
    for (const std::vector<std::size_t>& candidates : candidates_) most = std::max(most, candidates.size());
    for (std::size_t rank = 0; rank < most; ++rank) {
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (rank < candidates_[i].size()) visit(i, candidates_[i][rank]);
      }
    }
  }

  struct ToMeasure {
    std::size_t test;
    MutantResult* mutant;
    std::size_t environment;
  };
  // A mutant that ran before its code was checked.
  struct Unchecked {
    MutantResult* mutant;
    std::size_t environment;
    RunRequest request;
  };

  void measure() {
    std::vector<ToMeasure> all;
    for_each_candidate([&](std::size_t i, std::size_t e) {
      for (MutantResult& mutant : report_.tests[i].mutants) {
        if (mutant.counts()) all.push_back({i, &mutant, e});
      }
    });
    const double share = options_.budget * options_.measuring;
    measure(all, share / 2);
    std::vector<ToMeasure> finalists;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) {
      for (MutantResult& mutant : report_.tests[i].mutants) {
        if (mutant.counts()) add_finalists(i, mutant, finalists);
      }
    }
    measure(finalists, share - report_.measuring_seconds);
  }

  void add_finalists(std::size_t test, MutantResult& mutant, std::vector<ToMeasure>& finalists) const {
    std::vector<std::size_t> order;
    for (std::size_t e = 0; e < mutant.slices.size(); ++e) {
      if (mutant.slices[e].seconds > 0) order.push_back(e);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-mutant.rates[a], a) < std::pair(-mutant.rates[b], b);
    });
    const bool killed = !order.empty() && mutant.rates[order.front()] > 0;
    if (killed && mutant.slices[order.front()].kills >= kEnough) return;
    for (std::size_t i = 0; i < order.size() && i < kFinalists; ++i) {
      // Environments that kill must come near the best.
      if (killed && mutant.rates[order[i]] < mutant.rates[order.front()] / 2) break;
      finalists.push_back({test, &mutant, order[i]});
    }
  }

  // Whether there is time for the program of this cell. A test is begun with all of its mutants in its first
  // environment, or not at all, and keeps room for its own program.
  bool admit(const ToMeasure& cell) {
    const std::size_t i = cell.test;
    if (is_begun_[i]) {
      const bool is_first = cell.environment == candidates_[i].front();
      return is_first || wall_.fits(1 + promised_, kUntilMore);
    }
    if (cell.environment != candidates_[i].front()) return false;
    if (!has_room(i, counting(i) + 1, kUntilTests)) return false;
    is_begun_[i] = true;
    promised_ += counting(i) + 1;
    return true;
  }

  // Notes why not.
  bool has_room(std::size_t test, std::size_t programs, double part) {
    if (!report_.tests[test].not_run.empty()) return false;
    if (wall_.fits(programs + promised_, part)) return true;
    report_.tests[test].lacking = wall_.per_program() * static_cast<double>(programs) / part;
    report_.tests[test].not_run = fmt::format(
        "not run: no time left to compile {} (about {:.2g} s each)",
        programs == 1 ? "it" : fmt::format("it and its mutants, {} programs", programs), wall_.per_program());
    return false;
  }

  // Every mutant in at least one environment; in more while there is time on the device and for compiling.
  void measure(const std::vector<ToMeasure>& cells, double seconds) {
    if (cells.empty()) return;
    const double slice = std::max(seconds / static_cast<double>(cells.size()), kLeastSlice);
    const double until = report_.measuring_seconds + seconds;
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const ToMeasure& cell = cells[at];
      if (must_stop() || wall_.is_over()) return;
      const bool late = report_.measuring_seconds >= until || !wall_.fits(promised_, kUntilTests);
      if (late && cell.mutant->was_measured()) continue;
      if (!is_ready(cell) && !admit(cell)) continue;
      if (!is_ready(cell)) announce_mutants(cells, at);
      const RunRequest request = to_run(cell.mutant->mutant->test, cell.environment, slice,
                                        options_.seed + cell.mutant->slices[cell.environment].instances);
      const RunRecord record = execute(request);
      report_.measuring_seconds += record.seconds;
      if (request.optcheck && !record.code) unchecked_.push_back({cell.mutant, cell.environment, request});
      Slice& sum = cell.mutant->slices[cell.environment];
      sum.add(note(record));
      cell.mutant->rates[cell.environment] = sum.rate().value;
    }
  }

  // Code is checked while programs run, and is asked for when nothing else is left to do.
  RunRequest to_run(const litmus::LitmusTest& test, std::size_t environment, double seconds, std::uint64_t seed) {
    RunRequest request = slice_request(printed(test), suite_.environments[environment], options_.setup, seconds, seed);
    request.code_later = request.optcheck;
    return request;
  }

  std::vector<CheckedCode> codes(const std::vector<RunRequest>& requests) {
    const double before = wall_.elapsed();
    std::vector<CheckedCode> all;
    for (std::optional<CheckedCode>& code : executor_.codes(requests)) {
      if (!code) code = CheckedCode{optcheck::CodeVerdict::unknown, "the device's process has ended"};
      all.push_back(*std::move(code));
    }
    report_.compile_seconds += wall_.elapsed() - before;
    return all;
  }

  // A mutant whose code was changed was not seen.
  void check_mutants() {
    std::vector<RunRequest> requests;
    requests.reserve(unchecked_.size());
    for (const Unchecked& one : unchecked_) requests.push_back(one.request);
    if (requests.empty()) return;
    const std::vector<CheckedCode> checked = codes(requests);
    for (std::size_t i = 0; i < checked.size(); ++i) {
      if (checked[i].verdict != optcheck::CodeVerdict::changed) continue;
      Slice& slice = unchecked_[i].mutant->slices[unchecked_[i].environment];
      slice.kills = 0;
      unchecked_[i].mutant->rates[unchecked_[i].environment] = slice.rate().value;
    }
    unchecked_.clear();
  }

  void check_tests() {
    std::vector<RunRequest> requests;
    std::vector<RunRecord*> records;
    for (TestResult& test : report_.tests) {
      for (std::size_t i = 0; i < test.records.size(); ++i) {
        if (!options_.setup.optcheck || test.records[i].code) continue;
        records.push_back(&test.records[i]);
        requests.push_back(to_run(test.test->test, test.plan.parts[i].environment, 0, 0));
      }
    }
    if (requests.empty()) return;
    std::vector<CheckedCode> checked = codes(requests);
    for (std::size_t i = 0; i < checked.size(); ++i) records[i]->set_code(std::move(checked[i]));
  }

  bool is_ready(const ToMeasure& cell) const { return ready_.contains({&cell.mutant->mutant->test, cell.environment}); }

  // Has the program of a cell compiled, and those of the next ones with it if they are admitted.
  void announce_mutants(const std::vector<ToMeasure>& cells, std::size_t from) {
    std::vector<RunRequest> requests;
    const std::size_t most = wall_.batch();
    for (std::size_t at = from; at < cells.size() && requests.size() < most; ++at) {
      const ToMeasure& cell = cells[at];
      if (is_ready(cell) || !admit(cell)) continue;
      if (cell.environment == candidates_[cell.test].front()) --promised_;
      add_program(cell.mutant->mutant->test, cell.environment, requests);
    }
    prepare(requests);
  }

  void announce_tests() {
    std::vector<RunRequest> requests;
    for (const TestResult& test : report_.tests) {
      for (const PlannedPart& part : test.plan.parts) {
        if (requests.size() < wall_.batch()) add_program(test.test->test, part.environment, requests);
      }
    }
    prepare(requests);
  }

  // One program alone is compiled when it runs.
  void prepare(const std::vector<RunRequest>& requests) {
    if (requests.size() < 2) return;
    const double before = wall_.elapsed();
    executor_.prepare(requests);
    preparing_ += wall_.elapsed() - before;
  }

  void add_program(const litmus::LitmusTest& test, std::size_t e, std::vector<RunRequest>& requests) {
    if (!ready_.insert({&test, e}).second) return;
    ++compiling_;
    requests.push_back(to_run(test, e, 0, 0));
  }

  // Runs it, and notes what the programs that were waiting to be compiled have cost.
  RunRecord execute(const RunRequest& request) {
    const double before = wall_.elapsed();
    RunRecord record = executor_.execute(request, observer_);
    const double around = preparing_ + std::max(0.0, wall_.elapsed() - before - record.seconds);
    preparing_ = 0;
    // Some drivers compile, or go on compiling, when a program first runs.
    if (ran_.insert(request.test.text() + codegen::to_text(request.environment)).second) {
      wall_.note(around, compiling_);
      report_.compile_seconds += around;
      compiling_ = 0;
    }
    return record;
  }

  Slice note(const RunRecord& record) {
    if (!record.device_name.empty()) {
      report_.device = record.device;
      report_.device_name = record.device_name;
      report_.driver = record.driver;
    }
    report_.program = record.program;
    report_.started = options_.setup.started;
    Slice slice = slice_of(record, observer_.cancelled());
    losses_.note(slice);
    if (losses_.is_gone()) report_.problem = record.message;
    return slice;
  }

  const RunTest& printed(const litmus::LitmusTest& test) {
    auto found = printed_.find(&test);
    if (found == printed_.end()) found = printed_.emplace(&test, RunTest(test)).first;
    return found->second;
  }

  void plan() {
    std::vector<std::size_t> planned;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) {
      if (!is_begun_[i] && !has_room(i, 1, kUntilBlind)) continue;
      if (!is_begun_[i]) ++promised_;
      planned.push_back(i);
    }
    std::vector<MutantRates> rates = rates_of(planned);
    std::vector<PlannedTest> plans = plan_tests(rates, goal_of(planned.size()));
    if (!options_.trust_rates && measure_again(planned, plans)) {
      check_mutants();
      rates = rates_of(planned);
      plans = plan_tests(rates, goal_of(planned.size()));
    }
    for (std::size_t at = 0; at < plans.size(); ++at) {
      const std::size_t i = planned[at];
      const bool blind = std::all_of(rates[at].begin(), rates[at].end(), [](const std::vector<double>& of_mutant) {
        return std::all_of(of_mutant.begin(), of_mutant.end(), [](double rate) { return rate == 0; });
      });
      if (blind) spread(plans[at], candidates_[i].size());
      for (PlannedPart& part : plans[at].parts) {
        part.environment = candidates_[i][part.environment];
        planned_seconds_ += part.seconds;
        ++planned_parts_;
      }
      report_.tests[i].plan = std::move(plans[at]);
    }
  }

  // The lower ends of the intervals: an overrated rate must not leave a test too little time.
  std::vector<MutantRates> rates_of(const std::vector<std::size_t>& tests) const {
    std::vector<MutantRates> rates;
    for (const std::size_t i : tests) {
      MutantRates of_test;
      for (const MutantResult& mutant : report_.tests[i].mutants) {
        if (!mutant.counts()) continue;
        std::vector<double> low;
        for (const std::size_t e : candidates_[i]) low.push_back(mutant.sure_rate(e));
        of_test.push_back(std::move(low));
      }
      rates.push_back(std::move(of_test));
    }
    return rates;
  }

  PlanGoal goal_of(std::size_t tests) const {
    PlanGoal goal;
    goal.target = options_.target;
    goal.least = kLeastSlice;
    const double by_clock = wall_.left() - wall_.per_program() * static_cast<double>(promised_);
    goal.budget = std::max(std::min(by_clock, of_device()), kLeastSlice * static_cast<double>(tests));
    return goal;
  }

  // A device that needs no time for anything else has no more than its own.
  double of_device() const { return options_.budget - report_.device_seconds(); }

  // A mutant that died seldom may only have been measured too briefly. Half of the time of the tests that would not
  // reach the target is better spent on that. Whether there was anything to measure, and time.
  bool measure_again(const std::vector<std::size_t>& planned, const std::vector<PlannedTest>& plans) {
    double seconds = 0;
    std::vector<ToMeasure> seldom;
    for (std::size_t at = 0; at < plans.size(); ++at) {
      if (plans[at].reached) continue;
      for (const PlannedPart& part : plans[at].parts) seconds += part.seconds / 2;
      for (MutantResult& mutant : report_.tests[planned[at]].mutants) {
        if (mutant.counts()) add_finalists(planned[at], mutant, seldom);
      }
    }
    if (seldom.empty() || seconds < kBlindSlice * static_cast<double>(seldom.size())) return false;
    measure(seldom, seconds);
    return true;
  }

  // If nothing tells the environments apart, the test runs in as many as there is time for.
  void spread(PlannedTest& plan, std::size_t environments) const {
    const double seconds = seconds_of_plan(plan);
    const double each = std::max(kBlindSlice, kBlindPrograms * wall_.per_program());
    const double most = std::clamp(seconds / each, 1.0, static_cast<double>(environments));
    const auto parts = static_cast<std::size_t>(most);
    plan.parts.clear();
    for (std::size_t e = 0; e < parts; ++e) plan.parts.push_back({e, seconds / static_cast<double>(parts)});
  }

  // Late by the clock, every part gets a fair share of the time that is left.
  double seconds_of(const PlannedPart& part) const {
    const double left = wall_.left() - wall_.per_program() * static_cast<double>(planned_parts_);
    return std::max(part.seconds * std::clamp(left / std::max(planned_seconds_, kLeastSlice), 0.0, 1.0), kLeastSlice);
  }

  static double seconds_of_plan(const PlannedTest& plan) {
    return std::accumulate(plan.parts.begin(), plan.parts.end(), 0.0,
                           [](double sum, const PlannedPart& part) { return sum + part.seconds; });
  }

  void run_test(std::size_t number) {
    TestResult& test = report_.tests[number];
    for (const PlannedPart& part : test.plan.parts) {
      if (must_stop()) break;
      if (wall_.is_over()) {
        test.not_run = "not run: the budget was over";
        test.lacking = seconds_of_plan(test.plan) + wall_.per_program() * static_cast<double>(test.plan.parts.size());
        break;
      }
      run_part(number, part.environment, seconds_of(part), options_.seed);
      planned_seconds_ -= part.seconds;
      --planned_parts_;
    }
  }

  void run_part(std::size_t number, std::size_t environment, double seconds, std::uint64_t seed) {
    TestResult& test = report_.tests[number];
    RunRequest request = to_run(test.test->test, environment, seconds, seed);
    request.expected = expected_[number];
    if (ready_.insert({&test.test->test, environment}).second) ++compiling_;
    test.records.push_back(execute(request));
    note(test.records.back());
    test.seconds += test.records.back().seconds;
    report_.testing_seconds += test.records.back().seconds;
  }

  // Programs may cost less than was set aside for them. Tests that lack little run again first.
  void spend_the_rest() {
    std::vector<std::pair<PlannedPart, std::size_t>> lacking;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) {
      if (const std::optional<PlannedPart> part = lacks(report_.tests[i])) lacking.emplace_back(*part, i);
    }
    std::sort(lacking.begin(), lacking.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first.seconds, a.second) < std::tie(b.first.seconds, b.second);
    });
    for (auto& [part, i] : lacking) {
      const double left = std::min(wall_.left(), of_device());
      if (must_stop() || left < kLeastSlice) return;
      part.seconds = std::min(part.seconds, left);
      TestResult& test = report_.tests[i];
      test.plan.parts.push_back(part);
      run_part(i, part.environment, part.seconds, options_.seed + test.records.size());
    }
  }

  // The further part that a finished test needs for its slowest mutant to reach the target; none if more time is not
  // what it lacks.
  std::optional<PlannedPart> lacks(const TestResult& test) const {
    if (!test.not_run.empty() || test.records.empty() || test.records.size() != test.plan.parts.size()) return {};
    for (const RunRecord& record : test.records) {
      if (record.status != RunState::finished) return {};
    }
    std::optional<PlannedPart> most;
    for (const MutantResult& mutant : test.mutants) {
      if (!mutant.counts()) continue;
      const double kills = sure_kills(mutant, test);
      if (stats::reproducibility(kills) >= options_.target) continue;
      PlannedPart best;
      double rate = 0;
      for (const PlannedPart& part : test.plan.parts) {
        if (mutant.sure_rate(part.environment) <= rate) continue;
        rate = mutant.sure_rate(part.environment);
        best.environment = part.environment;
      }
      if (rate == 0) continue;
      best.seconds = (static_cast<double>(stats::sightings_needed(options_.target)) - kills) / rate;
      if (!most || best.seconds > most->seconds) most = best;
    }
    return most;
  }

  const ConformanceSuite& suite_;
  const ConformOptions& options_;
  const Judge& judge_;
  Executor& executor_;
  RunObserver& observer_;
  ConformReport report_;
  std::vector<std::vector<std::size_t>> candidates_;  // environments of each test
  std::vector<stats::Expected> expected_;
  Losses losses_{kMostLosses};
  WallBudget wall_;
  std::vector<bool> is_begun_;                                         // by test: its mutants are being measured
  std::set<std::pair<const litmus::LitmusTest*, std::size_t>> ready_;  // programs, by test and environment
  std::set<std::string> ran_;
  std::vector<Unchecked> unchecked_;
  std::size_t compiling_ = 0;  // programs that were given to the device since its last answer
  double preparing_ = 0;       // seconds that passed meanwhile
  std::size_t promised_ = 0;   // programs of begun tests that are still to be compiled
  std::size_t planned_parts_ = 0;
  double planned_seconds_ = 0;
  std::map<const litmus::LitmusTest*, RunTest> printed_;
};

}  // namespace

std::string_view to_string(ConformVerdict verdict) { return base::name_of(kVerdicts, verdict); }

double MutantResult::sure_rate(std::size_t environment) const {
  return slices[environment].seconds > 0 ? slices[environment].rate().interval.low : rates[environment];
}

double MutantResult::rate_of_suite(std::size_t environment) const {
  for (const KillRate& rate : mutant->rates) {
    if (rate.environment == environment) return rate.per_second;
  }
  return 0;
}

bool MutantResult::was_killed() const {
  return std::any_of(slices.begin(), slices.end(), [](const Slice& slice) { return slice.kills > 0; });
}

bool MutantResult::was_measured() const {
  return std::any_of(slices.begin(), slices.end(), [](const Slice& slice) { return slice.seconds > 0; });
}

std::vector<RunRecord> ConformReport::records() const {
  std::vector<RunRecord> all;
  for (const TestResult& test : tests) all.insert(all.end(), test.records.begin(), test.records.end());
  return all;
}

base::Result<ConformReport> conform(const ConformanceSuite& suite, const ConformOptions& options, const Judge& judge,
                                    Executor& executor, RunObserver& observer) {
  return Conform(suite, options, judge, executor, observer).run();
}

}  // namespace weakspot::campaign
