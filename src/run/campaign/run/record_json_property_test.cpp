// SPDX-License-Identifier: MIT
// Every written record reads back the same.
#include "campaign/record_json.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/rng.h"
#include "codegen/random_environment.h"

namespace weakspot::campaign {
namespace {

// Valid UTF-8 only: other bytes are replaced when written.
std::string text() {
  const auto letters =
      *rc::gen::container<std::vector<char>>(rc::gen::elementOf(std::string("aZ09 :;=\"\\/\n\t{}[]<>&\x01\x7f,._-")));
  std::string result(letters.begin(), letters.end());
  return *rc::gen::arbitrary<bool>() ? result + "é▇" : result;
}

std::uint64_t number() { return *rc::gen::arbitrary<std::uint64_t>(); }
// Counts stay below the limit of campaign/measured_fields.h.
std::uint64_t counted() { return *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 58); }
std::uint32_t word() { return *rc::gen::arbitrary<std::uint32_t>(); }

double seconds() { return static_cast<double>(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40)) / 1e7; }

std::optional<FirstSeen> first_seen() {
  if (*rc::gen::arbitrary<bool>()) return std::nullopt;
  return FirstSeen{counted(), {word(), word(), word()}};
}

RunRecord record() {
  RunRecord r;
  for (std::string* field : {&r.program, &r.started, &r.test, &r.hash, &r.text, &r.device, &r.device_name, &r.driver,
                             &r.code_hash, &r.model, &r.remark, &r.message}) {
    *field = text();
  }
  base::Rng rng(number());
  r.environment = codegen::draw_environment(rng, {}, {});
  r.environment.weaken = *rc::gen::element(codegen::Weaken::none, codegen::Weaken::release, codegen::Weaken::fence,
                                           codegen::Weaken::scope, codegen::Weaken::rmw, codegen::Weaken::swap);
  for (std::uint64_t* field : {&r.seed, &r.asked_instances, &r.asked_memory, &r.memory}) *field = number();
  for (std::uint64_t* field : {&r.unfinished, &r.barrier_timeouts, &r.launches, &r.rounds}) *field = counted();
  r.instances = r.unfinished;
  for (std::uint32_t* field : {&r.workgroups, &r.workgroup_size, &r.iterations}) *field = word();
  for (double* field :
       {&r.asked_seconds, &r.asked_judging, &r.deadline, &r.seconds, &r.host_seconds, &r.compile_seconds}) {
    *field = seconds();
  }
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    r.outcomes.push_back({text(), *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 57),
                          *rc::gen::elementOf(std::vector<stats::OutcomeClass>(std::begin(stats::kOutcomeClasses),
                                                                               std::end(stats::kOutcomeClasses))),
                          *rc::gen::arbitrary<bool>(), first_seen()});
    r.instances += r.outcomes.back().count;
  }
  // Slices add up to no more than the whole.
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    RunSlice& slice = r.slices.emplace_back();
    slice.instances = r.instances / 3;
    for (const OutcomeCount& outcome : r.outcomes) slice.counts.push_back(outcome.count / 3);
  }
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    Witness witness{text(), first_seen(), number(), {}, {}};
    for (int t = *rc::gen::inRange(0, 3); t > 0; --t) witness.threads.push_back({text(), word(), word()});
    for (int a = *rc::gen::inRange(0, 3); a > 0; --a) witness.addresses.push_back({text(), text(), number()});
    r.witnesses.push_back(std::move(witness));
  }
  r.status = *rc::gen::element(RunState::running, RunState::finished, RunState::stopped, RunState::refused,
                               RunState::failed, RunState::lost);
  return r;
}

RC_GTEST_PROP(RecordJson, ReadsBackTheSame, ()) {
  const RunRecord written = record();
  const std::string json = to_json(written);
  RC_ASSERT(json.find('\n') == std::string::npos);
  const base::Result<RunRecord> read = record_from_json(json);
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == written);
}

}  // namespace
}  // namespace weakspot::campaign
