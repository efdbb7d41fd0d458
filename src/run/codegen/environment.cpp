// SPDX-License-Identifier: MIT
#include "codegen/environment.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <vector>

namespace weakspot::codegen {
namespace {

using Kind = Parameter::Kind;

constexpr std::string_view kModes[] = {"pte", "site"};
constexpr std::string_view kAssignments[] = {"all", "one"};
constexpr std::string_view kPairings[] = {"stripe", "half", "neighbour", "next"};
constexpr std::string_view kNeighbours[] = {"apart", "together", "both"};
constexpr std::string_view kRoleOrders[] = {"ascending", "descending", "by_warp", "by_block", "by_lane"};
constexpr std::string_view kResultStores[] = {"end", "reversed", "at_once"};
constexpr std::string_view kBarriers[] = {"none", "block", "partner", "grid"};
constexpr std::string_view kLayouts[] = {"interleaved", "arrays"};
constexpr std::string_view kSpreads[] = {"word", "line"};
constexpr std::string_view kWidths[] = {"natural", "wide"};
constexpr std::string_view kMemoryKinds[] = {"pinned", "managed", "managed_cpu"};
constexpr std::string_view kWeakenings[] = {"none",  "release", "acquire", "fence",
                                            "scope", "rmw",     "swap",    "dependency"};

// The headings of the manual.
constexpr std::string_view kThreads = "Threads";
constexpr std::string_view kTiming = "Timing";
constexpr std::string_view kMemory = "Memory of the test";
constexpr std::string_view kStress = "Stress";
constexpr std::string_view kLaunch = "Launch";
constexpr std::string_view kTestingTheTester = "Testing the tester";

template <auto Member>
constexpr Parameter row(std::string_view group, std::string_view name, std::string_view historic, Kind kind, int low,
                        int high, std::string_view meaning, bool zero_is_automatic = false) {
  Parameter parameter;
  parameter.name = name;
  parameter.historic_name = historic;
  parameter.kind = kind;
  parameter.low = low;
  parameter.high = high;
  parameter.zero_is_automatic = zero_is_automatic;
  parameter.group = group;
  parameter.meaning = meaning;
  parameter.get = [](const TestEnvironment& e) { return static_cast<int>(e.*Member); };
  parameter.set = [](TestEnvironment& e, int value) {
    e.*Member = static_cast<std::remove_reference_t<decltype(e.*Member)>>(value);
  };
  return parameter;
}

template <auto Member, std::size_t N>
constexpr Parameter choice(std::string_view group, std::string_view name, const std::string_view (&names)[N],
                           std::string_view meaning) {
  Parameter parameter = row<Member>(group, name, "", Kind::choice, 0, static_cast<int>(N) - 1, meaning);
  parameter.choices = names;
  return parameter;
}

template <auto Member>
constexpr Parameter percent(std::string_view group, std::string_view name, std::string_view historic,
                            std::string_view meaning) {
  return row<Member>(group, name, historic, Kind::percent, 0, 100, meaning);
}

using E = TestEnvironment;

constexpr Parameter kParameters[] = {
    choice<&E::mode>(kThreads, "mode", kModes,
                     "pte: every testing thread takes part in instances of the test. site: one instance per "
                     "iteration; all other threads only stress."),
    row<&E::testing_workgroups>(
        kThreads, "testing_workgroups", "testingWorkgroups", Kind::number, 2, 65536,
        "Workgroups that run the test, never more than fit on the device at once. Automatic: all "
        "that fit, or half of them with memory stress. CPU: workgroups per iteration; automatic: "
        "enough for 1024 instances.",
        true),
    row<&E::max_workgroups>(kThreads, "max_workgroups", "maxWorkgroups", Kind::number, 2, 65536,
                            "All workgroups, including those that stress; how many of the latter do is drawn for "
                            "each iteration. Automatic: all that fit on the device at once. CPU: ignored.",
                            true),
    row<&E::workgroup_size>(kThreads, "workgroup_size", "workgroupSize", Kind::number, 1, 1024,
                            "Threads per workgroup, rounded up to fit the test's placement of threads. CPU: "
                            "instances of one role that a worker runs in a row."),
    row<&E::occupancy_percent>(kThreads, "occupancy_percent", "", Kind::percent, 1, 100,
                               "How much of the device to use, as a percentage of the workgroups that fit on it at "
                               "once. CPU: percentage of the cores."),
    choice<&E::assignment>(kThreads, "assignment", kAssignments,
                           "all: a thread runs every role, each in a different instance. one: a thread runs one "
                           "role; tests with workgroup barriers always do. CPU: all: roles change workers with "
                           "every workgroup."),
    choice<&E::pairing>(kThreads, "pairing", kPairings,
                        "Which workgroups meet in an instance. stripe: each with every other in turn, lane by "
                        "lane. half: w with w + T/2. neighbour: w with w xor 1. next: w with w + 1. CPU: which "
                        "worker counts and initialises which instances, and so whose cache holds them at the "
                        "start. stripe: workers take turns. half: each worker a contiguous part. neighbour: each "
                        "worker the part of the next one. next: the last worker all of them."),
    choice<&E::neighbours>(kThreads, "neighbours", kNeighbours,
                           "Where the threads are that share a workgroup in an instance, if nothing in the test "
                           "depends on it. apart: in different subgroups, or as the test places them. together: in one "
                           "subgroup. both: in one subgroup in half of the instances; as together with assignment=one. "
                           "Threads that meet at barriers stay apart. CPU: ignored."),
    choice<&E::role_order>(kThreads, "role_order", kRoleOrders,
                           "The order in which a thread runs its roles: the same for all threads, or starting with "
                           "a different role in each warp, workgroup or lane. CPU: in each worker, workgroup or "
                           "both; matters only if a worker has several roles."),
    choice<&E::result_store>(kThreads, "result_store", kResultStores,
                             "When a thread stores what it read. end: after its last role, in the order of the roles. "
                             "reversed: the same in reverse order. at_once: after each role. CPU: ignored; always "
                             "after each role."),
    percent<&E::shuffle_percent>(kThreads, "shuffle_percent", "shufflePct",
                                 "Percentage of iterations in which the workgroup numbers are shuffled."),
    row<&E::permute_threads>(kThreads, "permute_threads", "permuteFirst", Kind::number, 1, 4095,
                             "The factor that spreads instances over the lanes of the partner workgroup. Automatic: a "
                             "factor that is coprime to the workgroup size and far from the identity. CPU: the order "
                             "in which all roles but the first visit the instances of a workgroup; automatic: in "
                             "turn.",
                             true),

    choice<&E::barrier>(kTiming, "barrier", kBarriers,
                        "What aligns threads before the test. block: the workgroup. partner: the threads of each "
                        "instance. grid: all testing workgroups. All waits are bounded. CPU: grid: the workers "
                        "meet before each workgroup. partner: the same, and they leave at an agreed time. block: "
                        "they meet once per iteration."),
    percent<&E::barrier_percent>(kTiming, "barrier_percent", "barrierPct",
                                 "Percentage of iterations that start with the barrier."),
    row<&E::barrier_spacing>(kTiming, "barrier_spacing", "", Kind::number, 1, 65536,
                             "Instances that a thread runs between two barriers. CPU: workgroups."),
    row<&E::spin_bound>(kTiming, "spin_bound", "", Kind::number, 1, 1 << 24,
                        "Polls after which a thread stops waiting at a barrier. CPU: polls after which a worker "
                        "sleeps; it stops waiting after a few sleeps."),
    row<&E::access_gap>(kTiming, "access_gap", "", Kind::number, 0, 4096,
                        "The most arithmetic steps between two instructions of a test thread; the number is "
                        "drawn for each warp, iteration and gap. Gives other threads more time to get in "
                        "between. CPU: ignored."),
    percent<&E::pre_read_percent>(
        kTiming, "pre_read_percent", "",
        "Percentage of the locations that a test thread reads before the barrier, at workgroup scope, of those that it "
        "reads in the test; drawn for each warp and iteration. They are then in its first cache, where narrow scopes "
        "leave old values. CPU: ignored."),
    row<&E::start_delay>(
        kTiming, "start_delay", "", Kind::number, -100000, 100000,
        "Only for a CPU and a GPU together: nanoseconds by which the CPU starts after it sees that the "
        "GPU has started; with a negative number the GPU waits that long after it has said so. "
        "Automatic: the first rounds try many, and the others use the one whose outcomes were most "
        "varied.",
        true),
    row<&E::start_spread>(
        kTiming, "start_spread", "", Kind::number, 0, 100000,
        "Only for a CPU and a GPU together: nanoseconds by which start_delay varies from iteration to "
        "iteration, in both directions."),

    choice<&E::layout>(kMemory, "layout", kLayouts,
                       "interleaved: the locations of neighbouring instances alternate. arrays: each location "
                       "has an array of its own."),
    row<&E::memory_stride>(kMemory, "memory_stride", "memStride", Kind::number, 1, 1024,
                           "Distance between neighbouring locations, in words."),
    row<&E::second_stride>(kMemory, "second_stride", "", Kind::number, 1, 1024,
                           "The same for the second, fourth, ... location; layout=arrays only. Automatic: "
                           "memory_stride.",
                           true),
    choice<&E::access_width>(kMemory, "access_width", kWidths,
                             "natural: as in the test. wide: 32-bit locations and registers become 64-bit ones."),
    row<&E::permute_locations>(kMemory, "permute_locations", "permuteSecond", Kind::number, 1, 4095,
                               "The factor that spreads all locations but the first over memory. Automatic: a factor "
                               "that is coprime to the number of instances. CPU: automatic: 1.",
                               true),
    choice<&E::memory_kind>(kMemory, "memory_kind", kMemoryKinds,
                            "Only for a CPU and a GPU together: what memory they share. pinned: memory of the CPU that "
                            "the GPU accesses over the bus. managed: memory that the driver moves to whoever uses it. "
                            "managed_cpu: the same, with the advice to keep it at the CPU and to map it for the GPU."),

    percent<&E::memory_stress_percent>(
        kStress, "memory_stress_percent", "memStressPct",
        "Percentage of iterations in which the workgroups that do not test stress memory. CPU: "
        "the cores that do not test, if any."),
    percent<&E::pre_stress_percent>(kStress, "pre_stress_percent", "preStressPct",
                                    "Percentage of iterations in which testing threads stress memory before the test."),
    row<&E::stress_line_words>(kStress, "stress_line_words", "stressLineSize", Kind::power_of_two, 2, 1024,
                               "Size of a stress line, in words."),
    row<&E::stress_target_lines>(
        kStress, "stress_target_lines", "stressTargetLines", Kind::number, 1, 16,
        "Number of distinct lines that are stressed at once. The lines, and an offset in each, "
        "are drawn for each iteration."),
    row<&E::scratch_words>(kStress, "scratch_words", "scratchMemorySize", Kind::number, 32, 1 << 24,
                           "Size of the memory for stress, in words. Automatic: 32 lines per target line.", true),
    choice<&E::stress_spread>(
        kStress, "stress_spread", kSpreads,
        "word: all threads of a workgroup stress the same word. line: they spread over its line."),
    row<&E::memory_stress_iterations>(
        kStress, "memory_stress_iterations", "memStressIterations", Kind::number, 0, 65536,
        "Rounds of the two-access pattern that a stressing thread runs before it checks whether "
        "to go on."),
    row<&E::pre_stress_iterations>(kStress, "pre_stress_iterations", "preStressIterations", Kind::number, 0, 65536,
                                   "Rounds of the two-access pattern before the test."),
    percent<&E::strategy_balance_percent>(
        kStress, "strategy_balance_percent", "stressStrategyBalancePct",
        "Percentage of iterations in which workgroups take lines in turn rather than in chunks."),
    percent<&E::memory_store_first_percent>(
        kStress, "memory_store_first_percent", "memStressStoreFirstPct",
        "Percentage of iterations in which the first access of memory stress is a store."),
    percent<&E::memory_store_second_percent>(kStress, "memory_store_second_percent", "memStressStoreSecondPct",
                                             "The same for the second access."),
    percent<&E::pre_store_first_percent>(
        kStress, "pre_store_first_percent", "preStressStoreFirstPct",
        "Percentage of iterations in which the first access of pre-stress is a store."),
    percent<&E::pre_store_second_percent>(kStress, "pre_store_second_percent", "preStressStoreSecondPct",
                                          "The same for the second access."),

    row<&E::iterations>(kLaunch, "iterations", "", Kind::number, 1, 1 << 20,
                        "Iterations per launch, each on fresh memory; fewer if their memory does not fit."),
    row<&E::loop_bound>(kLaunch, "loop_bound", "", Kind::number, 1, 1 << 16,
                        "Rounds of a loop of the test after which its instance is given up and counted as "
                        "unfinished."),

    choice<&E::weaken>(kTestingTheTester, "weaken", kWeakenings,
                       "Breaks the test on purpose. release, acquire: such accesses become relaxed. fence: "
                       "fences are left out. scope: accesses and fences reach no further than the workgroup; CPUs "
                       "refuse it. rmw: a read-modify-write becomes a load and then a store. swap: the first two "
                       "neighbouring accesses of each thread change places. dependency: values that are always 0, "
                       "whatever they are computed from, become the constant. Outcomes are judged as if nothing had "
                       "changed, which shows that violations are found. Never drawn at random; such runs are marked "
                       "as deliberately broken."),
};

TestEnvironment interleave() {
  TestEnvironment e;
  e.workgroup_size = 256;
  e.barrier = BarrierKind::none;
  return e;
}

TestEnvironment stress() {
  TestEnvironment e;
  e.memory_stress_percent = 100;
  e.pre_stress_percent = 100;
  e.shuffle_percent = 100;
  e.memory_stride = 4;
  e.stress_target_lines = 4;
  return e;
}

TestEnvironment baseline(Mode mode, int workgroups, int size) {
  TestEnvironment e;
  e.mode = mode;
  e.testing_workgroups = workgroups;
  e.max_workgroups = workgroups;
  e.workgroup_size = size;
  e.barrier = BarrierKind::none;
  if (mode == Mode::site) e.iterations = 16384;
  return e;
}

TestEnvironment site() {
  TestEnvironment e = baseline(Mode::site, 32, 32);
  e.max_workgroups = 0;
  e.barrier = BarrierKind::partner;
  e.shuffle_percent = 100;
  e.memory_stress_percent = 100;
  e.pre_stress_percent = 100;
  return e;
}

TestEnvironment pte() {
  TestEnvironment e = stress();
  e.workgroup_size = 256;
  e.memory_stride = 2;
  return e;
}

bool in_range(const Parameter& parameter, int value) {
  if (value < parameter.low || value > parameter.high) return false;
  return parameter.kind != Kind::power_of_two || std::has_single_bit(static_cast<unsigned>(value));
}

}  // namespace

std::span<const Parameter> parameters() { return kParameters; }

const Parameter* find_parameter(std::string_view name) {
  for (const Parameter& parameter : kParameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

std::span<const Preset> presets() {
  static const Preset kPresets[] = {
      {"basic", "every default: small workgroups and a barrier across the device", TestEnvironment{}},
      {"interleave", "large workgroups and no barrier, for many different interleavings", interleave()},
      {"stress", "memory stress before and beside the test, shuffled workgroups", stress()},
      {"site-baseline", "one instance per iteration, 32 workgroups, no stress", baseline(Mode::site, 32, 32)},
      {"site", "one instance per iteration, all other threads stress", site()},
      {"pte-baseline", "1024 workgroups of 256 threads, no stress", baseline(Mode::pte, 1024, 256)},
      {"pte", "many instances and stress; random environments are drawn around it", pte()},
  };
  return kPresets;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

bool Parameter::accepts(int value) const { return (zero_is_automatic && value == 0) || in_range(*this, value); }

std::string Parameter::range_text() const {
  if (kind == Kind::choice) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (i != 0) text += i + 1 == choices.size() ? " or " : ", ";
      text += choices[i];
    }
    return text;
  }
  std::string text = kind == Kind::power_of_two ? fmt::format("a power of two from {} to {}", low, high)
                                                : fmt::format("{} to {}", low, high);
  if (kind == Kind::percent) text += " per cent";
  if (zero_is_automatic) text += ", or 0 for automatic";
  return text;
}

std::string Parameter::value_text(int value) const {
  if (kind == Kind::choice && value >= 0 && value < static_cast<int>(choices.size())) {
    return std::string(choices[static_cast<std::size_t>(value)]);
  }
  return std::to_string(value);
}

std::optional<int> Parameter::read(std::string_view text) const {
  if (kind == Kind::choice) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == text) return static_cast<int>(i);
    }
    return std::nullopt;
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

base::Status validate(const TestEnvironment& environment) {
  base::Diagnostics mistakes;
  for (const Parameter& parameter : kParameters) {
    const int value = parameter.get(environment);
    if (parameter.accepts(value)) continue;
    mistakes.push_back(base::error(fmt::format("environment: {} is {}; expected {}", parameter.name,
                                               parameter.value_text(value), parameter.range_text())));
  }
  if (environment.testing_workgroups != 0 && environment.max_workgroups != 0 &&
      environment.testing_workgroups > environment.max_workgroups) {
    mistakes.push_back(base::error(fmt::format("environment: testing_workgroups is {}, more than max_workgroups {}",
                                               environment.testing_workgroups, environment.max_workgroups)));
  }
  if (environment.scratch_words != 0 &&
      environment.scratch_words / environment.stress_line_words < environment.stress_target_lines) {
    mistakes.push_back(base::error(
        fmt::format("environment: scratch_words {} has fewer than stress_target_lines {} lines of {} words",
                    environment.scratch_words, environment.stress_target_lines, environment.stress_line_words)));
  }
  if (!mistakes.empty()) return mistakes;
  return base::ok_status();
}

}  // namespace weakspot::codegen
