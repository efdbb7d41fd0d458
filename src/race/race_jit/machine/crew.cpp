// SPDX-License-Identifier: MIT
#include "race_jit/machine/crew.h"

#include <signal.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"
#include "race_jit/storage/shadow_memory.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kMostBytesKept = std::uint64_t{1} << 30;  // bytes
constexpr std::uint64_t kManyWords = 1 << 18;                     // more words than one thread compares alone

// Threads that are started meanwhile leave these signals to this one.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGALRM, SIGTERM, SIGINT}) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

// A worker, and at which place of the schedule it first met what it knows.
struct Crew::Worker {
  std::unique_ptr<ShadowMemory> shadow;
  Core core;
  std::vector<std::uint64_t> races, incidents;
  std::vector<std::pair<std::uint64_t, std::string>> output;
  std::map<race::SiteId, std::uint64_t> barriers;
  std::optional<std::uint64_t> chain;  // the last one
  std::uint64_t chains = 0;

  Worker(Machine& main, Crew& crew, std::unique_ptr<ShadowMemory> memory, std::uint64_t window)
      : shadow(std::move(memory)), core(main, crew, *shadow, window) {}

  void start(const LaunchRequest& request, Schedule schedule) {
    core.join(request, schedule);
    races.clear();
    incidents.clear();
    output.clear();
    barriers.clear();
    chain.reset();
    chains = 0;
  }

  void note_news(std::uint64_t place) {
    races.resize(core.detector().races().size(), place);
    incidents.resize(core.notes().incidents().size(), place);
    if (!core.notes().output().empty()) output.emplace_back(place, std::exchange(core.notes().output(), {}));
    if (barriers.size() != core.notes().barriers().size()) {
      for (const auto& [site, use] : core.notes().barriers()) barriers.try_emplace(site, place);
    }
    const std::uint64_t before = std::exchange(chains, core.detector().barriers().chains());
    if (before != chains) chain = place;
  }
};

Crew::Crew(Machine& main, unsigned workers) : main_(main) {
  for (unsigned i = 0; i < std::min<std::size_t>(workers, kMostWorkers); ++i) {
    std::unique_ptr<ShadowMemory> shadow = ShadowMemory::reserve(main.arena().size());
    if (!shadow) break;
    workers_.push_back(std::make_unique<Worker>(main, *this, std::move(shadow), i + 1));
  }
}

Crew::~Crew() = default;

bool Crew::keep(const Allocation& allocation) {
  const std::lock_guard lock(keeping_);
  if (kept_.contains(allocation.begin)) return true;
  kept_bytes_ += allocation.size;
  if (kept_bytes_ > kMostBytesKept) return false;
  const char* begin = main_.arena().base() + allocation.begin;
  kept_[allocation.begin].assign(begin, begin + allocation.size);
  return true;
}

void Crew::restore() {
  for (const auto& [begin, contents] : kept_) {
    std::memcpy(main_.arena().base() + begin, contents.data(), contents.size());
  }
}

// In as many threads as the system allows.
void Crew::in_threads(const std::function<void(Worker&)>& work) {
  std::vector<std::thread> threads;
  {
    const SignalsBlocked blocked;
    for (const std::unique_ptr<Worker>& worker : workers_) {
      try {
        threads.emplace_back([&work, &worker] { work(*worker); });
      } catch (const std::system_error&) {
        break;
      }
    }
  }
  if (threads.empty()) give_up();
  for (std::thread& thread : threads) thread.join();
}

void Crew::work(Worker& worker) {
  const WorkerGuard guard;
  core = &worker.core;
  while (!is_over()) {
    const std::uint64_t place = next_.fetch_add(1);
    if (place >= total_) break;
    const bool ended = worker.core.run_alone(schedule_ == Schedule::reversed ? total_ - 1 - place : place);
    worker.note_news(place);
    if (ended) continue;
    stop_ = true;
    if (time_left()) gave_up_ = true;  // a crash, which is better looked at when nothing else runs
  }
  core = nullptr;
}

Crew::End Crew::run(const LaunchRequest& request, Schedule schedule, std::uint64_t next, std::uint64_t total) {
  schedule_ = schedule;
  next_ = next;
  total_ = total;
  stop_ = gave_up_ = false;
  kept_.clear();
  kept_bytes_ = 0;
  for (const std::unique_ptr<Worker>& worker : workers_) worker->start(request, schedule);
  in_threads([this](Worker& worker) { work(worker); });
  for (const std::unique_ptr<Worker>& worker : workers_) worker->core.detector().leave_launch(main_.detector());
  if (gave_up_ || !are_independent()) {
    restore();
    return End::dependent;
  }
  merge();
  return stop_ ? End::late : End::done;
}

bool Crew::are_independent() {
  std::map<std::uint64_t, TouchBits> bits;
  std::map<std::uint64_t, std::vector<race::Shadow*>> by;
  auto add = [&](Core& one) {
    for (const auto& [begin, touched] : one.windows().touched().all()) {
      bits[begin] |= touched;
      by[begin].push_back(&one.detector().shadow());
    }
  };
  add(main_.core());
  for (const std::unique_ptr<Worker>& worker : workers_) add(worker->core);
  const race::Interval first = main_.detector().launch_begin();
  const std::size_t parts = workers_.size();
  const auto base = reinterpret_cast<std::uint64_t>(main_.arena().base());
  for (const auto& found : by) {
    const std::uint64_t begin = found.first;
    const auto& shadows = found.second;
    const Compare compare = shadows.size() < 2 ? Compare::nothing : how_to_compare(bits[begin]);
    if (compare == Compare::is_dependent) return false;
    if (compare == Compare::nothing) continue;
    const std::uint64_t size = main_.arena().allocations().at(begin).size;
    std::atomic<bool> shared = false;
    auto compare_part = [&](std::size_t part, std::size_t count) {
      const std::uint64_t from = size / 4 * part / count * 4;
      const std::uint64_t to = part + 1 == count ? size : size / 4 * (part + 1) / count * 4;
      if (share_written_word(shadows, base + begin + from, to - from, first)) shared = true;
    };
    if (size / 4 < kManyWords) {
      compare_part(0, 1);
    } else {
      std::atomic<std::size_t> part = 0;
      in_threads([&](Worker&) {
        for (std::size_t mine = part++; mine < parts; mine = part++) compare_part(mine, parts);
      });
    }
    if (shared) return false;
  }
  return !gave_up_;
}

// The order of what was noticed: the place in the schedule, then the worker's own order.
struct Crew::Order {
  std::uint64_t place;
  std::size_t number;
  Worker* worker;

  static std::vector<Order> of(const std::vector<std::unique_ptr<Worker>>& workers,
                               const std::vector<std::uint64_t> Worker::* places) {
    std::vector<Order> all;
    for (const std::unique_ptr<Worker>& worker : workers) {
      const std::vector<std::uint64_t>& own = (*worker).*places;
      for (std::size_t i = 0; i < own.size(); ++i) all.push_back({own[i], i, worker.get()});
    }
    std::sort(all.begin(), all.end(), [](const Order& a, const Order& b) {
      return std::pair(a.place, a.number) < std::pair(b.place, b.number);
    });
    return all;
  }
};

void Crew::merge() {
  const Arena& arena = main_.arena();
  // One block after the other has the same shared memory.
  auto in_first_window = [&](std::uint64_t address) {
    const auto* pointer = reinterpret_cast<const char*>(address);
    if (!arena.contains(pointer) || !arena.is_shared(pointer)) return address;
    const auto offset = static_cast<std::uint64_t>(pointer - arena.base()) % Arena::kWindow;
    return reinterpret_cast<std::uint64_t>(arena.window(1) + offset);
  };
  for (const Order& at : Order::of(workers_, &Worker::races)) {
    race::Race race = at.worker->core.detector().races()[at.number];
    race.address = in_first_window(race.address);
    main_.detector().add_race(race);
  }
  for (const Order& at : Order::of(workers_, &Worker::incidents)) {
    Incident incident = at.worker->core.notes().incidents()[at.number];
    incident.address = in_first_window(incident.address);
    main_.core().notes().add(std::move(incident));
  }
  std::map<std::uint64_t, std::string> output;
  for (const std::unique_ptr<Worker>& worker : workers_) {
    for (auto& [place, text] : worker->output) output[place] += text;
  }
  for (const auto& [place, text] : output) main_.output() += text;
  merge_barriers();
  for (const std::unique_ptr<Worker>& worker : workers_) main_.take_counts(worker->core);
}

void Crew::merge_barriers() {
  std::optional<std::uint64_t> chain;
  for (const std::unique_ptr<Worker>& worker : workers_) chain = std::max(chain, worker->chain);
  if (chain) main_.detector().barriers().keep_met();
  for (const std::unique_ptr<Worker>& worker : workers_) {
    for (const auto& [site, place] : worker->barriers) {
      if (chain && place < *chain) main_.detector().keep_barrier(site);
    }
    main_.add_barriers(worker->core.take_barriers());
  }
}

}  // namespace weakspot::race_jit
