// SPDX-License-Identifier: MIT
#include "campaign/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "base/source.h"
#include "campaign/record_json.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using litmus::integer;
using stats::OutcomeClass;

RunRequest request(const std::string& device) {
  RunRequest request;
  request.test =
      litmus::read_tests(base::Source("test",
                                      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
                                      "exists (1:r0=1 /\\ 1:r1=0)\n"))
          ->front();
  request.device = device;
  request.instances = 10000;
  request.expected = {"m",
                      {{{integer(0), integer(0)}, {integer(1), integer(1)}}, true},
                      {{{integer(0), integer(0)}, {integer(1), integer(1)}, {integer(0), integer(1)}}, true},
                      {{{integer(0), integer(0)}, {integer(1), integer(1)}, {integer(0), integer(1)}}, true},
                      ""};
  return request;
}

RunRecord run(const RunRequest& request) {
  RunObserver observer;
  return in_process_executor()->execute(request, observer);
}

TEST(Runner, CountsEveryInstanceAndClassifiesIt) {
  const RunRecord record = run(request("testing:all"));
  EXPECT_EQ(RunState::finished, record.status) << record.message;
  EXPECT_GE(record.instances, 10000u);
  EXPECT_LT(record.instances, 10000u + 512);
  ASSERT_EQ(4u, record.outcomes.size());
  std::uint64_t total = 0;
  for (const OutcomeCount& outcome : record.outcomes) total += outcome.count;
  EXPECT_EQ(record.instances, total);
  EXPECT_EQ(OutcomeClass::sequential, record.outcomes[0].outcome_class);
  EXPECT_EQ(OutcomeClass::interleaved, record.outcomes[1].outcome_class);
  EXPECT_EQ(OutcomeClass::forbidden, record.outcomes[2].outcome_class);
  EXPECT_EQ("1:r0=1; 1:r1=0;", record.outcomes[2].outcome);
  EXPECT_TRUE(record.outcomes[2].matches);
  EXPECT_EQ(record.outcomes[2].count, record.matches());
}

// The outcomes of code that is not the test are shown, but they are neither seen nor forbidden.
TEST(Runner, ChangedCodeIsNotAnObservation) {
  RunRequest asked = request("cpu");
  asked.optcheck = true;
  const RunRecord whole = run(asked);
  if (whole.status == RunState::failed) GTEST_SKIP() << whole.message;
  ASSERT_TRUE(whole.code.has_value());
  EXPECT_TRUE(whole.code->verdict == optcheck::CodeVerdict::matched) << whole.code->reason;

  asked.environment.weaken = codegen::Weaken::swap;
  asked.expected.allowed.outcomes.clear();  // everything is forbidden
  const RunRecord changed = run(asked);
  ASSERT_TRUE(changed.is_changed());
  EXPECT_TRUE(changed.code->reason.starts_with("P0: 'st x, 1': two accesses are swapped")) << changed.code->reason;
  EXPECT_EQ(changed.instances, changed.count(OutcomeClass::changed));
  EXPECT_EQ(0u, changed.count(OutcomeClass::forbidden));
  EXPECT_EQ(0u, changed.matches());
  EXPECT_TRUE(changed.witnesses.empty());
  EXPECT_EQ(changed, *record_from_json(to_json(changed)));
  EXPECT_TRUE(repeat(changed)->optcheck);
}

// A CPU whose programs are, as far as the machine code shows, those of another environment: what a compiler that swaps
// two accesses does to a test.
class SwappingDevice final : public backend::Device {
 public:
  SwappingDevice(std::unique_ptr<backend::Device> cpu, RunTest test) : cpu_(std::move(cpu)), test_(std::move(test)) {}
  const backend::DeviceInfo& info() const override { return cpu_->info(); }
  std::uint64_t free_bytes() override { return cpu_->free_bytes(); }
  base::Result<std::unique_ptr<backend::LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    codegen::TestEnvironment swapped;
    swapped.weaken = codegen::Weaken::swap;
    auto other = codegen::TestProgram::compile(*test_, swapped, info().target, info().limits);
    if (!other) return other.errors();
    other->inspect();
    auto loaded = cpu_->load(program);
    auto shown = cpu_->load(other->program());
    if (!loaded || !shown) return loaded ? shown.errors() : loaded.errors();
    return std::unique_ptr<backend::LoadedProgram>(std::make_unique<Program>(*std::move(loaded), *std::move(shown)));
  }

 private:
  struct Program final : backend::LoadedProgram {
    Program(std::unique_ptr<backend::LoadedProgram> r, std::unique_ptr<backend::LoadedProgram> s)
        : runs(std::move(r)), shows(std::move(s)) {}
    std::uint32_t resident_workgroups(std::uint32_t entry) const override { return runs->resident_workgroups(entry); }
    base::Result<backend::RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds limit) override {
      return runs->run(launch, limit);
    }
    backend::MachineCode machine_code() const override { return shows->machine_code(); }
    std::unique_ptr<backend::LoadedProgram> runs, shows;
  };

  std::unique_ptr<backend::Device> cpu_;
  RunTest test_;
};

// Without being asked: nothing forbidden is reported before the code was compared with the test.
TEST(Runner, CodeIsCheckedBeforeADeviceIsAccused) {
  RunRequest asked = request("cpu");
  asked.expected.allowed.outcomes.insert({integer(1), integer(0)});
  EXPECT_FALSE(run(asked).code.has_value()) << "nothing forbidden was seen";
  asked.expected.allowed.outcomes.clear();  // everything is forbidden
  const RunRecord right = run(asked);
  if (right.status == RunState::failed) GTEST_SKIP() << right.message;
  ASSERT_TRUE(right.code.has_value());
  EXPECT_TRUE(right.code->verdict == optcheck::CodeVerdict::matched) << right.code->reason;
  EXPECT_TRUE(right.code->afterwards);
  EXPECT_EQ(right.instances, right.count(OutcomeClass::forbidden));
  EXPECT_EQ(right, *record_from_json(to_json(right)));
  EXPECT_FALSE(repeat(right)->optcheck) << "repeated as it was run";

  RunObserver observer;
  SwappingDevice swapping(*backend::open_device("cpu"), asked.test);
  const RunRecord changed = run_on(swapping, asked, observer);
  ASSERT_TRUE(changed.is_changed());
  EXPECT_EQ(changed.instances, changed.count(OutcomeClass::changed));
  EXPECT_TRUE(changed.witnesses.empty());

  asked.environment.weaken = codegen::Weaken::release;
  const RunRecord planted = run(asked);
  EXPECT_FALSE(planted.code.has_value()) << "a planted fault is what the run is for";
  EXPECT_EQ(planted.instances, planted.count(OutcomeClass::forbidden));

  const RunRecord unknown = run(request("testing:all"));
  ASSERT_TRUE(unknown.code.has_value());
  EXPECT_EQ("the device does not offer its machine code", unknown.code->reason);
  EXPECT_NE(0u, unknown.count(OutcomeClass::forbidden));
}

TEST(Runner, DevicesWithoutMachineCodeAreUnknown) {
  RunRequest asked = request("testing:all");
  asked.optcheck = true;
  const RunRecord record = run(asked);
  ASSERT_TRUE(record.code.has_value());
  EXPECT_TRUE(record.code->verdict == optcheck::CodeVerdict::unknown);
  EXPECT_EQ("the device does not offer its machine code", record.code->reason);
  EXPECT_NE(0u, record.count(OutcomeClass::forbidden));
}

// On a device whose code is checked beside the runs, a record need not wait for it.
TEST(Runner, CodeCanBeAskedForLater) {
  RunRequest asked = request("testing:parallel");
  asked.optcheck = true;
  const auto executor = in_process_executor();
  RunObserver observer;
  EXPECT_TRUE(executor->execute(asked, observer).code.has_value());
  asked.code_later = true;
  const std::vector<std::optional<CheckedCode>> codes = executor->codes({&asked, 1});
  ASSERT_EQ(1u, codes.size());
  ASSERT_TRUE(codes[0].has_value());
  EXPECT_EQ("the device does not offer its machine code", codes[0]->reason);
  EXPECT_EQ(codes, *codes_from_json(codes_to_json(codes)));
  asked.device = "testing:one";
  EXPECT_FALSE(executor->codes({&asked, 1})[0].has_value());
}

TEST(Isolated, CodesAreAskedForAndMayBeMissing) {
  const RunRequest asked = request("testing:one");
  RunRecord record = begin_record(asked);
  record.status = RunState::finished;
  const std::vector<std::optional<CheckedCode>> verdicts = {CheckedCode{optcheck::CodeVerdict::changed, "it was"},
                                                            std::nullopt};
  const std::string script = "while read -r line; do case \"$line\" in codes*) printf '%s\\n' 'codes " +
                             codes_to_json(verdicts) + "';; *) printf '%s\\n' 'done " + to_json(record) +
                             "';; esac; done";
  const auto executor = isolated_executor({"sh", "-c", script});
  RunObserver observer;
  const std::vector<RunRequest> two = {asked, asked};
  EXPECT_EQ((std::vector<std::optional<CheckedCode>>(2)), executor->codes(two));  // nothing runs yet
  EXPECT_EQ(RunState::finished, executor->execute(asked, observer).status);
  EXPECT_EQ(verdicts, executor->codes(two));
}

TEST(Runner, SlicesAddUpToTheRun) {
  RunRequest asked = request("testing:all");
  asked.instances = 5'000'000;
  const RunRecord record = run(asked);
  ASSERT_EQ(RunState::finished, record.status) << record.message;
  ASSERT_GT(record.slices.size(), 1u);
  EXPECT_LE(record.slices.size(), 64u);
  EXPECT_LE(record.slices.size(), record.launches);
  RunSlice sum{0, std::vector<std::uint64_t>(record.outcomes.size())};
  for (const RunSlice& slice : record.slices) {
    ASSERT_EQ(record.outcomes.size(), slice.counts.size());
    sum.instances += slice.instances;
    for (std::size_t i = 0; i < slice.counts.size(); ++i) sum.counts[i] += slice.counts[i];
  }
  EXPECT_EQ(record.instances, sum.instances);
  for (std::size_t i = 0; i < sum.counts.size(); ++i) EXPECT_EQ(record.outcomes[i].count, sum.counts[i]);
}

TEST(Runner, AForbiddenOutcomeHasAWitness) {
  const RunRecord record = run(request("testing:all"));
  ASSERT_EQ(1u, record.witnesses.size());
  const Witness& witness = record.witnesses[0];
  EXPECT_EQ("1:r0=1; 1:r1=0;", witness.outcome);
  ASSERT_TRUE(witness.first.has_value());
  EXPECT_EQ(0u, witness.first->launch);
  EXPECT_EQ((codegen::Sighting{0, 0, 1}), witness.first->at);
  EXPECT_EQ(1u, witness.launch_seed);
  ASSERT_EQ(2u, witness.threads.size());
  EXPECT_EQ((Witness::Thread{"P0", 0, 1}), witness.threads[0]);
  EXPECT_NE(0u, witness.threads[1].workgroup);
  ASSERT_EQ(2u, witness.addresses.size());
  EXPECT_EQ((Witness::Address{"x", "memory", 2}), witness.addresses[0]);
  EXPECT_EQ("y", witness.addresses[1].location);
  EXPECT_EQ(32u, record.code_hash.size());
}

TEST(Runner, EveryWayToFailIsARecord) {
  struct Case {
    const char* device;
    RunState state;
    const char* message;
  };
  const Case cases[] = {
      {"testing:lost", RunState::lost, "the device fell off the bus"},
      {"testing:gone", RunState::lost, "testing: the device is gone"},
      {"testing:refuse", RunState::failed, "testing: the compiler refuses every program"},
      {"testing:memory", RunState::failed,
       "MP: out of memory: one iteration of 512 instances needs 105 KiB, more than the 1 KiB it may use"},
      {"cuda:x", RunState::failed, "unknown device 'cuda:x'; expected cuda:NUMBER"},
  };
  for (const Case& c : cases) {
    const RunRecord record = run(request(c.device));
    EXPECT_EQ(c.state, record.status) << c.device;
    EXPECT_EQ(c.message, record.message);
    EXPECT_EQ(0u, record.instances);
  }
  RunRequest two_devices = request("testing:one");
  two_devices.test = litmus::read_tests(base::Source("test",
                                                     "weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n"
                                                     "scopes (dev P0) (dev P1)\nexists (1:r0=1)\n"))
                         ->front();
  EXPECT_EQ(RunState::refused, run(two_devices).status);
  EXPECT_EQ("T: cannot run: the test places its threads on several devices; a run uses one", run(two_devices).message);
}

TEST(Runner, MemoryStaysWithinTheRequest) {
  RunRequest small = request("testing:one");
  small.memory = 1 << 20;
  const RunRecord record = run(small);
  EXPECT_EQ(RunState::finished, record.status);
  EXPECT_LE(record.memory, small.memory);
  EXPECT_GT(record.memory, 0u);
}

// Ends after a number of launches.
struct Impatient final : RunObserver {
  explicit Impatient(int launches) : left(launches) {}
  void started(const RunRecord&) override { was_started = true; }
  void progress(const RunRecord& so_far) override {
    --left;
    EXPECT_EQ(RunState::running, so_far.status);
    EXPECT_GT(so_far.instances, seen);
    seen = so_far.instances;
  }
  bool cancelled() override { return left <= 0; }
  int left;
  bool was_started = false;
  std::uint64_t seen = 0;
};

TEST(Runner, EndsWithWhatThereIsWhenCancelled) {
  RunRequest endless = request("testing:one");
  endless.instances = 0;
  endless.seconds = 1e6;
  endless.deadline = 1e6;
  Impatient observer(3);
  const RunRecord record = in_process_executor()->execute(endless, observer);
  EXPECT_TRUE(observer.was_started);
  EXPECT_EQ(RunState::stopped, record.status);
  EXPECT_EQ("interrupted", record.message);
  EXPECT_EQ(3u, record.launches);
  EXPECT_EQ(observer.seen, record.instances);
}

TEST(Runner, TheDeadlineStopsIt) {
  RunRequest slow = request("testing:slow");
  slow.instances = 0;
  slow.seconds = 1e6;
  slow.deadline = 0.05;
  const RunRecord record = run(slow);
  EXPECT_EQ(RunState::stopped, record.status);
  EXPECT_EQ("the deadline of 0.05 seconds passed", record.message);
}

TEST(Runner, ALaunchThatTakesTooLongIsCutShortAndCounts) {
  RunRequest slow = request("testing:slow");
  slow.instances = 0;
  slow.seconds = 0.05;
  slow.deadline = 1000;
  const RunRecord record = run(slow);
  EXPECT_EQ(RunState::finished, record.status) << record.message;
  EXPECT_GT(record.instances, 0u);
}

// Compiles when a program runs for the first time, and takes longer for that than the run is to last.
class LateCompiler final : public backend::Device {
 public:
  const backend::DeviceInfo& info() const override { return device_->info(); }
  std::uint64_t free_bytes() override { return device_->free_bytes(); }
  base::Result<std::unique_ptr<backend::LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    return std::unique_ptr<backend::LoadedProgram>(std::make_unique<Program>(*device_->load(program)));
  }

 private:
  class Program final : public backend::LoadedProgram {
   public:
    explicit Program(std::unique_ptr<backend::LoadedProgram> program) : program_(std::move(program)) {}
    std::uint32_t resident_workgroups(std::uint32_t entry) const override {
      return program_->resident_workgroups(entry);
    }
    base::Result<backend::RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
      if (!std::exchange(compiled_, true)) std::this_thread::sleep_for(std::chrono::milliseconds(600));
      return program_->run(launch, deadline);
    }

   private:
    std::unique_ptr<backend::LoadedProgram> program_;
    bool compiled_ = false;
  };

  std::unique_ptr<backend::Device> device_ = *backend::open_device("testing:one");
};

TEST(Runner, WhatADriverCompilesLateIsNoTimeOfTheRun) {
  RunRequest timed = request("testing:one");
  timed.instances = 0;
  timed.seconds = 0.5;
  LateCompiler device;
  RunObserver observer;
  const RunRecord record = run_on(device, timed, observer);
  EXPECT_EQ(RunState::finished, record.status) << record.message;
  EXPECT_GT(record.launches, 1u);
}

TEST(Runner, LaunchesGrowSoThatTheyAreFew) {
  RunRequest many = request("testing:one");
  many.instances = 100'000'000;  // 763 rounds of a pretended millisecond
  const RunRecord record = run(many);
  EXPECT_GE(record.rounds, 763u);
  EXPECT_LE(record.launches, 20u);
}

// A process that cannot be started, ends at once, or answers nonsense in place of a worker.
TEST(Isolated, AWorkerThatIsNoneIsARecord) {
  struct Case {
    std::vector<std::string> command;
    RunState state;
    const char* message;
  };
  const Case cases[] = {
      {{"/no/such/worker"}, RunState::failed, "cannot start '/no/such/worker': No such file or directory"},
      {{"sh", "-c", "exit 7"}, RunState::lost, "the device process ended with exit code 7"},
      {{"sh", "-c", "read line; kill -ILL $$"},
       RunState::lost,
       "the device process died of SIGILL (illegal instruction)"},
  };
  for (const Case& c : cases) {
    RunObserver observer;
    const RunRecord record = isolated_executor(c.command)->execute(request("testing:one"), observer);
    EXPECT_EQ(c.state, record.status);
    EXPECT_EQ(c.message, record.message);
    EXPECT_EQ("MP", record.test);
  }
  RunObserver observer;
  const RunRecord record =
      isolated_executor({"sh", "-c", "echo done rubbish; sleep 100"})->execute(request("testing:one"), observer);
  EXPECT_EQ(RunState::lost, record.status);
  EXPECT_TRUE(record.message.starts_with("the device process sent an invalid record: ")) << record.message;
}

// An expected request is sent before it is asked for. If another is asked for, it does not get the expected one's
// answer.
TEST(Isolated, AnExpectedRequestIsSentOnceAndAnUnexpectedOneIsAnswered) {
  const std::string log = testing::TempDir() + "isolated_test_log";
  std::filesystem::remove(log);
  const auto with_seed = [](std::uint64_t seed) {
    RunRequest one = request("testing:one");
    one.seed = seed;
    return one;
  };
  std::string script = "while read -r line; do case \"$line\" in stop) echo stop >> " + log + ";;";
  for (std::uint64_t seed = 71; seed <= 74; ++seed) {
    RunRecord record = begin_record(with_seed(seed));
    record.status = RunState::finished;
    script += fmt::format(" *'\"seed\":{}'*|*'\"seed\": {}'*) echo {} >> {}; printf '%s\\n' 'done {}';;", seed, seed,
                          seed, log, to_json(record));
  }
  const auto executor = isolated_executor({"sh", "-c", script + " esac; done"});
  RunObserver observer;
  const auto executed = [&](std::uint64_t seed) { return executor->execute(with_seed(seed), observer).seed; };
  executor->expect(with_seed(72));
  EXPECT_EQ(71U, executed(71));
  executor->expect(with_seed(73));
  EXPECT_EQ(72U, executed(72));
  EXPECT_EQ(74U, executed(74));
  EXPECT_EQ(71U, executed(71));
  std::ifstream file(log);
  std::string text, word;
  while (file >> word) text += word == "stop" ? "" : word + " ";
  EXPECT_EQ("71 72 73 74 71 ", text);
  std::filesystem::remove(log);
}

// A worker that cannot open its device while another one lives, as with a card that serves one process at a time.
TEST(Isolated, ADeviceThatAnotherOfOursHoldsIsTriedAgain) {
  const std::string card = testing::TempDir() + "isolated_test_card";
  std::filesystem::remove(card);
  const auto answer = [](const char* device, RunState state, const char* name) {
    RunRecord record = begin_record(request(device));
    record.status = state;
    record.device_name = name;
    return "printf '%s\\n' 'done " + to_json(record) + "'";
  };
  // The file has the number of the process that has the card.
  const std::string script = "kill -0 $(cat " + card + " 2>/dev/null) 2>/dev/null || { echo $$ > " + card +
                             "; mine=1; }\n while read line; do if [ \"$mine\" ]; then " +
                             answer("testing:one", RunState::finished, "card") + "; else " +
                             answer("testing:all", RunState::failed, "") + "; fi; done";
  const auto executor = isolated_executor({"sh", "-c", script});
  RunObserver observer;
  EXPECT_EQ(RunState::finished, executor->execute(request("testing:one"), observer).status);
  EXPECT_EQ(RunState::finished, executor->execute(request("testing:all"), observer).status);
  EXPECT_EQ(RunState::finished, executor->execute(request("testing:one"), observer).status);
  std::filesystem::remove(card);
}

}  // namespace
}  // namespace weakspot::campaign
