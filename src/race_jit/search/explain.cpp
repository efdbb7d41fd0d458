// SPDX-License-Identifier: MIT
// The words for why two accesses race and what would order them.
#include <fmt/format.h>

#include <algorithm>

#include "race/classes.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {
namespace {

using race::ClassId;

bool same_line(const race::Finding& finding) {
  return finding.other && finding.place.file == finding.other->file && finding.place.line == finding.other->line;
}

// "between lines 12 and 15"
std::string between(const race::Finding& finding) {
  if (!finding.other) return "there";
  if (finding.place.file != finding.other->file) {
    return fmt::format("between {}:{} and {}:{}", finding.place.file, finding.place.line, finding.other->file,
                       finding.other->line);
  }
  if (same_line(finding)) return fmt::format("between one execution of line {} and the next", finding.place.line);
  return fmt::format("between lines {} and {}", std::min(finding.place.line, finding.other->line),
                     std::max(finding.place.line, finding.other->line));
}

// An atomic of the smallest scope that holds both threads.
std::string atomic_of(bool same_block) { return same_block ? "an atomic of block scope" : "an atomic of device scope"; }

std::string strong_word(const race::Party& party) {
  return party.scope == race::Scope::volatile_access ? "volatile" : "atomic";
}

// Both are strong, which is not enough.
void explain_strong(race::Finding& finding, const race::Race& race, bool same_block) {
  const bool block_scope = race.first.scope == race::Scope::block || race.second.scope == race::Scope::block;
  const bool cluster_scope = race.first.scope == race::Scope::cluster || race.second.scope == race::Scope::cluster;
  if (!same_block && block_scope) {
    finding.why = "the threads are in different blocks, for which an atomic of block scope is not atomic";
    finding.fix = "give both atomics device scope (atomicAdd instead of atomicAdd_block, thread_scope_device)";
  } else if (!same_block && cluster_scope) {
    finding.why = "the threads are in different clusters, for which an atomic of cluster scope is not atomic";
    finding.fix = "give both atomics device scope";
  } else {
    finding.why = "both are atomic, but not on the same bytes";
    finding.fix = "access the same bytes with the same width";
  }
}

void explain_in_block(race::Finding& finding, const race::Race& race) {
  const bool both_write = race.first.write && race.second.write;
  finding.why = "the threads are in one block, and no barrier separates the two accesses";
  const std::string atomic = atomic_of(race.space == race::Space::shared);  // other blocks may reach global memory
  if (same_line(finding) && both_write) {
    finding.fix = fmt::format("let only one thread write at line {}, or make it {}", finding.place.line, atomic);
  } else if (same_line(finding)) {
    finding.fix =
        fmt::format("make line {} {}, or read first, then __syncthreads(), then write", finding.place.line, atomic);
  } else {
    finding.fix = fmt::format("put __syncthreads() {}", between(finding));
  }
}

// One of the two is an asynchronous copy.
void explain_copy(race::Finding& finding, const race::Race& race) {
  const bool first = is_copying(race.first.thread);
  const race::ThreadName copier = first ? race.first.thread : race.second.thread;
  const race::ThreadName other = first ? race.second.thread : race.first.thread;
  const unsigned line = first || !finding.other ? finding.place.line : finding.other->line;
  const bool own = other.thread == copier.thread && (other.block | kCopyingBlock) == copier.block;
  const bool multiplies = race.first.multiplies || race.second.multiplies;
  finding.why =
      fmt::format("the {} at line {} runs asynchronously until it is waited for{}", multiplies ? "product" : "copy",
                  line, own ? "" : ", and other threads know that only after a further barrier");
  finding.fix = fmt::format("wait for the {}{} {}", multiplies ? "product with wgmma.wait_group" : "copy",
                            own ? "" : " and then put __syncthreads()", between(finding));
}

// A thread wrote the tensor map that a copy goes by.
void explain_map(race::Finding& finding, const race::Race& race) {
  const unsigned copy = finding.other ? finding.other->line : finding.place.line;
  finding.why = fmt::format(
      "the copy at line {} reads its tensor map through a proxy of its own: what orders the threads does not let it "
      "see "
      "the write at line {}",
      copy, finding.place.line);
  const bool elsewhere = ((race.first.thread.block ^ race.second.thread.block) & ~kCopyingBlock) != 0;
  const char* scope = elsewhere ? "gpu" : "cta";
  const std::string acquire = fmt::format(
      "fence.proxy.tensormap::generic.acquire.{} [map], 128 before line {} in the block that starts the copy", scope,
      copy);
  if (race.map_released) {
    finding.fix = fmt::format("execute {}, behind what makes it wait for the write", acquire);
  } else {
    finding.fix = fmt::format(
        "execute fence.proxy.tensormap::generic.release.{} after line {} in the thread that writes, and then {}", scope,
        finding.place.line, acquire);
  }
}

// The order of the threads is not that of the proxies.
void explain_proxy(race::Finding& finding, const race::Race& race) {
  const unsigned copy = finding.other ? finding.other->line : finding.place.line;
  const char* what = race.second.multiplies ? "product" : "copy";
  finding.why = fmt::format(
      "the {} at line {} goes through the async proxy: what orders the threads does not let it see the write at line "
      "{}",
      what, copy, finding.place.line);
  const bool elsewhere = ((race.first.thread.block ^ race.second.thread.block) & ~kCopyingBlock) != 0;
  finding.fix =
      fmt::format("execute {} after line {} and before line {}{}",
                  race.space == race::Space::shared ? "fence.proxy.async.shared::cta" : "fence.proxy.async",
                  finding.place.line, copy,
                  elsewhere ? ", in the block that starts the copy, behind what makes it wait for the write"
                  : race.second.multiplies
                      ? ": each thread that writes, before the barrier"
                      : ": each thread that writes before the barrier, or behind the barrier the thread that starts "
                        "the copy");
}

void explain_between_blocks(race::Finding& finding, const race::Race& race) {
  finding.why = "the threads are in different blocks, and a barrier orders only threads of one block";
  if (race.space == race::Space::shared && !same_line(finding)) {
    finding.fix = fmt::format("put cluster.sync() {}", between(finding));
    return;
  }
  if (same_line(finding)) {
    finding.fix =
        fmt::format("make line {} {}, or give each block elements of its own", finding.place.line, atomic_of(false));
  } else if (race.first.write && race.second.write) {
    finding.fix = fmt::format("make both {}, or give each block elements of its own", atomic_of(false));
  } else {
    finding.fix = fmt::format(
        "split the kernel {} into two launches, or release the write and acquire it (__threadfence() and an atomic "
        "flag)",
        between(finding));
  }
}

}  // namespace

void blame_input(race::Finding& finding, const std::string& relation) {
  race::classify(finding, ClassId::i1);
  finding.repair = race::Repair{relation, {}};
  finding.why = fmt::format("occurs only for inputs that break '{}'; {}", relation, finding.why);
  finding.fix = fmt::format("check '{}' before the launch, or {}", relation, finding.fix);
}

void explain(race::Finding& finding, const race::Race& race, bool other_launch) {
  const bool same_block = !other_launch && race.first.thread.block == race.second.thread.block;
  if (race.race_class == ClassId::p1) {
    race.of_map ? explain_map(finding, race) : explain_proxy(finding, race);
  } else if (!race.missing_grid_wait && (is_copying(race.first.thread) || is_copying(race.second.thread))) {
    explain_copy(finding, race);
  } else if (race.missing_acquire) {
    finding.why =
        "the flag was read, but no fence whose scope holds both threads follows the read, so nothing that was released "
        "is acquired";
    finding.fix = "put __threadfence() between reading the flag and reading the data";
  } else if (race.missing_grid_wait) {
    finding.why = "the second kernel is a programmatic dependent launch: it may run while the first one does";
    finding.fix = fmt::format("call cudaGridDependencySynchronize() before line {}",
                              finding.other ? finding.other->line : finding.place.line);
  } else if (other_launch) {
    finding.why = "the kernels were launched on different streams, and nothing makes one wait for the other";
    finding.fix = "launch both on one stream, or let the second stream wait for an event of the first";
  } else if (race.race_class == ClassId::w3) {
    finding.why = "volatile keeps each access in one piece, but orders nothing";
    finding.fix = fmt::format("put {} {}",
                              race.same_warp ? "__syncwarp()"
                              : same_block   ? "__syncthreads()"
                                             : "a fence",
                              between(finding));
  } else if (race.race_class == ClassId::w2) {
    const race::Place& plain = race.first.strong ? *finding.other : finding.place;
    finding.why = "the read is not atomic; the compare-and-swap that follows fails if its value is out of date";
    finding.fix =
        fmt::format("read with an atomic at line {}, such as atomicAdd(p, 0) or cuda::atomic_ref", plain.line);
  } else if (race.first.strong && race.second.strong) {
    explain_strong(finding, race, same_block);
  } else if (race.first.strong != race.second.strong) {
    const race::Party& strong = race.first.strong ? race.first : race.second;
    const race::Place& plain = race.first.strong ? *finding.other : finding.place;
    finding.why = fmt::format("only one of the two is {}, and {}", strong_word(strong),
                              same_block ? "no barrier separates them" : "the threads are in different blocks");
    finding.fix = fmt::format("make the access at line {} {} as well{}", plain.line,
                              atomic_of(same_block && race.space == race::Space::shared),
                              same_block ? fmt::format(", or put __syncthreads() {}", between(finding)) : "");
  } else if (race.race_class == ClassId::e2) {
    finding.why = "the threads are in one warp, but since sm_70 its lanes need not run in lock step";
    finding.fix = fmt::format("put __syncwarp() {}", between(finding));
  } else if (same_block) {
    explain_in_block(finding, race);
  } else {
    explain_between_blocks(finding, race);
  }
  if (race.race_class == ClassId::w1) finding.why += "; both write the same value here";
}

}  // namespace weakspot::race_jit
