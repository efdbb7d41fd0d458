// SPDX-License-Identifier: MIT
#include "race_jit/search/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/causes.h"
#include "race/classes.h"
#include "race/replay.h"

namespace weakspot::race_jit {
namespace {

using race::ClassId;
using race::Finding;

std::string index_text(std::uint64_t number, const Extent& extent) {
  const auto [x, y, z] = extent.coordinates(number);
  if (extent.z > 1) return fmt::format("({},{},{})", x, y, z);
  if (extent.y > 1) return fmt::format("({},{})", x, y);
  return std::to_string(x);
}

std::string with_element(const std::string& name, std::uint64_t offset, unsigned element,
                         std::uint64_t size = ~std::uint64_t{0}) {
  if (element == 0) return fmt::format("{} + {} bytes", name, offset);
  if (size == element && offset == 0) return name;
  return fmt::format("{}[{}]", name, offset / element);
}

const std::string kPossible = "possible-";
constexpr std::string_view kAsynchronous = "asynchronous";

// The kind without the doubt.
std::string_view plain_kind(const Finding& finding) {
  std::string_view kind = finding.kind;
  if (kind.starts_with(kPossible)) kind.remove_prefix(kPossible.size());
  return kind;
}

// Without the element.
std::string base_name(const std::string& variable) {
  return variable.substr(0, std::min(variable.find('['), variable.find(" + ")));
}

bool same_lines(const Finding& a, const Finding& b) {
  auto line = [](const race::Place& place) { return std::pair(place.file, place.line); };
  if (a.other.has_value() != b.other.has_value()) return false;
  if (!a.other) return line(a.place) == line(b.place);
  return (line(a.place) == line(b.place) && line(*a.other) == line(*b.other)) ||
         (line(a.place) == line(*b.other) && line(*a.other) == line(b.place));
}

const char* word(const race::Party& party) {
  if (is_copying(party.thread)) return party.write ? "asynchronous write" : "asynchronous read";
  if (party.strong && party.scope == race::Scope::volatile_access) {
    return party.write ? "volatile write" : "volatile read";
  }
  if (party.strong) return party.write ? "atomic write" : "atomic read";
  return party.write ? "write" : "read";
}

// The shortest chain is the best story, and one without a chain still better than none.
std::size_t story_rank(const Finding& finding) {
  if (!finding.witness) return 2 * race::Trace::kMostThreads;
  return finding.witness->links.empty() ? race::Trace::kMostThreads : finding.witness->links.size();
}

// What makes threads meet, by their reach.
constexpr const char* kBarriersOf[] = {"__syncwarp()", "__syncthreads()", "cluster.sync()", race::kTwoLaunches};

// Two findings about the same lines need the repair that makes more threads meet, or the gaps that both share.
std::optional<race::Repair> repair_of_all(const std::optional<race::Repair>& a, const std::optional<race::Repair>& b) {
  if (!a || !b || a->what == b->what) return race::common_repair(a, b);
  const auto rank = [](const race::Repair& repair) {
    return std::find(std::begin(kBarriersOf), std::end(kBarriersOf), repair.what);
  };
  return rank(*a) < rank(*b) ? b : a;
}

void fill_launch(Finding& finding, const LaunchRecord& record) {
  finding.kernel = record.kernel;
  finding.launch = race::launch_text(record.shape);
  finding.replay = record.replay;
}

}  // namespace

bool is_finding(const Incident& incident) {
  return incident.kind != Incident::Kind::not_modelled && incident.kind != Incident::Kind::deadline;
}

bool is_modelled(const Noticed& noticed) {
  return std::none_of(noticed.incidents.begin(), noticed.incidents.end(),
                      [](const Incident& incident) { return incident.kind == Incident::Kind::not_modelled; });
}

Noticed Collector::take() { return {device_.detector().take_races(), device_.take_incidents()}; }

void Collector::add(const LaunchRecord& record, const Noticed& noticed) {
  launches_.push_back(record);
  add_not_modelled(noticed);
  for (const race::Race& race : noticed.races) keep(describe(record, race), memory_at(race.address));
  for (const Incident& incident : noticed.incidents) {
    if (is_finding(incident)) keep(describe(record, incident));
  }
}

void Collector::add_not_modelled(const Noticed& noticed) {
  for (const Incident& incident : noticed.incidents) {
    if (incident.kind != Incident::Kind::not_modelled) continue;
    add_not_modelled({incident.text, site(incident.site).place, incident.effect, true}, incident.site);
  }
}

void Collector::add_not_modelled(race::NotModelled operation, race::SiteId site) {
  for (std::size_t i = 0; i < not_modelled_.size(); ++i) {
    const race::NotModelled& known = not_modelled_[i];
    if (site_of_[i] == site && known.what == operation.what && known.place == operation.place) return;
  }
  not_modelled_.push_back(std::move(operation));
  site_of_.push_back(site);
}

// What ran before may order the accesses or change what the threads do.
void Collector::cast_doubt(Finding& finding, race::SiteId by) const {
  race::classify(finding, ClassId::u1);
  finding.kind = kPossible + finding.kind;
  if (constexpr std::string_view kUnordered = " are not ordered"; finding.message.ends_with(kUnordered)) {
    finding.message.resize(finding.message.size() - kUnordered.size());
    finding.message += " are ordered by nothing that is modelled";
  }
  finding.fix.clear();
  finding.why = "something that ran before is not modelled";
  for (std::size_t i = 0; i < not_modelled_.size(); ++i) {
    const race::NotModelled& operation = not_modelled_[i];
    if (site_of_[i] != by || operation.effect < race::Effect::grids) continue;
    finding.why = fmt::format("not modelled, but ran before: {}", race::not_modelled_text(operation));
    break;
  }
}

// The launch that the thread belongs to: `record`, or a concurrent one.
const LaunchRecord& Collector::launch_of(race::ThreadName thread, const LaunchRecord& record) const {
  thread.block &= ~kCopyingBlock;
  auto holds = [&](const LaunchRecord& launch) {
    return thread.block >= launch.first_block && thread.block - launch.first_block < launch.shape.grid.count();
  };
  const LaunchRecord* own = &record;  // which the machine keeps
  if (holds(record)) return *own;
  auto found = std::find_if(launches_.rbegin(), launches_.rend(), holds);
  return found == launches_.rend() ? *own : *found;
}

std::string Collector::thread_text(race::ThreadName thread, const LaunchRecord& record) const {
  const LaunchRecord& launch = launch_of(thread, record);
  thread.block &= ~kCopyingBlock;
  const std::string text = fmt::format("threadIdx={} blockIdx={}", index_text(thread.thread, launch.shape.block),
                                       index_text(thread.block - launch.first_block, launch.shape.grid));
  return &launch == &record ? text : fmt::format("{} of {}", text, launch.kernel);
}

// "sums[3]"; the name in the source if the instruction has one, else the name of the memory.
std::string Collector::variable_text(std::uint64_t address, const race::Site& at) const {
  const auto* pointer = reinterpret_cast<const char*>(address);
  Arena& arena = device_.arena();
  if (!arena.contains(pointer)) return at.variable;
  const auto offset = static_cast<std::uint64_t>(pointer - arena.base());
  if (arena.is_shared(pointer)) {
    std::uint64_t begin = 0;
    const std::uint64_t inside = offset % Arena::kWindow;
    const std::string name = module_.shared_name(inside, begin, at.variable);
    if (name.empty()) return at.variable;
    return with_element(name, inside - begin, at.size);
  }
  const Allocation* allocation = arena.find(pointer);
  if (allocation == nullptr) return at.variable;
  // The allocation's name is the caller's; the line may use another.
  const std::string& name = at.variable.empty() ? allocation->name : at.variable;
  const unsigned element = allocation->element != 0 ? allocation->element : at.size;
  return with_element(name, offset - allocation->begin, element, allocation->size);
}

// In global memory; null if there is none.
const Allocation* Collector::allocation_at(std::uint64_t address) const {
  const auto* pointer = reinterpret_cast<const char*>(address);
  Arena& arena = device_.arena();
  return arena.contains(pointer) && !arena.is_shared(pointer) ? arena.find(pointer) : nullptr;
}

// The begin of the allocation that holds the address; 0 if none does.
std::uint64_t Collector::memory_at(std::uint64_t address) const {
  const Allocation* allocation = allocation_at(address);
  return allocation == nullptr ? 0 : allocation->begin;
}

// What the host calls the memory. `size` is that of an element.
std::optional<race::Allocated> Collector::allocated(std::uint64_t address, unsigned size) const {
  const Allocation* allocation = allocation_at(address);
  if (allocation == nullptr || allocation->place.line == 0) return std::nullopt;
  const auto offset = static_cast<std::uint64_t>(reinterpret_cast<const char*>(address) - device_.arena().base());
  race::Allocated memory{{}, allocation->place};
  if (allocation->named_by_host) {
    memory.variable = with_element(allocation->name, offset - allocation->begin, size, allocation->size);
  }
  return memory;
}

race::Place Collector::place_of_kernel(const std::string& name) const {
  for (const Kernel& kernel : module_.kernels()) {
    if (kernel.name == name) return kernel.place;
  }
  return {};
}

void Collector::keep(Finding finding, std::uint64_t memory) {
  auto index_of = [&](const Finding& other) { return static_cast<std::size_t>(&other - findings_.data()); };
  auto same = [&](const Finding& other) {
    return plain_kind(other) == plain_kind(finding) && other.space == finding.space && same_lines(other, finding) &&
           (base_name(other.variable) == base_name(finding.variable) ||
            (memory != 0 && memory_of_[index_of(other)] == memory));
  };
  auto found = std::find_if(findings_.begin(), findings_.end(), same);
  if (found == findings_.end()) {
    findings_.push_back(std::move(finding));
    memory_of_.push_back(memory);
    return;
  }
  const std::uint64_t count = found->count + finding.count;
  // Where equal values are written, different ones may be for other inputs: their explanation stays.
  const bool explained = found->finding_class == ClassId::i1 && finding.finding_class == ClassId::w1;
  const bool explains = finding.finding_class == ClassId::i1 && found->finding_class == ClassId::w1;
  const bool graver = finding.finding_class < found->finding_class;
  const bool tells_more = story_rank(finding) < story_rank(*found);
  std::optional<race::Witness> witness = std::move(tells_more ? finding.witness : found->witness);
  if (found->finding_class == finding.finding_class) found->repair = repair_of_all(found->repair, finding.repair);
  if (explains || (graver && !explained)) *found = std::move(finding);
  found->witness = std::move(witness);
  found->count = count;
}

std::optional<race::Repair> Collector::repair_of(const LaunchRecord& record, const race::Race& race) const {
  const bool plain = !race.first.strong && !race.second.strong;
  const bool copies = is_copying(race.first.thread) || is_copying(race.second.thread);
  if (!plain || copies || race.missing_acquire || &launch_of(race.first.thread, record) != &record) return std::nullopt;
  BarrierOf reach = race.race_class == ClassId::e2 ? BarrierOf::warp : BarrierOf::block;
  if (race.across_blocks) reach = race.space == race::Space::shared ? BarrierOf::cluster : BarrierOf::grid;
  race::Repair repair{kBarriersOf[static_cast<std::size_t>(reach)],
                      module_.gaps(race.first.site, race.second.site, reach)};
  return repair.gaps.empty() ? std::nullopt : std::optional(std::move(repair));
}

void Collector::demote(const Finding& like, const std::string& relation) {
  for (Finding& finding : findings_) {
    const bool same = finding.kind == like.kind && base_name(finding.variable) == base_name(like.variable) &&
                      same_lines(finding, like);
    const bool certain = finding.finding_class != ClassId::i1 && finding.finding_class != ClassId::u1;
    if (same && certain) blame_input(finding, relation);
  }
}

Finding Collector::describe(const LaunchRecord& record, const race::Race& race) const {
  Finding finding;
  race::classify(finding, race.race_class);
  finding.kind = "race";
  const race::Site& first = site(race.first.site);
  const race::Site& second = site(race.second.site);
  finding.place = first.place;
  finding.function = first.function;
  finding.called_from = first.called_from;
  finding.other = second.place;
  finding.other_function = second.function;
  finding.label = fmt::format("{} by {}", word(race.first), thread_text(race.first.thread, record));
  const char* second_word = race.of_map ? race::kMapUse : word(race.second);
  finding.other_label = fmt::format("{} by {}", second_word, thread_text(race.second.thread, record));
  finding.space = race.space == race::Space::shared ? "shared" : "global";
  // If the memory has two names, the writer's is used.
  const bool name_of_second = first.variable.empty() || (race.second.write && !second.variable.empty());
  finding.variable = variable_text(race.address, name_of_second ? second : first);
  finding.allocated = allocated(race.address, second.size != 0 ? second.size : first.size);
  finding.message =
      fmt::format("{} and {} of {} {} {}", word(race.first), second_word, finding.space, finding.variable,
                  race.race_class == ClassId::p1 ? "have no proxy fence between them" : "are not ordered");
  finding.count = race.count;
  fill_launch(finding, record);
  explain(finding, race, &launch_of(race.first.thread, record) != &record);
  if (race.doubt) cast_doubt(finding, *race.doubt);
  finding.repair = repair_of(record, race);
  const race::Trace* trace = device_.detector().trace();
  if (trace != nullptr && race.chain != 0) finding.witness = witness(record, trace->kept(race.chain));
  return finding;
}

Finding Collector::describe(const LaunchRecord& record, const Incident& incident) const {
  Finding finding;
  finding.place = site(incident.site).place;
  if (finding.place.line == 0) finding.place = place_of_kernel(record.kernel);
  finding.function = site(incident.site).function;
  finding.called_from = site(incident.site).called_from;
  finding.kind = "divergence";
  finding.count = incident.count;
  fill_launch(finding, record);
  const std::string thread = thread_text(incident.thread, record);
  const std::string other = thread_text(incident.other_thread, record);
  finding.label = fmt::format("{} is here", thread);
  if (site(incident.other_site).place.line != 0) {
    finding.other = site(incident.other_site).place;
    finding.other_function = site(incident.other_site).function;
    finding.other_label = fmt::format("{} is here", other);
  }
  using Kind = Incident::Kind;
  switch (incident.kind) {
    case Kind::divergent_warp:
      race::classify(finding, ClassId::d1);
      finding.message = "lanes of one warp wait at different barriers";
      finding.fix = "move the barrier out of the branch, so that all threads meet at one";
      break;
    case Kind::divergent_block:
      race::classify(finding, ClassId::d2);
      finding.message = "warps of one block wait at different barriers";
      finding.fix = "move the barrier out of the branch, so that all threads meet at one";
      break;
    case Kind::exited_early:
      race::classify(finding, ClassId::d3);
      if (finding.other) finding.other_label = fmt::format("{} ended here", other);
      finding.message = fmt::format("{} has ended and never reaches this barrier", other);
      finding.why = "since sm_70 a barrier waits only for threads that still run; before sm_70 it hangs";
      finding.fix = "let every thread reach the barrier, and guard the work instead";
      break;
    case Kind::absent_lane:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("the mask names the lane of {}, which has ended", other);
      finding.fix = "compute the mask from the lanes that still run";
      break;
    case Kind::absent_block:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("{} waits forever for the whole grid: {} has ended", thread, other);
      finding.label = fmt::format("{} waits", thread);
      if (finding.other) finding.other_label = fmt::format("{} ended here", other);
      finding.fix = "let every block reach the barrier, and guard the work instead";
      break;
    case Kind::stuck:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("{} {} forever", thread, incident.text);
      finding.label = fmt::format("{} waits", thread);
      if (finding.other) finding.other_label = fmt::format("{} waits here", other);
      break;
    default:
      describe_fault(finding, incident);
      break;
  }
  if (incident.doubt) cast_doubt(finding, *incident.doubt);
  return finding;
}

void Collector::describe_fault(Finding& finding, const Incident& incident) const {
  using Kind = Incident::Kind;
  if (incident.kind == Kind::ended_block) {
    race::classify(finding, ClassId::a1);
    finding.kind = "invalid-access";
    finding.space = "shared";
    finding.variable = site(incident.site).variable;
    const std::string access = fmt::format("{} of {} bytes of", incident.write ? "write" : "read", incident.size);
    finding.message = fmt::format("{} shared memory of a block that may have ended",
                                  incident.text.empty() ? access : incident.text + " in");
    finding.why = "the memory is another block's until its threads end, and nothing keeps them waiting";
    finding.fix = "let the blocks of the cluster meet at a last cluster.sync() before any of them ends";
  } else if (incident.kind == Kind::left_running) {
    race::classify(finding, ClassId::a1);
    finding.kind = "invalid-access";
    finding.space = "shared";
    finding.variable = variable_text(incident.address, site(incident.site));
    finding.message = fmt::format("{} {} of {} bytes of shared memory of a block that may have ended", kAsynchronous,
                                  incident.write ? "write" : "read", incident.size);
    finding.why = "the memory is the block's until its threads end, and none of them waits for the operation";
    finding.fix = incident.text;
  } else if (incident.kind == Kind::invalid_address) {
    race::classify(finding, ClassId::a1);
    finding.kind = "invalid-access";
    const auto* pointer = reinterpret_cast<const char*>(incident.address);
    const bool shared = device_.arena().contains(pointer) && device_.arena().is_shared(pointer);
    finding.space = shared ? "shared" : "global";
    const std::string& name = site(incident.site).variable;
    finding.variable = name;
    finding.message = fmt::format("{} of {} bytes outside of {}", incident.write ? "write" : "read", incident.size,
                                  name.empty() ? "allocated memory" : name);
  } else if (incident.kind == Kind::assertion) {
    race::classify(finding, ClassId::a2);
    finding.kind = "assertion";
    finding.message = incident.text;
  } else {
    race::classify(finding, ClassId::a3);
    finding.kind = "crash";
    finding.message = incident.text;
  }
}

void Collector::add_redundant(Finding finding, const LaunchRecord* record) {
  if (record != nullptr) {
    fill_launch(finding, *record);
    finding.replay.clear();  // no single run shows it
  }
  findings_.push_back(std::move(finding));
}

// An asynchronous operation that nobody waits for may outlive its block, and races with what comes behind it. The race
// says more: the wait that is missing there is missing here.
void Collector::drop_outlived() {
  auto is_there = [](const race::Place& place, const std::string& label, const Finding& outlived) {
    return place == outlived.place && label.starts_with(kAsynchronous);
  };
  std::vector<Finding> all = std::exchange(findings_, {});
  for (const Finding& finding : all) {
    const bool outlived = plain_kind(finding) == "invalid-access" && finding.message.starts_with(kAsynchronous);
    const bool races = std::any_of(all.begin(), all.end(), [&](const Finding& race) {
      return plain_kind(race) == "race" && race.finding_class != ClassId::p1 &&
             (is_there(race.place, race.label, finding) ||
              (race.other && is_there(*race.other, race.other_label, finding)));
    });
    if (!outlived || !races) findings_.push_back(finding);
  }
}

std::vector<Finding> Collector::findings() {
  drop_outlived();
  std::sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.severity, a.place, a.other, race::class_of(a.finding_class).id, a.variable) <
           std::tie(b.severity, b.place, b.other, race::class_of(b.finding_class).id, b.variable);
  });
  return race::one_per_cause(std::move(findings_));
}

}  // namespace weakspot::race_jit
