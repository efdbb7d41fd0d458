// SPDX-License-Identifier: MIT
#include "race_jit/search/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/plural.h"
#include "race/causes.h"
#include "race/replay.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/redundant_barriers.h"

namespace weakspot::race_jit {
std::uint64_t schedule_seed(std::uint64_t seed, const race::ScheduleChoice& schedule) {
  return seed * 1'000'003 + schedule.number;
}

LaunchRequest launch_request(const Kernel& kernel, const race::LaunchShape& launch) {
  LaunchRequest request;
  static_cast<race::LaunchShape&>(request) = launch;
  request.entry = kernel.entry;
  request.static_shared = kernel.static_shared;
  return request;
}

base::Status Session::launch(const Kernel& kernel, const race::LaunchShape& launch, void** arguments,
                             const LaunchChoice& choice) {
  LaunchRequest request = launch_request(kernel, launch);
  if (request.shared_bytes() > Arena::kMaxShared) {
    return base::error_in(request_.file, fmt::format("kernel {} needs {} bytes of shared memory; the limit is {}",
                                                     kernel.name, request.shared_bytes(), Arena::kMaxShared));
  }
  if (base::Status fits = race::check_cluster(launch); !fits) {
    return base::error_in(request_.file, fmt::format("kernel {}: {}", kernel.name, fits.errors().front().message));
  }
  if (watch_ && depth_ == 0) watch_(kernel, launch, arguments);
  request.arguments = arguments;
  request.keep_history = choice.keep_history;
  request.cores = request_.check ? request_.jobs : 1;  // unchecked blocks cannot be compared
  // Blocks of concurrent launches have different numbers.
  for (const std::uint32_t number : choice.concurrent) {
    const LaunchRecord& other = launches_[number - 1];
    request.concurrent.push_back(other.intervals);
    if (number == choice.depends_on) request.prerequisite = other.intervals;
    request.first_block = std::max(request.first_block, other.first_block + other.shape.grid.count());
  }
  request.seed = schedule_seed(request_.seed, choice.schedule);
  launches_.push_back({.kernel = kernel.name,
                       .shape = launch,
                       .replay = choice.replay.empty() ? race::replay_program(request_) : choice.replay,
                       .first_block = request.first_block});
  if (depth_ == 0) last_ = static_cast<std::uint32_t>(launches_.size());
  count(kernel, launch, choice.schedule.order, 0);
  progress(kernel, launch, counts_[kernel.symbol].launches, 0);
  const std::uint64_t ended_before = device_.ended_blocks();
  const std::map<race::SiteId, BarrierUse> met_before = device_.barriers();
  device_.run_children(true);
  ended_ = device_.launch(request, choice.schedule.order);
  ran_.blocks.done += device_.ended_blocks() - ended_before;
  device_.run_children(false);
  launches_.back().intervals = device_.last_intervals();
  Noticed noticed = collector_.take();
  asserted_ = std::ranges::any_of(noticed.incidents,
                                  [](const Incident& incident) { return incident.by_assert && !incident.doubt; });
  if (choice.is_of_host) doubt_waits(noticed, choice.is_of_host);
  note_end_of_time(launches_.back(), noticed);
  if (kernel.marks > 0) add_reached(kernel, module_.marks().subspan(kernel.first_mark, kernel.marks));
  keep_barriers(met_before, noticed);
  collector_.add(launches_.back(), noticed);
  races_ = std::move(noticed.races);
  if (tell_ && collector_.kept().size() > told_) {
    told_ = collector_.kept().size();
    race::Report report;
    report.findings = race::one_per_cause(collector_.kept());
    report.not_modelled = not_modelled();
    add_kernels(report);
    add_fidelity(report);
    tell_(report);
  }
  return launch_children(choice);
}

namespace {

constexpr unsigned kDeepestChild = 24;       // CUDA's limit
constexpr std::size_t kMostChildren = 2048;  // pending children of one launch

}  // namespace

base::Status Session::launch_children(const LaunchChoice& choice) {
  const std::vector<ChildLaunch> children = std::exchange(device_.children(), {});
  if (children.empty()) return base::ok_status();
  const std::size_t parent = launches_.size() - 1;
  const bool parent_ended = ended_, parent_asserted = asserted_;
  std::vector<race::Race> races = races_;
  LaunchChoice ordered{.schedule = choice.schedule, .replay = choice.replay, .keep_history = choice.keep_history};
  ++depth_;
  for (std::size_t i = 0; i < std::min(children.size(), kMostChildren) && depth_ <= kDeepestChild && time_left(); ++i) {
    const ChildLaunch& child = children[i];
    const auto kernel = std::find_if(module_.kernels().begin(), module_.kernels().end(),
                                     [&](const Kernel& known) { return known.symbol == child.kernel; });
    // A launch without threads, or with too many, fails.
    const std::uint64_t threads = child.shape.block.count();
    if (kernel == module_.kernels().end() || threads == 0 || threads > 1024 || child.shape.grid.count() == 0) continue;
    std::vector<void*> arguments;
    arguments.reserve(child.arguments.size());
    for (const std::string& bytes : child.arguments) arguments.push_back(const_cast<char*>(bytes.data()));
    if (base::Status prepared = module_.prepare(*kernel); !prepared) return prepared;
    if (base::Status made = launch(*kernel, child.shape, arguments.data(), ordered); !made) return made;
    races.insert(races.end(), races_.begin(), races_.end());
  }
  --depth_;
  // For launches that may be concurrent, parent and children are one.
  launches_[parent].intervals.end = device_.last_intervals().end;
  races_ = std::move(races);
  ended_ = ended_ && parent_ended;
  asserted_ = asserted_ || parent_asserted;
  return base::ok_status();
}

namespace {

constexpr std::size_t kNamedLines = 6;

// A kernel with a mistake may end before most of its branches; that is to be fixed first.
bool has_fault(const race::Report& report, const std::string& kernel) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const race::Finding& finding) {
    return race::concerns_kernel(finding, kernel) && finding.severity != race::Severity::hint;
  });
}

// "1 of 8 branches were reached; not reached: a.cu:5, a.cu:9 and 3 more"
std::string few_branches(const Kernel& kernel, const std::vector<std::uint8_t>& reached, std::uint64_t count) {
  std::vector<race::Place> places;
  for (std::size_t i = 0; i < kernel.branches; ++i) {
    race::Place place = kernel.branch_places[i];
    place.column = 0;
    if ((i < reached.size() && reached[i] != 0) || std::find(places.begin(), places.end(), place) != places.end())
      continue;
    places.push_back(std::move(place));
  }
  std::sort(places.begin(), places.end());
  std::string text =
      fmt::format("{} of {} reached; not reached: ", count, base::counted(kernel.branches, "branch", "branches"));
  for (std::size_t i = 0; i < std::min(places.size(), kNamedLines); ++i) {
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", places[i].file, places[i].line);
  }
  if (places.size() > kNamedLines) text += fmt::format(" and {} more", places.size() - kNamedLines);
  return text;
}

}  // namespace

// Kernels that ran, and those that should have run.
void Session::add_kernels(race::Report& report) {
  std::map<std::pair<std::string, unsigned>, bool> lines;  // reached or not; kernels may share them
  for (const Kernel& kernel : module_.kernels()) {
    const Counts& counts = counts_[kernel.symbol];
    const std::uint64_t reached = counts.branches_reached(kernel);
    for (const CodeLine& line : kernel.lines) lines[{line.file, line.line}] |= counts.is_reached(line);
    if (counts.launches > 0) {
      report.kernels.push_back({kernel.name, kernel.place, counts.launches, counts.threads, kernel.branches, reached});
    }
    std::string reason = counts.threads == 0 ? counts.if_idle : counts.problem;
    if (reason.empty() && counts.threads > 0 && !race::are_most(reached, kernel.branches) &&
        !has_fault(report, kernel.name)) {
      reason = few_branches(kernel, counts.reached, reached);
    }
    if (!reason.empty()) report.not_exercised.push_back({kernel.name, kernel.place, std::move(reason)});
  }
  report.code.kernels = module_.kernels().size();
  report.code.lines = lines.size();
  report.code.lines_reached = static_cast<std::uint64_t>(
      std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.second; }));
}

namespace {

// Whether what follows may compute with other values than on a GPU.
bool loses_values(race::Effect effect) { return race::casts_doubt(effect) && effect != race::Effect::order; }

}  // namespace

void Session::add_fidelity(race::Report& report) const {
  race::Fidelity& fidelity = report.fidelity.emplace(ran_);
  (request_.is_ptx() ? fidelity.instructions : fidelity.operations) = module_.modelled();
  if (ran_.blocks.all > 0) {
    const bool lost = std::any_of(
        report.not_modelled.begin(), report.not_modelled.end(),
        [](const race::NotModelled& operation) { return operation.reached && loses_values(operation.effect); });
    fidelity.values = lost ? race::Values::partial : race::Values::computed;
  }
  fidelity.kernels = {report.code.kernels, report.kernels.size()};
}

std::uint64_t Session::Counts::branches_reached(const Kernel& kernel) const {
  const std::size_t size = std::min(reached.size(), kernel.branches);
  return static_cast<std::uint64_t>(
      std::count(reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(size), 1));
}

bool Session::Counts::is_reached(const CodeLine& line) const {
  auto is_set = [&](std::size_t mark) { return mark < reached.size() && reached[mark] != 0; };
  return threads > 0 && (line.marks.empty() || std::any_of(line.marks.begin(), line.marks.end(), is_set));
}

void Session::add_reached(const Kernel& kernel, std::span<const std::uint8_t> marks) {
  std::vector<std::uint8_t>& reached = counts_[kernel.symbol].reached;
  reached.resize(kernel.marks);
  for (std::size_t i = 0; i < marks.size(); ++i) reached[i] |= static_cast<std::uint8_t>(marks[i] != 0);
}

// The end of the time says nothing about the kernel: it keeps the report from being clean.
void Session::note_end_of_time(const LaunchRecord& record, const Noticed& noticed) {
  for (const Incident& incident : noticed.incidents) {
    if (incident.kind != Incident::Kind::deadline || !incomplete_.empty()) continue;
    const race::Place& place = device_.sites()[incident.site].place;
    incomplete_ = fmt::format("{} in kernel {}", incident.text, record.kernel);
    if (place.line != 0) incomplete_ += fmt::format(" at {}:{}", place.file, place.line);
  }
}

bool Session::is_well_exercised(const std::string& name) {
  return std::all_of(module_.kernels().begin(), module_.kernels().end(), [&](const Kernel& kernel) {
    if (kernel.name != name) return true;
    const Counts& counts = counts_[kernel.symbol];
    return counts.problem.empty() && race::are_most(counts.branches_reached(kernel), kernel.branches);
  });
}

void Session::add_met(const std::map<race::SiteId, BarrierUse>& uses, const LaunchRecord& record) {
  for (const auto& [site, use] : uses) met_in_[site].try_emplace(record.kernel, record);
}

// A thread that waits for the host waits in vain here, because the host goes on only after the launch.
void Session::doubt_waits(Noticed& noticed, const std::function<bool(std::uint64_t)>& is_of_host) {
  const std::size_t count = noticed.incidents.size();
  for (std::size_t i = 0; i < count; ++i) {
    Incident& incident = noticed.incidents[i];
    if (incident.kind != Incident::Kind::stuck || incident.address == 0 || !is_of_host(incident.address)) continue;
    Incident left_out{.kind = Incident::Kind::not_modelled, .site = incident.site};
    left_out.text = "the host while a kernel runs";
    left_out.effect = race::Effect::order;
    incident.doubt = incident.site;
    noticed.incidents.push_back(std::move(left_out));
  }
}

// Keeps every barrier of a launch in which something ran that is not modelled, or that left out an access to tensor
// memory: it may be needed for that.
void Session::keep_barriers(const std::map<race::SiteId, BarrierUse>& before, const Noticed& noticed) {
  const bool modelled = is_modelled(noticed) &&
                        std::none_of(noticed.incidents.begin(), noticed.incidents.end(), [](const Incident& incident) {
                          return incident.kind == Incident::Kind::tensor_misuse;
                        });
  for (const auto& [site, use] : device_.barriers()) {
    auto found = before.find(site);
    if (found != before.end() && found->second.instances == use.instances) continue;
    met_in_[site].try_emplace(launches_.back().kernel, launches_.back());
    if (!modelled) device_.detector().keep_barrier(site);
  }
}

void Session::progress(const Kernel& kernel, const race::LaunchShape& launch, std::uint64_t run, std::uint64_t runs) {
  constexpr auto kSpacing = std::chrono::milliseconds(200);
  const auto now = std::chrono::steady_clock::now();
  if (!show_ || now - shown_ < kSpacing) return;
  shown_ = now;
  const InRuntime inside;  // a record is sent as a whole
  const double left = request_.seconds - std::chrono::duration<double>(now - start_).count();
  const std::string which = runs > 0 ? fmt::format("run {} of {}", run, runs) : fmt::format("launch {}", run);
  show_(fmt::format("kernel {}, {}, {}, {:.0f} s left", kernel.name, race::launch_text(launch), which,
                    std::max(left, 0.0)));
}

void Session::ask_for(const Kernel& kernel, const std::string& otherwise) {
  counts_[kernel.symbol].if_idle = otherwise;
}

void Session::not_exercised(const Kernel& kernel, const std::string& reason) {
  counts_[kernel.symbol].problem = reason;
}

// Operations that ran, and then those that no run reached.
std::vector<race::NotModelled> Session::not_modelled() {
  std::vector<race::NotModelled> all = collector_.not_modelled();
  for (const LeftOut& one : module_.left_out()) {
    if (one.concerns_all) all.push_back({one.what, {}, one.effect, true});
  }
  const std::size_t reached = all.size();
  for (const LeftOut& operation : module_.left_out()) {
    if (operation.concerns_all) continue;
    const race::Place& place = device_.sites()[operation.site].place;
    auto same = [&](const race::NotModelled& known) { return known.what == operation.what && known.place == place; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({operation.what, place, operation.effect, false});
  }
  auto by_place = [](const race::NotModelled& a, const race::NotModelled& b) {
    return std::tie(a.place, a.what) < std::tie(b.place, b.what);
  };
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(reached);
  std::sort(all.begin(), middle, by_place);
  std::sort(middle, all.end(), by_place);
  return all;
}

void Session::count(const Kernel& kernel, const race::LaunchShape& launch, race::Schedule order,
                    std::uint64_t ended_blocks) {
  Counts& counts = counts_[kernel.symbol];
  ++counts.launches;
  counts.threads += launch.threads();
  ran_.blocks += {launch.grid.count(), ended_blocks};
  ran_.orders.count(order);
}

race::Report Session::report(double seconds) {
  race::Report report;
  report.output = device_.output();
  report.accesses = device_.checked_accesses() - left_out_;
  RunEvidence evidence{.runs = launches_.size()};
  if (search_) {
    evidence.runs += search_->runs - search_->unjudged;
    evidence.branches = search_->branches;
    evidence.branches_reached = search_->branches_reached;
  }
  // Without a check no barrier is ever shown to be needed, and all would be tried. Those of PTX without a launch were
  // placed by a compiler, for sizes that are not known.
  std::vector<race::Finding> redundant;
  if (request_.check && !(search_ && request_.is_ptx()))
    redundant = redundant_barriers(device_, trials_, evidence, seconds);
  for (race::Finding& finding : redundant) {
    const LaunchRecord* record = nullptr;
    bool well_exercised = true;
    for (const auto& [site, by_kernel] : met_in_) {
      if (device_.sites()[site].place != finding.place) continue;
      for (const auto& [kernel, met] : by_kernel) {
        if (record == nullptr) record = &met;
        well_exercised = well_exercised && is_well_exercised(kernel);
      }
    }
    if (well_exercised) collector_.add_redundant(std::move(finding), record);
  }
  report.search = search_;
  report.incomplete = incomplete_;
  report.findings = collector_.findings();
  report.not_modelled = not_modelled();
  add_kernels(report);
  add_fidelity(report);
  return report;
}

}  // namespace weakspot::race_jit
