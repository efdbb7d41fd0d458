// SPDX-License-Identifier: MIT
#include "codegen/spirv/print_spirv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "codegen/kernel/kernel_builder.h"
#include "codegen/spirv_text.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"
#include "support/sanitized.h"
#include "system/subprocess.h"

namespace weakspot::codegen::print_spirv_test {
namespace {

using testing_support::corpus_tests;

TargetLimits lavapipe() {
  TargetLimits limits;
  limits.subgroup_size = 4;
  limits.max_shared_bytes = 32 * 1024;
  return limits;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

base::Result<TestProgram> compile(const std::string& text, const std::string& env = "basic") {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return TestProgram::compile(tests->front(), *parse_environment(base::Source("--env", env)), Target::spirv,
                              lavapipe());
}

using Lines = std::vector<std::string>;

// The instructions that touch or order memory, with their semantics, as written for single statements.
Lines written(const std::function<void(KernelBuilder&)>& write) {
  KernelBuilder builder("run");
  builder.kernel().shared_bytes = 16;
  write(builder);
  const base::Result<std::string> text = spirv_text(print_spirv({{"data"}, {std::move(builder).finish()}}));
  EXPECT_TRUE(text.ok()) << base::render(text.errors());
  Lines lines;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    const std::size_t op = line.find("Op");
    if (op == std::string::npos) continue;
    const std::string name = line.substr(op, line.find(' ', op) - op);
    const std::size_t remark = line.find("  ; ");
    const std::size_t operands = line.find_first_of("VAMN", op + name.size());
    if (name.starts_with("OpAtomic") || name.ends_with("Barrier")) {
      lines.push_back(name.substr(2) + " " + line.substr(remark + 4));
    } else if ((name == "OpLoad" || name == "OpStore") && operands != std::string::npos) {
      lines.push_back(name.substr(2) + " " + line.substr(operands));
    }
  }
  return lines;
}

MemoryAccess at_data(litmus::Order order, litmus::Scope scope = litmus::Scope::device) {
  MemoryAccess access;
  access.address = buffer_address(0);
  access.order = order;
  access.scope = scope;
  return access;
}

Lines load(const MemoryAccess& access) {
  return written([&](KernelBuilder& b) {
    const Var value = b.var(litmus::size_in_bytes(access.type) == 8 ? Width::w64 : Width::w32);
    b.add(LoadFrom{value, access});
    b.set(b.var(value.width), value);
  });
}

Lines store(const MemoryAccess& access) {
  return written([&](KernelBuilder& b) {
    b.add(StoreTo{access, litmus::size_in_bytes(access.type) == 8 ? constant64(1) : Expr(1u)});
  });
}

using litmus::Order;
using litmus::Scope;
using litmus::Tag;

TEST(Spirv, OrdersAndScopesOfLoads) {
  const std::string acquire = "Acquire|UniformMemory|WorkgroupMemory|MakeVisible";
  EXPECT_EQ((Lines{"Load Aligned|NonPrivatePointer 4"}), load(at_data(Order::plain)));
  EXPECT_EQ((Lines{"AtomicLoad Device, None"}), load(at_data(Order::relaxed)));
  EXPECT_EQ((Lines{"AtomicLoad Device, " + acquire}), load(at_data(Order::acquire)));
  EXPECT_EQ((Lines{"AtomicLoad Device, " + acquire}), load(at_data(Order::consume)));
  EXPECT_EQ((Lines{"AtomicLoad Workgroup, " + acquire}), load(at_data(Order::acquire, Scope::workgroup)));
  EXPECT_EQ((Lines{"AtomicLoad Subgroup, None"}), load(at_data(Order::relaxed, Scope::subgroup)));
  EXPECT_EQ((Lines{"AtomicLoad Subgroup, None"}), load(at_data(Order::relaxed, Scope::thread)));
  EXPECT_EQ((Lines{"AtomicLoad QueueFamily, None"}), load(at_data(Order::relaxed, Scope::queue_family)));
  EXPECT_EQ((Lines{"AtomicLoad Device, None"}), load(at_data(Order::relaxed, Scope::system)));
  MemoryAccess access = at_data(Order::plain);
  access.is_volatile = true;
  EXPECT_EQ((Lines{"AtomicLoad Device, Volatile"}), load(access));
  access.type = litmus::Type::s16;
  EXPECT_EQ((Lines{"Load Volatile|Aligned|NonPrivatePointer 2"}), load(access));
  access = at_data(Order::plain);
  access.shared = true;
  access.address = constant64(4);
  EXPECT_EQ((Lines{"Load NonPrivatePointer"}), load(access));
}

TEST(Spirv, OrdersOfStores) {
  EXPECT_EQ((Lines{"Store Aligned|NonPrivatePointer 4"}), store(at_data(Order::plain)));
  EXPECT_EQ((Lines{"AtomicStore Device, None"}), store(at_data(Order::relaxed)));
  EXPECT_EQ((Lines{"AtomicStore Device, Release|UniformMemory|WorkgroupMemory|MakeAvailable"}),
            store(at_data(Order::release)));
  MemoryAccess wide = at_data(Order::plain);
  wide.type = litmus::Type::u64;
  EXPECT_EQ((Lines{"Store Aligned|NonPrivatePointer 8"}), store(wide));
}

TEST(Spirv, AtomicsFencesAndBarriers) {
  using litmus::RmwOp;
  auto atomic = [](RmwOp op, Order order, litmus::Type type = litmus::Type::u32) {
    return written([&](KernelBuilder& b) {
      MemoryAccess access = at_data(order);
      access.type = type;
      std::optional<Expr> expected;
      if (op == RmwOp::cas) expected = 0u;
      b.add(AtomicOn{op, std::nullopt, access, 1u, expected});
    });
  };
  const std::string both = "AcquireRelease|UniformMemory|WorkgroupMemory|MakeAvailable|MakeVisible";
  const std::string acquire = "Acquire|UniformMemory|WorkgroupMemory|MakeVisible";
  EXPECT_EQ((Lines{"AtomicIAdd Device, None"}), atomic(RmwOp::add, Order::relaxed));
  EXPECT_EQ((Lines{"AtomicISub Device, " + both}), atomic(RmwOp::sub, Order::acq_rel));
  EXPECT_EQ((Lines{"AtomicExchange Device, " + acquire}), atomic(RmwOp::exch, Order::acquire));
  EXPECT_EQ((Lines{"AtomicCompareExchange Device, " + both + ", " + acquire}), atomic(RmwOp::cas, Order::acq_rel));
  EXPECT_EQ((Lines{"AtomicCompareExchange Device, Release|UniformMemory|WorkgroupMemory|MakeAvailable, None"}),
            atomic(RmwOp::cas, Order::release));
  EXPECT_EQ((Lines{"AtomicUMax Device, None"}), atomic(RmwOp::max, Order::relaxed));
  EXPECT_EQ((Lines{"AtomicSMin Device, None"}), atomic(RmwOp::min, Order::relaxed, litmus::Type::s32));

  auto fence = [](Order order, Scope scope) {
    return written([&](KernelBuilder& b) { b.add(FenceOf{{.order = order, .scope = scope}, std::nullopt}); });
  };
  EXPECT_EQ((Lines{"MemoryBarrier Device, " + acquire}), fence(Order::acquire, Scope::device));
  EXPECT_EQ((Lines{"MemoryBarrier Workgroup, " + both}), fence(Order::acq_rel, Scope::workgroup));
  EXPECT_EQ(Lines{}, fence(Order::relaxed, Scope::device));

  EXPECT_EQ((Lines{"ControlBarrier Workgroup, Workgroup, " + both}), written([](KernelBuilder& b) { b.barrier(); }));
  EXPECT_EQ((Lines{"ControlBarrier Subgroup, Subgroup, " + both}),
            written([](KernelBuilder& b) { b.add(BarrierOf{.kind = BarrierOf::Kind::subgroup}); }));
}

TEST(Spirv, WordsOfVulkanAreKeptExactly) {
  using litmus::Space;
  auto with = [](MemoryAccess access, litmus::Tags tags, litmus::Spaces semantics = {}) {
    access.vulkan = VulkanWords{tags, semantics};
    return access;
  };
  const MemoryAccess plain = at_data(Order::plain, Scope::workgroup);
  EXPECT_EQ((Lines{"Load Aligned 4"}), load(with(plain, {})));
  EXPECT_EQ((Lines{"Load Aligned|NonPrivatePointer 4"}), load(with(plain, {Tag::non_private})));
  EXPECT_EQ((Lines{"Load Aligned|MakePointerVisible|NonPrivatePointer 4 %12  ; Workgroup"}),
            load(with(plain, {Tag::non_private, Tag::visible})));
  EXPECT_EQ((Lines{"Store Aligned|MakePointerAvailable|NonPrivatePointer 4 %13  ; Workgroup"}),
            store(with(plain, {Tag::non_private, Tag::available})));
  EXPECT_EQ((Lines{"AtomicLoad Device, Acquire|UniformMemory|WorkgroupMemory"}),
            load(with(at_data(Order::acquire), {}, {Space::storage0})));
  EXPECT_EQ((Lines{"AtomicStore Device, Release|UniformMemory|WorkgroupMemory|MakeAvailable"}),
            store(with(at_data(Order::release), {Tag::available}, {Space::storage0})));
  EXPECT_EQ((Lines{"ControlBarrier Workgroup, Device, None"}), written([](KernelBuilder& b) {
              b.add(BarrierOf{.memory_scope = Scope::device, .vulkan = VulkanWords{}, .order = litmus::Order::plain});
            }));
}

TEST(Spirv, AnAccessWhoseValueNobodyReadsIsKept) {
  EXPECT_EQ((Lines{"AtomicLoad Device, Volatile"}),
            written([](KernelBuilder& b) { b.add(LoadFrom{b.var(), at_data(Order::relaxed)}); }));
}

TEST(Spirv, CapabilitiesOnlyWhereNeeded) {
  auto capabilities = [](const std::function<void(KernelBuilder&)>& write) {
    KernelBuilder builder("run");
    write(builder);
    const std::string text = *spirv_text(print_spirv({{"data"}, {std::move(builder).finish()}}));
    std::string found;
    for (const char* name : {"Int64\n", "Int64Atomics", "Int16", "DeviceScope", "GroupNonUniform"}) {
      if (text.find(std::string("OpCapability ") + name) != std::string::npos ||
          text.find(std::string("Model") + name) != std::string::npos) {
        found += std::string(found.empty() ? "" : " ") + name;
      }
    }
    return found;
  };
  EXPECT_EQ("", capabilities([](KernelBuilder& b) { b.let(builtin(Builtin::local_id)); }));
  EXPECT_EQ("GroupNonUniform", capabilities([](KernelBuilder& b) {
              b.kernel().subgroups = true;
              b.let(builtin(Builtin::local_id));
            }));
  EXPECT_EQ("Int64\n", capabilities([](KernelBuilder& b) { b.load_word(buffer_address(0)); }));
  EXPECT_EQ("Int64\n Int64Atomics DeviceScope", capabilities([](KernelBuilder& b) {
              MemoryAccess access = at_data(Order::relaxed);
              access.type = litmus::Type::u64;
              b.add(AtomicOn{litmus::RmwOp::add, std::nullopt, access, constant64(1), std::nullopt});
            }));
}

TEST(Spirv, WhatVulkanCannotSayIsRefused) {
  struct Case {
    const char* test;
    const char* reason;
  };
  const Case cases[] = {
      {" P0 ;\n st.sc x, 1 ;\nexists (x=1)\n", "Vulkan's memory model has no sequentially consistent accesses"},
      {" P0 ;\n fence.sc ;\n st x, 1 ;\nexists (x=1)\n", "Vulkan's memory model has no sequentially consistent fences"},
      {" P0 ;\n membar ;\n st x, 1 ;\nexists (x=1)\n",
       "a membar is sequentially consistent, and Vulkan's memory model has no such fences"},
      {" P0 ;\n atom.inc r0, x, 7 ;\nexists (x=1)\n", "SPIR-V has no atom.inc"},
      {" P0 ;\n st.na.cg x, 1 ;\nexists (x=1)\n", "SPIR-V has no cache operators"},
      {"{ u8 x; }\n P0 ;\n st x, 1 ;\nexists (x=1)\n", "the test has an atomic access of 8 bits; Vulkan has 32 and 64"},
      {" P0 ;\n st.cluster x, 1 ;\nexists (x=1)\n", "Vulkan has no clusters"},
  };
  for (const Case& one : cases) {
    const auto program = compile(std::string("weakspot T\n") + one.test);
    ASSERT_FALSE(program.ok()) << one.test;
    EXPECT_EQ(std::string("error: T: cannot run: ") + one.reason + "\n", base::render(program.errors()));
  }
}

TEST(Spirv, StorageClassesOfVulkanTests) {
  auto answer = [](const char* text) {
    const auto program = compile(std::string("weakspot T\nArch=vulkan\n") + text);
    return program ? std::string("runs") : program.errors().front().message;
  };
  EXPECT_EQ("runs", answer(" P0 ;\n st.rel.sc0.semsc0 x, 1 ;\nexists (x=1)\n"));
  EXPECT_EQ("T: cannot run: the test uses several storage classes; a run keeps all locations in buffers",
            answer(" P0 ;\n st.sc0 x, 1 ;\n st.sc1 y, 1 ;\nexists (x=1)\n"));
  EXPECT_EQ("T: cannot run: the test acquires or releases a storage class that its accesses do not use",
            answer(" P0 ;\n st.rel.sc0.semsc1 x, 1 ;\nexists (x=1)\n"));
}

// ---- with the validator ----

class SpirvVal : public testing::Test {
 protected:
  void SetUp() override {
    const base::Result<base::ProcessResult> version = base::run_process({"spirv-val", "--version"});
    if (!version || !version->succeeded()) GTEST_SKIP() << "spirv-val is not on the PATH";
    path_ = (std::filesystem::temp_directory_path() / fmt::format("weakspot_spirv_{}.spv", ::getpid())).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void validate(const std::string& name, const std::vector<std::uint32_t>& words) {
    ASSERT_TRUE(base::write_file(path_, bytes_of(words)).ok());
    const base::Result<base::ProcessResult> result =
        base::run_process({"spirv-val", "--target-env", "vulkan1.3", path_}, {.deadline = std::chrono::seconds(60)});
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->succeeded()) << name << ": " << result->errors.substr(0, 2000)
                                     << result->output.substr(0, 2000);
  }

  // Tests take the environments in turn.
  void validate_all(const std::vector<litmus::LitmusTest>& tests, const std::vector<std::string>& environments) {
    std::size_t programs = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const std::string& env = environments[i % environments.size()];
      const auto program =
          TestProgram::compile(tests[i], *parse_environment(base::Source("--env", env)), Target::spirv, lavapipe());
      if (!program) {
        EXPECT_NE(std::string::npos, program.errors().front().message.find("cannot run")) << tests[i].name;
        continue;
      }
      ++programs;
      validate(fmt::format("{} in {}", tests[i].name, env), program->program().words);
    }
    EXPECT_GT(programs * 3, tests.size());
  }

  // The assembler turns our text back into the same module.
  void assemble(const std::string& name, const std::vector<std::uint32_t>& words) {
    const base::Result<std::string> text = spirv_text(words);
    ASSERT_TRUE(text.ok()) << name << ": " << base::render(text.errors());
    ASSERT_TRUE(base::write_file(path_, *text).ok());
    const base::Result<base::ProcessResult> result =
        base::run_process({"spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.5", path_, "-o", path_ + ".out"},
                          {.deadline = std::chrono::seconds(60)});
    ASSERT_TRUE(result.ok());
    ASSERT_TRUE(result->succeeded()) << name << ": " << result->errors.substr(0, 2000);
    const base::Result<std::string> made = base::read_file(path_ + ".out");
    std::filesystem::remove(path_ + ".out");
    ASSERT_TRUE(made.ok());
    // The header names the generator and may have another bound.
    constexpr std::size_t kHeader = 20;
    EXPECT_EQ(bytes_of(words).substr(kHeader), made->substr(kHeader)) << name;
  }

  std::string path_;
};

TEST_F(SpirvVal, AcceptsTheCorpus) { validate_all(corpus_tests("@all", tests::kSampleStep), {"basic"}); }

TEST_F(SpirvVal, TextAssemblesToTheSameWords) {
  const base::Result<base::ProcessResult> version = base::run_process({"spirv-as", "--version"});
  if (!version || !version->succeeded()) GTEST_SKIP() << "spirv-as is not on the PATH";
  const std::vector<litmus::LitmusTest> tests = corpus_tests("@all", 20);
  std::size_t programs = 0;
  for (const litmus::LitmusTest& test : tests) {
    const auto program =
        TestProgram::compile(test, *parse_environment(base::Source("--env", "stress")), Target::spirv, lavapipe());
    if (!program) continue;
    ++programs;
    assemble(test.name, program->program().words);
  }
  EXPECT_GT(programs * 3, tests.size());
}

TEST_F(SpirvVal, AcceptsTheCorpusInOtherEnvironments) {
  validate_all(corpus_tests("@all", 3),
               {"stress", "interleave,role_order=by_lane,result_store=at_once", "site", "pte,pairing=half",
                "assignment=one,barrier=partner,pairing=neighbour,layout=arrays,second_stride=8",
                "stress,memory_stress_percent=40,barrier_percent=30,memory_store_first_percent=50,"
                "stress_spread=line,role_order=by_warp,pairing=next",
                "access_width=wide"});
}

}  // namespace
}  // namespace weakspot::codegen::print_spirv_test
