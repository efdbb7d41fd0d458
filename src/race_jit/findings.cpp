#include "race_jit/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace weakspot::race_jit {
namespace {

using race::Finding;
using race::Severity;

class Collector {
 public:
  Collector(Machine& device, const DeviceModule& module, const std::vector<LaunchRecord>& launches)
      : device_(device), module_(module), launches_(launches) {}

  Findings collect() {
    for (const race::Race& race : device_.detector().races()) add(race);
    for (const Incident& incident : device_.incidents()) add(incident);
    add_redundant_barriers();
    std::sort(result_.findings.begin(), result_.findings.end(), [](const Finding& a, const Finding& b) {
      return std::tie(a.severity, a.place, a.other, a.finding_class, a.variable) <
             std::tie(b.severity, b.place, b.other, b.finding_class, b.variable);
    });
    return std::move(result_);
  }

 private:
  const race::Site& site(race::SiteId id) const { return device_.sites()[id]; }

  const LaunchRecord& launch(std::uint32_t number) const { return launches_[number - 1]; }

  static std::string index_text(std::uint64_t number, const Extent& extent) {
    const std::uint64_t x = number % extent.x, y = number / extent.x % extent.y,
                        z = number / (std::uint64_t{extent.x} * extent.y);
    if (extent.z > 1) return fmt::format("({},{},{})", x, y, z);
    if (extent.y > 1) return fmt::format("({},{})", x, y);
    return std::to_string(x);
  }

  // The launch that the thread is of: `number`, or one that ran beside it.
  const LaunchRecord& launch_of(race::ThreadName thread, std::uint32_t number) const {
    for (std::uint32_t i = number; i >= 1; --i) {
      const LaunchRecord& record = launch(i);
      if (thread.block >= record.first_block && thread.block - record.first_block < record.grid.count()) return record;
    }
    return launch(number);
  }

  std::string thread_text(race::ThreadName thread, std::uint32_t number) const {
    const LaunchRecord& record = launch_of(thread, number);
    const std::string text = fmt::format("thread {} of block {}", index_text(thread.thread, record.block),
                                         index_text(thread.block - record.first_block, record.grid));
    return &record == &launch(number) ? text : fmt::format("{} of {}", text, record.kernel);
  }

  // "sums[3]"; the name in the text if the instruction has one, else that of what lies there.
  std::string variable_text(std::uint64_t address, const race::Site& at) const {
    const auto* pointer = reinterpret_cast<const char*>(address);
    Arena& arena = device_.arena();
    if (!arena.contains(pointer)) return at.variable;
    const auto offset = static_cast<std::uint64_t>(pointer - arena.base());
    if (arena.is_shared(pointer)) {
      std::uint64_t begin = 0;
      const std::uint64_t inside = offset % Arena::kWindow;
      const std::string name = module_.shared_name(inside, begin);
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

  static std::string with_element(const std::string& name, std::uint64_t offset, unsigned element,
                                  std::uint64_t size = ~std::uint64_t{0}) {
    if (element == 0) return fmt::format("{} + {} bytes", name, offset);
    if (size == element && offset == 0) return name;
    return fmt::format("{}[{}]", name, offset / element);
  }

  // Where the variable or allocation begins that holds the address; 0 if none does.
  std::uint64_t memory_at(std::uint64_t address) const {
    const auto* pointer = reinterpret_cast<const char*>(address);
    Arena& arena = device_.arena();
    if (!arena.contains(pointer) || arena.is_shared(pointer)) return 0;
    const Allocation* allocation = arena.find(pointer);
    return allocation == nullptr ? 0 : allocation->begin;
  }

  void fill_launch(Finding& finding, std::uint32_t number) const {
    const LaunchRecord& record = launch(number);
    finding.kernel = record.kernel;
    finding.launch = record.text;
    finding.replay = record.replay;
  }

  race::Place place_of_kernel(const std::string& name) const {
    for (const Kernel& kernel : module_.kernels()) {
      if (kernel.name == name) return kernel.place;
    }
    return {};
  }

  // One finding for two lines; of several classes the gravest.
  // `memory` is where the variable begins: one array may have several names.
  void merge(Finding finding, std::uint64_t memory = 0) {
    auto index_of = [&](const Finding& other) { return static_cast<std::size_t>(&other - result_.findings.data()); };
    auto same = [&](const Finding& other) {
      return other.kind == finding.kind && other.space == finding.space && same_lines(other, finding) &&
             (base_name(other.variable) == base_name(finding.variable) ||
              (memory != 0 && memory_of_[index_of(other)] == memory));
    };
    auto found = std::find_if(result_.findings.begin(), result_.findings.end(), same);
    if (found == result_.findings.end()) {
      result_.findings.push_back(std::move(finding));
      memory_of_.push_back(memory);
      return;
    }
    const std::uint64_t count = found->count + finding.count;
    if (finding.finding_class < found->finding_class) *found = std::move(finding);
    found->count = count;
  }

  static std::string base_name(const std::string& variable) { return variable.substr(0, variable.find('[')); }

  static bool same_lines(const Finding& a, const Finding& b) {
    auto line = [](const race::Place& place) { return std::pair(place.file, place.line); };
    if (a.other.has_value() != b.other.has_value()) return false;
    if (!a.other) return line(a.place) == line(b.place);
    return (line(a.place) == line(b.place) && line(*a.other) == line(*b.other)) ||
           (line(a.place) == line(*b.other) && line(*a.other) == line(b.place));
  }

  static const char* word(const race::Party& party) {
    if (party.strong && party.scope == race::Scope::volatile_access) {
      return party.write ? "volatile write" : "volatile read";
    }
    if (party.strong) return party.write ? "atomic write" : "atomic read";
    return party.write ? "write" : "read";
  }

  void add(const race::Race& race) {
    static constexpr const char* kClasses[] = {"E1", "E2", "W1", "W3"};
    Finding finding;
    finding.finding_class = kClasses[static_cast<std::size_t>(race.race_class)];
    finding.kind = "race";
    finding.severity = race.race_class == race::RaceClass::e1 || race.race_class == race::RaceClass::e2
                           ? Severity::error
                           : Severity::warning;
    const race::Site& first = site(race.first.site);
    const race::Site& second = site(race.second.site);
    finding.place = first.place;
    finding.called_from = first.called_from;
    finding.other = second.place;
    finding.label = fmt::format("{} by {}", word(race.first), thread_text(race.first.thread, race.launch));
    finding.other_label = fmt::format("{} by {}", word(race.second), thread_text(race.second.thread, race.launch));
    finding.space = race.space == race::Space::shared ? "shared" : "global";
    // Two names of the same memory: that of the one who writes.
    const bool name_of_second = first.variable.empty() || (race.second.write && !second.variable.empty());
    finding.variable = variable_text(race.address, name_of_second ? second : first);
    finding.message = fmt::format("{} and {} of {} {} are not ordered", word(race.first), word(race.second),
                                  finding.space, finding.variable);
    finding.count = race.count;
    fill_launch(finding, race.launch);
    explain(finding, race);
    merge(std::move(finding), memory_at(race.address));
  }

  void explain(Finding& finding, const race::Race& race) const {
    const bool same_block = race.first.thread.block == race.second.thread.block;
    if (race.missing_acquire) {
      finding.why = "the flag was read, but no fence follows that read: what was released is not acquired";
      finding.fix = "put __threadfence() between reading the flag and reading the data";
    } else if (&launch_of(race.first.thread, race.launch) != &launch(race.launch)) {
      finding.why = "the kernels were launched on different streams, and nothing makes one wait for the other";
      finding.fix = "launch both on one stream, or let the second stream wait for an event of the first";
    } else if (!same_block) {
      finding.why = "the threads are in different blocks, and a barrier orders the threads of one block only";
      finding.fix = "use atomics, split the work so that blocks do not meet, or launch a second kernel";
    } else if (race.same_warp && race.race_class == race::RaceClass::e2) {
      finding.why = "the threads are in one warp, but since sm_70 its lanes need not run in lock step";
      finding.fix = "put __syncwarp() between the two lines";
    } else if (race.race_class == race::RaceClass::w3) {
      finding.why = "volatile makes each access whole, but orders nothing";
      finding.fix =
          race.same_warp ? "put __syncwarp() between the two accesses" : "put a barrier between the two accesses";
    } else {
      finding.why = "the threads are in one block and no barrier lies between the two accesses";
      finding.fix = "put __syncthreads() between the two lines, or use an atomic";
    }
    if (race.race_class == race::RaceClass::w1) finding.why += "; both write the same value here";
    if ((race.first.strong || race.second.strong) && race.race_class == race::RaceClass::e1 && !race.missing_acquire) {
      finding.why += race.first.strong != race.second.strong ? "; only one of the two is atomic"
                                                             : "; the atomics' scopes do not include each other";
    }
  }

  void add(const Incident& incident) {
    if (incident.kind == Incident::Kind::not_modelled) {
      const race::Place& place = site(incident.site).place;
      result_.notes.push_back(fmt::format("{} at {}:{}", incident.text, place.file, place.line));
      return;
    }
    Finding finding;
    finding.place = site(incident.site).place;
    if (finding.place.line == 0) finding.place = place_of_kernel(launch(incident.launch).kernel);
    finding.called_from = site(incident.site).called_from;
    finding.kind = "divergence";
    finding.count = incident.count;
    fill_launch(finding, incident.launch);
    const std::string thread = thread_text(incident.thread, incident.launch);
    const std::string other = thread_text(incident.other_thread, incident.launch);
    finding.label = fmt::format("{} is here", thread);
    if (incident.other_site != 0) {
      finding.other = site(incident.other_site).place;
      finding.other_label = fmt::format("{} is here", other);
    }
    using Kind = Incident::Kind;
    switch (incident.kind) {
      case Kind::divergent_warp:
        finding.finding_class = "D1";
        finding.message = "lanes of one warp wait at different barriers";
        finding.fix = "move the barrier out of the branch, so that all threads meet at one";
        break;
      case Kind::divergent_block:
        finding.finding_class = "D2";
        finding.message = "warps of one block wait at different barriers";
        finding.fix = "move the barrier out of the branch, so that all threads meet at one";
        break;
      case Kind::exited_early:
        finding.finding_class = "D3";
        finding.severity = Severity::warning;
        finding.message = fmt::format("{} has ended and never comes to this barrier", other);
        finding.why = "since sm_70 a barrier waits only for threads that still run; before, it hangs";
        finding.fix = "let every thread reach the barrier, and guard the work instead";
        break;
      case Kind::absent_lane:
        finding.finding_class = "D4";
        finding.message = fmt::format("the mask names the lane of {}, which has ended", other);
        finding.fix = "compute the mask from the lanes that are there";
        break;
      case Kind::stuck:
        finding.finding_class = "D4";
        finding.message = fmt::format("{} {} for ever", thread, incident.text);
        finding.label = fmt::format("{} waits", thread);
        if (finding.other) finding.other_label = fmt::format("{} waits here", other);
        break;
      default:
        add_fault(finding, incident);
        break;
    }
    merge(std::move(finding));
  }

  void add_fault(Finding& finding, const Incident& incident) const {
    using Kind = Incident::Kind;
    if (incident.kind == Kind::invalid_address) {
      finding.finding_class = "A1";
      finding.kind = "invalid-access";
      const auto* pointer = reinterpret_cast<const char*>(incident.address);
      const bool shared = device_.arena().contains(pointer) && device_.arena().is_shared(pointer);
      finding.space = shared ? "shared" : "global";
      const std::string& name = site(incident.site).variable;
      finding.variable = name;
      finding.message = fmt::format("{} of {} bytes outside of {}", incident.write ? "write" : "read", incident.size,
                                    name.empty() ? "all memory" : name);
    } else if (incident.kind == Kind::assertion) {
      finding.finding_class = "A2";
      finding.kind = "assertion";
      finding.message = incident.text;
    } else {
      finding.finding_class = "A3";
      finding.kind = incident.kind == Kind::deadline ? "deadline" : "crash";
      finding.message = incident.text;
    }
  }

  // Several instructions may stand for one line: a template, a function inlined twice. The line is needed if one is.
  void add_redundant_barriers() {
    struct Use {
      std::uint64_t instances = 0, threads = 0;
      bool needed = false;
      race::SiteId site = 0;
    };
    std::map<race::Place, Use> uses;
    for (const auto& [id, use] : device_.barriers()) {
      Use& at = uses[site(id).place];
      at.instances += use.instances;
      at.threads = std::max(at.threads, use.threads);
      at.needed = at.needed || device_.detector().barrier_needed(id);
      at.site = id;
    }
    for (const auto& [place, use] : uses) {
      if (use.needed || use.threads < 2) continue;
      Finding finding;
      finding.finding_class = "R1";
      finding.kind = "redundant-barrier";
      finding.severity = Severity::hint;
      finding.place = place;
      finding.called_from = site(use.site).called_from;
      finding.message = "this barrier ordered nothing that is not ordered without it";
      finding.label =
          fmt::format("{} instance{}, at most {} threads", use.instances, use.instances == 1 ? "" : "s", use.threads);
      finding.why = "in these runs no access before it conflicts with one after it";
      finding.count = use.instances;
      if (!launches_.empty()) fill_launch(finding, 1);
      result_.findings.push_back(std::move(finding));
    }
  }

  Machine& device_;
  const DeviceModule& module_;
  const std::vector<LaunchRecord>& launches_;
  Findings result_;
  std::vector<std::uint64_t> memory_of_;  // of each finding
};

}  // namespace

Findings collect_findings(Machine& device, const DeviceModule& module, const std::vector<LaunchRecord>& launches) {
  return Collector(device, module, launches).collect();
}

}  // namespace weakspot::race_jit
