// SPDX-License-Identifier: MIT
#include "campaign/run_record.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "campaign/record_json.h"
#include "campaign/summary.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

constexpr const char* kMp =
    "weakspot MP\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

RunRequest request() {
  RunRequest request;
  request.test = litmus::read_tests(base::Source("test", kMp))->front();
  request.device = "testing:one";
  request.environment.workgroup_size = 32;
  request.seed = 18446744073709551615u;
  request.instances = 1000;
  request.expected.model = "sc";
  request.expected.contradicted = litmus::Expectation::forbidden;
  request.expected.allowed = {{{litmus::integer(0), litmus::address_of(litmus::LocationId{1})}}, true};
  return request;
}

TEST(RunRecord, BeginsWithWhatWasAsked) {
  const RunRecord record = begin_record(request());
  EXPECT_EQ("MP", record.test);
  EXPECT_EQ(32u, record.hash.size());
  EXPECT_EQ("testing:one", record.device);
  EXPECT_EQ(1000u, record.asked_instances);
  EXPECT_EQ(0, record.asked_seconds);
  EXPECT_EQ(RunState::running, record.status);
  EXPECT_TRUE(record.program.starts_with("weakspot "));
}

TEST(RunRecord, RepeatsFromTheRecordAlone) {
  RunRecord record = begin_record(request());
  record.instances = 1024;
  const base::Result<RunRequest> again = repeat(record);
  ASSERT_TRUE(again.ok()) << base::render(again.errors());
  EXPECT_EQ(request().test, again->test);
  EXPECT_EQ(request().environment, again->environment);
  EXPECT_EQ(request().seed, again->seed);
  EXPECT_EQ(1024u, again->instances);
}

TEST(RunRecord, RequestsReadBack) {
  const base::Result<RunRequest> read = request_from_json(to_json(request()));
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(request(), *read);
}

TEST(RunRecord, NonsenseIsRefusedWithAReason) {
  auto message = [](std::string_view text) { return record_from_json(text).errors().front().message; };
  EXPECT_EQ("expected a key in double quotes, found the end", message("{"));
  EXPECT_EQ("the record needs 'format', a number", message("{}"));
  EXPECT_EQ("expected the record: an object, found an array", message("[1]"));
  EXPECT_EQ("the record has format 99; this program reads format 1", message("{\"format\":99}"));
  std::string odd = to_json(begin_record(request()));
  odd.replace(odd.find("\"running\""), 9, "\"jogging\"");
  EXPECT_EQ("unknown status 'jogging'", message(odd));
  odd = to_json(begin_record(request()));
  odd.replace(odd.find("\"workgroup_size\":32"), 19, "\"workgroup_size\":-1");
  EXPECT_NE(std::string::npos, message(odd).find("'workgroup_size' takes 1 to 1024")) << message(odd);
}

TEST(Summary, AddsUpAndKeepsTheWorst) {
  RunRecord a = begin_record(request());
  a.status = RunState::finished;
  a.instances = 10;
  a.seconds = 2;
  a.outcomes = {{"x=0;", 9, OutcomeClass::sequential, false, {}}, {"x=1;", 1, OutcomeClass::weak, true, {}}};
  RunRecord b = a;
  b.environment.workgroup_size = 64;
  b.outcomes = {{"x=1;", 6, OutcomeClass::weak, true, {}}, {"x=2;", 4, OutcomeClass::interleaved, false, {}}};
  RunRecord c = begin_record(request());
  c.status = RunState::lost;
  c.message = "gone";
  const RunGroup group{{a, b, c}};
  const RunRecord sum = group.sum();
  EXPECT_EQ(20u, sum.instances);
  EXPECT_EQ(7u, sum.count(OutcomeClass::weak));
  EXPECT_EQ(7u, sum.matches());
  EXPECT_EQ(3u, sum.outcomes.size());
  EXPECT_EQ(RunState::lost, sum.status);
  EXPECT_EQ("gone", sum.message);
  EXPECT_EQ(64, group.most_telling().environment.workgroup_size);
  EXPECT_EQ("lost", verdict_word(sum));
  EXPECT_EQ("weak", verdict_word(a));
}

TEST(Summary, AForbiddenOutcomeIsSaidWhateverElseHappened) {
  RunRecord record = begin_record(request());
  record.status = RunState::lost;
  record.outcomes = {{"x=0;", 1, OutcomeClass::forbidden, false, {}}};
  EXPECT_EQ("FORBIDDEN", verdict_word(record));
}

TEST(Summary, GroupsNeighboursOfTheSameTestAndDevice) {
  RunRecord a = begin_record(request());
  RunRecord b = a;
  b.device = "cpu";
  EXPECT_EQ(3u, group_records({a, a, b, a}).size());
}

TEST(Summary, NumbersAreShort) {
  EXPECT_EQ("0", short_number(0));
  EXPECT_EQ("999", short_number(999));
  EXPECT_EQ("1 k", short_number(1000));
  EXPECT_EQ("12.3 M", short_number(12345678));
  EXPECT_EQ("1 G", short_number(999999999));
}

}  // namespace
}  // namespace weakspot::campaign
