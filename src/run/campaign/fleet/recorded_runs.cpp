// SPDX-License-Identifier: MIT
#include "campaign/recorded_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/hash.h"
#include "base/rng.h"
#include "campaign/recorded.h"

namespace weakspot::campaign {
namespace {

class RecordedRuns final : public Executor {
 public:
  explicit RecordedRuns(std::vector<RunRecord> records) {
    for (RunRecord& record : records) {
      std::pair<std::string, std::string> key(record.hash, codegen::to_text(record.environment));
      records_.try_emplace(std::move(key), std::move(record));
    }
  }

  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    RunRecord answer = begin_record(request);
    const std::string environment = codegen::to_text(request.environment);
    const auto found = records_.find({answer.hash, environment});
    if (found == records_.end() || found->second.seconds <= 0 || found->second.instances == 0) {
      answer.status = RunState::refused;
      answer.message = "this test was not recorded in this environment";
      return answer;
    }
    const RunRecord& recorded = found->second;
    answer.device_name = recorded.device_name;
    answer.driver = recorded.driver;
    answer.code_hash = recorded.code_hash;
    answer.model = recorded.model;
    answer.remark = recorded.remark;
    observer.started(answer);
    const double part = request.instances != 0
                            ? static_cast<double>(request.instances) / static_cast<double>(recorded.instances)
                            : request.seconds / recorded.seconds;
    draw(recorded, part, environment, answer);
    answer.status = RunState::finished;
    return answer;
  }

 private:
  static void draw(const RunRecord& recorded, double part, const std::string& environment, RunRecord& answer) {
    base::Rng rng(base::hash_bytes(answer.hash + environment).low + answer.seed * 0x9e3779b97f4a7c15u);
    for (const OutcomeCount& outcome : recorded.outcomes) {
      const std::uint64_t count = poisson(rng, static_cast<double>(outcome.count) * part);
      if (count == 0) continue;
      answer.outcomes.push_back(outcome);
      answer.outcomes.back().count = count;
      answer.instances += count;
      const auto witness = std::find_if(recorded.witnesses.begin(), recorded.witnesses.end(),
                                        [&](const Witness& one) { return one.outcome == outcome.outcome; });
      if (witness != recorded.witnesses.end()) answer.witnesses.push_back(*witness);
    }
    answer.launches = 1;
    answer.rounds = 1;
    answer.seconds = recorded.seconds * part;
    answer.host_seconds = answer.seconds;
  }

  std::map<std::pair<std::string, std::string>, RunRecord> records_;  // by test and environment
};

}  // namespace

std::unique_ptr<Executor> recorded_executor(std::vector<RunRecord> records) {
  return std::make_unique<RecordedRuns>(std::move(records));
}

}  // namespace weakspot::campaign
