// SPDX-License-Identifier: MIT
// Asynchronous operations and CPUs beside GPUs, as the models judge them. The verdicts themselves are in the corpus.
#include <gtest/gtest.h>

#include "model/execution/expand.h"
#include "model/execution/frame.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/picture.h"
#include "model/reason/asynchronous_remarks.h"
#include "support/corpus_folder.h"
#include "support/read_one.h"

namespace weakspot::model::asynchronous_test {
namespace {

using Reach = Verdict::Reach;

litmus::LitmusTest named(const std::string& name) {
  for (const litmus::LitmusTest& test : tests::corpus_folder("async")) {
    if (test.name == name) return test;
  }
  throw std::runtime_error("the corpus has no " + name);
}

Reach reach(const std::string& test, const std::string& model) { return judge(named(test), *load_model(model)).reach; }

TEST(Asynchronous, CopiesAreTakenApart) {
  const std::shared_ptr<const Expansion> expansion = expand(named("LOAD"));
  ASSERT_NE(expansion, nullptr);
  const std::vector<litmus::Instruction>& code = expansion->test.threads[0].instructions;
  std::vector<std::uint32_t> agents;
  agents.reserve(code.size());
  for (const litmus::Instruction& instruction : code) agents.push_back(instruction.agent);
  // Arrive; load, store, fence, count; label, load, shift, mask, branch; load.
  EXPECT_EQ(agents, (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(expansion->origin[0], (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3}));
  EXPECT_EQ(expand(tests::read_one("weakspot T\n P0 ;\n st x, 1 ;\nexists (x=1)\n")), nullptr);
}

TEST(Asynchronous, OtherReadingsOfTheTextAreOffered) {
  EXPECT_EQ(reach("BUFFER", "ptx"), Reach::allowed);
  EXPECT_EQ(reach("BUFFER", "ptx:proxy-practice"), Reach::forbidden);
  EXPECT_EQ(reach("BUFFER+fence", "ptx"), Reach::forbidden);
  EXPECT_EQ(reach("RING", "ptx:proxy-practice"), Reach::forbidden);
  EXPECT_EQ(reach("STORE-cluster+fence-writer", "ptx"), Reach::allowed);
  EXPECT_EQ(reach("STORE-cluster+fence-writer", "ptx:fence-anywhere"), Reach::forbidden);
  EXPECT_EQ(reach("MULTICAST+wait-wg", "ptx"), Reach::allowed);
  EXPECT_EQ(reach("MULTICAST+wait-wg", "ptx:wait-anywhere"), Reach::forbidden);
  EXPECT_FALSE(load_model("ptx:no-such-reading").ok());
}

// PTX ISA, barrier.cluster, second example: a memory fence before a relaxed arrival.
TEST(Asynchronous, AFenceBeforeARelaxedArrivalReleases) {
  auto relaxed = [](const std::string& fence, const std::string& tree) {
    const std::string text =
        "weakspot t\nArch=ptx\n{ shared x; }\nP0 | P1 ;\n st.na x, 1 | bar.arrive.cluster ;\n " + fence +
        " | bar.wait.cluster ;\n bar.arrive.cluster.rlx | ld.na r0, x ;\n bar.wait.cluster | ;\nscopes " + tree +
        "\nexists (1:r0=0)\n";
    return judge(tests::read_one(text), *load_model("ptx")).reach;
  };
  const std::string apart = "(cluster (wg P0) (wg P1))";
  for (const char* fence : {"fence.acqrel.cluster", "fence.acqrel", "fence.sc.sys", "fence.rel.cluster", "membar"}) {
    EXPECT_EQ(relaxed(fence, apart), Reach::forbidden) << fence;
  }
  for (const char* fence : {"", "fence.acqrel.wg", "fence.acq.cluster", "fence.proxy.async"}) {
    EXPECT_EQ(relaxed(fence, apart), Reach::allowed) << fence;
  }
  EXPECT_EQ(relaxed("fence.acqrel.wg", "(cluster (wg P0 P1))"), Reach::forbidden);
}

std::vector<std::string> remarks_on(const std::string& name) {
  const litmus::LitmusTest test = named(name);
  const Verdict verdict = judge(test, *load_model("ptx"), {.explain = true});
  EXPECT_TRUE(verdict.witness) << name;
  return verdict.witness ? asynchronous_remarks(*verdict.witness) : std::vector<std::string>();
}

TEST(Asynchronous, RemarksNameWhatIsMissing) {
  EXPECT_EQ(remarks_on("STORE"),
            (std::vector<std::string>{"a accesses x through the generic proxy and b through the async proxy: "
                                      "fence.proxy.async is missing before the operation of b is issued"}));
  EXPECT_EQ(remarks_on("STORE+fence+no-wait"),
            (std::vector<std::string>{"nothing makes f wait for the operation of d, which writes y"}));
}

TEST(Asynchronous, RemarksNameTheFencesOfProductsAndMaps) {
  EXPECT_EQ(remarks_on("WGMMA"),
            (std::vector<std::string>{"a accesses x through the generic proxy and c through the async proxy: "
                                      "fence.proxy.async is missing before the operation of c is issued"}));
  EXPECT_EQ(remarks_on("WGMMA+fence-only"),
            (std::vector<std::string>{"c is a product, not ordered after earlier instructions of its thread: wgfence "
                                      "(wgmma.fence) is missing before it is issued"}));
  EXPECT_EQ(remarks_on("TENSORMAP+release"),
            (std::vector<std::string>{"a writes the tensor map m through the generic proxy: fence.proxy.tensormap is "
                                      "missing, .rel after a or .acq before the operation of e is issued"}));
}

TEST(Asynchronous, AnAgentHasAColumnOfItsOwn) {
  const litmus::LitmusTest test = named("STORE");
  const Model ptx = *load_model("ptx");
  const Verdict verdict = judge(test, ptx, {.explain = true});
  const std::optional<Picture> picture = picture_of(verdict, ptx, "ptx");
  ASSERT_TRUE(picture.has_value());
  EXPECT_EQ(picture->columns, (std::vector<std::string>{"P0", "P0.1"}));
}

TEST(Asynchronous, OtherMachinesModelsRefuseIt) {
  const litmus::LitmusTest test = named("STORE");
  for (const char* model : {"vulkan", "c11", "aarch64", "tso"}) {
    EXPECT_TRUE(foreign_word(*load_model(model), test).has_value()) << model;
  }
  for (const char* model : {"ptx", "ptx-strong", "ptx-tso", "sc"}) {
    EXPECT_FALSE(foreign_word(*load_model(model), test).has_value()) << model;
  }
}

}  // namespace
}  // namespace weakspot::model::asynchronous_test
