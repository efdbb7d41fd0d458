// SPDX-License-Identifier: MIT
// The orders that the judge reads are those of the code: by a table, and for the whole corpus by what the code
// generators make of the two forms.
#include "codegen/as_emitted.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "base/source.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/text.h"

namespace weakspot::codegen::as_emitted_test {
namespace {

using litmus::LitmusTest;

LitmusTest read(const std::string& text) {
  base::Result<std::vector<LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TargetLimits cpu(CpuIsa isa, bool lse = true, bool rcpc = true) {
  TargetLimits limits;
  limits.cpu = {isa, lse, rcpc};
  return limits;
}

TargetLimits opencl(OpenclMapping mapping) {
  TargetLimits limits;
  limits.opencl.mapping = mapping;
  return limits;
}

std::string word(const litmus::Access& access) {
  std::string text = fmt::format("{}.{}", to_string(access.order), to_string(access.scope));
  for (const litmus::Tag tag : {litmus::Tag::volatile_, litmus::Tag::exclusive}) {
    if (access.tags.has(tag)) text += fmt::format(".{}", to_string(tag));
  }
  return text;
}

// "ld rlx.dev; dmb ishld": the accesses and fences of the first thread.
std::string emitted(const std::string& cells, Target target, const TargetLimits& limits) {
  const LitmusTest test =
      as_emitted(read("weakspot T\n{ x; y; }\n P0 ;\n " + cells + " ;\nforall (true)\n"), target, limits);
  std::string text;
  for (const litmus::Instruction& instruction : test.threads[0].instructions) {
    if (!text.empty()) text += "; ";
    if (const auto* load = std::get_if<litmus::Load>(&instruction.operation)) text += "ld " + word(load->access);
    if (const auto* store = std::get_if<litmus::Store>(&instruction.operation)) text += "st " + word(store->access);
    if (const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation)) text += "atom " + word(rmw->access);
    if (const auto* fence = std::get_if<litmus::Fence>(&instruction.operation)) {
      if (fence->kind == litmus::FenceKind::order) {
        text += fmt::format("fence {}.{}", to_string(fence->order), to_string(fence->scope));
      } else if (fence->kind == litmus::FenceKind::dmb) {
        text += fence->accesses == litmus::FenceAccesses::loads ? "dmb ishld" : "dmb ish";
      } else {
        text += fence->kind == litmus::FenceKind::mfence ? "mfence" : "membar";
      }
    }
    if (std::holds_alternative<litmus::Select>(instruction.operation)) text += "sel";
    if (std::holds_alternative<litmus::Compute>(instruction.operation)) text += "compute";
  }
  return text;
}

TEST(AsEmitted, OnCpusTheirOwnOrders) {
  struct Row {
    const char* cells;
    const char* rcpc;   // AArch64 with LDAPR and LSE
    const char* plain;  // AArch64 with neither
    const char* x86;
  };
  const Row rows[] = {
      {"ld.na r0, x", "ld rlx.dev", "ld rlx.dev", "ld rlx.dev"},
      {"ld r0, x", "ld rlx.dev", "ld rlx.dev", "ld rlx.dev"},
      {"ld.wg r0, x", "ld rlx.dev", "ld rlx.dev", "ld rlx.dev"},
      {"ld.acq r0, x", "ld acqpc.dev", "ld acq.dev", "ld rlx.dev"},
      {"ld.acq.wg r0, x", "ld acqpc.dev", "ld acq.dev", "ld rlx.dev"},
      {"ld.sc r0, x", "ld acq.dev", "ld acq.dev", "ld rlx.dev"},
      {"st.na x, 1", "st rlx.dev", "st rlx.dev", "st rlx.dev"},
      {"st.rel x, 1", "st rel.dev", "st rel.dev", "st rlx.dev"},
      {"st.sc x, 1", "st rel.dev", "st rel.dev", "st sc.dev"},
      {"atom.add r0, x, 1", "atom rlx.dev", "atom rlx.dev.ex", "atom rlx.dev"},
      {"atom.add.acq r0, x, 1", "atom acq.dev", "atom acq.dev.ex", "atom rlx.dev"},
      {"atom.add.acqrel r0, x, 1", "atom acqrel.dev", "atom acqrel.dev.ex", "atom rlx.dev"},
      {"atom.add.sc r0, x, 1", "atom acqrel.dev", "atom acqrel.dev.ex", "atom rlx.dev"},
      {"atom.inc.acqrel r0, x, 5", "atom acqrel.dev.ex", "atom acqrel.dev.ex", "atom rlx.dev"},
      {"fence.acq", "dmb ishld", "dmb ishld", ""},
      {"fence.rel", "dmb ish", "dmb ish", ""},
      {"fence.acqrel", "dmb ish", "dmb ish", ""},
      {"fence.sc", "dmb ish", "dmb ish", "mfence"},
      {"fence.sc.wg", "dmb ish", "dmb ish", "mfence"},
      {"ld r0, x ; lt r1, r0, 3", "ld rlx.dev; sel", "ld rlx.dev; sel", "ld rlx.dev; sel"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.rcpc, emitted(row.cells, Target::cpu, cpu(CpuIsa::aarch64))) << row.cells;
    EXPECT_EQ(row.plain, emitted(row.cells, Target::cpu, cpu(CpuIsa::aarch64, false, false))) << row.cells;
    EXPECT_EQ(row.x86, emitted(row.cells, Target::cpu, cpu(CpuIsa::x86_64))) << row.cells;
  }
}

TEST(AsEmitted, OnGpusTheNextStrongerOrder) {
  struct Row {
    const char* cells;
    const char* ptx;
    const char* c11;     // OpenCL 2.0
    const char* legacy;  // OpenCL 1.2; null: refused
    const char* spirv;   // null: refused
  };
  const Row rows[] = {
      {"ld.na r0, x", "ld na.dev", "ld na.dev", "ld na.dev", "ld na.dev"},
      {"ld.na.vol r0, x", "ld na.dev.vol", "ld na.dev", "ld na.dev", "ld rlx.dev.vol"},
      {"ld r0, x", "ld rlx.dev", "ld rlx.dev", "ld rlx.dev", "ld rlx.dev"},
      {"ld.sg r0, x", "ld rlx.wg", "ld rlx.wg", "ld rlx.dev", "ld rlx.sg"},
      {"ld.acq.wg r0, x", "ld acq.wg", "ld acq.wg", "ld rlx.dev; fence acqrel.wg", "ld acq.wg"},
      {"ld.acq.sys r0, x", "ld acq.sys", "ld acq.sys", nullptr, "ld acq.dev"},
      {"ld.sc r0, x", "fence sc.dev; ld acq.dev", "ld sc.dev", nullptr, nullptr},
      {"st.rel x, 1", "st rel.dev", "st rel.dev", "fence acqrel.wg; st rlx.dev", "st rel.dev"},
      {"st.sc.wg x, 1", "fence sc.wg; st rel.wg", "st sc.wg", nullptr, nullptr},
      {"atom.add.sc r0, x, 1", "fence sc.dev; atom acqrel.dev", "atom sc.dev", nullptr, nullptr},
      {"fence.acq", "fence acqrel.dev", "fence acq.dev", "fence acqrel.wg", "fence acq.dev"},
      {"fence.rel.sg", "fence acqrel.wg", "fence rel.wg", "fence acqrel.wg", "fence rel.sg"},
      {"fence.sc", "fence sc.dev", "fence sc.dev", nullptr, nullptr},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.ptx, emitted(row.cells, Target::ptx, {})) << row.cells;
    EXPECT_EQ(row.c11, emitted(row.cells, Target::opencl, opencl(OpenclMapping::c11))) << row.cells;
    if (row.legacy != nullptr) {
      EXPECT_EQ(row.legacy, emitted(row.cells, Target::opencl, opencl(OpenclMapping::legacy))) << row.cells;
    }
    if (row.spirv != nullptr) {
      EXPECT_EQ(row.spirv, emitted(row.cells, Target::spirv, {})) << row.cells;
    }
  }
}

std::vector<LitmusTest> corpus() {
  const std::string index = (base::data_directory("corpus") / "@all").string();
  base::Result<std::vector<LitmusTest>> tests = litmus::read_test_file(index);
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests ? std::move(*tests) : std::vector<LitmusTest>();
}

// The lines of a program that name an order or a scope: loads, stores, read-modify-writes, fences.
std::vector<std::string> memory_words(const std::string& text) {
  static constexpr std::string_view kWords[] = {"ld",     "st",  "cas",  "swp",    "atom",  "fence",
                                                "membar", "dmb", "xchg", "mfence", "lock ", "mov "};
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin)) {
    std::string line = text.substr(begin, end - begin);
    line.erase(0, std::min(line.size(), line.find_first_not_of(' ')));
    if (line.starts_with("mov ") && line.find("word ptr") == std::string::npos) continue;
    for (const std::string_view start : kWords) {
      if (!line.starts_with(start)) continue;
      words.push_back(line.substr(0, line.find(' ', start.size())));
      break;
    }
  }
  return words;
}

// The emitted form names instructions that exist, so the code for it has the same ones as the code for the test.
TEST(AsEmitted, TheCorpusHasTheSameCode) {
  struct Row {
    Target target;
    TargetLimits limits;
  };
  const Row rows[] = {
      {Target::cpu, cpu(CpuIsa::aarch64)},
      {Target::cpu, cpu(CpuIsa::aarch64, true, false)},
      {Target::cpu, cpu(CpuIsa::x86_64)},
      {Target::ptx, {}},
  };
  for (const Row& row : rows) {
    std::size_t compared = 0;
    for (const LitmusTest& test : corpus()) {
      const base::Result<TestProgram> original = TestProgram::compile(test, {}, row.target, row.limits);
      if (!original) continue;
      const LitmusTest judged = as_emitted(test, row.target, row.limits);
      const base::Result<TestProgram> again = TestProgram::compile(judged, {}, row.target, row.limits);
      ASSERT_TRUE(again.ok()) << test.name << ": " << base::render(again.errors());
      const std::vector<std::string> words = memory_words(original->program().text);
      EXPECT_GE(words.size(), test.threads.size()) << test.name;
      EXPECT_EQ(words, memory_words(again->program().text)) << test.name;
      EXPECT_EQ(test.observed(), judged.observed()) << test.name;
      EXPECT_EQ(as_emitted(judged, row.target, row.limits), judged) << test.name;
      ++compared;
    }
    EXPECT_GT(compared, 250u);
  }
}

// Success of a compare-and-swap is compared and set, which is a pick on AArch64, not a computation.
TEST(AsEmitted, SuccessIsComparedAndSet) {
  EXPECT_EQ("atom acq.dev; sel; compute", emitted("atom.cas.acq r0, x, 0, 1, r1", Target::cpu, cpu(CpuIsa::aarch64)));
}

}  // namespace
}  // namespace weakspot::codegen::as_emitted_test
