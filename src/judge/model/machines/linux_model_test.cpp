// SPDX-License-Identifier: MIT
// Rules of models/linux-kernel.cat that the corpus, which is in the neutral form, does not have: its own fences, RCU,
// locks and plain accesses.
#include <gtest/gtest.h>

#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model::linux_model_test {
namespace {

struct KernelRule {
  const char* name;
  std::vector<const char*> threads;  // bodies of P0, P1, ...
  const char* condition;
  const char* expected;  // the verdict, and a flag
};

void PrintTo(const KernelRule& rule, std::ostream* out) { *out << rule.name; }

class LinuxRule : public testing::TestWithParam<KernelRule> {};

TEST_P(LinuxRule, Answers) {
  const base::Result<Model> model = load_model("linux-kernel");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  std::string text = "C rule\n{ }\n";
  for (std::size_t i = 0; i < GetParam().threads.size(); ++i) {
    text += "\nP" + std::to_string(i) + " (int* x, int* y, int* z, spinlock_t* s, spinlock_t* t) {\n" +
            GetParam().threads[i] + "\n}\n";
  }
  const Verdict verdict = judge(tests::read_one(text + "\nexists (" + GetParam().condition + ")\n"), *model);
  std::string answer = verdict.reach == Verdict::Reach::allowed ? "allowed" : "forbidden";
  for (const std::string& flag : verdict.flags) answer += " " + flag;
  EXPECT_EQ(answer, GetParam().expected);
}

constexpr const char* kStale = "1:r0=1 /\\ 1:r1=0";
constexpr const char* kSection = "rcu_read_lock(); WRITE_ONCE(*x, 1); WRITE_ONCE(*y, 1); rcu_read_unlock();";

INSTANTIATE_TEST_SUITE_P(Fences, LinuxRule,
                         testing::Values(KernelRule{"wmb and rmb",
                                                    {"WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1);",
                                                     "int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);"},
                                                    kStale,
                                                    "forbidden"},
                                         KernelRule{"wmb alone",
                                                    {"WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1);",
                                                     "int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x);"},
                                                    kStale,
                                                    "allowed"},
                                         KernelRule{"wmb is not A-cumulative",
                                                    {"WRITE_ONCE(*x, 1);",
                                                     "int r0 = READ_ONCE(*x); smp_wmb(); WRITE_ONCE(*y, 1);",
                                                     "int r0 = READ_ONCE(*y); smp_rmb(); int r1 = READ_ONCE(*x);"},
                                                    "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0",
                                                    "allowed"}));

// "a critical section can never span a full grace period"
INSTANTIATE_TEST_SUITE_P(
    Rcu, LinuxRule,
    testing::Values(KernelRule{"a section spans a grace period",
                               {kSection, "int r0 = READ_ONCE(*x); synchronize_rcu(); int r1 = READ_ONCE(*y);"},
                               kStale,
                               "forbidden"},
                    KernelRule{
                        "a section around another one",
                        {"rcu_read_lock(); WRITE_ONCE(*x, 1); rcu_read_lock(); rcu_read_unlock(); WRITE_ONCE(*y, 1);"
                         " rcu_read_unlock();",
                         "int r0 = READ_ONCE(*x); synchronize_rcu(); int r1 = READ_ONCE(*y);"},
                        kStale,
                        "forbidden"},
                    KernelRule{"a grace period in a section",
                               {"rcu_read_lock(); WRITE_ONCE(*x, 1); synchronize_rcu(); rcu_read_unlock();",
                                "int r0 = READ_ONCE(*x);"},
                               "1:r0=0",
                               "forbidden"},
                    KernelRule{"two sections, one grace period",
                               {"rcu_read_lock(); int r0 = READ_ONCE(*x); WRITE_ONCE(*y, 1); rcu_read_unlock();",
                                "int r0 = READ_ONCE(*y); synchronize_rcu(); WRITE_ONCE(*z, 1);",
                                "rcu_read_lock(); int r0 = READ_ONCE(*z); WRITE_ONCE(*x, 1); rcu_read_unlock();"},
                               "0:r0=1 /\\ 1:r0=1 /\\ 2:r0=1",
                               "allowed"},
                    KernelRule{"two sections, two grace periods",
                               {"rcu_read_lock(); int r0 = READ_ONCE(*x); WRITE_ONCE(*y, 1); rcu_read_unlock();",
                                "int r0 = READ_ONCE(*y); synchronize_rcu(); synchronize_rcu(); WRITE_ONCE(*z, 1);",
                                "rcu_read_lock(); int r0 = READ_ONCE(*z); WRITE_ONCE(*x, 1); rcu_read_unlock();"},
                               "0:r0=1 /\\ 1:r0=1 /\\ 2:r0=1",
                               "forbidden"}));

// Giving one lock back and taking another orders what is before and after, on one CPU as well.
INSTANTIATE_TEST_SUITE_P(
    Locks, LinuxRule,
    testing::Values(
        KernelRule{"one lock after the other",
                   {"WRITE_ONCE(*y, 1); smp_wmb(); WRITE_ONCE(*x, 1);",
                    "spin_lock(s); int r0 = READ_ONCE(*x); spin_unlock(s); spin_lock(t); int r1 = READ_ONCE(*y);"
                    " spin_unlock(t);"},
                   kStale,
                   "forbidden"},
        KernelRule{"a lock is not taken twice",
                   {"spin_lock(s); int r0 = *x; *x = r0 + 1; spin_unlock(s);",
                    "spin_lock(s); int r0 = *x; *x = r0 + 1; spin_unlock(s);"},
                   "x=1",
                   "forbidden"}));

INSTANTIATE_TEST_SUITE_P(
    PlainAccesses, LinuxRule,
    testing::Values(KernelRule{"bounded",
                               {"*x = 1; smp_wmb(); WRITE_ONCE(*y, 1);",
                                "int r1 = 1; int r0 = READ_ONCE(*y); if (r0) { smp_rmb(); r1 = *x; }"},
                               kStale,
                               "forbidden"},
                    KernelRule{"not bounded",
                               {"*x = 1; WRITE_ONCE(*y, 1);",
                                "int r1 = 1; int r0 = READ_ONCE(*y); if (r0) { smp_rmb(); r1 = *x; }"},
                               kStale,
                               "allowed data-race"}));

}  // namespace
}  // namespace weakspot::model::linux_model_test
