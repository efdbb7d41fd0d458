// SPDX-License-Identifier: MIT
// Asynchronous operations in every dialect that has them.
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus::asynchronous_test {
namespace {

using tests::mistakes_in;
using tests::read_one;

// One thread of instructions, one per line.
std::string test_of(const std::string& code,
                    const std::string& initial = "shared x; shared z; shared b = 1; shared c = 1; m = &x;") {
  std::string text = "weakspot T\nArch=ptx\n{ " + initial + " }\n P0 ;\n";
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    text += " " + code.substr(at, end - at) + " ;\n";
    at = end + 1;
  }
  return text + "scopes (wg P0)\nexists (true)\n";
}

// Everything that the canonical form can say.
constexpr const char* kEverything =
    "copy.bulk y, x\ncopy.wgmma d, x\ncommit.wgmma\nwait.wgmma 1\nwgfence\nmbar.drop _, b\n"
    "mbar.drop.rlx.cluster r0, b, 2\nmbar.drop _, b, 1, 4\nmbar.inval b\ncopy.bulk.map x, m, b\n"
    "fence.proxy.tensormap.rel.sys\nfence.proxy.tensormap.acq m\ncopy.bulk x, y, b\ncopy.bulk.add y, x\ncopy.bulk x, "
    "y, b, z, c\ncopy.lane x, y\n"
    "copy.remote x, 1, b\ncopy.remote.add x, r0, b\ncommit.bulk\ncommit.lane\nwait.bulk 0\nwait.bulk.read 1\n"
    "wait.lane 2\nmbar.init b, 1\nmbar.arrive _, b\nmbar.arrive.rlx r0, b\nmbar.arrive.cluster _, b\n"
    "mbar.arrive _, b, 1, 4\nmbar.expect b, 4\nmbar.complete.cluster b, 4\nmbar.follow b\nmbar.test r1, b, 0\n"
    "mbar.test.rlx.cluster r1, b, r0\nmbar.wait b, 1\nmbar.wait.cluster b, r0\nfence.proxy.async\n"
    "fence.proxy.async.semshared\nfence.proxy.async.semglobal\nfence.proxy.async.rel.semshared\n"
    "fence.proxy.async.acq.semshared\nmbarinit\nbar.arrive.cluster\nbar.arrive.cluster.rlx\nbar.wait.cluster\n"
    "griddep.launch\ngriddep.wait";

TEST(Asynchronous, ReadsBackAsItWasPrinted) {
  const LitmusTest test = read_one(test_of(kEverything));
  for (Dialect dialect : {Dialect::canonical, Dialect::json, Dialect::ptx}) {
    const base::Result<LitmusTest> adapted = adapt(test, dialect);
    ASSERT_TRUE(adapted.ok()) << base::render(adapted.errors());
    const base::Result<std::string> text = print(test, dialect);
    ASSERT_TRUE(text.ok()) << base::render(text.errors());
    EXPECT_EQ(read_one(*text), *adapted) << *text;
  }
}

TEST(Asynchronous, IsWrittenAsPtxWritesIt) {
  const LitmusTest test = read_one(
      test_of("copy.bulk y, x\ncopy.bulk x, y, b\ncommit.bulk\nmbar.arrive _, b, 1, 4\n"
              "mbar.wait b, 0\ncopy.lane x, y\nfence.proxy.async.semshared\nwgfence\ncopy.wgmma d, x\ncommit.wgmma\n"
              "wait.wgmma 0\nmbar.drop _, b\nmbar.inval b\nfence.proxy.tensormap.rel\n"
              "fence.proxy.tensormap.acq m\ncopy.bulk.map x, m, b"));
  const std::string text = *print(test, Dialect::ptx);
  for (const char* line :
       {"cp.async.bulk.global.shared::cta.bulk_group [y], [x], 4",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [x], [y], 4, [b]", "cp.async.bulk.commit_group",
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [b], 4",
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 [b], 0", "cp.async.ca.shared::cta.global [x], [y], 4",
        "fence.proxy.async.shared::cta", "wgmma.fence.sync.aligned", "wgmma.mma_async.sync.aligned.s32 [d], [x]",
        "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0",
        "mbarrier.arrive_drop.release.cta.shared::cta.b64 _, [b]", "mbarrier.inval.shared::cta.b64 [b]",
        "fence.proxy.tensormap::generic.release.gpu", "fence.proxy.tensormap::generic.acquire.gpu [m], 128",
        "cp.async.bulk.tensor.shared::cta.global.mbarrier::complete_tx::bytes [x], [m], 4, [b]"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(Asynchronous, PlacesThreadsOnCpusAndInGrids) {
  const LitmusTest test = read_one(
      "weakspot T\nArch=ptx\n P0 | P1 ;\n st.sys x, 1 | mfence ;\nscopes (dev (wg P0)) (cpu P1)\nlaunch P0 P1\n"
      "exists (true)\n");
  EXPECT_FALSE(test.scopes->placements[0].cpu);
  EXPECT_TRUE(test.scopes->placements[1].cpu);
  EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::device));
  EXPECT_EQ(test.scopes->launches.size(), 1u);
  EXPECT_EQ(read_one(*print(test, Dialect::canonical)), test);
  EXPECT_EQ(read_one(*print(test, Dialect::json)), test);
}

TEST(Asynchronous, MistakesSayWhatWasExpected) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"copy y, x", "expected 'copy' with who copies: .lane, .bulk, .remote, .wgmma, .tccp or .tcmma\n"},
      {"mbar.leave b",
       "expected 'mbar' with an operation: .init, .arrive, .drop, .expect, .complete, .follow, .test, .wait, "
       ".inval or .commit\n"},
      {"copy.wgmma d, y", "a product reads shared memory, and its accumulator is elsewhere\n"},
      {"copy.wgmma.add d, x", "a product has a named accumulator and a named matrix, and no reduction or mbarrier\n"},
      {"copy.wgmma d, x\nwgfence\ncopy.wgmma d, z",
       "accumulator 'd' belongs to one thread and one product\n"
       "accumulator 'd' belongs to one thread and one product\n"},
      {"copy.lane.map x, m", "only bulk copies are described by a tensor map\n"},
      {"fence.proxy.tensormap", "a fence of the tensormap proxy is acq or rel, for any space\n"},
      {"wait.wgmma.read 0", "only bulk copies can be waited for until they have read\n"},
      {"copy.lane.add x, y", "lane copies cannot reduce; expected bulk\n"},
      {"copy.remote x, 1", "remote stores and copies to several targets are counted on mbarriers\n"},
      {"copy.bulk.cas y, x", "a copy cannot reduce by 'cas'\n"},
      {"mbar.wait d, 0",
       "mbarrier 'd' is never initialised; expected 'd = ARRIVALS' in the initial state or mbar.init\n"},
      {"mbar.wait b, 0\nst b, 1", "'b' is an mbarrier, so nothing else can access it\n"},
      {"mbar.arrive.acq _, b", "mbar.arrive cannot be 'acq'; expected rel or rlx\n"},
      {"mbar.init b, 2", "'b' is initialised with different numbers of arrivals\n"},
      {"wait.lane.read 0", "only bulk copies can be waited for until they have read\n"},
      {"bar.wait", "only cluster barriers have a wait of their own\n"},
      {"griddep.run", "expected griddep.launch or griddep.wait\n"},
      {"fence.proxy.texture.rel", "only fences of the async proxy have a direction or a space\n"},
  };
  for (const auto& [code, message] : mistakes) EXPECT_EQ(mistakes_in(test_of(code)), message) << code;
  EXPECT_EQ(mistakes_in("weakspot T\nArch=ptx\n P0 ;\n st.na x, 1 ;\nscopes (cpu P0)\nexists (true)\n"),
            "a thread on a CPU has atomic accesses and the CPU's fences only\n");
}

TEST(Asynchronous, IsRefusedByOtherDialects) {
  const LitmusTest test = read_one(test_of("copy.bulk y, x"));
  for (Dialect dialect : {Dialect::ptx2015, Dialect::vulkan, Dialect::opencl, Dialect::c11, Dialect::aarch64}) {
    const base::Result<std::string> text = print(test, dialect);
    ASSERT_FALSE(text.ok()) << to_string(dialect);
    EXPECT_NE(base::render(text.errors()).find("it has no asynchronous operations"), std::string::npos);
  }
}

}  // namespace
}  // namespace weakspot::litmus::asynchronous_test
