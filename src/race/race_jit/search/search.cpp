// SPDX-License-Identifier: MIT
#include "race_jit/search/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/replay.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kLearntExtent = 4096;  // larger arrays grow again when they are needed
constexpr std::size_t kPopulation = 10, kNovel = 64, kExamples = 32, kRepaired = 3;
// Inputs that are made before the first of them has run; what they teach is known to the next batch. The number does
// not depend on the number of workers, so the search does not either.
constexpr std::size_t kBatch = 32, kWorthWorkers = 8;
constexpr double kSecondsToDescribe = 0.5;

// Whether a run took all branches and repeated all loops that another did. If not, it says nothing about what happens
// there: a race of one round with the next is gone where there is no next.
bool does_all(const std::vector<std::uint8_t>& marks, const std::vector<std::uint8_t>& of) {
  for (std::size_t i = 0; i < of.size() && i < marks.size(); ++i) {
    if (of[i] != 0 && marks[i] == 0) return false;
  }
  return true;
}

// A loop that ends in the midst of its second round repeats its branches and not its barriers.
std::set<race::SiteId> repeated_barriers(const race::LaunchShape& launch, const BarrierKnowledge& known) {
  std::set<race::SiteId> repeated;
  for (const auto& [site, use] : known.uses) {
    if (use.instances * use.threads > launch.grid.count() * launch.block.count()) repeated.insert(site);
  }
  return repeated;
}

constexpr double kLeastToDecide = 1, kMostToDecide = 10;  // seconds

}  // namespace

Search::Subject Search::subject_of(const race::Race& race) const {
  const bool elsewhere = ((race.first.thread.block ^ race.second.thread.block) & ~kCopyingBlock) != 0;
  return {elsewhere && supposes_blocks(), key_of(race)};
}

double Search::seconds_left() const {
  return stop_requested() ? 0 : std::chrono::duration<double>(end_ - Clock::now()).count();
}

// A search may end with its time. Some more is needed then to tell which inputs its findings depend on.
void Search::allow_time_to_decide(double seconds) {
  const std::chrono::duration<double> time(std::clamp(seconds / 10, kLeastToDecide, kMostToDecide));
  end_ = std::max(end_, Clock::now() + std::chrono::duration_cast<Clock::duration>(time));
}

void Search::run(const Kernel& kernel, const race::LaunchSpec& fixed, bool shape_fixed, std::uint64_t runs,
                 double seconds) {
  const Clock::time_point start = Clock::now();
  end_ = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  reached_.assign(kernel.marks, 0);
  reached_from_zero_.assign(kernel.marks, 0);
  shape_stated_ = shape_fixed;
  facts_ = kernel.facts;
  if (kernel.block != Extent{}) facts_.block = kernel.block;
  facts_.shared = kernel.shared;
  facts_.compiled_sizes = request_.is_ptx();
  race::InputSource source(facts_, fixed, shape_fixed, request_.seed);
  base::Rng rng(request_.seed);
  std::optional<race::Input> first;
  const std::uint64_t judged_before = report_.runs - report_.unjudged;
  std::uint64_t number = 0;
  for (std::size_t batch = 1; number < runs && seconds_left() > 0; batch = std::min(2 * batch, kBatch)) {
    std::vector<race::Input> inputs;
    for (; number < runs && inputs.size() < batch; ++number) {
      inputs.push_back(next_input(source, rng, number));
      enlarge(inputs.back());
    }
    session_.progress(kernel, inputs.back().launch, number, runs);
    const std::vector<std::optional<Outcome>> outcomes = execute(kernel, inputs);
    if (!first) first = inputs.front();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (outcomes[i]) absorb(kernel, inputs[i], *outcomes[i]);
    }
  }
  const std::uint64_t judged = report_.runs - report_.unjudged - judged_before;
  allow_time_to_decide(seconds);
  report_known(kernel, judged);
  const std::string zero = zero_parameter(kernel);
  if (!zero.empty()) {
    session_.not_exercised(kernel, zero);
  } else if (judged == 0 && first) {
    session_.not_exercised(kernel, fmt::format("no run of {} with made-up arguments could be judged", number));
  }
  // No input helps: then the most natural one is not to blame for what it shows. Parameters of PTX have no types, so
  // that a natural one is not known.
  if (judged == 0 && first && zero.empty() && !facts_.compiled_sizes) {
    const Outcome outcome = run_.execute(kernel, *first, kSecondsToDescribe);
    session_.collector().add_not_modelled(outcome.noticed);
    for (race::Finding& finding : describe(kernel, *first, outcome.noticed)) {
      session_.collector().keep(std::move(finding));
    }
  }
  session_.add_reached(kernel, reached_);
  report_.branches += kernel.branches;
  const auto end_of_branches = reached_.begin() + static_cast<std::ptrdiff_t>(kernel.branches);
  report_.branches_reached += static_cast<std::uint64_t>(std::count(reached_.begin(), end_of_branches, 1));
  report_.pairs += pairs_.size();
  report_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  known_.clear();
  novel_.clear();
  crowded_.clear();
  pairs_.clear();
  extents_.clear();
}

race::Input Search::next_input(race::InputSource& source, base::Rng& rng, std::uint64_t number) {
  const bool breeding = number >= 40 && rng.percent(60) && !crowded_.empty();
  if (!breeding) return source.make(number);
  if (!novel_.empty() && rng.percent(50)) return source.mutated(novel_[rng.below(novel_.size())], number);
  return source.mutated(crowded_[rng.below(crowded_.size())].input, number);
}

// Makes arrays as large as they had to be before.
void Search::enlarge(race::Input& input) const {
  for (race::ArgumentSpec& argument : input.launch.arguments) {
    auto learnt = extents_.find(argument.name);
    if (argument.count && learnt != extents_.end()) argument.count = std::max(*argument.count, learnt->second);
  }
}

// An outcome is missing if time ran out. The sizes that arrays had to have are put into the inputs.
std::vector<std::optional<Outcome>> Search::execute(const Kernel& kernel, std::vector<race::Input>& inputs) {
  std::vector<std::optional<Outcome>> outcomes(inputs.size());
  if (request_.jobs > 1 && inputs.size() >= kWorthWorkers) {
    if (!workers_) workers_.emplace(request_.jobs, [this](const std::string& request) { return work(request); });
    std::vector<std::string> requests;
    const auto& kernels = module_.kernels();
    const auto here = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& one) { return &one == &kernel; });
    for (const race::Input& input : inputs) {
      requests.push_back(task_bytes({static_cast<std::uint64_t>(here - kernels.begin()), end_, input}));
    }
    const std::vector<std::optional<std::string>> answers = workers_->run(requests, [] { return !stop_requested(); });
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (answers[i] && !answers[i]->empty()) outcomes[i] = outcome_from(*answers[i]);
      if (outcomes[i]) device_.count_accesses(outcomes[i]->accesses);
    }
  } else {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (seconds_left() > 0) outcomes[i] = run_.execute(kernel, inputs[i], seconds_left());
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!outcomes[i] || outcomes[i]->counts.empty()) continue;
    std::vector<race::ArgumentSpec>& arguments = inputs[i].launch.arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (arguments[k].count) arguments[k].count = outcomes[i]->counts[k];
    }
  }
  return outcomes;
}

// In a worker. Empty when the time is over.
std::string Search::work(const std::string& request) {
  std::optional<Task> task = task_from(request);
  if (!task || Clock::now() >= task->end) return {};
  const double left = std::chrono::duration<double>(task->end - Clock::now()).count();
  return outcome_bytes(run_.execute(module_.kernels()[task->kernel], task->input, left));
}

void Search::absorb(const Kernel& kernel, const race::Input& input, const Outcome& outcome) {
  ++report_.runs;
  session_.count(kernel, input.launch, input.schedule.order, outcome.blocks);
  if (!outcome.judged) {
    ++report_.unjudged;
    session_.collector().add_not_modelled(outcome.noticed);
    return;
  }
  device_.add_barriers(outcome.known);
  session_.add_met(outcome.known.uses, record_of(kernel, input));
  for (const race::ArgumentSpec& argument : input.launch.arguments) {
    if (!argument.count) continue;
    std::uint64_t& learnt = extents_[argument.name];
    learnt = std::max(learnt, facts_.compiled_sizes ? *argument.count : std::min(*argument.count, kLearntExtent));
  }
  bool novel = false;  // a branch, another round of a loop or a pair of accesses that no run had before
  for (std::size_t i = 0; i < outcome.marks.size(); ++i) {
    novel = novel || (outcome.marks[i] != 0 && reached_[i] == 0);
    reached_[i] |= outcome.marks[i];
  }
  if (starts_at_zero(kernel, input)) {
    for (std::size_t i = 0; i < outcome.marks.size(); ++i) reached_from_zero_[i] |= outcome.marks[i];
  }
  for (const auto& pair : outcome.pairs) novel = pairs_.insert(pair).second || novel;
  remember(kernel, input, outcome);
  breed(kernel, input, outcome, novel);
}

LaunchRecord Search::record_of(const Kernel& kernel, const race::Input& input) const {
  return {.kernel = kernel.name,
          .shape = input.launch,
          .replay = race::replay_command(request_, kernel.name, input.launch, input.schedule, input.seed)};
}

std::vector<race::Finding> Search::describe(const Kernel& kernel, const race::Input& input, const Noticed& noticed) {
  const LaunchRecord record = record_of(kernel, input);
  std::vector<race::Finding> findings;
  for (const race::Race& race : noticed.races) findings.push_back(session_.collector().describe(record, race));
  for (const Incident& incident : noticed.incidents) {
    if (!is_finding(incident)) continue;
    findings.push_back(session_.collector().describe(record, incident));
  }
  return findings;
}

bool Search::has_news(const Noticed& noticed) const {
  auto fresh = [&](const auto& thing) { return !known_.contains(subject_of(thing)); };
  return std::any_of(noticed.races.begin(), noticed.races.end(), fresh) ||
         std::any_of(noticed.incidents.begin(), noticed.incidents.end(), fresh);
}

void Search::remember(const Kernel& kernel, const race::Input& input, const Outcome& outcome) {
  Noticed noticed = outcome.noticed;
  if (has_news(noticed)) {
    // Run again: the description needs the memory as the run left it.
    race::Input same = input;
    Outcome again = run_.execute(kernel, same, kSecondsToDescribe);
    if (again.judged) noticed = std::move(again.noticed);
  }
  Collector& collector = session_.collector();
  collector.add_not_modelled(noticed);
  auto record = [&] { return record_of(kernel, input); };
  auto note = [&](const auto& thing) -> Known& {
    auto [found, fresh] = known_.try_emplace(subject_of(thing));
    Known& known = found->second;
    if (fresh || (known.is_doubtful() && !thing.doubt)) {
      const std::uint64_t count = fresh ? 0 : known.finding.count;
      known.finding = collector.describe(record(), thing);
      known.finding.count += count;
    }
    ++known.runs;
    known.in_one_block = known.in_one_block || input.launch.grid.count() == 1;
    if (known.examples.size() < kExamples) {
      known.examples.push_back({input, outcome.marks, repeated_barriers(input.launch, outcome.known)});
    }
    return known;
  };
  for (const race::Race& race : noticed.races) {
    Known& known = note(race);
    if (race.across_blocks) {
      const LaunchRecord shown = record();
      known.finding.repair = collector.repair_of(shown, race, collector.gaps_of(shown, race));
    }
    known.describe_sides(race);
    known.finding.count += race.count;
  }
  for (const Incident& incident : noticed.incidents) {
    if (is_finding(incident)) note(incident);
  }
}

void Search::breed(const Kernel& kernel, const race::Input& input, const Outcome& outcome, bool novel) {
  if (novel || crowded_.size() < 4) {
    session_.trials().add({&kernel, input.launch, input.seed, {}, {}, {}, {}});
  }
  if (novel) {
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

// Whether something of that kind was noticed at these sites; a race of any class, since the threads may differ.
bool Search::shows(const Noticed& noticed, const NoticedKey& key) {
  auto same_sites = [&](const race::Race& found) {
    const race::SiteId a = found.first.site, b = found.second.site;
    return key.is_race() && ((a == key.site && b == key.other_site) || (a == key.other_site && b == key.site));
  };
  return std::any_of(noticed.races.begin(), noticed.races.end(), same_sites) ||
         std::any_of(noticed.incidents.begin(), noticed.incidents.end(),
                     [&](const Incident& incident) { return key_of(incident) == key; });
}

bool Search::is_broken_precondition(const Kernel& kernel, const Subject& subject, const Known& known,
                                    const race::Relation& relation) {
  const auto& [between_blocks, key] = subject;
  if (relation.for_writes && !known.both_write) return false;
  const bool stuck = key.what == std::variant<race::ClassId, Incident::Kind>(Incident::Kind::stuck);
  if (!key.is_race() && !(relation.for_waits && stuck)) return false;
  // Writing one value twice is often intended, unless it depends on the launch.
  if (known.finding.finding_class == race::ClassId::w1 && !relation.of_launch) return false;
  if (std::any_of(known.examples.begin(), known.examples.end(),
                  [&](const Example& example) { return relation.holds(example.input); })) {
    return false;
  }
  std::size_t repaired = 0;
  for (const Example& shown : known.examples) {
    if (repaired == kRepaired) break;
    undecided_ = undecided_ || seconds_left() <= 0;
    if (undecided_) return false;
    race::Input input = shown.input;
    // Other blocks may show something else at the same sites.
    if (supposes_blocks() && key.is_race() && !between_blocks) input.launch.grid = {1, 1, 1};
    relation.repair(input);
    if (!relation.holds(input)) continue;
    // A block of one warp cannot have a race between warps, whatever else is wrong.
    if (known.between_warps && relation.of_launch && input.launch.block.count() <= race::kWarp) continue;
    enlarge(input);
    const Outcome outcome = run_.execute(kernel, input, seconds_left());
    // That flags start at zero is not evident where code that ran is then out of reach.
    // No barrier at the end of a round orders different blocks, so that other rounds tell as much about them. Fewer
    // blocks do not: the part of one that is missing may be that of the race.
    const bool fewer = input.launch.grid.count() < shown.input.launch.grid.count();
    const std::set<race::SiteId> again = repeated_barriers(input.launch, outcome.known);
    const bool repeats =
        std::includes(again.begin(), again.end(), shown.repeated_barriers.begin(), shown.repeated_barriers.end());
    const bool alike = relation.assumed
                           ? does_all(reached_from_zero_, shown.marks)
                           : (!known.within_block && !fewer) || (repeats && does_all(outcome.marks, shown.marks));
    if (!outcome.judged || !alike) continue;
    ++repaired;
    if (shows(outcome.noticed, key)) return false;
  }
  return repaired > 0;
}

// The relation among them that the inputs break; null if there is none. Whether blocks that do the same race with each
// other does not depend on inputs, except for flags and locks that do not start at zero.
const race::Relation* Search::broken_relation(const Kernel& kernel, const std::vector<race::Relation>& relations,
                                              const Subject& subject, const Known& known) {
  if (known.is_doubtful()) return nullptr;
  for (const race::Relation& relation : relations) {
    if (subject.first && !relation.assumed) continue;
    if (is_broken_precondition(kernel, subject, known, relation)) return &relation;
  }
  return nullptr;
}

// Whether the threads of a single block race at these sites as well.
bool Search::is_found_in_block(const NoticedKey& key) const {
  return std::any_of(known_.begin(), known_.end(), [&](const auto& entry) {
    const auto& [subject, known] = entry;
    const NoticedKey& other = subject.second;
    return !subject.first && other.is_race() && known.finding.severity != race::Severity::hint &&
           ((other.site == key.site && other.other_site == key.other_site) ||
            (other.site == key.other_site && other.other_site == key.site));
  });
}

void Search::report_known(const Kernel& kernel, std::uint64_t judged) {
  const std::vector<race::Relation> relations = race::possible_relations(facts_);
  for (auto& [subject, known] : known_) {
    undecided_ = false;
    const race::Relation* broken = broken_relation(kernel, relations, subject, known);
    if (broken != nullptr && broken->assumed) continue;
    if (subject.first && is_found_in_block(subject.second)) continue;
    if (broken != nullptr) blame_input(known.finding, broken->text);
    const bool needs_blocks = subject.first || !(subject.second.is_race() || known.in_one_block);
    if (broken == nullptr && supposes_blocks() && needs_blocks) {
      facts_.compiled_sizes ? suppose_grid(known.finding, known.examples.front().input.launch.grid)
                            : suppose_blocks(known.finding);
    }
    if (undecided_) add_reason(known.finding, "there was no time to try on which inputs it depends");
    if (known.runs < judged) add_reason(known.finding, fmt::format("in {} of {} runs", known.runs, judged));
    session_.collector().keep(known.finding);
  }
}

void Search::note_stated(const Kernel& kernel, const race::Input& input, const std::vector<race::Race>& races,
                         std::span<const std::uint8_t> marks) {
  for (const race::Race& race : races) {
    if (race.doubt) continue;
    Known& known = stated_[{&kernel, key_of(race)}];
    if (known.examples.empty()) known.finding = session_.collector().describe({}, race);
    known.describe_sides(race);
    if (known.examples.size() < kExamples) known.examples.push_back({input, {marks.begin(), marks.end()}});
  }
}

// Whether the lines update what others write, as in a histogram, where equal targets are intended.
bool Search::reads_too(const race::Finding& finding) const {
  return std::any_of(stated_.begin(), stated_.end(), [&](const auto& entry) {
    const Known& known = entry.second;
    return !known.both_write && known.finding.other && finding.other &&
           known.finding.place.line == finding.place.line && known.finding.other->line == finding.other->line &&
           known.finding.space == finding.space;
  });
}

void Search::decide_stated() {
  end_ = Clock::now();
  allow_time_to_decide(request_.seconds);
  shape_stated_ = true;
  undecided_ = false;
  for (const auto& [where, known] : stated_) {
    const auto& [kernel, key] = where;
    for (const race::Relation& relation : race::possible_relations(kernel->facts)) {
      if (relation.of_launch || (relation.for_writes && reads_too(known.finding)) ||
          !is_broken_precondition(*kernel, {false, key}, known, relation))
        continue;
      session_.collector().demote(known.finding, relation.text);
      break;
    }
  }
}

}  // namespace weakspot::race_jit
