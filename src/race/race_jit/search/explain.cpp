// SPDX-License-Identifier: MIT
// Why two accesses race, and what would order them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "race/classes.h"
#include "race/replay.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {
namespace {

using race::ClassId;
using race::Fix;
using race::FixKind;
using race::FixPlace;
using race::FixRole;
using race::Place;
using race::Scope;

// A race that is being explained.
struct Case {
  race::Finding& finding;
  const race::Race& race;
  const RaceGaps& gaps;
  bool same_block;

  const Place& first() const { return finding.place; }
  const Place& second() const { return finding.other ? *finding.other : finding.place; }
  bool same_line() const { return first().file == second().file && first().line == second().line; }
  bool elsewhere() const { return ((race.first.thread.block ^ race.second.thread.block) & ~kCopyingBlock) != 0; }
  void add(Fix fix) const { finding.fixes.push_back(std::move(fix)); }
  void hint(FixKind kind, std::vector<FixPlace> places = {}, std::string detail = {}) const {
    add({kind, false, std::move(places), {}, std::move(detail)});
  }
};

FixPlace about(const Place& place) { return {{place.file, place.line, false}, FixRole::none, place}; }

// An atomic of the smallest scope that holds both threads.
void add_atomic(const Case& one, bool block_scope, const std::vector<Place>& places) {
  Fix fix{FixKind::atomic, false, {}, block_scope ? Scope::block : Scope::device, {}};
  for (const Place& place : places) fix.places.push_back(about(place));
  one.add(std::move(fix));
}

std::string strong_word(const race::Party& party) {
  return party.scope == Scope::volatile_access ? "volatile" : "atomic";
}

// A barrier of the reach that the gaps are for. Returns whether it is a fix.
bool add_barrier(const Case& one) {
  static constexpr FixKind kKinds[] = {FixKind::warp_barrier, FixKind::block_barrier, FixKind::cluster_barrier,
                                       FixKind::two_launches};
  const FixKind kind = kKinds[static_cast<std::size_t>(one.gaps.reach)];
  if (one.gaps.barriers.best) {
    const bool certain = kind != FixKind::two_launches && one.gaps.whole_warps;
    one.add({kind, certain, {{*one.gaps.barriers.best, FixRole::none, {}}}, {}, {}});
    return certain;
  }
  if (one.gaps.barriers.between_rounds) {
    one.add({kind,
             false,
             {{*one.gaps.barriers.between_rounds, FixRole::none, {}}},
             {},
             ", between one round of the loop and the next"});
  } else if (!one.same_line()) {
    const auto& lines = one.gaps.barriers.lines;
    one.hint(kind, {},
             lines ? race::between_text(lines->first, lines->second) : race::between_text(one.first(), one.second()));
  }
  return false;
}

// A flag or a lock lacks fences. Returns whether there is one.
bool explain_signal(const Case& one) {
  if (!one.gaps.signal) return false;
  const SignalGaps& signal = *one.gaps.signal;
  const std::string what = signal.is_lock ? "lock" : "flag";
  if (signal.narrow) {
    one.finding.why = fmt::format(
        "the threads are in different blocks, and the scope of the {} at lines {} and {} is smaller than both", what,
        signal.write.line, signal.read.line);
    one.hint(FixKind::device_scope, {about(signal.write), about(signal.read)});
    return true;
  }
  if (!signal.lacks_release && !signal.lacks_acquire) {
    if (signal.is_lock) one.hint(FixKind::inside_lock, {about(signal.read), about(signal.write)});
    return false;
  }
  const bool both = signal.lacks_release && signal.lacks_acquire;
  if (signal.is_lock) {
    one.finding.why = fmt::format(
        "the lock taken at line {} and given back at line {} excludes other threads, but {}, so nothing inside is "
        "ordered",
        signal.read.line, signal.write.line,
        both                   ? "no fence stands inside it"
        : signal.lacks_release ? "no fence stands before it is given back"
                               : "no fence stands after it is taken");
  } else {
    one.finding.why =
        both ? fmt::format("the store at line {} is not a release, and the load at line {} is not an acquire",
                           signal.write.line, signal.read.line)
        : signal.lacks_release
            ? fmt::format("the store at line {} is not a release: what was written before need not be seen with it",
                          signal.write.line)
            : fmt::format("the load at line {} is not an acquire: what was released is not ordered before this thread",
                          signal.read.line);
  }
  Fix fix{FixKind::fence, true, {}, one.same_block ? Scope::block : Scope::device, {}};
  if (signal.lacks_acquire && signal.acquire) {
    fix.places.push_back({*signal.acquire, signal.is_lock ? FixRole::lock_taken : FixRole::acquire, signal.read});
  }
  if (signal.lacks_release && signal.release) {
    fix.places.push_back({*signal.release, signal.is_lock ? FixRole::lock_given : FixRole::release, signal.write});
  }
  const std::size_t needed = (signal.lacks_acquire ? 1 : 0) + (signal.lacks_release ? 1 : 0);
  // A reader that does not wait may have read before the store, and fences order nothing then: as in a sequence lock.
  const bool may_come_first = one.finding.finding_class == ClassId::w3;
  fix.certain = fix.places.size() == needed && !may_come_first;
  if (fix.places.empty()) {
    one.hint(FixKind::release_acquire, {about(signal.write), about(signal.read)});
  } else {
    one.add(std::move(fix));
  }
  return true;
}

// Both are strong, which is not enough.
void explain_strong(const Case& one) {
  auto is_of = [&](Scope scope) { return one.race.first.scope == scope || one.race.second.scope == scope; };
  if (!one.same_block && (is_of(Scope::block) || is_of(Scope::cluster))) {
    one.finding.why = is_of(Scope::block)
                          ? "the threads are in different blocks, for which an atomic of block scope is not atomic"
                          : "the threads are in different clusters, for which an atomic of cluster scope is not "
                            "atomic";
    one.hint(FixKind::device_scope, {about(one.first()), about(one.second())});
  } else {
    one.finding.why = "both are atomic, but not on the same bytes";
    one.hint(FixKind::same_width);
  }
}

void explain_in_block(const Case& one) {
  one.finding.why = "the threads are in one block, and no barrier separates the two accesses";
  if (one.race.race_class == ClassId::e2) {
    one.finding.why = one.race.amd
                          ? "the threads are in one wave, but AMD's memory model promises no lock step of its lanes: "
                            "compilers may reorder the accesses"
                          : "the threads are in one warp, but since sm_70 its lanes need not run in lock step";
  }
  if (one.race.at_bare_barrier) {
    one.finding.why =
        "the barrier between the two accesses orders no memory: that takes a release fence before it and an acquire "
        "fence behind it";
  }
  if (!one.gaps.barriers.best && explain_signal(one)) return;
  const bool both_write = one.race.first.write && one.race.second.write;
  // Threads that update one element conflict in any round of a loop.
  const bool is_update = one.same_line() && (both_write || one.gaps.barriers.same_address);
  if (!is_update || one.gaps.barriers.best) add_barrier(one);
  if (!one.finding.fixes.empty()) return;
  if (!is_update) one.hint(FixKind::read_first, {about(one.first())});
  if (both_write) one.hint(FixKind::one_writer, {about(one.first())});
  add_atomic(one, one.race.space == race::Space::shared, {one.first()});  // other blocks may reach global memory
}

const char* engine_word(race::Engine engine) {
  return engine == race::Engine::copies       ? "copy"
         : engine == race::Engine::multiplies ? "product"
                                              : "operation of tcgen05";
}

// One of the two is an asynchronous copy.
void explain_copy(const Case& one) {
  const bool first = is_copying(one.race.first.thread);
  const race::ThreadName copier = first ? one.race.first.thread : one.race.second.thread;
  const race::ThreadName other = first ? one.race.second.thread : one.race.first.thread;
  const bool own = other.thread == copier.thread && (other.block | kCopyingBlock) == copier.block;
  const race::Engine engine = first ? one.race.first.engine : one.race.second.engine;
  const bool multiplies = engine == race::Engine::multiplies;
  one.finding.why = fmt::format("the {} at line {} runs asynchronously until it is waited for{}", engine_word(engine),
                                (first ? one.first() : one.second()).line,
                                own ? "" : ", and other threads know that only after a further barrier");
  if (engine == race::Engine::tensor) {
    one.hint(FixKind::tensor_order, {},
             fmt::format("a wait at the mbarrier of a tcgen05.commit that follows line {}, {}",
                         (first ? one.first() : one.second()).line, race::between_text(one.first(), one.second())));
    return;
  }
  one.hint(multiplies ? FixKind::wait_for_product : FixKind::wait_for_copy, {},
           fmt::format("{}{} {}", multiplies ? " with wgmma.wait_group" : "",
                       own ? "" : " and then for __syncthreads()", race::between_text(one.first(), one.second())));
}

// A thread wrote the tensor map that a copy goes by.
void explain_map(const Case& one) {
  const unsigned copy = one.second().line, write = one.first().line;
  one.finding.why = fmt::format(
      "the copy at line {} reads its tensor map through a proxy of its own: what orders the threads does not let it "
      "see the write at line {}",
      copy, write);
  const char* scope = one.elsewhere() ? "gpu" : "cta";
  const std::string acquire = fmt::format(
      "fence.proxy.tensormap::generic.acquire.{} [map], 128 before line {} in the block that starts the copy", scope,
      copy);
  one.hint(FixKind::map_fences, {},
           one.race.map_released
               ? fmt::format("{}, behind what makes it wait for the write", acquire)
               : fmt::format("fence.proxy.tensormap::generic.release.{} after line {} in the thread that writes, and "
                             "then {}",
                             scope, write, acquire));
}

// The order of the threads is not that of the proxies.
void explain_proxy(const Case& one) {
  const char* operation = engine_word(one.race.second.engine);
  one.finding.why =
      one.race.race_class == ClassId::p2
          ? fmt::format(
                "the {} at line {} goes through the async proxy: what orders the threads does not make it wait for the "
                "read at line {}, which may return what is copied",
                operation, one.second().line, one.first().line)
          : fmt::format(
                "the {} at line {} goes through the async proxy: what orders the threads does not let it see the write "
                "at line {}",
                operation, one.second().line, one.first().line);
  const std::string access = one.race.first.write ? "write" : "read";
  const bool in_shared = one.race.space == race::Space::shared;
  Fix fix{FixKind::async_fence, false, {}, in_shared ? Scope::block : Scope::device, {}};
  if (one.elsewhere()) {
    fix.detail = fmt::format("before line {}, in the block that starts the copy, behind what makes it wait for the {}",
                             one.second().line, access);
  } else if (one.gaps.behind_first) {
    fix.places = {{*one.gaps.behind_first, FixRole::none, {}}};
    fix.certain = true;
    fix.detail = fmt::format(", in each thread that {}s, before the barrier", access);
  } else {
    fix.detail = fmt::format("after line {}, in each thread that {}s, before the barrier", one.first().line, access);
  }
  one.add(std::move(fix));
}

void explain_between_blocks(const Case& one) {
  one.finding.why = one.same_block
                        ? "threads of one block and of different blocks meet here, and no barrier orders all of them"
                        : "the threads are in different blocks, and a barrier orders only threads of one block";
  if (one.race.space == race::Space::shared && !one.same_line()) {
    add_barrier(one);
    return;
  }
  if (explain_signal(one)) return;
  if (one.same_line()) {
    add_atomic(one, false, {one.first()});
    one.hint(FixKind::own_elements);
  } else if (one.race.first.write && one.race.second.write) {
    add_atomic(one, false, {one.first(), one.second()});
    one.hint(FixKind::own_elements);
  } else {
    if (one.gaps.barriers.best) {
      add_barrier(one);
    } else {
      one.hint(FixKind::two_launches, {}, race::between_text(one.first(), one.second()));
    }
    one.hint(FixKind::release_acquire);
  }
}

// One of the two is strong.
void explain_mixed(const Case& one) {
  const race::Party& strong = one.race.first.strong ? one.race.first : one.race.second;
  const Place& plain = one.race.first.strong ? one.second() : one.first();
  const bool plain_writes = one.race.first.strong ? one.race.second.write : one.race.first.write;
  one.finding.why = fmt::format("only one of the two is {}, and {}", strong_word(strong),
                                one.same_block ? "no barrier separates them" : "the threads are in different blocks");
  if (one.same_block && add_barrier(one)) return;
  // A plain store next to strong reads is a flag that is not released; a plain read of what is stored, not acquired.
  if (plain_writes && !strong.write) {
    one.hint(FixKind::release_acquire, {about(plain), about(one.race.first.strong ? one.first() : one.second())});
  }
  add_atomic(one, one.same_block && one.race.space == race::Space::shared, {plain});
  std::rotate(one.finding.fixes.begin(), one.finding.fixes.end() - 1, one.finding.fixes.end());
}

// volatile accesses, which are strong and order nothing.
void explain_volatile(const Case& one) {
  one.finding.why = "volatile keeps each access in one piece, but orders nothing";
  if (one.same_block) {
    add_barrier(one);
  } else if (!explain_signal(one)) {
    one.hint(FixKind::release_acquire, {about(one.race.first.write ? one.first() : one.second()),
                                        about(one.race.first.write ? one.second() : one.first())});
  }
}

}  // namespace

void add_reason(race::Finding& finding, const std::string& reason) {
  finding.why += fmt::format("{}{}", finding.why.empty() ? "" : "; ", reason);
}

void suppose_blocks(race::Finding& finding) {
  finding.supposes_blocks = true;
  finding.message += " if launched with several blocks";
  finding.severity = std::max(finding.severity, race::Severity::warning);
}

void suppose_grid(race::Finding& finding, const race::Extent& grid) {
  finding.supposes_blocks = true;
  finding.message += fmt::format(" if launched with grid={}", race::extent_text(grid));
  finding.severity = race::Severity::hint;
}

void blame_input(race::Finding& finding, const std::string& relation) {
  race::classify(finding, ClassId::i1);
  finding.repair = race::Repair{race::RepairKind::relation, relation, {}};
  const std::string why = std::exchange(finding.why, fmt::format("occurs only for inputs that break '{}'", relation));
  if (!why.empty()) add_reason(finding, why);
  for (Fix& fix : finding.fixes) fix.certain = false;
  finding.fixes.insert(finding.fixes.begin(), Fix{FixKind::check_relation, false, {}, {}, relation});
}

void explain_tensor(race::Finding& finding, const race::Race& race) {
  using race::TensorGap;
  const unsigned first = finding.place.line;
  const std::string between = race::between_text(finding.place, *finding.other);
  const char* in_time = race.same_warp ? "" : " before others are told";
  const std::string place = race.same_warp ? between : fmt::format("behind line {}, before others are told", first);
  std::string advice;
  switch (race.gap) {
    case TensorGap::load_wait:
      finding.why = fmt::format(
          "the load at line {} may still be reading: its warp does not execute tcgen05.wait::ld{}", first, in_time);
      advice = fmt::format("tcgen05.wait::ld.sync.aligned {}", place);
      break;
    case TensorGap::store_wait:
      finding.why = fmt::format(
          "the store at line {} may still be under way: its warp does not execute tcgen05.wait::st{}", first, in_time);
      advice = fmt::format("tcgen05.wait::st.sync.aligned {}", place);
      break;
    case TensorGap::commit:
      finding.why = fmt::format(
          "the operation at line {} runs asynchronously, and no tcgen05.commit of its thread makes an mbarrier track "
          "it",
          first);
      advice = fmt::format("tcgen05.commit to an mbarrier in the thread of line {}, and a wait there before line {}",
                           first, finding.other->line);
      break;
    case TensorGap::mbarrier_wait:
      finding.why = fmt::format(
          "the operation at line {} runs asynchronously, and nothing waits at the mbarrier of its tcgen05.commit "
          "before",
          first);
      advice = fmt::format("a wait at the mbarrier of the tcgen05.commit behind line {}, {}", first, between);
      break;
    case TensorGap::fences:
      finding.why = "what makes the second thread wait orders no operations of tcgen05 without fences of their own";
      advice = fmt::format(
          "tcgen05.fence::before_thread_sync behind line {} and before the thread synchronises, and "
          "tcgen05.fence::after_thread_sync behind that in the thread of line {}",
          first, finding.other->line);
      break;
    case TensorGap::threads:
    case TensorGap::none:
      finding.why = fmt::format("the warp of line {} has waited for it, and nothing tells the other threads so", first);
      advice = fmt::format(
          "a barrier or an mbarrier {}, behind the wait, with tcgen05.fence::before_thread_sync before it and "
          "::after_thread_sync behind it",
          between);
      break;
  }
  finding.fixes.push_back({race::FixKind::tensor_order, false, {}, {}, std::move(advice)});
}

void explain(race::Finding& finding, const race::Race& race, bool other_launch, const RaceGaps& gaps) {
  const Case one{finding, race, gaps, !other_launch && race.first.thread.block == race.second.thread.block};
  if (is_about_proxies(race.race_class)) {
    race.of_map ? explain_map(one) : explain_proxy(one);
  } else if (!race.missing_grid_wait && (is_copying(race.first.thread) || is_copying(race.second.thread))) {
    explain_copy(one);
  } else if (race.missing_grid_wait) {
    finding.why = "the second kernel is a programmatic dependent launch: it may run while the first one does";
    const bool known = gaps.before_second.has_value();
    const race::Gap gap = known ? *gaps.before_second : race::Gap{one.second().file, one.second().line, false};
    one.add({FixKind::grid_wait, known, {{gap, FixRole::none, {}}}, {}, {}});
  } else if (other_launch) {
    finding.why = "the kernels were launched on different streams, and nothing makes one wait for the other";
    one.hint(FixKind::one_stream);
  } else if (race.race_class == ClassId::w3) {
    explain_volatile(one);
  } else if (race.race_class == ClassId::w2) {
    finding.why = "the read is not atomic; the compare-and-swap that follows fails if its value is out of date";
    one.hint(FixKind::atomic_read, {about(race.first.strong ? one.second() : one.first())});
  } else if (race.first.strong && race.second.strong) {
    explain_strong(one);
  } else if (race.first.strong != race.second.strong) {
    explain_mixed(one);
  } else if (race.missing_acquire) {
    finding.why =
        "the flag was read, but no fence whose scope holds both threads follows the read, so nothing that was released "
        "is acquired";
    if (!explain_signal(one)) one.hint(FixKind::late_acquire);
  } else if (one.same_block && !race.across_blocks) {
    explain_in_block(one);
  } else {
    explain_between_blocks(one);
  }
  if (race.fenced_elsewhere) {
    finding.why = fmt::format("the fences between the two accesses are for another address space than {} memory",
                              race.space == race::Space::shared ? "shared" : "global");
  }
  if (race.race_class == ClassId::w1) finding.why += "; both write the same value here";
}

}  // namespace weakspot::race_jit
