// Rules of models/aarch64.cat that the corpus, which is in the neutral form, does not tell apart.
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::model::aarch64_model_test {
namespace {

struct Rule {
  const char* name;
  const char* body;
  Verdict::Reach expected;
};

constexpr Verdict::Reach kAllowed = Verdict::Reach::allowed;
constexpr Verdict::Reach kForbidden = Verdict::Reach::forbidden;

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

class LoadBarrier : public testing::TestWithParam<Rule> {};

TEST_P(LoadBarrier, Orders) {
  const base::Result<Model> model = load_model("aarch64");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  const std::string text = std::string("AArch64 rule\n") + GetParam().body;
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("rule", text));
  ASSERT_TRUE(tests.ok()) << base::render(tests.errors());
  const Verdict verdict = judge(tests->front(), *model);
  EXPECT_TRUE(verdict.complete);
  EXPECT_EQ(verdict.reach, GetParam().expected);
}

// DMB LD orders the loads before it with everything after it, and nothing else.
INSTANTIATE_TEST_SUITE_P(Dmb, LoadBarrier,
                         testing::Values(Rule{"load before load", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 MOV W0,#1   | LDR W0,[X1] ;
 STR W0,[X1] | DMB LD      ;
 DMB SY      | LDR W2,[X3] ;
 STR W0,[X3] |             ;
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kForbidden},
                                         Rule{"load before store", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 LDR W0,[X1] | LDR W0,[X1] ;
 DMB LD      | DMB ISHLD   ;
 MOV W2,#1   | MOV W2,#1   ;
 STR W2,[X3] | STR W2,[X3] ;
exists (0:X0=1 /\ 1:X0=1)
)",
                                              kForbidden},
                                         Rule{"store before store", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 MOV W0,#1   | LDR W0,[X1] ;
 STR W0,[X1] | DMB SY      ;
 DMB LD      | LDR W2,[X3] ;
 STR W0,[X3] |             ;
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kAllowed},
                                         Rule{"store before load", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 MOV W0,#1   | MOV W0,#1   ;
 STR W0,[X1] | STR W0,[X1] ;
 DMB LD      | DMB LD      ;
 LDR W2,[X3] | LDR W2,[X3] ;
exists (0:X2=0 /\ 1:X2=0)
)",
                                              kAllowed},
                                         Rule{"atomic that returns its value", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 1:X4=2; }
 P0          | P1                ;
 MOV W0,#1   | LDADD W4,W5,[X1]  ;
 STR W0,[X1] | DMB LD            ;
 DMB SY      | LDR W2,[X3]       ;
 STR W0,[X3] |                   ;
exists (y=3 /\ 1:X2=0)
)",
                                              kForbidden},
                                         Rule{"atomic that throws it away", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 1:X4=2; }
 P0          | P1                ;
 MOV W0,#1   | STADD W4,[X1]     ;
 STR W0,[X1] | DMB LD            ;
 DMB SY      | LDR W2,[X3]       ;
 STR W0,[X3] |                   ;
exists (y=3 /\ 1:X2=0)
)",
                                              kAllowed}));

}  // namespace
}  // namespace weakspot::model::aarch64_model_test
