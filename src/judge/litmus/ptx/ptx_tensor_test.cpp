// SPDX-License-Identifier: MIT
// Tensor memory: its instructions in each form, and the tests that have no meaning.
#include <gtest/gtest.h>

#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::ptx_tensor_test {
namespace {

using tests::mistakes_in;
using tests::read_one;

// One thread of instructions, one per line.
std::string test_of(const std::string& code, const std::string& scopes = "(wg P0)",
                    const std::string& initial = "tensor t; tensor u; shared x; shared b = 1;") {
  std::string text = "weakspot T\nArch=ptx\n{ " + initial + " }\n P0 ;\n";
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    text += " " + code.substr(at, end - at) + " ;\n";
    at = end + 1;
  }
  return text + "scopes " + scopes + "\nexists (true)\n";
}

constexpr const char* kEverything =
    "ld.tensor r0, t\nst.tensor t, 1\nst.tensor t, r0\nwait.tcld\nwait.tcst\ncopy.tccp t, x\ncopy.tcmma u, x\n"
    "copy.tcmma u, t\ncopy.tcmma.add u, x\nmbar.commit b\ntcfence.before\ntcfence.after";

TEST(Tensor, ReadsBackAsItWasPrinted) {
  const LitmusTest test = read_one(test_of(kEverything));
  for (Dialect dialect : {Dialect::canonical, Dialect::json, Dialect::ptx}) {
    const base::Result<LitmusTest> adapted = adapt(test, dialect);
    ASSERT_TRUE(adapted.ok()) << base::render(adapted.errors());
    const base::Result<std::string> text = print(test, dialect);
    ASSERT_TRUE(text.ok()) << base::render(text.errors());
    EXPECT_EQ(read_one(*text), *adapted) << *text;
  }
}

TEST(Tensor, IsWrittenAsPtxWritesIt) {
  const std::string text = *print(read_one(test_of(kEverything)), Dialect::ptx);
  for (const char* line : {".tensor t = 0", "tcgen05.ld.sync.aligned.b32 r0, [t]", "tcgen05.st.sync.aligned.b32 [t], 1",
                           "tcgen05.wait::ld.sync.aligned", "tcgen05.wait::st.sync.aligned", "tcgen05.cp [t], [x]",
                           "tcgen05.mma [u], [x], 0", "tcgen05.mma [u], [t], 0", "tcgen05.mma [u], [x], 1",
                           "tcgen05.commit.mbarrier::arrive::one.shared::cluster.b64 [b]",
                           "tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(Tensor, IsAsynchronous) {
  const LitmusTest test = read_one(test_of("ld.tensor r0, t\nst.na x, 1\ntcfence.after\nwait.tcst\nmbar.commit b"));
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_TRUE(is_asynchronous(code[0]));
  EXPECT_FALSE(is_asynchronous(code[1]));
  EXPECT_FALSE(is_tensor(code[1]));
  for (const std::size_t i : {0u, 2u, 3u, 4u}) EXPECT_TRUE(is_tensor(code[i])) << i;
  EXPECT_EQ(access_of(code[0])->order, Order::plain);
}

TEST(Tensor, MistakesSayWhatWasExpected) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"ld.na r0, t", "'t' is in tensor memory; expected ld.tensor, st.tensor, copy.tccp or copy.tcmma\n"},
      {"copy.bulk t, y", "'t' is in tensor memory; expected ld.tensor, st.tensor, copy.tccp or copy.tcmma\n"},
      {"ld.tensor r0, x",
       "ld.tensor and st.tensor access a named location in tensor memory, without an order or other suffixes\n"},
      {"st.rel.tensor t, 1",
       "ld.tensor and st.tensor access a named location in tensor memory, without an order or other suffixes\n"},
      {"ld.tensor r0, [r1]",
       "ld.tensor and st.tensor access a named location in tensor memory, without an order or other suffixes\n"},
      {"atom.add.tensor r0, t, 1", "tensor memory has loads, stores, copies and products only\n"},
      {"copy.tcld t, x", "loads and stores of tensor memory are ld.tensor and st.tensor\n"},
      {"copy.tccp t, u", "this copy reads shared memory and writes tensor memory\n"},
      {"copy.tccp.add t, x", "a copy to tensor memory has one named target and one named source\n"},
      {"copy.tccp.x2 t, x",
       "an access of 4 bytes at offset 4 does not lie within 'x', which has type s32\n"
       "a copy to tensor memory has one named target and one named source\n"
       "an access of 4 bytes at offset 4 does not lie within 't', which has type s32\n"},
      {"copy.tcmma t, y", "this product reads shared or tensor memory, and its accumulator is in tensor memory\n"},
      {"copy.tcmma.max t, x", "a product has one named accumulator and one named matrix, and may be added to it\n"},
      {"wait.tcmma", "tcmma operations are waited for with mbar.commit and its mbarrier\n"},
      {"wait.tcld.read", "loads and stores of tensor memory have no groups; expected wait.tcld or wait.tcst\n"},
      {"commit.tcst", "loads and stores of tensor memory have no groups; expected wait.tcld or wait.tcst\n"},
      {"mbar.commit.rlx b", "mbar.commit has no order, scope or count: it arrives once, for the whole cluster\n"},
      {"mbar.commit.cluster b", "mbar.commit has no order, scope or count: it arrives once, for the whole cluster\n"},
      {"tcfence.both", "expected tcfence.before or tcfence.after\n"},
      {"st.na y, &t", "'t' is in tensor memory, whose addresses are no values\n"},
      {"fence.rel.semtensor", "unknown suffix '.semtensor' of 'fence'\n"},
  };
  for (const auto& [code, message] : mistakes) {
    const std::string found = mistakes_in(test_of(code));
    EXPECT_NE(found.find(std::string(message, std::string(message).find('\n'))), std::string::npos) << code << "\n"
                                                                                                    << found;
  }
  EXPECT_EQ(mistakes_in("weakspot T\nArch=ptx\n{ tensor t; }\n P0 | P1 ;\n st.tensor t, 1 | ld.tensor r0, t ;\n"
                        "scopes (cluster (wg P0) (wg P1))\nexists (true)\n"),
            "P0 and P1 use 't', which is in tensor memory, and are not in one workgroup\n");
  EXPECT_NE(mistakes_in(test_of("ld.tensor r0, t", "(wg P0)", "tensor t; a aliases t;")).find("no arrays, aliases"),
            std::string::npos);
}

TEST(Tensor, IsRefusedByOtherDialects) {
  for (const char* code : {"ld.tensor r0, t", "tcfence.before", "mbar.commit b"}) {
    const LitmusTest test = read_one(test_of(code));
    for (Dialect dialect : {Dialect::ptx2015, Dialect::vulkan, Dialect::opencl, Dialect::c11, Dialect::aarch64,
                            Dialect::x86_64, Dialect::riscv}) {
      const base::Result<std::string> text = print(test, dialect);
      ASSERT_FALSE(text.ok()) << to_string(dialect);
      EXPECT_NE(base::render(text.errors()).find("it has no tensor memory"), std::string::npos)
          << to_string(dialect) << "\n"
          << base::render(text.errors());
    }
  }
}

}  // namespace
}  // namespace weakspot::litmus::ptx_tensor_test
