// SPDX-License-Identifier: MIT
// Tensor memory as the models judge it. The verdicts themselves are in the corpus.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/execution/expand.h"
#include "model/execution/frame.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/reason/asynchronous_remarks.h"
#include "support/corpus_folder.h"
#include "support/read_one.h"

namespace weakspot::model::tensor_test {
namespace {

using Reach = Verdict::Reach;

litmus::LitmusTest named(const std::string& name) {
  for (const litmus::LitmusTest& test : tests::corpus_folder("tensor")) {
    if (test.name == name) return test;
  }
  throw std::runtime_error("the corpus has no " + name);
}

Reach reach(const std::string& test, const std::string& model) { return judge(named(test), *load_model(model)).reach; }

TEST(Tensor, OperationsAreTakenApart) {
  const std::shared_ptr<const Expansion> expansion = expand(named("MMA-MMA"));
  ASSERT_NE(expansion, nullptr);
  std::vector<std::uint32_t> agents;
  for (const litmus::Instruction& instruction : expansion->test.threads[0].instructions) {
    agents.push_back(instruction.agent);
  }
  // Load, store; load, load, add, store; count; label, load, shift, mask, branch; fence; load.
  EXPECT_EQ(agents, (std::vector<std::uint32_t>{1, 1, 2, 2, 2, 2, 3, 0, 0, 0, 0, 0, 0, 4}));
  EXPECT_TRUE(expansion->agents[0][2].follows);
  EXPECT_EQ(expansion->agents[0][3].engine, litmus::AsyncEngine::tcld);
}

// docs/blackwell.md: without the fence, after what its thread did. The fence makes both readings agree.
TEST(Tensor, AnotherReadingOfTheTextIsOffered) {
  for (const char* name : {"LOAD-MMA+no-after", "STORE-MMA-bar+no-after", "MMA-LD+no-after+acq", "ST-LD-bar+no-after",
                           "ST-LD-other+release+no-after"}) {
    EXPECT_EQ(reach(name, "ptx"), Reach::allowed) << name;
    EXPECT_EQ(reach(name, "ptx:tensor-practice"), Reach::forbidden) << name;
  }
  // A relaxed wait acquires nothing, and what nothing waits for is in no order, in both.
  for (const char* name : {"MMA-LD+no-after", "ST-LD", "ST-LD-other+no-wait", "LOAD-MMA+relaxed", "STORE-MMA"}) {
    EXPECT_EQ(reach(name, "ptx:tensor-practice"), Reach::allowed) << name;
  }
}

// Kernels of tests/kernels/tensor after public reports, NAME_bug.cu and NAME_ok.cu, as tests of two threads: what P1 of
// the first does is allowed to go wrong, and with P1 of the second it is not.
struct Pattern {
  const char* kernels;
  std::vector<std::string> p0, wrong, right;
  const char* condition;
};
const Pattern kPatterns[] = {
    {"aliased",
     {"ld.tensor r0, t", "wait.tcld", "tcfence.before", "bar"},
     {"st.tensor t, 1", "bar"},
     {"bar", "tcfence.after", "st.tensor t, 1"},
     "0:r0=1"},
    {"early_copy",
     {"st.na x, 1", "fence.proxy.async", "tcfence.before", "bar"},
     {"copy.tccp t, x", "bar", "mbar.commit b", "mbar.wait b, 0", "tcfence.after", "ld.tensor r0, t"},
     {"bar", "tcfence.after", "copy.tccp t, x", "mbar.commit b", "mbar.wait b, 0", "tcfence.after", "ld.tensor r0, t"},
     "1:r0=0"},
    {"generation",
     {"ld.tensor r0, t", "wait.tcld", "tcfence.before", "mbar.arrive _, b"},
     {"mbar.wait b, 1", "tcfence.after", "copy.tcmma t, y"},
     {"mbar.wait b, 0", "tcfence.after", "copy.tcmma t, y"},
     "0:r0=1"},
    {"give_back_wait",
     {"mbar.wait b, 0", "tcfence.after", "copy.tcmma t, y"},
     {"ld.tensor r0, t", "tcfence.before", "mbar.arrive _, b"},
     {"ld.tensor r0, t", "wait.tcld", "tcfence.before", "mbar.arrive _, b"},
     "1:r0=1"},
    {"proxy",
     {"bar", "tcfence.after", "copy.tcmma t, x", "mbar.commit b", "mbar.wait b, 0", "tcfence.after", "ld.tensor r0, t"},
     {"st.na x, 1", "tcfence.before", "bar"},
     {"st.na x, 1", "fence.proxy.async", "tcfence.before", "bar"},
     "0:r0=0"},
    {"slot",
     {"copy.tcmma d, t", "mbar.commit b", "mbar.wait b, 0", "tcfence.after", "ld.tensor r0, d"},
     {"st.tensor t, 2"},
     {"mbar.wait b, 0", "tcfence.after", "st.tensor t, 2"},
     "0:r0=2"},
    {"statistics",
     {"mbar.wait b, 0", "tcfence.after", "ld.tensor r0, t"},
     {"st.tensor t, 1", "tcfence.before", "mbar.arrive _, b"},
     {"st.tensor t, 1", "wait.tcst", "tcfence.before", "mbar.arrive _, b"},
     "0:r0=0"},
    {"warps",
     {"st.tensor t, 1", "wait.tcst", "tcfence.before", "bar"},
     {"ld.tensor r0, t", "bar"},
     {"bar", "tcfence.after", "ld.tensor r0, t"},
     "1:r0=0"},
};

Reach reach(const std::vector<std::string>& p0, const std::vector<std::string>& p1, const char* condition) {
  static const Model ptx = *load_model("ptx");
  std::string text =
      "weakspot t\nArch=ptx\n{ tensor t; tensor d; shared x; shared y = 1; shared b = 1; }\n P0 | P1 ;\n";
  for (std::size_t i = 0; i < std::max(p0.size(), p1.size()); ++i) {
    text += " " + (i < p0.size() ? p0[i] : "") + " | " + (i < p1.size() ? p1[i] : "") + " ;\n";
  }
  return judge(tests::read_one(text + "scopes (wg P0 P1)\nexists (" + condition + ")\n"), ptx).reach;
}

TEST(Tensor, KernelsAfterPublicReportsAreJudgedAsTheyAreChecked) {
  for (const Pattern& one : kPatterns) {
    EXPECT_EQ(reach(one.p0, one.wrong, one.condition), Reach::allowed) << one.kernels;
    EXPECT_EQ(reach(one.p0, one.right, one.condition), Reach::forbidden) << one.kernels;
  }
}

std::vector<std::string> remarks_on(const std::string& name) {
  const litmus::LitmusTest test = named(name);
  const Verdict verdict = judge(test, *load_model("ptx"), {.explain = true});
  EXPECT_TRUE(verdict.witness) << name;
  return verdict.witness ? asynchronous_remarks(*verdict.witness) : std::vector<std::string>();
}

TEST(Tensor, RemarksNameWhatIsMissing) {
  const std::map<std::string, std::string> remarks = {
      {"ST-LD", "nothing between a and b waits for the operation of a: wait.tcst (tcgen05.wait::st) is missing"},
      {"LD-ST+wait", ""},
      {"LD-MMA-other+no-wait",
       "nothing between a and h waits for the operation of a: wait.tcld (tcgen05.wait::ld) is missing"},
      {"MMA-CP",
       "nothing between a and d waits for the operation of a, that is, for an mbarrier to which mbar.commit "
       "(tcgen05.commit) arrives"},
      {"MMA-LD+no-after",
       "tcfence.after (tcgen05.fence::after_thread_sync) is missing before f is issued: without it what its thread did "
       "before does not come before it"},
      {"ST-LD-other+no-before",
       "no tcfence.before (tcgen05.fence::before_thread_sync) stands between a and what P0 tells others, so that "
       "relaxed operations and barriers do not hand it on"},
      {"STORE-MMA-bar+no-after",
       "tcfence.after (tcgen05.fence::after_thread_sync) is missing before e is issued: without it what its thread did "
       "before does not come before it"},
      {"STORE-MMA+fence-after",
       "a accesses x through the generic proxy and c through the async proxy: fence.proxy.async is missing between a "
       "and the issue of c"},
  };
  for (const auto& [name, remark] : remarks) {
    if (remark.empty()) {
      EXPECT_EQ(reach(name, "ptx"), Reach::forbidden) << name;
    } else {
      EXPECT_EQ(remarks_on(name), std::vector<std::string>{remark}) << name;
    }
  }
}

TEST(Tensor, OtherMachinesModelsRefuseIt) {
  const litmus::LitmusTest fence = tests::read_one("weakspot t\n P0 ;\n st x, 1 ;\n tcfence.before ;\nexists (x=1)\n");
  for (const char* model : {"vulkan", "c11", "aarch64", "tso", "ptx-2015", "amdgpu", "linux-kernel"}) {
    EXPECT_TRUE(foreign_word(*load_model(model), named("ST-LD")).has_value()) << model;
    EXPECT_TRUE(foreign_word(*load_model(model), fence).has_value()) << model;
  }
  for (const char* model : {"ptx", "ptx-strong", "ptx-tso", "ptx-aarch64", "sc"}) {
    EXPECT_FALSE(foreign_word(*load_model(model), named("ST-LD")).has_value()) << model;
  }
}

}  // namespace
}  // namespace weakspot::model::tensor_test
