// SPDX-License-Identifier: MIT
#include "race_jit/search/weak_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/file.h"
#include "race/classes.h"
#include "race/replay.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

using race::StaleEnd;

constexpr std::uint64_t kMoreSchedules = 8;  // without stale values, before contents of memory count
constexpr int kTries = 60;                   // for fewer stale reads

std::set<race::ReadName> names_of(const std::vector<race::StaleRead>& reads) {
  std::set<race::ReadName> names;
  for (const race::StaleRead& read : reads) names.insert(read.name);
  return names;
}

}  // namespace

race::ScheduleChoice weak_schedule(std::uint64_t number) {
  if (number % 4 == 0) return {race::Schedule::forward, 0};
  if (number % 4 == 1) return {race::Schedule::reversed, 0};
  return {race::Schedule::random, number};
}

race::WeakChoices weak_choices(std::uint64_t seed, std::uint64_t number) {
  static constexpr unsigned kPercent[] = {100, 60, 30, 80, 15};
  return {.seed = seed * 1'000'003 + number, .percent = kPercent[number % std::size(kPercent)], .only = std::nullopt};
}

base::Status WeakRuns::read_expected() {
  for (const std::string& text : request_.expected) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return base::error(fmt::format("--expect '{}': expected NAME=ARRAY.npy", text));
    }
    const std::string file = text.substr(equals + 1);
    base::Result<std::string> bytes = base::read_file(file);
    if (!bytes) return bytes.errors();
    base::Result<race::NpyArray> array = race::read_npy(*bytes, file);
    if (!array) return array.errors();
    expected_[text.substr(0, equals)] = *std::move(array);
  }
  return base::ok_status();
}

// The arrays that have other contents now than expected.
std::set<std::string> WeakRuns::unexpected() const {
  std::set<std::string> names;
  const Arena& arena = device_.arena();
  for (const auto& [name, array] : expected_) {
    const Allocation* found = nullptr;
    std::uint64_t at = 0;
    for (const auto& [begin, allocation] : arena.allocations()) {
      if (allocation.freed || allocation.name != name) continue;
      found = &allocation;
      at = begin;
    }
    if (found == nullptr || found->size < array.bytes.size() ||
        std::string_view(arena.base() + at, array.bytes.size()) != array.bytes) {
      names.insert(name);
    }
  }
  return names;
}

WeakRuns::Run WeakRuns::repeat(const Trial& trial, std::uint64_t number,
                               const std::optional<std::set<race::ReadName>>& only, Clock::time_point end) {
  race::WeakChoices choices = weak_choices(request_.seed, number);
  choices.only = only;
  device_.set_weak(choices);
  Run run;
  run.seen = trials_.run(trial, weak_schedule(number), end);
  run.stale = device_.weak().stale_reads();
  if (run.seen.in_time) run.unexpected = unexpected();
  device_.set_weak(std::nullopt);
  return run;
}

WeakRuns::Subject WeakRuns::subject(std::size_t number, Clock::time_point end) {
  const BarrierTrials::Usual& usual = trials_.usual(number, end);
  Subject subject{.number = number, .trial = trials_.trial(number), .keys = usual.keys, .contents = usual.contents};
  if (!usual.in_time) subject.contents.reset();
  for (std::uint64_t i = 0; i < kMoreSchedules; ++i) {
    learn(subject, 4 * i + 2, repeat(subject.trial, 4 * i + 2, std::set<race::ReadName>(), end));
  }
  return subject;
}

// A run without stale values shows what its schedule suffices for.
void WeakRuns::learn(Subject& subject, std::uint64_t number, const Run& run) {
  if (!run.seen.in_time || subject.contents != run.seen.contents) subject.contents.reset();
  for (const NoticedKey& key : run.seen.keys) {
    if (subject.keys.insert(key).second) keep_usual(subject.trial, number, key, run.seen.noticed);
  }
  subject.unexpected.insert(run.unexpected.begin(), run.unexpected.end());
}

// Keeps a finding that needs no stale value: the schedule of the run shows it.
void WeakRuns::keep_usual(const Trial& trial, std::uint64_t number, const NoticedKey& key, const Noticed& noticed) {
  const race::ScheduleChoice schedule = weak_schedule(number);
  const LaunchRecord record{
      .kernel = trial.kernel->name,
      .shape = trial.launch,
      .replay = trial.memory
                    ? race::replay_program(request_) + " --schedule " + race::schedule_text(schedule)
                    : race::replay_command(request_, trial.kernel->name, trial.launch, schedule, request_.seed)};
  for (const race::Race& race : noticed.races) {
    if (key_of(race) == key) collector_.keep(collector_.describe(record, race));
  }
  for (const Incident& incident : noticed.incidents) {
    if (is_finding(incident) && key_of(incident) == key) collector_.keep(collector_.describe(record, incident));
  }
}

// The ends of the run that no run without stale values has had.
std::set<WeakRuns::End> WeakRuns::ends_of(const Subject& subject, const Run& run) {
  std::set<End> ends;
  for (const race::Race& race : run.seen.noticed.races) {
    if (race::class_of(race.race_class).severity == race::Severity::hint || subject.keys.contains(key_of(race)))
      continue;
    ends.insert({StaleEnd::finding, key_of(race), {}});
  }
  for (const Incident& incident : run.seen.noticed.incidents) {
    if (!is_finding(incident) || subject.keys.contains(key_of(incident))) continue;
    ends.insert({StaleEnd::finding, key_of(incident), {}});
  }
  for (const std::string& name : run.unexpected) {
    if (!subject.unexpected.contains(name)) ends.insert({StaleEnd::unexpected, {}, name});
  }
  if (ends.empty() && subject.contents && *subject.contents != run.seen.contents) {
    ends.insert({StaleEnd::other_memory, {}, {}});
  }
  return ends;
}

// Leaves out stale reads that the end does not need: halves first, then one after the other. The last run made is the
// one returned, so that memory is as it left it.
WeakRuns::Run WeakRuns::fewest(const Subject& subject, std::uint64_t number, const End& found, Run run,
                               Clock::time_point end) {
  int tries = 0;
  std::set<race::ReadName> needed = names_of(run.stale);
  auto still_ends = [&](const std::set<race::ReadName>& only) {
    if (++tries > kTries || Clock::now() >= end) return false;
    Run again = repeat(subject.trial, number, only, end);
    if (!again.seen.in_time || again.stale.empty() || !ends_of(subject, again).contains(found)) return false;
    needed = names_of(again.stale);
    return true;
  };
  for (std::size_t part = (needed.size() + 1) / 2; part > 0 && needed.size() > 1;) {
    bool shrunk = false;
    for (std::size_t from = 0; from < needed.size() && !shrunk; from += part) {
      std::set<race::ReadName> fewer;
      std::size_t at = 0;
      for (const race::ReadName& name : needed) {
        if (at < from || at >= from + part) fewer.insert(name);
        ++at;
      }
      shrunk = !fewer.empty() && still_ends(fewer);
    }
    part = shrunk ? std::min(part, (needed.size() + 1) / 2) : part / 2;
  }
  return repeat(subject.trial, number, needed, end);
}

std::string WeakRuns::replay(const Trial& trial, std::uint64_t number) const {
  const std::string text = trial.memory
                               ? race::replay_program(request_)
                               : race::replay_command(request_, trial.kernel->name, trial.launch, {}, request_.seed);
  return text + fmt::format(" --weak --weak-run {}", number);
}

void WeakRuns::examine(const Subject& subject, std::uint64_t number, const End& found, Run run, Clock::time_point end) {
  LaunchRecord record{.kernel = subject.trial.kernel->name, .shape = subject.trial.launch};
  const Run usual = repeat(subject.trial, number, std::set<race::ReadName>(), end);
  if (!usual.seen.in_time) return;
  if (ends_of(subject, usual).contains(found)) {
    // The schedule shows it, and no stale value is needed.
    if (found.kind == StaleEnd::finding) keep_usual(subject.trial, number, found.key, usual.seen.noticed);
    return;
  }
  record.replay = replay(subject.trial, number);
  const Run shortest = fewest(subject, number, found, std::move(run), end);
  if (shortest.stale.empty() || !ends_of(subject, shortest).contains(found)) return;
  race::StaleStory story;
  story.end = found.kind;
  story.array = found.array;
  auto take = [&](const race::Finding& shown) {
    story.shown = shown.finding_class;
    story.message = shown.message;
    story.place = shown.place;
  };
  for (const race::Race& race : shortest.seen.noticed.races) {
    if (found.kind == StaleEnd::finding && key_of(race) == found.key) take(collector_.describe(record, race));
  }
  for (const Incident& incident : shortest.seen.noticed.incidents) {
    if (found.kind == StaleEnd::finding && key_of(incident) == found.key) take(collector_.describe(record, incident));
  }
  race::Finding finding = collector_.describe(record, shortest.stale, std::move(story));
  // Nothing says that the contents must not differ.
  if (found.kind == StaleEnd::other_memory) finding.severity = race::Severity::warning;
  collector_.keep(std::move(finding));
}

void WeakRuns::count(const End& end, const Run& run) {
  if (end.kind != StaleEnd::finding) return;
  const auto [known, fresh] = counted_.try_emplace(end, report_.ends.size());
  if (fresh) {
    race::WeakEnd& made = report_.ends.emplace_back();
    auto take = [&](const race::Finding& shown) {
      made.shown = shown.finding_class;
      made.message = shown.message;
      made.place = shown.place;
    };
    for (const race::Race& race : run.seen.noticed.races) {
      if (key_of(race) == end.key) take(collector_.describe({}, race));
    }
    for (const Incident& incident : run.seen.noticed.incidents) {
      if (key_of(incident) == end.key) take(collector_.describe({}, incident));
    }
  }
  ++report_.ends[known->second].runs;
}

race::WeakReport WeakRuns::run(Clock::time_point end) {
  for (std::size_t number = 0; number < trials_.count(); ++number) trials_.usual(number, end);
  for (std::size_t number = 0; number < trials_.count(); ++number) {
    Subject subject = this->subject(number, end);
    examined_.clear();
    for (const std::string& name : subject.unexpected) {
      problem_ = fmt::format("without stale values, {} has other contents than --expect says", name);
    }
    const std::uint64_t first = request_.weak_run.value_or(0);
    const std::uint64_t last = request_.weak_run ? first + 1 : request_.weak_runs;
    for (std::uint64_t i = first; i < last && Clock::now() < end && !stop_requested(); ++i) {
      Run run = repeat(subject.trial, i, std::nullopt, end);
      if (!run.seen.in_time) continue;
      ++report_.runs;
      if (run.stale.empty()) {
        learn(subject, i, run);
        continue;
      }
      ++report_.with_stale;
      report_.stale_reads += run.stale.size();
      const std::set<End> ends = ends_of(subject, run);
      for (const End& found : ends) count(found, run);
      for (const End& found : ends) {
        if (examined_.insert(found).second) examine(subject, i, found, run, end);
      }
    }
  }
  if (report_.runs == 0 && problem_.empty()) problem_ = "no run with weak values came to its end";
  return std::move(report_);
}

}  // namespace weakspot::race_jit
