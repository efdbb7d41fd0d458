// SPDX-License-Identifier: MIT
// Searches for inputs that show what is wrong with a kernel whose launch is not stated anywhere.
//
// Inputs come from race/inputs.h: natural ones first, then random ones, then variations of those that reached a new
// branch, brought a new pair of accesses together, or crowded the most accesses into the fewest words. They are made in
// batches, and the runs of a batch may be shared among processes (`jobs`). Outcomes are evaluated in the order of the
// inputs, so that the search is the same for any number of processes. If no run is judged, what the first one shows is
// reported. A race that vanishes when its inputs are repaired to keep a relation is a broken precondition, I1, unless
// the repaired runs do less: they must take the same branches, and repeat the same loops.
//
// Blocks that do the same (KernelFacts::has_equal_blocks) may be meant to be one, but nothing says so. Such kernels run
// with one block and with several, and what several show, one of them with another, is found for itself. So it is for
// kernels whose sizes are compiled in, as in PTX: on another grid than the intended one their blocks may overlap.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "race/inputs.h"
#include "race_jit/search/input_run.h"
#include "race_jit/search/session.h"
#include "race_jit/search/workers.h"

namespace weakspot::race_jit {

class Search {
 public:
  Search(const race::Request& request, Machine& device, DeviceModule& module, Session& session)
      : request_(request), device_(device), module_(module), session_(session), run_(device, module) {}

  // Keeps what `fixed` states. Findings go to the session's collector.
  void run(const Kernel& kernel, const race::LaunchSpec& fixed, bool shape_fixed, std::uint64_t runs, double seconds);

  // For stated launches: their races are noted, and after the last launch those that vanish when a relation is kept
  // become I1.
  void note_stated(const Kernel& kernel, const race::Input& input, const std::vector<race::Race>& races,
                   std::span<const std::uint8_t> marks);
  void decide_stated();

  const race::SearchReport& report() const { return report_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Example {
    race::Input input;
    std::vector<std::uint8_t> marks;                // set
    std::set<race::SiteId> repeated_barriers = {};  // that threads met more than once
  };

  // What was noticed, and whether it is a race of blocks with each other that do the same.
  using Subject = std::pair<bool, NoticedKey>;
  Subject subject_of(const race::Race& race) const;
  Subject subject_of(const Incident& incident) const { return {false, key_of(incident)}; }
  // Whether several blocks are launched only because nothing says that there is one.
  bool supposes_blocks() const { return !shape_stated_ && facts_.supposes_blocks(); }

  struct Known {
    race::Finding finding;
    bool both_write = false;
    bool between_warps = false;     // two warps of one block
    bool within_block = false;      // two threads of one block, in some run
    bool in_one_block = false;      // a run of one block showed it
    std::vector<Example> examples;  // some of the runs that showed it
    std::uint64_t runs = 0;

    bool is_doubtful() const { return finding.finding_class == race::ClassId::u1; }
    void describe_sides(const race::Race& race) {
      both_write = race.first.write && race.second.write;
      const bool one_block = race.first.thread.block == race.second.thread.block;
      between_warps = one_block && !race.same_warp;
      within_block = within_block || one_block;
    }
  };

  struct Parent {
    race::Input input;
    double crowding = 1;
    std::uint64_t spread = 0;
  };

  race::Input next_input(race::InputSource& source, base::Rng& rng, std::uint64_t number);
  void enlarge(race::Input& input) const;
  std::vector<std::optional<Outcome>> execute(const Kernel& kernel, std::vector<race::Input>& inputs);
  std::string work(const std::string& request);
  void absorb(const Kernel& kernel, const race::Input& input, const Outcome& outcome);
  static bool shows(const Noticed& noticed, const NoticedKey& key);
  bool has_news(const Noticed& noticed) const;
  LaunchRecord record_of(const Kernel& kernel, const race::Input& input) const;
  std::vector<race::Finding> describe(const Kernel& kernel, const race::Input& input, const Noticed& noticed);
  void remember(const Kernel& kernel, const race::Input& input, const Outcome& outcome);
  void breed(const Kernel& kernel, const race::Input& input, const Outcome& outcome, bool novel);
  const race::Relation* broken_relation(const Kernel& kernel, const std::vector<race::Relation>& relations,
                                        const Subject& subject, const Known& known);
  void report_known(const Kernel& kernel, std::uint64_t judged);
  bool is_found_in_block(const NoticedKey& key) const;
  bool is_broken_precondition(const Kernel& kernel, const Subject& subject, const Known& known,
                              const race::Relation& relation);
  bool reads_too(const race::Finding& finding) const;
  double seconds_left() const;
  void allow_time_to_decide(double seconds);

  const race::Request& request_;
  Machine& device_;
  DeviceModule& module_;
  Session& session_;
  InputRun run_;
  std::optional<Workers> workers_;
  Clock::time_point end_;
  bool shape_stated_ = true;
  race::KernelFacts facts_;  // of the kernel that is searched
  bool undecided_ = false;   // there was no time to decide on the last finding
  race::SearchReport report_;
  std::map<std::string, std::uint64_t> extents_;  // learnt sizes of arrays, by parameter
  std::map<Subject, Known> known_;                // races of equal blocks last
  std::map<std::pair<const Kernel*, NoticedKey>, Known> stated_;
  std::set<std::pair<race::SiteId, race::SiteId>> pairs_;
  std::vector<std::uint8_t> reached_, reached_from_zero_;  // marks; the second: of runs that start at zero
  std::vector<race::Input> novel_;
  std::vector<Parent> crowded_;  // the best first
};

}  // namespace weakspot::race_jit
