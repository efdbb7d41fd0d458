// SPDX-License-Identifier: MIT
// Rules of models/aarch64.cat that the corpus, which is in the neutral form, does not tell apart.
#include <gtest/gtest.h>

#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

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

class AArch64Rule : public testing::TestWithParam<Rule> {};

TEST_P(AArch64Rule, Orders) {
  const base::Result<Model> model = load_model("aarch64");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  const litmus::LitmusTest test = tests::read_one(std::string("AArch64 rule\n") + GetParam().body);
  const Verdict verdict = judge(test, *model);
  EXPECT_TRUE(verdict.complete);
  EXPECT_EQ(verdict.reach, GetParam().expected);
}

// DSB ST orders the stores before it with everything after it, DMB ST with stores only.
INSTANTIATE_TEST_SUITE_P(StoresBefore, AArch64Rule,
                         testing::Values(Rule{"dsb st, loads", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 MOV W0,#1   | MOV W0,#1   ;
 STR W0,[X1] | STR W0,[X1] ;
 DSB ST      | DSB ISHST   ;
 LDR W2,[X3] | LDR W2,[X3] ;
exists (0:X2=0 /\ 1:X2=0)
)",
                                              kForbidden},
                                         Rule{"dmb st, loads", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 MOV W0,#1   | MOV W0,#1   ;
 STR W0,[X1] | STR W0,[X1] ;
 DSB ST      | DMB ST      ;
 LDR W2,[X3] | LDR W2,[X3] ;
exists (0:X2=0 /\ 1:X2=0)
)",
                                              kAllowed},
                                         Rule{"dsb st, after loads", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 LDR W0,[X1] | LDR W0,[X1] ;
 DSB ST      | DSB ST      ;
 MOV W2,#1   | MOV W2,#1   ;
 STR W2,[X3] | STR W2,[X3] ;
exists (0:X0=1 /\ 1:X0=1)
)",
                                              kAllowed}));

// DMB LD orders the loads before it with everything after it, and nothing else.
INSTANTIATE_TEST_SUITE_P(Dmb, AArch64Rule,
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

// A conditional select orders what it takes as data; what it compares orders a store of the result, but not a load from
// an address that was only picked.
INSTANTIATE_TEST_SUITE_P(Select, AArch64Rule,
                         testing::Values(Rule{"store of a picked value", R"(
{ 0:X1=x; 0:X3=y; 0:X4=1; 0:X5=2; 1:X1=y; 1:X3=x; }
 P0               | P1          ;
 LDR W0,[X1]      | LDR W0,[X1] ;
 CMP W0,#1        | DMB SY      ;
 CSEL W2,W4,W5,EQ | MOV W2,#1   ;
 STR W2,[X3]      | STR W2,[X3] ;
exists (0:X0=1 /\ 1:X0=1)
)",
                                              kForbidden},
                                         Rule{"load from a picked address", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 1:X4=z; }
 P0          | P1               ;
 MOV W0,#1   | LDR W0,[X1]      ;
 STR W0,[X1] | CMP W0,#1        ;
 DMB SY      | CSEL X5,X3,X4,EQ ;
 STR W0,[X3] | LDR W2,[X5]      ;
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kAllowed},
                                         Rule{"load from a computed address", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1                 ;
 MOV W0,#1   | LDR W0,[X1]        ;
 STR W0,[X1] | CMP W0,#1          ;
 DMB SY      | CSEL W4,W0,WZR,EQ  ;
 STR W0,[X3] | EOR W5,W4,W4       ;
             | LDR W2,[X3,W5,SXTW];
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kForbidden},
                                         Rule{"load from what is not taken", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1                 ;
 MOV W0,#1   | LDR W0,[X1]        ;
 STR W0,[X1] | CMP W0,#1          ;
 DMB SY      | CSEL W4,W0,WZR,NE  ;
 STR W0,[X3] | EOR W5,W4,W4       ;
             | LDR W2,[X3,W5,SXTW];
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kAllowed},
                                         Rule{"truth is picked", R"(
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1                 ;
 MOV W0,#1   | LDR W0,[X1]        ;
 STR W0,[X1] | CMP W0,#1          ;
 DMB SY      | CSET W4,EQ         ;
 STR W0,[X3] | EOR W5,W4,W4       ;
             | LDR W2,[X3,W5,SXTW];
exists (1:X0=1 /\ 1:X2=0)
)",
                                              kAllowed}));

// One instruction that acquires and releases orders what is before it with what is after it. Two exclusives do not:
// what follows may overtake the store, and what precedes may be overtaken by the load.
INSTANTIATE_TEST_SUITE_P(Atomic, AArch64Rule,
                         testing::Values(Rule{"one instruction", R"(
{ 0:X1=x; 0:X3=y; 0:X5=z; 1:X1=y; 1:X3=x; 1:X5=w; }
 P0               | P1               ;
 MOV W0,#1        | MOV W0,#1        ;
 STR W0,[X1]      | STR W0,[X1]      ;
 SWPAL W0,W4,[X5] | SWPAL W0,W4,[X5] ;
 LDR W2,[X3]      | LDR W2,[X3]      ;
exists (0:X2=0 /\ 1:X2=0)
)",
                                              kForbidden},
                                         Rule{"two exclusives", R"(
{ 0:X1=x; 0:X3=y; 0:X5=z; 1:X1=y; 1:X3=x; 1:X5=w; }
 P0                | P1                ;
 MOV W0,#1         | MOV W0,#1         ;
 STR W0,[X1]       | STR W0,[X1]       ;
 LDAXR W4,[X5]     | LDAXR W4,[X5]     ;
 STLXR W6,W0,[X5]  | STLXR W6,W0,[X5]  ;
 LDR W2,[X3]       | LDR W2,[X3]       ;
exists (0:X2=0 /\ 1:X2=0 /\ 0:X6=0 /\ 1:X6=0)
)",
                                              kAllowed}));

}  // namespace
}  // namespace weakspot::model::aarch64_model_test
