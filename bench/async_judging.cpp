// SPDX-License-Identifier: MIT
// Compares the cost of judging a test with asynchronous operations with that of an ordinary PTX test of as many events.
// The target is at most five times as much.
//
// The tests of corpus/async are compared with all others of the corpus that `ptx` judges, and with chains of messages
// where those are too small.
//
// An execution of a test with copies has more events than its text has instructions: a copy is a load, a store, a fence
// and a count. Tests are compared by the events of their largest execution. The ordinary cost of so many events is the
// median over the tests that have them, or as many as the nearest number that some test has.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "base/check.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "model/execution/enumerate.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"

namespace {

using namespace weakspot;

// The events of the largest frame.
class LargestFrame : public model::CandidateVisitor {
 public:
  bool frame(const model::Frame& frame) override {
    events = std::max(events, frame.size());
    return false;
  }
  bool cut(const model::Relation&, const model::Relation&) override { return true; }
  bool candidate(const model::Candidate&, std::span<const litmus::Outcome>) override { return true; }

  std::size_t events = 0;
};

struct Cost {
  std::string name;
  std::size_t events = 0;
  double microseconds = 0;
};

// The least of several times, each of enough rounds to be measured.
double microseconds(const litmus::LitmusTest& test, model::BatchJudge& judge) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const Clock::time_point start = Clock::now();
    int rounds = 0;
    std::chrono::duration<double, std::micro> taken{};
    while (taken.count() < 2'000) {
      judge.judge(test, {.condition_only = true, .flags = false});
      ++rounds;
      taken = Clock::now() - start;
    }
    least = std::min(least, taken.count() / rounds);
  }
  return least;
}

bool is_asynchronous(const litmus::LitmusTest& test) {
  return std::any_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(), litmus::is_asynchronous);
  });
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Message passing through several threads, for numbers of events that no test of the corpus has.
litmus::LitmusTest chain(std::size_t threads) {
  std::string text = "weakspot chain\nArch=ptx\n";
  std::vector<std::string> rows(4);
  std::string condition = "exists (";
  for (std::size_t t = 0; t < threads; ++t) {
    const std::string bar = t == 0 ? "" : " |";
    const bool last = t + 1 == threads;
    rows[0] += fmt::format("{} P{}", bar, t);
    rows[1] += fmt::format("{} {}", bar, t == 0 ? "st.na x0, 1" : fmt::format("ld r0, x{}", t));
    rows[2] += fmt::format("{} fence.acqrel", bar);
    rows[3] += fmt::format("{} {}", bar, last ? "ld.na r1, x0" : fmt::format("st x{}, 1", t + 1));
    if (t > 0) condition += fmt::format("{}:r0=1 /\\ ", t);
  }
  for (const std::string& row : rows) text += row + " ;\n";
  const auto tests =
      litmus::read_tests(base::Source("chain", text + condition + fmt::format("{}:r1=0)\n", threads - 1)));
  WEAKSPOT_CHECK(tests.ok());
  return tests->front();
}

Cost cost_of(const litmus::LitmusTest& test, model::BatchJudge& judge) {
  LargestFrame largest;
  model::enumerate(test, {}, largest);
  return {test.name, largest.events, microseconds(test, judge)};
}

// The ordinary cost of so many events.
double ordinary(const std::map<std::size_t, std::vector<double>>& costs, std::size_t events) {
  const auto distance = [&](std::size_t other) { return other > events ? other - events : events - other; };
  auto nearest = costs.begin();
  for (auto at = costs.begin(); at != costs.end(); ++at) {
    if (distance(at->first) < distance(nearest->first)) nearest = at;
  }
  return median(nearest->second);
}

}  // namespace

int main() {
  const base::Result<model::Model> ptx = model::load_model("ptx");
  const auto corpus = litmus::read_test_file(std::string(base::kSourceDirectory) + "/corpus/@all");
  WEAKSPOT_CHECK(ptx.ok() && corpus.ok());
  model::BatchJudge judge(*ptx);
  std::map<std::size_t, std::vector<double>> costs;
  std::map<std::size_t, std::vector<Cost>> asynchronous;
  for (const litmus::LitmusTest& test : *corpus) {
    if (model::foreign_word(*ptx, test)) continue;
    const Cost cost = cost_of(test, judge);
    if (is_asynchronous(test)) {
      asynchronous[cost.events].push_back(cost);
    } else {
      costs[cost.events].push_back(cost.microseconds);
    }
  }
  for (std::size_t threads = 3; threads <= 8; ++threads) {
    const Cost cost = cost_of(chain(threads), judge);
    if (!costs.contains(cost.events)) costs[cost.events].push_back(cost.microseconds);
  }
  fmt::print("events  ordinary us  async tests  median us  slowest us  ratio  slowest test\n");
  double worst = 0;
  for (const auto& [events, tests] : asynchronous) {
    const double beside = ordinary(costs, events);
    std::vector<double> all;
    for (const Cost& cost : tests) all.push_back(cost.microseconds);
    const Cost& slowest = *std::max_element(
        tests.begin(), tests.end(), [](const Cost& a, const Cost& b) { return a.microseconds < b.microseconds; });
    const double ratio = slowest.microseconds / beside;
    worst = std::max(worst, ratio);
    fmt::print("{:6}  {:11.1f}  {:11}  {:9.1f}  {:10.1f}  {:5.2f}  {}\n", events, beside, tests.size(), median(all),
               slowest.microseconds, ratio, slowest.name);
  }
  fmt::print("slowest beside ordinary: {:.2f}\n", worst);
  return 0;
}
