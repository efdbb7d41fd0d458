#include "race_jit/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/replay.h"
#include "race_jit/arguments.h"
#include "race_jit/signals.h"

namespace weakspot::race_jit {
namespace {

constexpr int kAttempts = 8;                       // with larger and larger arrays
constexpr std::uint64_t kLargestArray = 1u << 22;  // elements
constexpr std::uint64_t kLearntExtent = 4096;      // larger ones are grown anew, when they are needed
// Between arrays: an index that leaves one must not end up in the next.
constexpr std::uint64_t kGap = std::uint64_t{64} << 20;
constexpr std::uint64_t kLookedAt = 64 * 1024;  // bytes of each array
constexpr double kSecondsPerRun = 0.5;
constexpr std::size_t kPopulation = 10, kNovel = 64, kExamples = 32, kMended = 3;

race::ArgumentSpec* find(race::LaunchSpec& launch, const std::string& name) {
  auto found = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                            [&](const race::ArgumentSpec& argument) { return argument.name == name; });
  return found == launch.arguments.end() ? nullptr : &*found;
}

}  // namespace

void Search::run(const Kernel& kernel, const race::LaunchSpec& fixed, bool shape_fixed, std::uint64_t runs,
                 double seconds) {
  const Clock::time_point start = Clock::now();
  end_ = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  reached_.assign(kernel.branches, 0);
  race::InputSource source(kernel.facts, fixed, shape_fixed, request_.seed);
  base::Rng rng(request_.seed);
  std::vector<race::Finding> first;  // of the first run
  const std::uint64_t judged_before = report_.runs - report_.unjudged;
  for (std::uint64_t number = 0; number < runs && seconds_left() > 0; ++number) {
    race::Input input;
    const bool breeding = number >= 40 && rng.percent(60) && !crowded_.empty();
    if (!breeding) {
      input = source.make(number);
    } else if (!novel_.empty() && rng.percent(50)) {
      input = source.mutated(novel_[rng.below(novel_.size())], number);
    } else {
      input = source.mutated(crowded_[rng.below(crowded_.size())].input, number);
    }
    const Outcome outcome = execute(kernel, input);
    ++report_.runs;
    session_.count(kernel, threads_of(input.launch));
    if (number == 0) first = describe(kernel, input, outcome.noticed);
    if (!outcome.judged) {
      ++report_.unjudged;
      continue;
    }
    remember(kernel, input, outcome);
    breed(kernel, input, outcome);
  }
  const std::uint64_t judged = report_.runs - report_.unjudged - judged_before;
  settle(kernel, judged);
  // No input helps: then what the most natural one shows is not the input's fault.
  if (judged == 0) {
    for (race::Finding& finding : first) session_.collector().keep(std::move(finding));
  }
  report_.branches += kernel.branches;
  report_.branches_reached += static_cast<std::uint64_t>(std::count(reached_.begin(), reached_.end(), 1));
  report_.pairs += pairs_.size();
  report_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  known_.clear();
  novel_.clear();
  crowded_.clear();
  pairs_.clear();
  extents_.clear();
}

Search::Outcome Search::execute(const Kernel& kernel, race::Input& input) {
  for (race::ArgumentSpec& argument : input.launch.arguments) {
    auto learnt = extents_.find(argument.name);
    if (argument.count && learnt != extents_.end()) argument.count = std::max(*argument.count, learnt->second);
  }
  Outcome outcome;
  for (int i = 0; i < kAttempts; ++i) {
    outcome = {};
    if (!attempt(kernel, input, outcome)) return outcome;
    if (!grow_arrays(kernel, input, outcome.noticed.incidents)) break;
  }
  outcome.judged = judge(kernel, input, outcome.noticed);
  for (const race::ArgumentSpec& argument : input.launch.arguments) {
    if (!argument.count || !outcome.judged) continue;
    std::uint64_t& learnt = extents_[argument.name];
    learnt = std::max(learnt, std::min(*argument.count, kLearntExtent));
  }
  return outcome;
}

bool Search::attempt(const Kernel& kernel, const race::Input& input, Outcome& outcome) {
  device_.arena().rewind(mark_);
  module_.reset_variables();
  base::Result<Arguments> arguments = Arguments::make(kernel, input.launch, device_.arena(), input.seed, kGap);
  if (!arguments) return false;
  LaunchRequest launch;
  launch.kernel = kernel.name;
  launch.entry = kernel.entry;
  launch.arguments = arguments->pointers();
  launch.grid = {input.launch.grid[0], input.launch.grid[1], input.launch.grid[2]};
  launch.block = {input.launch.block[0], input.launch.block[1], input.launch.block[2]};
  launch.shared_bytes = module_.static_shared() + input.launch.shared;
  launch.cooperative = input.launch.cooperative;
  launch.seed = schedule_seed(input.seed, input.schedule);
  const std::span<std::uint8_t> marks = module_.branch_marks();
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  const std::uint64_t accesses = device_.checked_accesses();
  set_time_left(std::clamp(seconds_left(), 0.01, kSecondsPerRun));
  device_.launch(launch, input.schedule.order);
  device_.output().clear();
  outcome.noticed = session_.collector().take();
  look_at_branches(kernel, outcome);
  look_at_cells(outcome, device_.checked_accesses() - accesses, launch.shared_bytes);
  return true;
}

void Search::look_at_branches(const Kernel& kernel, Outcome& outcome) {
  const std::span<std::uint8_t> marks = module_.branch_marks().subspan(kernel.first_branch, kernel.branches);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] == 0 || reached_[i] != 0) continue;
    reached_[i] = 1;
    outcome.novel = true;
  }
}

// The paper's fitness, by what shadow memory remembers of the arrays: how few words all accesses fall into, and how
// near to each other these lie. And which pairs of lines met in one word, ordered or not.
void Search::look_at_cells(Outcome& outcome, std::uint64_t accesses, std::uint64_t shared_bytes) {
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
        outcome.novel = pairs_.emplace(race::site_of(cell.write), race::site_of(cell.read)).second || outcome.novel;
      }
    }
    if (highest >= lowest) spread += highest - lowest;
  };
  const auto& allocations = arena.allocations();
  for (auto at = allocations.lower_bound(mark_); at != allocations.end(); ++at) look(at->first, at->second.size);
  look(Arena::kWindow, shared_bytes);  // of the first block
  if (words == 0) return;
  outcome.crowding = static_cast<double>(words) / static_cast<double>(std::max(accesses, words));
  outcome.spread = spread;
}

// Arrays whose end an access has passed become larger; false if there is none that can.
bool Search::grow_arrays(const Kernel& kernel, race::Input& input, const std::vector<Incident>& incidents) const {
  bool grown = false;
  for (const Incident& incident : incidents) {
    if (incident.kind != Incident::Kind::invalid_address) continue;
    const auto* pointer = reinterpret_cast<const char*>(incident.address);
    if (device_.arena().contains(pointer) && device_.arena().is_shared(pointer)) return false;
    const std::string& name = device_.sites()[incident.site].variable;
    race::ArgumentSpec* argument = find(input.launch, name);
    if (argument == nullptr || !argument->count) {
      // Reached through another name: the array that ends before the address.
      const Allocation* before = device_.arena().find_before(pointer);
      argument = before == nullptr ? nullptr : find(input.launch, before->name);
    }
    const bool made_up =
        argument != nullptr && argument->count && argument->values.empty() &&
        std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                    [&](const KernelParameter& parameter) { return parameter.name == argument->name; });
    if (!made_up || *argument->count >= kLargestArray) continue;
    const Allocation* array = device_.arena().find_named(argument->name);
    const std::uint64_t offset = static_cast<std::uint64_t>(pointer - device_.arena().base());
    if (array == nullptr || offset < array->begin) continue;
    const std::uint64_t needed = (offset - array->begin + incident.size) / std::max(array->element, 1u) + 1;
    if (needed > kLargestArray) continue;
    argument->count = std::max(*argument->count * 2, needed + needed / 4);
    grown = true;
  }
  return grown;
}

bool Search::judge(const Kernel& kernel, const race::Input& input, const Noticed& noticed) const {
  using Kind = Incident::Kind;
  const bool zeroed = std::all_of(kernel.facts.parameters.begin(), kernel.facts.parameters.end(),
                                  [&](const race::ParameterFacts& parameter) {
                                    race::LaunchSpec launch = input.launch;
                                    const race::ArgumentSpec* argument = find(launch, parameter.name);
                                    return !parameter.atomic || argument == nullptr || argument->fill == "zero";
                                  });
  return std::none_of(noticed.incidents.begin(), noticed.incidents.end(), [&](const Incident& incident) {
    const bool waits_for_memory = incident.kind == Kind::stuck && incident.text == "waits for memory to change";
    return incident.kind == Kind::invalid_address || incident.kind == Kind::assertion || incident.kind == Kind::crash ||
           incident.kind == Kind::deadline || (waits_for_memory && !zeroed);
  });
}

LaunchRecord Search::record_of(const Kernel& kernel, const race::Input& input) const {
  return {kernel.name,
          race::launch_text(input.launch),
          {input.launch.grid[0], input.launch.grid[1], input.launch.grid[2]},
          {input.launch.block[0], input.launch.block[1], input.launch.block[2]},
          race::replay_command(request_, kernel.name, input.launch, input.schedule, input.seed)};
}

std::vector<race::Finding> Search::describe(const Kernel& kernel, const race::Input& input, const Noticed& noticed) {
  const LaunchRecord record = record_of(kernel, input);
  std::vector<race::Finding> findings;
  for (const race::Race& race : noticed.races) findings.push_back(session_.collector().describe(record, race));
  for (const Incident& incident : noticed.incidents) {
    if (incident.kind == Incident::Kind::not_modelled) continue;
    findings.push_back(session_.collector().describe(record, incident));
  }
  return findings;
}

void Search::remember(const Kernel& kernel, const race::Input& input, const Outcome& outcome) {
  Collector& collector = session_.collector();
  auto record = [&] { return record_of(kernel, input); };
  auto note = [&](const Key& key, auto&& describe) -> Known& {
    auto [found, fresh] = known_.try_emplace(key);
    if (fresh) found->second.finding = describe();
    Known& known = found->second;
    ++known.runs;
    if (known.inputs.size() < kExamples) known.inputs.push_back(input);
    return known;
  };
  for (const race::Race& race : outcome.noticed.races) {
    Known& known = note({0, static_cast<int>(race.race_class), race.first.site, race.second.site},
                        [&] { return collector.describe(record(), race); });
    known.race = true;
    known.both_write = race.first.write && race.second.write;
    known.finding.count += race.count;
  }
  for (const Incident& incident : outcome.noticed.incidents) {
    if (incident.kind == Incident::Kind::not_modelled) {
      collector.add(record(), {{}, {incident}});
      continue;
    }
    note({1, static_cast<int>(incident.kind), incident.site, incident.other_site},
         [&] { return collector.describe(record(), incident); });
  }
}

void Search::breed(const Kernel& kernel, const race::Input& input, const Outcome& outcome) {
  if (outcome.novel || crowded_.size() < 4) {
    session_.trials().add({&kernel, input.launch, input.seed, {}, {}});
  }
  if (outcome.novel) {
    if (novel_.size() == kNovel) novel_.erase(novel_.begin());
    novel_.push_back(input);
  }
  Parent parent{input, outcome.crowding, outcome.spread};
  auto better = [](const Parent& a, const Parent& b) {
    return std::tie(a.crowding, a.spread) < std::tie(b.crowding, b.spread);
  };
  crowded_.insert(std::upper_bound(crowded_.begin(), crowded_.end(), parent, better), std::move(parent));
  if (crowded_.size() > kPopulation) crowded_.pop_back();
}

bool Search::is_broken_precondition(const Kernel& kernel, const Key& key, const Known& known,
                                    const race::Relation& relation) {
  if (relation.for_writes && !known.both_write) return false;
  if (known.finding.finding_class == "W1") return false;  // writing one value twice is often meant
  if (std::any_of(known.inputs.begin(), known.inputs.end(),
                  [&](const race::Input& input) { return relation.holds(input); })) {
    return false;
  }
  std::size_t mended = 0;
  for (const race::Input& shown : known.inputs) {
    if (mended == kMended) break;
    race::Input input = shown;
    relation.mend(input);
    if (!relation.holds(input)) continue;
    const Outcome outcome = execute(kernel, input);
    if (!outcome.judged) continue;
    ++mended;
    for (const race::Race& race : outcome.noticed.races) {
      if (Key{0, static_cast<int>(race.race_class), race.first.site, race.second.site} == key) return false;
    }
  }
  return mended > 0;
}

void Search::settle(const Kernel& kernel, std::uint64_t judged) {
  const std::vector<race::Relation> relations = race::possible_relations(kernel.facts);
  for (auto& [key, known] : known_) {
    if (known.race) {
      for (const race::Relation& relation : relations) {
        if (!is_broken_precondition(kernel, key, known, relation)) continue;
        blame_input(known.finding, relation.text);
        break;
      }
    }
    if (known.runs < judged) known.finding.why += fmt::format("; in {} of {} runs", known.runs, judged);
    session_.collector().keep(known.finding);
  }
}

void Search::note_stated(const Kernel& kernel, const race::Input& input, const std::vector<race::Race>& races) {
  for (const race::Race& race : races) {
    Known& known = stated_[{&kernel, {0, static_cast<int>(race.race_class), race.first.site, race.second.site}}];
    if (known.inputs.empty()) known.finding = session_.collector().describe({}, race);
    known.both_write = race.first.write && race.second.write;
    if (known.inputs.size() < kExamples) known.inputs.push_back(input);
  }
}

// An update of what others write, as in a histogram: there equal targets are meant.
bool Search::reads_too(const race::Finding& finding) const {
  return std::any_of(stated_.begin(), stated_.end(), [&](const auto& entry) {
    const Known& known = entry.second;
    return !known.both_write && known.finding.other && finding.other &&
           known.finding.place.line == finding.place.line && known.finding.other->line == finding.other->line &&
           known.finding.space == finding.space;
  });
}

void Search::settle_stated() {
  end_ = Clock::now() + std::chrono::seconds(10);
  for (const auto& [where, known] : stated_) {
    const auto& [kernel, key] = where;
    reached_.assign(kernel->branches, 0);
    for (const race::Relation& relation : race::possible_relations(kernel->facts)) {
      if (relation.of_launch || (relation.for_writes && reads_too(known.finding)) ||
          !is_broken_precondition(*kernel, key, known, relation))
        continue;
      session_.collector().demote(known.finding, relation.text);
      break;
    }
  }
}

}  // namespace weakspot::race_jit
