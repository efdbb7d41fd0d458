// SPDX-License-Identifier: MIT
// The order of two operations on tensor memory, decided by the sentences of the PTX ISA (9.7.16.6) as a person would
// apply them to two threads with one synchronisation between, and by the model. Nothing here looks at the model's text.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model::tensor_rules_test {
namespace {

using Code = std::vector<std::string>;

const Code kSteps = {"wait.tcst", "wait.tcld", "tcfence.before", "tcfence.after"};

// All sequences of up to `most` steps.
std::vector<Code> sequences(std::size_t most) {
  std::vector<Code> all = {{}};
  for (std::size_t begin = 0, length = 0; length < most; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const std::string& step : kSteps) {
        Code longer = all[begin];
        longer.push_back(step);
        all.push_back(std::move(longer));
      }
    }
  }
  return all;
}

bool has(const Code& code, const std::string& step) { return std::find(code.begin(), code.end(), step) != code.end(); }

// Whether `second` stands behind some `first`.
bool in_turn(const Code& code, const std::string& first, const std::string& second) {
  const auto at = std::find(code.begin(), code.end(), first);
  return at != code.end() && std::find(at, code.end(), second) != code.end();
}

struct Synchronisation {
  std::string tell, hear;
  bool standard = false;  // a release and an acquire, or a barrier
};
const Synchronisation kSynchronisations[] = {{"mbar.arrive _, e", "mbar.wait e, 0", true},
                                             {"mbar.arrive.rlx _, e", "mbar.wait e, 0", false},
                                             {"mbar.arrive _, e", "mbar.wait.rlx e, 0", false},
                                             {"mbar.arrive.rlx _, e", "mbar.wait.rlx e, 0", false},
                                             {"bar", "bar", true}};

Verdict::Reach judged(const Code& p0, const Code& p1, const std::string& condition) {
  static const Model ptx = *load_model("ptx");
  std::string text = "weakspot t\nArch=ptx\n{ tensor t; tensor d; shared a = 1; shared b = 1; shared e = 1; }\n P0";
  if (!p1.empty()) text += " | P1";
  text += " ;\n";
  for (std::size_t i = 0; i < std::max(p0.size(), p1.size()); ++i) {
    text += " " + (i < p0.size() ? p0[i] : "");
    if (!p1.empty()) text += " | " + (i < p1.size() ? p1[i] : "");
    text += " ;\n";
  }
  text += std::string("scopes (wg P0") + (p1.empty() ? "" : " P1") + ")\nexists (" + condition + ")\n";
  return judge(tests::read_one(text), ptx, {.condition_only = true}).reach;
}

Code joined(std::initializer_list<Code> parts) {
  Code all;
  for (const Code& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string shown(const Code& p0, const Code& p1) {
  std::string text;
  for (const std::string& step : p0) text += step + "; ";
  text += "| ";
  for (const std::string& step : p1) text += step + "; ";
  return text;
}

void expect(bool ordered, const Code& p0, const Code& p1, const std::string& condition) {
  const Verdict::Reach expected = ordered ? Verdict::Reach::forbidden : Verdict::Reach::allowed;
  EXPECT_EQ(judged(p0, p1, condition), expected) << shown(p0, p1);
}

// 9.7.16.6.4.4: the issuer waits, with the wait for its kind of operation (9.7.16.6.2.1). Then relaxed synchronisation
// needs the fence before; the standard one does without (9.7.16.6.3). The other thread needs the fence after.
TEST(TensorRules, OperationsOfTwoThreadsThatAreNotPipelined) {
  for (const bool load_first : {false, true}) {
    const std::string wait = load_first ? "wait.tcld" : "wait.tcst";
    const std::string first = load_first ? "ld.tensor r0, t" : "st.tensor t, 1";
    for (const Synchronisation& by : kSynchronisations) {
      for (const Code& before : sequences(2)) {
        for (const Code& after : sequences(1)) {
          for (const std::string& second :
               load_first ? Code{"st.tensor t, 1", "copy.tcmma t, a", "copy.tccp t, a"} : Code{"ld.tensor r0, t"}) {
            const bool complete = has(before, wait) && (by.standard || in_turn(before, wait, "tcfence.before"));
            expect(complete && has(after, "tcfence.after"), joined({{first}, before, {by.tell}}),
                   joined({{by.hear}, after, {second}}), load_first ? "0:r0=1" : "1:r0=0");
          }
        }
      }
    }
  }
}

// 9.7.16.6.2.1: waits are not for copies and products; 9.7.16.6.4.2: a commit tracks them and has the fence before.
TEST(TensorRules, CommitsOfTwoThreads) {
  for (const char* first : {"copy.tcmma t, a", "copy.tccp t, a"}) {
    for (const Code& before : sequences(2)) {
      for (const Code& after : sequences(1)) {
        for (const char* hear : {"mbar.wait b, 0", "mbar.wait.rlx b, 0"}) {
          const Code reader = joined({{hear}, after, {"ld.tensor r0, t"}});
          expect(has(after, "tcfence.after"), joined({{first}, before, {"mbar.commit b"}}), reader, "1:r0=0");
          expect(false, joined({{first}, before, {"mbar.arrive _, b"}}), reader, "1:r0=0");
          expect(false, joined({{"st.tensor t, 1"}, {"mbar.commit b"}}), reader, "1:r0=0");
        }
      }
    }
  }
}

// 9.7.16.6.4.3: a copy and a product of two threads need the fences and no wait.
TEST(TensorRules, PipelinesOfTwoThreads) {
  const Code rest = {"mbar.commit b", "mbar.wait.rlx b, 0", "tcfence.after", "ld.tensor r0, d"};
  for (const Synchronisation& by : kSynchronisations) {
    for (const Code& before : sequences(2)) {
      for (const Code& after : sequences(1)) {
        expect(has(before, "tcfence.before") && has(after, "tcfence.after"),
               joined({{"copy.tccp t, a"}, before, {by.tell}}), joined({{by.hear}, after, {"copy.tcmma d, t"}, rest}),
               "1:r0=0");
      }
    }
  }
}

// 9.7.16.6.4.1 and 9.7.16.6.4.2, in one thread.
TEST(TensorRules, OperationsOfOneThread) {
  const Code end = {"mbar.commit b", "mbar.wait.rlx b, 0", "tcfence.after", "ld.tensor r0, d"};
  for (const Code& between : sequences(2)) {
    expect(has(between, "wait.tcst"), joined({{"st.tensor t, 1"}, between, {"ld.tensor r0, t"}}), {}, "0:r0=0");
    expect(has(between, "wait.tcld"), joined({{"ld.tensor r0, t"}, between, {"st.tensor t, 1"}}), {}, "0:r0=1");
    expect(has(between, "wait.tcld"), joined({{"ld.tensor r0, t"}, between, {"copy.tcmma t, a"}}), {}, "0:r0=1");
    expect(has(between, "wait.tcst"), joined({{"st.tensor t, 1"}, between, {"copy.tcmma d, t"}, end}), {}, "0:r0=0");
    expect(true, joined({{"copy.tccp t, a"}, between, {"copy.tcmma d, t"}, end}), {}, "0:r0=0");
    expect(false, joined({{"copy.tcmma t, a"}, between, {"copy.tcmma d, t"}, end}), {}, "0:r0=0");
    expect(false, joined({{"copy.tcmma d, t"}, between, {"copy.tccp t, a"}, end}), {}, "0:r0=1");
    expect(true, joined({{"copy.tcmma d, a"}, between, {"copy.tcmma.add d, a"}, end}), {}, "~0:r0=2");
    expect(false, joined({{"copy.tcmma t, a"}, between, {"ld.tensor r0, t"}}), {}, "0:r0=0");
    expect(has(between, "tcfence.after"),
           joined({{"copy.tcmma t, a", "mbar.commit b", "mbar.wait b, 0"}, between, {"ld.tensor r0, t"}}), {},
           "0:r0=0");
  }
}

}  // namespace
}  // namespace weakspot::model::tensor_rules_test
