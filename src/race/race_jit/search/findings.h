// SPDX-License-Identifier: MIT
// Turns what the machine noticed into findings that people read.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "race/report.h"
#include "race/trace.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"

namespace weakspot::race_jit {

// A launch as reports name it.
struct LaunchRecord {
  std::string kernel;
  race::LaunchShape shape;
  std::string replay;             // the command line that shows it again
  std::uint64_t first_block = 0;  // the number of its first block: concurrent launches have different numbers
  race::IntervalRange intervals;
};

// Races and incidents noticed in one launch.
struct Noticed {
  std::vector<race::Race> races;
  std::vector<Incident> incidents;
};

// Places in the source for what would order the accesses of a race.
struct RaceGaps {
  BarrierOf reach = BarrierOf::block;
  BarrierGaps barriers;
  bool whole_warps = true;  // lanes differ in threadIdx.x alone
  std::optional<SignalGaps> signal;
  std::optional<race::Gap> behind_first, before_second;
};

class Collector {
 public:
  Collector(Machine& device, const DeviceModule& module) : device_(device), module_(module) {}

  // Takes what the machine noticed since the last call.
  Noticed take();
  // Must be called before the memory of the launch is given back: it names variables by their allocations.
  void add(const LaunchRecord& record, const Noticed& noticed);
  // The part of that which is about what is not modelled; to be called before anything is described.
  void add_not_modelled(const Noticed& noticed);
  // Describes a single one without keeping it.
  race::Finding describe(const LaunchRecord& record, const race::Race& race) const;
  race::Finding describe(const LaunchRecord& record, const Incident& incident) const;
  // Describes reads that returned old values and what became of them; fills in the reads of the story.
  race::Finding describe(const LaunchRecord& record, const std::vector<race::StaleRead>& reads,
                         race::StaleStory story) const;
  RaceGaps gaps_of(const LaunchRecord& record, const race::Race& race) const;
  // The repair of the race, if it is known.
  std::optional<race::Repair> repair_of(const LaunchRecord& record, const race::Race& race, const RaceGaps& gaps) const;
  // Keeps one finding for a pair of lines, of the gravest class. `memory` is where the variable begins, 0 if that is
  // not known: one array may have several names.
  void keep(race::Finding finding, std::uint64_t memory = 0);
  // Findings kept for the same lines were broken preconditions.
  void demote(const race::Finding& like, const std::string& relation);
  // Something that is not modelled ran: in a kernel at that site, or, for site 0, on the host.
  void add_not_modelled(race::NotModelled operation, race::SiteId site = 0);
  // A redundant barrier, which is not the finding of any one launch: `record` is one that met it, if that is known.
  void add_redundant(race::Finding finding, const LaunchRecord* record);

  // The findings so far, in any order.
  const std::vector<race::Finding>& kept() const { return findings_; }
  // In the order of a report, one for each cause.
  std::vector<race::Finding> findings();
  // Operations that ran and are not modelled.
  const std::vector<race::NotModelled>& not_modelled() const { return not_modelled_; }

 private:
  void drop_outlived();
  const race::Site& site(race::SiteId id) const { return device_.sites()[id]; }
  const LaunchRecord& launch_of(race::ThreadName thread, const LaunchRecord& record) const;
  race::ThreadIndex index_of(race::ThreadName thread, const LaunchRecord& record) const;
  race::Variable variable_at(std::uint64_t address, const race::Site& at) const;
  race::Witness witness(const LaunchRecord& record, const race::TracedChain& chain) const;
  const Allocation* allocation_at(std::uint64_t address) const;
  std::optional<race::Allocated> allocated(std::uint64_t address, unsigned size) const;
  std::uint64_t memory_at(std::uint64_t address) const;
  race::Place place_of_kernel(const std::string& name) const;
  race::Finding describe_tensor(race::Finding finding, const LaunchRecord& record, const race::Race& race) const;
  void describe_fault(race::Finding& finding, const Incident& incident) const;
  void cast_doubt(race::Finding& finding, race::SiteId by) const;

  Machine& device_;
  const DeviceModule& module_;
  std::deque<LaunchRecord> launches_;
  std::vector<race::Finding> findings_;
  std::vector<std::uint64_t> memory_of_;  // for each finding
  std::vector<race::NotModelled> not_modelled_;
  std::vector<race::SiteId> site_of_;  // for each of them
};

// Whether the incident tells of a mistake, and not of a limit of ours.
bool is_finding(const Incident& incident);
// Whether everything that ran is modelled.
bool is_modelled(const Noticed& noticed);
// Turns a race into a broken precondition, I1.
void blame_input(race::Finding& finding, const std::string& relation);
// Nothing states how many blocks the kernel is launched with, and the finding needs several: a warning.
void suppose_blocks(race::Finding& finding);
// Nothing states that the kernel may be launched with such a grid: a hint.
void suppose_grid(race::Finding& finding, const race::Extent& grid);
// Adds to the reasons of a finding, of which there may be none yet.
void add_reason(race::Finding& finding, const std::string& reason);
// Says why nothing orders the two accesses, and what would.
void explain(race::Finding& finding, const race::Race& race, bool other_launch, const RaceGaps& gaps);
// The same for accesses to tensor memory.
void explain_tensor(race::Finding& finding, const race::Race& race);

}  // namespace weakspot::race_jit
