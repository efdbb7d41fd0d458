// Looks for inputs that show what is wrong with a kernel of which nothing says how it is launched.
//
// Inputs come from race/inputs.h: natural ones first, then drawn ones, then variations of those that reached a new
// branch, brought a new pair of accesses together, or crowded the most accesses into the fewest words. An access
// outside of a made-up array says that the array is too small: it grows and the run is repeated. A run in which the
// kernel still leaves its memory, or asserts, or does not end, had an input that the kernel cannot take and is not
// judged; if no run is, what the first one shows is reported. A race that vanishes when its inputs are mended to keep a
// relation is a broken precondition, I1.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "race/inputs.h"
#include "race_jit/session.h"

namespace weakspot::race_jit {

class Search {
 public:
  Search(const race::Request& request, Machine& device, DeviceModule& module, Session& session)
      : request_(request), device_(device), module_(module), session_(session), mark_(device.arena().mark()) {}

  // What `fixed` says is kept. Findings go to the session's collector.
  void run(const Kernel& kernel, const race::LaunchSpec& fixed, bool shape_fixed, std::uint64_t runs, double seconds);

  // Races of launches that somebody has stated: after the last, those are I1 that vanish when a relation is kept.
  void note_stated(const Kernel& kernel, const race::Input& input, const std::vector<race::Race>& races);
  void settle_stated();

  const race::SearchReport& report() const { return report_; }

 private:
  using Clock = std::chrono::steady_clock;
  // What kind of thing was noticed at which sites.
  using Key = std::tuple<int, int, race::SiteId, race::SiteId>;

  // How a run went.
  struct Outcome {
    bool judged = false;
    Noticed noticed;
    bool novel = false;        // a branch or a pair of accesses that no run had before
    double crowding = 1;       // words accessed by accesses made: the fewer the closer to a conflict
    std::uint64_t spread = 0;  // bytes between the first and the last word
  };

  struct Known {
    race::Finding finding;
    bool race = false, both_write = false;
    std::vector<race::Input> inputs;  // that showed it, some of them
    std::uint64_t runs = 0;
  };

  struct Parent {
    race::Input input;
    double crowding = 1;
    std::uint64_t spread = 0;
  };

  Outcome execute(const Kernel& kernel, race::Input& input);
  bool attempt(const Kernel& kernel, const race::Input& input, Outcome& outcome);
  bool grow_arrays(const Kernel& kernel, race::Input& input, const std::vector<Incident>& incidents) const;
  bool judge(const Kernel& kernel, const race::Input& input, const Noticed& noticed) const;
  void look_at_branches(const Kernel& kernel, Outcome& outcome);
  void look_at_cells(Outcome& outcome, std::uint64_t accesses, std::uint64_t shared_bytes);
  LaunchRecord record_of(const Kernel& kernel, const race::Input& input) const;
  std::vector<race::Finding> describe(const Kernel& kernel, const race::Input& input, const Noticed& noticed);
  void remember(const Kernel& kernel, const race::Input& input, const Outcome& outcome);
  void breed(const Kernel& kernel, const race::Input& input, const Outcome& outcome);
  void settle(const Kernel& kernel, std::uint64_t judged);
  bool is_broken_precondition(const Kernel& kernel, const Key& key, const Known& known, const race::Relation& relation);
  bool reads_too(const race::Finding& finding) const;
  double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  const race::Request& request_;
  Machine& device_;
  DeviceModule& module_;
  Session& session_;
  std::uint64_t mark_;
  Clock::time_point end_;
  race::SearchReport report_;
  std::map<std::string, std::uint64_t> extents_;  // learnt, by parameter
  std::map<Key, Known> known_;
  std::map<std::pair<const Kernel*, Key>, Known> stated_;
  std::set<std::pair<race::SiteId, race::SiteId>> pairs_;
  std::vector<std::uint8_t> reached_;
  std::vector<race::Input> novel_;
  std::vector<Parent> crowded_;  // the best first
};

}  // namespace weakspot::race_jit
