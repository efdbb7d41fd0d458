// SPDX-License-Identifier: MIT
// RISC-V's atomic operations: one memory operation, in models/riscv.cat and in models of others.
#include <gtest/gtest.h>

#include "model/judge.h"
#include "model/library.h"
#include "support/compile_model.h"
#include "support/read_one.h"

namespace weakspot::model::riscv_model_test {
namespace {

constexpr Verdict::Reach kAllowed = Verdict::Reach::allowed;
constexpr Verdict::Reach kForbidden = Verdict::Reach::forbidden;

Verdict::Reach reach(const Model& model, const std::string& body) {
  const Verdict verdict = judge(tests::read_one("RISCV rule\n" + body), model);
  EXPECT_TRUE(verdict.complete);
  return verdict.reach;
}

struct Rule {
  const char* name;
  std::string body;
  Verdict::Reach expected;
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

class RiscvRule : public testing::TestWithParam<Rule> {};

TEST_P(RiscvRule, Orders) {
  const base::Result<Model> model = load_model("riscv");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  EXPECT_EQ(reach(*model, GetParam().body), GetParam().expected);
}

// Store buffering with an exchange in place of the stores.
std::string buffering(const std::string& fence) {
  return "{ 0:x5=x; 0:x9=y; 1:x5=y; 1:x9=x; }\n P0 | P1 ;\n ori x7,x0,1 | ori x7,x0,1 ;\n"
         " amoswap.w x6,x7,(x5) | amoswap.w x6,x7,(x5) ;\n " +
         fence + " | " + fence + " ;\n lw x8,0(x9) | lw x8,0(x9) ;\nexists (0:x8=0 /\\ 1:x8=0)\n";
}

// A message: stores with a fence between them, loads that are in order. The first store may be an exchange.
std::string message(const std::string& first, const std::string& fence, const std::string& second) {
  return "{ 0:x5=x; 0:x9=y; 1:x5=y; 1:x9=x; }\n P0 | P1 ;\n ori x7,x0,1 | lw x6,0(x5) ;\n " + first +
         " | fence r,r ;\n " + fence + " | lw x8,0(x9) ;\n " + second + " | ;\nexists (1:x6=1 /\\ 1:x8=0)\n";
}

constexpr const char* kStoreX = "sw x7,0(x5)";
constexpr const char* kStoreY = "sw x7,0(x9)";
constexpr const char* kSwapX = "amoswap.w x10,x7,(x5)";
constexpr const char* kSwapY = "amoswap.w x10,x7,(x9)";

// A fence after loads has all of an exchange before it, a fence before stores all of it after it.
INSTANTIATE_TEST_SUITE_P(Fences, RiscvRule,
                         testing::Values(Rule{"swap, r,r", buffering("fence r,r"), kForbidden},
                                         Rule{"swap, tso", buffering("fence.tso"), kForbidden},
                                         Rule{"swap, w,w", buffering("fence w,w"), kAllowed},
                                         Rule{"swap, r,w", message(kSwapX, "fence r,w", kStoreY), kForbidden},
                                         Rule{"store, r,w", message(kStoreX, "fence r,w", kStoreY), kAllowed},
                                         Rule{"w,r, swap", message(kStoreX, "fence w,r", kSwapY), kForbidden},
                                         Rule{"w,r, store", message(kStoreX, "fence w,r", kStoreY), kAllowed}));

// The exchange waits for the value that it writes, and its load with it: the second thread's load of y cannot be early.
INSTANTIATE_TEST_SUITE_P(Dependencies, RiscvRule,
                         testing::Values(Rule{"data into a swap", R"(
{ 0:x5=x; 0:x9=y; 1:x5=x; 1:x9=y; }
 P0          | P1                   ;
 ori x7,x0,1 | lw x6,0(x5)          ;
 sw x7,0(x9) | xor x7,x6,x6         ;
 fence w,w   | addi x7,x7,2         ;
 sw x7,0(x5) | amoswap.w x8,x7,(x9) ;
exists (1:x6=1 /\ 1:x8=0)
)",
                                              kForbidden}));

// A store-conditional and a later load of what it wrote.
constexpr const char* kForwarded = R"(
{ 0:x5=x; 0:x9=y; 1:x5=x; 1:x9=y; 1:x11=z; }
 P0              | P1                ;
 ori x7,x0,1     | lw x6,0(x9)       ;
 sw x7,0(x5)     | fence r,w         ;
 fence rw,rw     | ori x7,x0,1       ;
 sw x7,0(x9)     | lr.w x12,(x11)    ;
                 | sc.w x13,x7,(x11) ;
                 | lw x14,0(x11)     ;
                 | xor x15,x14,x14   ;
                 | add x16,x5,x15    ;
                 | lw x8,0(x16)      ;
exists (1:x6=1 /\ 1:x14=1 /\ 1:x8=0)
)";

INSTANTIATE_TEST_SUITE_P(Exclusives, RiscvRule, testing::Values(Rule{"rule 3", kForwarded, kForbidden}));

// A model that is not for RISC-V reads an AMO as it reads the atomics of other machines.
TEST(RiscvAmo, IsAnUpdateInOtherModels) {
  for (const char* name : {"sc", "ptx", "vulkan", "amdgpu", "rmo"}) {
    const Verdict verdict = judge(tests::read_one("RISCV rule\n" + buffering("fence r,r")), *load_model(name));
    EXPECT_GE(verdict.outcomes.size(), 3u) << name;
  }
}

// In a model of others R and W have all of an AMO.
TEST(RiscvAmo, IsOrderedAsAWholeInModelsOfOthers) {
  const Model model = tests::compile_model(
      "RISCV \"m\"\ninclude \"cos.cat\"\nlet ppo = [R]; fencerel(Fence.r.r); [R] | rmw\n"
      "acyclic po-loc | rf | co | fr\nacyclic ppo | rfe | co | fr\n");
  EXPECT_EQ(reach(model, buffering("fence r,r")), kForbidden);
}

// Models of others, cut to what the test needs: forwarding from X counts, and X has the store-conditional or not.
TEST(RiscvX, HoldsExclusivesInModelsThatNameAmo) {
  const std::string head = "RISCV \"m\"\ninclude \"cos.cat\"\n";
  const std::string rest =
      "let ppo = [M]; fencerel(Fence.rw.rw); [M] | [R]; fencerel(Fence.r.w); [W] | addr | rmw | forwarded\n"
      "acyclic po-loc | rf | co | fr\nacyclic ppo | rfe | co | fr\n";
  const auto forbids = [&](const std::string& forwarded) {
    return reach(tests::compile_model(head + forwarded + rest), kForwarded) == kForbidden;
  };
  EXPECT_TRUE(forbids("let AMO = try AMO with (R & W)\nlet forwarded = [X | AMO]; rfi; [R]\n"));
  EXPECT_TRUE(forbids("let forwarded = [AMO | X]; rfi; [R]\n"));
  EXPECT_TRUE(forbids("let AMO = X\nlet forwarded = [AMO | EX & W]; rfi; [R]\n"));
  EXPECT_FALSE(forbids("let AMO = X\nlet forwarded = [AMO]; rfi; [R]\n"));
  EXPECT_FALSE(forbids("let forwarded = [AMO]; rfi; [R]\n"));
}

}  // namespace
}  // namespace weakspot::model::riscv_model_test
