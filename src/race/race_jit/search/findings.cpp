// SPDX-License-Identifier: MIT
#include "race_jit/search/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/causes.h"
#include "race/classes.h"
#include "race/replay.h"

namespace weakspot::race_jit {
namespace {

using race::Act;
using race::ClassId;
using race::Finding;
using race::FindingKind;
using race::Space;

race::Variable with_element(const std::string& name, std::uint64_t offset, unsigned element,
                            std::uint64_t size = ~std::uint64_t{0}) {
  race::Variable variable = race::read_variable(name);
  if (element == 0) {
    variable.bytes = offset;
  } else if (size != element || offset != 0) {
    variable.element += fmt::format("[{}]", offset / element);
  }
  return variable;
}

bool same_lines(const Finding& a, const Finding& b) {
  auto line = [](const race::Place& place) { return std::pair(place.file, place.line); };
  if (a.other.has_value() != b.other.has_value()) return false;
  if (!a.other) return line(a.place) == line(b.place);
  return (line(a.place) == line(b.place) && line(*a.other) == line(*b.other)) ||
         (line(a.place) == line(*b.other) && line(*a.other) == line(b.place));
}

Act act_of(const race::Party& party) {
  if (is_copying(party.thread)) return party.write ? Act::asynchronous_write : Act::asynchronous_read;
  if (party.strong && party.scope == race::Scope::volatile_access) {
    return party.write ? Act::volatile_write : Act::volatile_read;
  }
  if (party.strong) return party.write ? Act::atomic_write : Act::atomic_read;
  return party.write ? Act::write : Act::read;
}

const char* access_word(const Incident& incident) { return incident.write ? "write" : "read"; }

// The shortest chain is the best story, and one without a chain still better than none.
std::size_t story_rank(const Finding& finding) {
  if (!finding.witness) return 2 * race::Trace::kMostThreads;
  return finding.witness->links.empty() ? race::Trace::kMostThreads : finding.witness->links.size();
}

race::RepairKind repair_by(BarrierOf reach) {
  using Kind = race::RepairKind;
  static constexpr Kind kKinds[] = {Kind::warp_barrier, Kind::block_barrier, Kind::cluster_barrier, Kind::two_launches};
  return kKinds[static_cast<std::size_t>(reach)];
}

// Two findings about the same lines need the repair that makes more threads meet, or the gaps that both share.
std::optional<race::Repair> repair_of_all(const std::optional<race::Repair>& a, const std::optional<race::Repair>& b) {
  if (!a || !b || a->is_same_change(*b)) return race::common_repair(a, b);
  return a->kind < b->kind ? b : a;
}

// Advice about the same lines differed: what repairs both is certain, and nothing else.
void agree_on_fix(Finding& finding) {
  if (finding.repair && !finding.repair->gaps.empty() && race::has_fix(finding)) {
    finding.fixes = {race::common_fix(*finding.repair, {finding})};
    return;
  }
  for (race::Fix& fix : finding.fixes) fix.certain = false;
}

const char* wait_text(Wait wait) {
  switch (wait) {
    case Wait::block_barrier:
    case Wait::gate:
      return "waits at a barrier";
    case Wait::warp_operation:
      return "waits for other lanes of its warp";
    case Wait::grid_barrier:
      return "waits for the whole grid";
    case Wait::cluster_barrier:
      return "waits for its cluster";
    default:
      return "waits for memory to change";
  }
}

// Why a wait has no end: nobody can run who could end it.
const char* wait_reason(Wait wait) {
  switch (wait) {
    case Wait::block_barrier:
    case Wait::gate:
      return "fewer threads have come than the barrier waits for; all others have ended or wait elsewhere";
    case Wait::warp_operation:
      return "lanes that the mask names have ended or wait elsewhere";
    case Wait::grid_barrier:
      return "threads of the grid have ended or wait elsewhere";
    case Wait::cluster_barrier:
      return "threads of the cluster have ended or wait elsewhere";
    default:
      return "all threads that could change it have ended or wait";
  }
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

Noticed Collector::take() {
  Noticed noticed{device_.detector().take_races(), device_.take_incidents()};
  // A thread that had to wait for what it read had read it when it synchronised.
  std::erase_if(noticed.races, [&](const race::Race& race) {
    return race.race_class == ClassId::p2 && site(race.first.site).awaited;
  });
  return noticed;
}

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

// Makes a finding doubtful: what ran before may order the accesses or change what the threads do.
void Collector::cast_doubt(Finding& finding, race::SiteId by) const {
  race::classify(finding, ClassId::u1);
  finding.fixes.clear();
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
  const LaunchRecord* own = &record;  // the one that the machine keeps
  if (holds(record)) return *own;
  auto found = std::find_if(launches_.rbegin(), launches_.rend(), holds);
  return found == launches_.rend() ? *own : *found;
}

race::ThreadIndex Collector::index_of(race::ThreadName thread, const LaunchRecord& record) const {
  const LaunchRecord& launch = launch_of(thread, record);
  thread.block &= ~kCopyingBlock;
  return {race::index_of(thread.thread, launch.shape.block),
          race::index_of(thread.block - launch.first_block, launch.shape.grid),
          &launch == &record ? "" : launch.kernel};
}

// The name in the source if the instruction has one, else the name of the memory.
race::Variable Collector::variable_at(std::uint64_t address, const race::Site& at) const {
  const auto* pointer = reinterpret_cast<const char*>(address);
  Arena& arena = device_.arena();
  if (!arena.contains(pointer)) return race::read_variable(at.variable);
  const auto offset = static_cast<std::uint64_t>(pointer - arena.base());
  if (arena.is_shared(pointer)) {
    std::uint64_t begin = 0;
    const std::uint64_t inside = offset % Arena::kWindow;
    const std::string name = module_.shared_name(inside, begin, at.variable);
    if (name.empty()) return race::read_variable(at.variable);
    return with_element(name, inside - begin, at.size);
  }
  const Allocation* allocation = arena.find(pointer);
  if (allocation == nullptr) return race::read_variable(at.variable);
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

// The host's name for the memory. `size` is that of an element.
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
    return other.kind == finding.kind && other.space == finding.space && same_lines(other, finding) &&
           (other.variable.base == finding.variable.base || (memory != 0 && memory_of_[index_of(other)] == memory));
  };
  auto found = std::find_if(findings_.begin(), findings_.end(), same);
  if (found == findings_.end()) {
    findings_.push_back(std::move(finding));
    memory_of_.push_back(memory);
    return;
  }
  const std::uint64_t count = found->count + finding.count;
  // An explanation (I1) outlives a race of equal values (W1): the values may differ for other inputs.
  const bool explained =
      found->finding_class == ClassId::i1 && finding.finding_class == ClassId::w1 && !finding.supposes_blocks;
  const bool explains = finding.finding_class == ClassId::i1 && found->finding_class == ClassId::w1;
  const bool graver =
      std::tie(finding.severity, finding.finding_class) < std::tie(found->severity, found->finding_class);
  const bool tells_more = story_rank(finding) < story_rank(*found);
  std::optional<race::Witness> witness = std::move(tells_more ? finding.witness : found->witness);
  if (found->finding_class == finding.finding_class) {
    found->repair = repair_of_all(found->repair, finding.repair);
    if (found->fixes != finding.fixes) agree_on_fix(*found);
  }
  if (explains || (graver && !explained)) *found = std::move(finding);
  found->witness = std::move(witness);
  found->count = count;
}

RaceGaps Collector::gaps_of(const LaunchRecord& record, const race::Race& race) const {
  RaceGaps gaps;
  gaps.reach = race.race_class == ClassId::e2 || (race.race_class == ClassId::w3 && race.same_warp) ? BarrierOf::warp
                                                                                                    : BarrierOf::block;
  if (race.across_blocks) gaps.reach = race.space == race::Space::shared ? BarrierOf::cluster : BarrierOf::grid;
  const race::SiteId first = race.first.site, second = race.second.site;
  gaps.barriers = module_.gaps(first, second, gaps.reach);
  gaps.whole_warps = gaps.reach != BarrierOf::warp || record.shape.block.x % race::kWarp == 0 ||
                     record.shape.block.count() == record.shape.block.x;
  gaps.signal = module_.signal(first, second, race.across_blocks);
  if (is_about_proxies(race.race_class)) gaps.behind_first = module_.gap_behind(first);
  if (race.missing_grid_wait) gaps.before_second = module_.gap_before(second);
  return gaps;
}

std::optional<race::Repair> Collector::repair_of(const LaunchRecord& record, const race::Race& race,
                                                 const RaceGaps& gaps) const {
  const bool plain = !race.first.strong && !race.second.strong;
  const bool copies = is_copying(race.first.thread) || is_copying(race.second.thread);
  if (!plain || copies || race.missing_acquire || &launch_of(race.first.thread, record) != &record) return std::nullopt;
  if (gaps.barriers.all.empty()) return std::nullopt;
  return race::Repair{repair_by(gaps.reach), {}, gaps.barriers.all};
}

void Collector::demote(const Finding& like, const std::string& relation) {
  for (Finding& finding : findings_) {
    const bool same =
        finding.kind == like.kind && finding.variable.base == like.variable.base && same_lines(finding, like);
    const bool certain = finding.finding_class != ClassId::i1 && finding.finding_class != ClassId::u1;
    if (same && certain) blame_input(finding, relation);
  }
}

Finding Collector::describe(const LaunchRecord& record, const race::Race& race) const {
  Finding finding;
  race::classify(finding, race.race_class);
  const race::Site& first = site(race.first.site);
  const race::Site& second = site(race.second.site);
  finding.place = first.place;
  finding.function = first.function;
  finding.called_from = first.called_from;
  finding.origin = first.origin;
  finding.other = second.place;
  finding.other_origin = second.origin;
  finding.other_function = second.function;
  finding.actor = {act_of(race.first), index_of(race.first.thread, record)};
  finding.other_actor = {race.of_map ? Act::map_use : act_of(race.second), index_of(race.second.thread, record)};
  finding.space = race.space;
  if (race.space == Space::tensor) return describe_tensor(std::move(finding), record, race);
  // If the memory has two names, the writer's is used.
  const bool name_of_second = first.variable.empty() || (race.second.write && !second.variable.empty());
  finding.variable = variable_at(race.address, name_of_second ? second : first);
  finding.allocated = allocated(race.address, second.size != 0 ? second.size : first.size);
  finding.message =
      fmt::format("{} and {} of {} {} {}", race::act_word(finding.actor->act), race::act_word(finding.other_actor->act),
                  race::space_word(finding.space), race::variable_text(finding.variable),
                  is_about_proxies(race.race_class) ? "have no proxy fence between them"
                  : race.doubt                      ? "are ordered by nothing that is modelled"
                                                    : "are not ordered");
  finding.count = race.count;
  fill_launch(finding, record);
  const RaceGaps gaps = gaps_of(record, race);
  explain(finding, race, &launch_of(race.first.thread, record) != &record, gaps);
  if (race.doubt) cast_doubt(finding, *race.doubt);
  finding.repair = repair_of(record, race, gaps);
  const race::Trace* trace = device_.detector().trace();
  if (trace != nullptr && race.chain != 0) finding.witness = witness(record, trace->kept(race.chain));
  return finding;
}

// Accesses to tensor memory, which has no names.
Finding Collector::describe_tensor(Finding finding, const LaunchRecord& record, const race::Race& race) const {
  finding.variable = {"memory", fmt::format("[lane {}][column {}]", race.address >> 16, race.address & 0xffff), {}};
  finding.message = fmt::format("{} and {} of {} {} are not ordered", race::act_word(finding.actor->act),
                                race::act_word(finding.other_actor->act), race::space_word(finding.space),
                                race::variable_text(finding.variable));
  finding.count = race.count;
  fill_launch(finding, record);
  explain_tensor(finding, race);
  if (race.doubt) cast_doubt(finding, *race.doubt);
  return finding;
}

Finding Collector::describe(const LaunchRecord& record, const Incident& incident) const {
  Finding finding;
  finding.place = site(incident.site).place;
  if (finding.place.line == 0) finding.place = place_of_kernel(record.kernel);
  finding.function = site(incident.site).function;
  finding.called_from = site(incident.site).called_from;
  finding.origin = site(incident.site).origin;
  finding.kind = FindingKind::divergence;
  finding.count = incident.count;
  fill_launch(finding, record);
  const race::ThreadIndex at = index_of(incident.thread, record), other_at = index_of(incident.other_thread, record);
  const std::string thread = race::thread_text(at), other = race::thread_text(other_at);
  finding.actor = {Act::is_here, at};
  if (site(incident.other_site).place.line != 0) {
    finding.other = site(incident.other_site).place;
    finding.other_function = site(incident.other_site).function;
    finding.other_origin = site(incident.other_site).origin;
    finding.other_actor = {Act::is_here, other_at};
  }
  using Kind = Incident::Kind;
  switch (incident.kind) {
    case Kind::divergent_warp:
      race::classify(finding, ClassId::d1);
      finding.message = "lanes of one warp wait at different barriers";
      finding.fixes = {{race::FixKind::move_barrier}};
      break;
    case Kind::divergent_block:
      race::classify(finding, ClassId::d2);
      finding.message = "warps of one block wait at different barriers";
      finding.fixes = {{race::FixKind::move_barrier}};
      break;
    case Kind::exited_early:
      race::classify(finding, ClassId::d3);
      if (finding.other) finding.other_actor->act = Act::ended_here;
      finding.message = fmt::format("{} has ended and never reaches this barrier", other);
      finding.why = device_.detector().warps().of_amd
                        ? "the barrier waits only for waves that still run, which HIP does not promise"
                        : "since sm_70 a barrier waits only for threads that still run; before sm_70 it hangs";
      finding.fixes = {{.kind = race::FixKind::reach_barrier, .detail = "thread"}};
      break;
    case Kind::absent_lane:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("the mask names the lane of {}, which has ended", other);
      finding.why = "the operation waits for every lane that its mask names";
      finding.fixes = {{race::FixKind::live_mask}};
      break;
    case Kind::absent_block:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("{} waits forever for the whole grid: {} has ended", thread, other);
      finding.why = "a barrier of the grid waits for every block";
      finding.actor->act = Act::waits;
      if (finding.other) finding.other_actor->act = Act::ended_here;
      finding.fixes = {{.kind = race::FixKind::reach_barrier, .detail = "block"}};
      break;
    case Kind::stuck:
      race::classify(finding, ClassId::d4);
      finding.message = fmt::format("{} {} forever", thread, wait_text(incident.wait));
      finding.why = wait_reason(incident.wait);
      finding.actor->act = Act::waits;
      if (finding.other) finding.other_actor->act = Act::waits_here;
      break;
    default:
      describe_fault(finding, incident);
      break;
  }
  if (incident.doubt) cast_doubt(finding, *incident.doubt);
  return finding;
}

namespace {

// What would have hidden the old value, if it is known.
std::vector<race::Fix> remedy_of(const race::StaleRead& read, const std::vector<race::Site>& sites) {
  auto at = [&](race::SiteId site) {
    const race::Place& place = sites[site].place;
    return race::FixPlace{{place.file, place.line, false}, race::FixRole::none, place};
  };
  const race::Remedy& remedy = read.remedy;
  if (remedy.kind == race::Remedy::Kind::sc_fences) {
    return {{.kind = race::FixKind::sc_fences, .places = {at(remedy.store), at(read.site)}}};
  }
  if (remedy.kind == race::Remedy::Kind::unknown) return {};
  if (!remedy.releases && !remedy.acquires) {
    return {{.kind = race::FixKind::release_acquire, .places = {at(remedy.store), at(remedy.load)}}};
  }
  if (remedy.releases && remedy.acquires) {
    return {{.kind = race::FixKind::device_scope, .places = {at(remedy.store), at(remedy.load)}}};
  }
  if (remedy.acquires) return {{.kind = race::FixKind::release, .places = {at(remedy.store)}}};
  return {{.kind = race::FixKind::acquire, .places = {at(remedy.load)}}};
}

}  // namespace

Finding Collector::describe(const LaunchRecord& record, const std::vector<race::StaleRead>& reads,
                            race::StaleStory story) const {
  Finding finding;
  race::classify(finding, ClassId::v1);
  finding.kind = FindingKind::stale_value;
  for (const race::StaleRead& read : reads) {
    race::StaleValue& value = story.reads.emplace_back();
    value.read = site(read.site).place;
    value.thread = index_of(read.name.thread, record);
    value.variable = variable_at(read.address, site(read.site));
    if (read.from) value.from = site(read.from->site).place;
    value.by = site(read.by.site).place;
    value.by_thread = index_of(read.by.thread, record);
    value.value = read.value;
    value.newest = read.newest;
  }
  const race::StaleRead& first = reads.front();
  const race::Site &here = site(first.site), &there = site(first.by.site);
  finding.place = here.place;
  finding.function = here.function;
  finding.called_from = here.called_from;
  finding.origin = here.origin;
  finding.other = there.place;
  finding.other_function = there.function;
  finding.other_origin = there.origin;
  finding.actor = {first.is_volatile ? Act::volatile_read : Act::atomic_read, story.reads.front().thread};
  finding.other_actor = {first.by.is_volatile ? Act::volatile_write : Act::atomic_write, story.reads.front().by_thread};
  finding.space = first.space;
  finding.variable = story.reads.front().variable;
  finding.allocated = allocated(first.address, here.size);
  finding.fixes = remedy_of(first, device_.sites());
  fill_launch(finding, record);
  finding.stale = std::move(story);
  race::tell(finding);
  return finding;
}

void Collector::describe_fault(Finding& finding, const Incident& incident) const {
  using Kind = Incident::Kind;
  if (incident.kind == Kind::ended_block || incident.kind == Kind::unstarted_block) {
    const bool early = incident.kind == Kind::unstarted_block;
    race::classify(finding, ClassId::a1);
    finding.kind = FindingKind::invalid_access;
    finding.space = Space::shared;
    finding.variable = race::read_variable(site(incident.site).variable);
    const std::string access = fmt::format("{} of {} bytes of", access_word(incident), incident.size);
    finding.message =
        fmt::format("{} shared memory of a block that may {}", incident.arrives ? "arrival at an mbarrier in" : access,
                    early ? "not have started" : "have ended");
    finding.why = early ? "the memory is another block's once it runs, and nothing makes this thread wait for that"
                        : "the memory is another block's until its threads end, and nothing keeps them waiting";
    finding.precedes_block = early;
    finding.fixes = {{early ? race::FixKind::first_cluster_barrier : race::FixKind::last_cluster_barrier}};
  } else if (incident.kind == Kind::left_running) {
    race::classify(finding, ClassId::a1);
    finding.kind = FindingKind::invalid_access;
    finding.space = Space::shared;
    finding.outlives_block = true;
    finding.variable = variable_at(incident.address, site(incident.site));
    finding.message = fmt::format("asynchronous {} of {} bytes of shared memory of a block that may have ended",
                                  access_word(incident), incident.size);
    finding.why = "the memory is the block's until its threads end, and none of them waits for the operation";
    finding.fixes = {{.kind = race::FixKind::wait_for_copy, .detail = ": " + incident.text}};
  } else if (incident.kind == Kind::invalid_address) {
    race::classify(finding, ClassId::a1);
    finding.kind = FindingKind::invalid_access;
    const auto* pointer = reinterpret_cast<const char*>(incident.address);
    const bool shared = device_.arena().contains(pointer) && device_.arena().is_shared(pointer);
    finding.space = shared ? Space::shared : Space::global;
    const std::string& name = site(incident.site).variable;
    finding.variable = race::read_variable(name);
    finding.message = fmt::format("{} of {} bytes outside of {}", access_word(incident), incident.size,
                                  name.empty() ? "allocated memory" : name);
  } else if (incident.kind == Kind::tensor_misuse) {
    race::classify(finding, ClassId::a1);
    finding.kind = FindingKind::invalid_access;
    finding.space = Space::tensor;
    finding.message = incident.text;
  } else if (incident.kind == Kind::assertion) {
    race::classify(finding, ClassId::a2);
    finding.kind = FindingKind::assertion;
    finding.message = incident.text;
  } else {
    race::classify(finding, ClassId::a3);
    finding.kind = FindingKind::crash;
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
// says more: the wait that is missing there is missing here. So it is with a block that may not run yet.
void Collector::drop_outlived() {
  auto is_there = [](const race::Place& place, const std::optional<race::Actor>& actor, const Finding& outlived) {
    return place == outlived.place && actor && (outlived.precedes_block || is_asynchronous(actor->act));
  };
  std::vector<Finding> all = std::exchange(findings_, {});
  for (const Finding& finding : all) {
    const bool races = std::any_of(all.begin(), all.end(), [&](const Finding& race) {
      return race.kind == FindingKind::race && !is_about_proxies(race.finding_class) &&
             (is_there(race.place, race.actor, finding) ||
              (race.other && is_there(*race.other, race.other_actor, finding)));
    });
    if (!(finding.precedes_block || finding.outlives_block) || !races) findings_.push_back(finding);
  }
}

std::vector<Finding> Collector::findings() {
  drop_outlived();
  std::sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    const std::string a_name = race::variable_text(a.variable), b_name = race::variable_text(b.variable);
    return std::tie(a.severity, a.place, a.other, race::class_of(a.finding_class).id, a_name) <
           std::tie(b.severity, b.place, b.other, race::class_of(b.finding_class).id, b_name);
  });
  return race::one_per_cause(std::move(findings_));
}

}  // namespace weakspot::race_jit
