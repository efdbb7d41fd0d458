// SPDX-License-Identifier: MIT
// Whatever a kernel does, several cores find in it what one core finds, and leave the same memory.
#include "race_jit/machine/crew.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>

#include "race_jit/machine/machine.h"

namespace weakspot::race_jit::crew_test {
namespace {

constexpr std::uint32_t kBlocks = 48, kThreads = 64, kSites = 16;
constexpr std::uint64_t kWords = kBlocks * kThreads * 2;

std::uint32_t* words(void** arguments) { return static_cast<std::uint32_t*>(arguments[0]); }
std::uint32_t block() { return weakspot_current->block[0]; }
std::uint32_t thread() { return weakspot_current->number; }
std::uint32_t own() { return block() * kThreads + thread(); }

std::uint32_t read(std::uint32_t* place, std::uint32_t site) {
  std::uint32_t value = 0;
  std::memcpy(&value, weakspot_access(place, 4, 0, site, 0), 4);
  return value;
}

void write(std::uint32_t* place, std::uint32_t value, std::uint32_t site) {
  std::memcpy(weakspot_access(place, 4, kWrite | kHasValue, site, value), &value, 4);
}

std::uint32_t* shared(std::uint32_t word) { return reinterpret_cast<std::uint32_t*>(weakspot_current->shared) + word; }

// Each thread has its own word.
void apart(void** arguments) { write(words(arguments) + own(), own() + read(words(arguments) + own(), 1), 2); }

// Threads of a block write one word; some threads leave their memory, and some print.
void wrong_in_blocks(void** arguments) {
  write(words(arguments) + block() * kThreads, thread(), 1);
  write(shared(thread() / 2), thread(), 2);
  weakspot_barrier(3);
  if (block() % 5 == 3 && thread() == 1) {
    write(words(arguments) + kWords + 1, 1, 4);
    const int number = static_cast<int>(block());
    weakspot_printf("%d\n", &number, 5);
  }
}

// Each thread reads what one of the block before wrote, if it did.
void reads_of_the_block_before(void** arguments) {
  const std::uint32_t before = block() == 0 ? 0 : read(words(arguments) + own() - kThreads, 1);
  write(words(arguments) + own(), before + 1, 2);
}

// The first and the last block meet at one word.
void far_apart(void** arguments) { write(words(arguments) + (block() == kBlocks - 1 ? thread() : own()), block(), 1); }

void count_together(void** arguments) {
  weakspot_atomic(words(arguments) + thread() % 7, kAdd, 4, kDeviceScope, kRelaxedOrder, own(), 0, 9);
  apart(arguments);
}

void count_within_blocks(void** arguments) {
  weakspot_atomic(words(arguments) + thread() % 7, kAdd, 4, kBlockScope, kRelaxedOrder, own(), 0, 9);
}

void count_and_read(void** arguments) {
  weakspot_atomic(words(arguments), kAdd, 4, kDeviceScope, kRelaxedOrder, 1, 0, 9);
  if (block() == 40) write(words(arguments) + own(), read(words(arguments), 1), 2);
}

void take_a_ticket(void** arguments) {
  const std::uint64_t ticket =
      weakspot_atomic(words(arguments) + kWords - 1, kAdd, 4, kDeviceScope, kRelaxedOrder, 1, 0, 1);
  write(words(arguments) + ticket % (kWords / 2), own(), 2);
}

// Neighbouring bytes of one word, of different blocks where they meet.
void bytes(void** arguments) {
  char* memory = reinterpret_cast<char*>(words(arguments)) + block() * (kThreads - 1) + thread();
  if (thread() + 1 == kThreads) return;
  *static_cast<char*>(weakspot_access(memory, 1, kWrite, 1, 0)) = static_cast<char>(thread());
}

void stop_at_some(void** arguments) {
  if (block() == 33 && thread() == 7) weakspot_trap(5);
  apart(arguments);
}

struct Result {
  bool ended = false;
  std::vector<std::string> noticed;
  std::string output;
  std::vector<std::uint32_t> memory;
  std::uint64_t accesses = 0;

  bool operator==(const Result&) const = default;
};

std::string text(race::ThreadName thread) { return std::to_string(thread.block) + "." + std::to_string(thread.thread); }

Result run(void (*entry)(void**), Schedule schedule, unsigned cores) {
  base::Result<std::unique_ptr<Arena>> arena = Arena::create();
  if (!arena) return {};
  MachineOptions options;
  options.worth_sharing = 1;
  Machine device(std::move(*arena), options);
  device.sites().resize(kSites);
  device.sites()[9].ignored = true;
  auto* memory = reinterpret_cast<std::uint32_t*>(device.arena().allocate(kWords * 4, "words", 4));
  void* arguments[] = {memory};
  LaunchRequest request;
  request.entry = entry;
  request.arguments = arguments;
  request.grid = {kBlocks, 1, 1};
  request.block = {kThreads, 1, 1};
  request.static_shared = 256;
  request.cores = cores;
  Result result;
  for (int i = 0; i < 2; ++i) {
    result.ended = device.launch(request, schedule);
    for (const race::Race& race : device.detector().take_races()) {
      const auto offset = race.address - reinterpret_cast<std::uint64_t>(device.arena().base());
      result.noticed.push_back(std::to_string(static_cast<int>(race.race_class)) + " " + text(race.first.thread) + " " +
                               text(race.second.thread) + " " + std::to_string(offset) + " x" +
                               std::to_string(race.count));
    }
    for (const Incident& incident : device.take_incidents()) {
      result.noticed.push_back(std::to_string(static_cast<int>(incident.kind)) + " " + text(incident.thread) + " x" +
                               std::to_string(incident.count));
    }
    for (const auto& [site, use] : device.barriers()) {
      result.noticed.push_back(std::to_string(site) + " " + std::to_string(use.instances) +
                               (device.detector().barrier_needed(site) ? " needed" : ""));
    }
  }
  result.output = device.output();
  result.memory.assign(memory, memory + kWords);
  result.accesses = device.checked_accesses();
  return result;
}

TEST(Crew, FindsOnSeveralCoresWhatOneFinds) {
  const std::pair<const char*, void (*)(void**)> kernels[] = {
      {"apart", &apart},
      {"wrong_in_blocks", &wrong_in_blocks},
      {"reads_of_the_block_before", &reads_of_the_block_before},
      {"far_apart", &far_apart},
      {"count_together", &count_together},
      {"count_within_blocks", &count_within_blocks},
      {"count_and_read", &count_and_read},
      {"take_a_ticket", &take_a_ticket},
      {"bytes", &bytes},
      {"stop_at_some", &stop_at_some},
  };
  for (const auto& [name, entry] : kernels) {
    for (const Schedule schedule : {Schedule::forward, Schedule::reversed, Schedule::random}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(static_cast<int>(schedule)));
      const Result alone = run(entry, schedule, 1);
      const Result together = run(entry, schedule, 3);
      EXPECT_EQ(alone.noticed, together.noticed);
      EXPECT_TRUE(alone == together);
    }
  }
}

TEST(Crew, SharesBlocksThatAreApart) {
  base::Result<std::unique_ptr<Arena>> arena = Arena::create();
  ASSERT_TRUE(arena);
  Machine device(std::move(*arena), {});
  device.sites().resize(kSites);
  auto* memory = device.arena().allocate(kWords * 4, "words", 4);
  void* arguments[] = {memory};
  LaunchRequest request;
  request.entry = &apart;
  request.arguments = arguments;
  request.grid = {kBlocks, 1, 1};
  request.block = {kThreads, 1, 1};
  Crew crew(device, 2);
  ASSERT_EQ(crew.size(), 2u);
  EXPECT_EQ(crew.run(request, Schedule::forward, 0, kBlocks), Crew::End::done);
  device.detector().start_launch();
  EXPECT_EQ(crew.run(request, Schedule::reversed, 0, kBlocks), Crew::End::done);
  device.detector().start_launch();
  // A ticket makes blocks dependent at once; whether two blocks meet on different workers depends on time.
  request.entry = &take_a_ticket;
  EXPECT_EQ(crew.run(request, Schedule::forward, 0, kBlocks), Crew::End::dependent);
  EXPECT_EQ(device.checked_accesses(), 2 * 2 * kBlocks * kThreads);
}

}  // namespace
}  // namespace weakspot::race_jit::crew_test
