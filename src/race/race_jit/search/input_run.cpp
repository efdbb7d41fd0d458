// SPDX-License-Identifier: MIT
#include "race_jit/search/input_run.h"

#include <algorithm>
#include <chrono>
#include <concepts>

#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/bytes.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {
namespace {

constexpr int kAttempts = 8;                       // with larger and larger arrays
constexpr std::uint64_t kLargestArray = 1u << 22;  // elements
// Between arrays: an index that leaves one must not reach the next.
constexpr std::uint64_t kGap = std::uint64_t{64} << 20;
constexpr std::uint64_t kLookedAt = 64 * 1024;  // bytes of each array
constexpr double kSecondsPerRun = 0.5;
constexpr double kSecondsPerFixedRun = 5;  // of a kernel whose blocks have one shape: no input is smaller

double passed_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Outcome InputRun::execute(const Kernel& kernel, race::Input& input, double seconds) {
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  const double most = kernel.block == Extent{} ? kSecondsPerRun : kSecondsPerFixedRun;
  for (int i = 0; i < kAttempts; ++i) {
    outcome = {.accesses = outcome.accesses};
    const double left = seconds - passed_since(start);
    if (!attempt(kernel, input, std::min(left, most), outcome)) return outcome;
    if (left <= 0 || !grow_arrays(kernel, input, outcome.noticed.incidents, {})) break;
  }
  // Any barrier may be needed for what is not modelled.
  if (!is_modelled(outcome.noticed)) {
    for (const auto& [site, use] : outcome.known.uses) outcome.known.needed.insert(site);
  }
  outcome.judged = judge(kernel, input, outcome.noticed);
  for (const race::ArgumentSpec& argument : input.launch.arguments)
    outcome.counts.push_back(argument.count.value_or(0));
  return outcome;
}

bool InputRun::attempt(const Kernel& kernel, const race::Input& input, double seconds, Outcome& outcome) {
  device_.arena().rewind(mark_);
  module_.reset_variables();
  base::Result<Arguments> arguments = Arguments::make(kernel, input.launch, device_.arena(), input.seed, kGap);
  if (!arguments) return false;
  LaunchRequest launch = launch_request(kernel, input.launch);
  launch.arguments = arguments->pointers();
  launch.seed = schedule_seed(input.seed, input.schedule);
  const std::span<std::uint8_t> marks = module_.marks();
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  const std::uint64_t accesses = device_.checked_accesses(), blocks = device_.ended_blocks();
  const BarrierKnowledge before = device_.take_barriers();
  set_time_left(std::max(seconds, 0.01));
  device_.detector().set_doubt({});
  device_.launch(launch, input.schedule.order);
  device_.output().clear();
  outcome.noticed = {device_.detector().take_races(), device_.take_incidents()};
  outcome.known = device_.take_barriers();
  device_.add_barriers(before);
  const auto taken = module_.marks().subspan(kernel.first_mark, kernel.marks);
  outcome.marks.assign(taken.begin(), taken.end());
  outcome.accesses += device_.checked_accesses() - accesses;
  outcome.blocks = device_.ended_blocks() - blocks;
  look_at_cells(outcome, device_.checked_accesses() - accesses, launch.shared_bytes());
  return true;
}

// The fitness of Simulee, from what shadow memory remembers about the arrays: how few words the accesses fall into, and
// how near these lie to each other. Also which pairs of sites accessed one word, ordered or not.
void InputRun::look_at_cells(Outcome& outcome, std::uint64_t accesses, std::uint64_t shared_bytes) const {
  const Arena& arena = device_.arena();
  const race::Interval first = device_.last_intervals().begin;
  auto here = [&](race::Entry entry) { return entry != 0 && race::interval_of(entry) >= first; };
  std::uint64_t words = 0, spread = 0;
  auto look = [&](std::uint64_t begin, std::uint64_t size) {
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
    for (std::uint64_t at = begin / 4; at < (begin + std::min(size, kLookedAt)) / 4; ++at) {
      const race::Cell& cell = arena.cells()[at];
      if (!here(cell.write) && !here(cell.read)) continue;
      ++words;
      lowest = std::min(lowest, at);
      highest = std::max(highest, at);
      if (here(cell.write) && here(cell.read) && cell.write != race::kSplit &&
          race::thread_of(cell.write) != race::thread_of(cell.read)) {
        outcome.pairs.emplace(race::site_of(cell.write), race::site_of(cell.read));
      }
    }
    if (highest >= lowest) spread += highest - lowest;
  };
  const auto& allocations = arena.allocations();
  for (auto at = allocations.lower_bound(mark_); at != allocations.end(); ++at) look(at->first, at->second.size);
  look(Arena::kWindow, shared_bytes);  // shared memory of the first block
  if (words == 0) return;
  outcome.crowding = static_cast<double>(words) / static_cast<double>(std::max(accesses, words));
  outcome.spread = spread;
}

std::string InputRun::fit_arrays(const Kernel& kernel, const race::LaunchSpec& stated, race::Input& input,
                                 double seconds) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  do {  // each round doubles an array, and none grows for ever
    const double left = seconds - passed_since(start);
    if (left <= 0 || !attempt(kernel, input, left, outcome)) break;
  } while (grow_arrays(kernel, input, outcome.noticed.incidents, stated));
  std::string too_small;
  for (const Incident& incident : outcome.noticed.incidents) {
    const std::optional<SmallArray> array = small_array(kernel, input.launch, incident);
    if (array && race::find_argument(stated, array->argument->name) == nullptr) too_small = array->argument->name;
  }
  device_.arena().rewind(mark_);
  return too_small;
}

std::optional<InputRun::SmallArray> InputRun::small_array(const Kernel& kernel, race::LaunchSpec& launch,
                                                          const Incident& incident) const {
  if (incident.kind != Incident::Kind::invalid_address) return std::nullopt;
  const Arena& arena = device_.arena();
  const auto* pointer = reinterpret_cast<const char*>(incident.address);
  if (arena.contains(pointer) && arena.is_shared(pointer)) return std::nullopt;
  race::ArgumentSpec* argument = race::find_argument(launch, device_.sites()[incident.site].variable);
  if (argument == nullptr || !argument->count) {
    // Reached through another name: the array that ends before the address.
    const Allocation* before = arena.find_before(pointer);
    argument = before == nullptr ? nullptr : race::find_argument(launch, before->name);
  }
  const bool made_up =
      argument != nullptr && argument->count && argument->values.empty() && has_parameter(kernel, argument->name);
  const auto& allocations = arena.allocations();
  const auto array = std::find_if(allocations.lower_bound(mark_), allocations.end(),
                                  [&](const auto& entry) { return made_up && entry.second.name == argument->name; });
  const std::uint64_t offset = static_cast<std::uint64_t>(pointer - arena.base());
  if (array == allocations.end() || offset < array->second.begin) return std::nullopt;
  const std::uint64_t bytes = offset - array->second.begin + incident.size;
  return SmallArray{argument, bytes / std::max(array->second.element, 1u) + 1};
}

// Enlarges arrays that were accessed past their end; false if there are none.
bool InputRun::grow_arrays(const Kernel& kernel, race::Input& input, const std::vector<Incident>& incidents,
                           const race::LaunchSpec& stated) const {
  bool grown = false;
  for (const Incident& incident : incidents) {
    const auto* pointer = reinterpret_cast<const char*>(incident.address);
    if (incident.kind == Incident::Kind::invalid_address && device_.arena().contains(pointer) &&
        device_.arena().is_shared(pointer)) {
      return false;
    }
    const std::optional<SmallArray> array = small_array(kernel, input.launch, incident);
    if (!array || race::find_argument(stated, array->argument->name) != nullptr) continue;
    std::uint64_t& count = *array->argument->count;
    if (count >= kLargestArray || array->needed > kLargestArray) continue;
    count = std::max(count * 2, array->needed + array->needed / 4);
    grown = true;
  }
  return grown;
}

bool starts_at_zero(const Kernel& kernel, const race::Input& input) {
  return std::all_of(kernel.facts.parameters.begin(), kernel.facts.parameters.end(),
                     [&](const race::ParameterFacts& parameter) {
                       const race::ArgumentSpec* argument = race::find_argument(input.launch, parameter.name);
                       return !parameter.atomic || argument == nullptr || argument->fill == "zero";
                     });
}

bool InputRun::judge(const Kernel& kernel, const race::Input& input, const Noticed& noticed) const {
  using Kind = Incident::Kind;
  const bool zeroed = starts_at_zero(kernel, input);
  return std::none_of(noticed.incidents.begin(), noticed.incidents.end(), [&](const Incident& incident) {
    const bool waits_for_memory = incident.kind == Kind::stuck && incident.wait == Wait::nothing;
    return incident.kind == Kind::invalid_address || incident.kind == Kind::assertion || incident.kind == Kind::crash ||
           incident.kind == Kind::deadline || (waits_for_memory && !zeroed);
  });
}

// The messages between copies of this process, for both directions; see bytes.h.
template <typename Value, typename T>
concept Is = std::same_as<std::remove_const_t<Value>, T>;

template <typename Bytes, Is<race::ArgumentSpec> Value>
static void fields(Bytes& bytes, Value& argument) {
  bytes(argument.name, argument.type, argument.count, argument.value, argument.fill, argument.values, argument.file);
}

template <typename Bytes, Is<race::LaunchSpec> Value>
static void fields(Bytes& bytes, Value& launch) {
  bytes(launch.grid, launch.block, launch.cluster, launch.shared, launch.cooperative, launch.kernel, launch.arguments);
}

template <typename Bytes, Is<Task> Value>
static void fields(Bytes& bytes, Value& task) {
  bytes(task.kernel, task.end, task.input.launch, task.input.schedule, task.input.seed);
}

template <typename Bytes, Is<Incident> Value>
static void fields(Bytes& bytes, Value& incident) {
  bytes(incident.kind, incident.site, incident.other_site, incident.thread, incident.other_thread, incident.address,
        incident.size, incident.write, incident.wait, incident.arrives, incident.text, incident.launch, incident.count,
        incident.effect, incident.doubt);
}

template <typename Bytes, Is<Outcome> Value>
static void fields(Bytes& bytes, Value& outcome) {
  bytes(outcome.judged, outcome.noticed.races, outcome.noticed.incidents, outcome.counts, outcome.marks, outcome.pairs,
        outcome.known.needed, outcome.known.uses, outcome.accesses, outcome.blocks, outcome.crowding, outcome.spread);
}

namespace {

template <typename T>
std::string bytes_of(const T& value) {
  ByteWriter writer;
  writer(value);
  return writer.take();
}

template <typename T>
std::optional<T> value_from(const std::string& bytes) {
  ByteReader reader(bytes);
  T value;
  reader(value);
  return reader.failed() ? std::nullopt : std::optional<T>(std::move(value));
}

}  // namespace

std::string task_bytes(const Task& task) { return bytes_of(task); }
std::optional<Task> task_from(const std::string& bytes) { return value_from<Task>(bytes); }
std::string outcome_bytes(const Outcome& outcome) { return bytes_of(outcome); }
std::optional<Outcome> outcome_from(const std::string& bytes) { return value_from<Outcome>(bytes); }

}  // namespace weakspot::race_jit
