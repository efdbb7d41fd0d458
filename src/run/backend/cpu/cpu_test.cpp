// SPDX-License-Identifier: MIT
// Whole runs on the machine itself. What is asserted holds on every machine, loaded or not: nothing here expects weak
// behaviour, only that what orders forbid never shows and that every instance is accounted for.
#include "backend/cpu/cpu.h"

#include <gtest/gtest.h>

#include <set>

#include "codegen/buffer_words.h"
#include "support/device_runs.h"

namespace weakspot::backend::cpu_test {
namespace {

using testing_support::DeviceRun;
using testing_support::run_on;

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

class Cpu : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_device("cpu");
    ASSERT_TRUE(opened.ok()) << base::render(opened.errors());
    device_ = *std::move(opened);
  }
  std::unique_ptr<Device> device_;
};

constexpr const char* kMp =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
constexpr const char* kMpRelAcq =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

TEST_F(Cpu, IsADeviceAsOthersAre) {
  EXPECT_EQ("cpu", device_->info().id);
  EXPECT_FALSE(device_->info().name.empty());
  EXPECT_EQ(codegen::Target::cpu, device_->info().target);
  EXPECT_GT(device_->info().multiprocessors, 0u);
  EXPECT_EQ("error: unknown device 'cpu:7'; expected cpu\n", base::render(open_device("cpu:7").errors()));
}

TEST_F(Cpu, RunsMessagePassing) {
  const DeviceRun ran = run_on(*device_, read(kMp), "iterations=40");
  EXPECT_EQ(RunStatus::finished, ran.result.status);
  EXPECT_EQ(2u, ran.result.rounds);
  EXPECT_EQ(ran.planned, ran.decoded.instances);
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
}

TEST_F(Cpu, ReleaseAndAcquireForbidMessagePassing) {
  for (const char* environment : {"basic", "layout=arrays", "layout=arrays,memory_stride=16,workgroup_size=16"}) {
    EXPECT_EQ(0u, run_on(*device_, read(kMpRelAcq), environment).matches) << environment;
  }
}

// Every kind of test under every kind of environment: all instances are counted, and outcomes that no machine may show
// never show.
TEST_F(Cpu, ForbiddenOutcomesNeverShow) {
  const char* const tests[] = {
      kMpRelAcq,
      "weakspot CoRR\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
      "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n fence.sc | fence.sc ;\n ld r0, y | ld r0, x ;\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n",
      "weakspot SB-sc\n P0 | P1 ;\n st.sc x, 1 | st.sc y, 1 ;\n ld.sc r0, y | ld.sc r0, x ;\n"
      "exists (0:r0=0 /\\ 1:r0=0)\n",
      "weakspot MP+addr\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n fence.sc | xor r2, r0, r0 ;\n st y, 1 | ld r1, x+r2 ;\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n",
      "weakspot IRIW\n P0 | P1 | P2 | P3 ;\n st x, 1 | st y, 1 | ld.acq r0, x | ld.acq r0, y ;\n"
      " | | ld.acq r1, y | ld.acq r1, x ;\nexists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n",
      "weakspot WRC\n P0 | P1 | P2 ;\n st x, 1 | ld.acq r0, x | ld.acq r0, y ;\n | st.rel y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n",
      "weakspot wide\n{ u64 x; u64 y; 1:u64 r0; 1:u64 r1; }\n P0 | P1 ;\n st x, 0x100000001 | ld.acq r0, y ;\n"
      " st.rel y, 0x200000002 | ld r1, x ;\nexists (1:r0=0x200000002 /\\ 1:r1=0)\n",
      "weakspot bytes\n{ u8 x = 200; s8 y; }\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, -1 | ld r1, x ;\n"
      "exists (1:r0=-1 /\\ 1:r1=200)\n",
      "weakspot pointers\n{ p = &x; x = 1; y = 2; 1:s64 r0; }\n P0 | P1 ;\n st y, 3 | ld r0, p ;\n"
      " st.rel p, &y | ld r1, [r0] ;\nexists (1:r0=&y /\\ 1:r1=2)\n",
  };
  const char* const environments[] = {
      "iterations=4",
      "workgroup_size=3,testing_workgroups=50,iterations=4,barrier=partner,layout=arrays,second_stride=16",
      "workgroup_size=16,iterations=4,assignment=one,permute_threads=5,permute_locations=7,pairing=neighbour",
      "workgroup_size=16,iterations=4,shuffle_percent=50,pre_stress_percent=50,barrier_percent=50,pairing=half",
      "workgroup_size=8,iterations=4,memory_stress_percent=100,role_order=by_lane,barrier=block,pairing=next",
      "workgroup_size=64,iterations=4,barrier=none,role_order=descending",
      "mode=site,iterations=200",
  };
  for (const char* text : tests) {
    const litmus::LitmusTest test = read(text);
    for (const char* environment : environments) {
      const DeviceRun ran = run_on(*device_, test, environment, 1);
      EXPECT_EQ(ran.planned, ran.decoded.instances) << test.name << " " << environment;
      EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total()) << test.name << " " << environment;
      EXPECT_EQ(0u, ran.matches) << test.name << " " << environment;
    }
  }
}

TEST_F(Cpu, ReadModifyWritesAreAtomic) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"atom.add _, x, 1", 4}, {"atom.add.acqrel r0, x, 1", 4}, {"atom.inc r0, x, 100", 4},
      {"atom.xor _, x, 1", 0}, {"atom.sub r0, x, 1", -4},
  };
  for (const auto& [cell, sum] : cases) {
    const std::string once = std::string(cell) + " | " + cell + " ;\n ";
    const litmus::LitmusTest test =
        read("weakspot sum\n P0 | P1 ;\n " + once + once + "forall (x=" + std::to_string(sum) + ")\n");
    for (const char* environment : {"iterations=8", "iterations=8,access_width=wide,workgroup_size=4"}) {
      if (std::string(cell).find("inc") != std::string::npos &&
          std::string(environment).find("wide") != std::string::npos) {
        continue;  // there is no such instruction of 64 bits
      }
      const DeviceRun ran = run_on(*device_, test, environment);
      EXPECT_EQ(ran.decoded.instances, ran.matches) << cell << " " << environment;
    }
  }
}

TEST_F(Cpu, SelectsTakeOneOfTwo) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"sel.eq r1, r0, 3, r0, 5", 3},  {"sel.ne r1, r0, 3, r0, 5", 5},  {"sel.lt r1, r0, 4, -7, r0", -7},
      {"sel.le r1, r0, 2, r0, r1", 1}, {"sel.gt r1, r0, r1, r1, 0", 1}, {"sel.ge r1, r0, -1, r0, r1", 3},
      {"sel.eq r0, r0, 3, 8, r0", 8},  {"sel.ne r0, r0, 3, 8, r0", 3},
  };
  for (const auto& [cell, expected] : cases) {
    const std::string result = std::string(cell).substr(7, 2);
    const litmus::LitmusTest test =
        read("weakspot select\n{ x = 3; 0:r1 = 1; }\n P0 ;\n ld r0, x ;\n " + std::string(cell) +
             " ;\nforall (0:" + result + "=" + std::to_string(expected) + ")\n");
    for (const char* environment : {"iterations=8", "iterations=8,access_width=wide,workgroup_size=4"}) {
      const DeviceRun ran = run_on(*device_, test, environment);
      EXPECT_EQ(ran.decoded.instances, ran.matches) << cell << " " << environment;
    }
  }
}

TEST_F(Cpu, FinalMemoryStartsAfreshEveryTime) {
  const litmus::LitmusTest test =
      read("weakspot T\n{ x = 7; y = -2; }\n P0 ;\n ld r0, x ;\n st x, 9 ;\nforall (0:r0=7 /\\ x=9 /\\ y=-2)\n");
  const DeviceRun ran = run_on(*device_, test, "iterations=10,workgroup_size=7,testing_workgroups=9", 3);
  EXPECT_EQ(ran.decoded.instances, ran.matches);
}

TEST_F(Cpu, LoopsEndAtTheirBound) {
  const litmus::LitmusTest test =
      read("weakspot T\n P0 | P1 ;\n again: | st y, 1 ;\n ld r0, x | ;\n beq r0, 0, again | ;\nexists (0:r0=0)\n");
  const DeviceRun ran = run_on(*device_, test, "iterations=3,loop_bound=5");
  EXPECT_EQ(ran.decoded.instances, ran.decoded.unfinished);
  EXPECT_EQ(0u, ran.decoded.histogram.total());
}

TEST_F(Cpu, StopsAtTheDeadlineAndCountsWhatWasDone) {
  const DeviceRun ran = run_on(*device_, read(kMp), "barrier=none", 4'000'000'000u, std::chrono::milliseconds(20));
  EXPECT_EQ(RunStatus::stopped, ran.result.status);
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
  EXPECT_LT(ran.decoded.instances, ran.planned);
}

}  // namespace
}  // namespace weakspot::backend::cpu_test
