// SPDX-License-Identifier: MIT
// Incidents that a machine notices in a launch beside races, and the keys by which two runs are found to have shown the
// same.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "race/detector.h"
#include "race/not_modelled.h"
#include "race_jit/hooks/context.h"

namespace weakspot::race_jit {

// Threads are named by block and thread number of the launch.
struct Incident {
  enum class Kind : std::uint8_t {
    divergent_warp,   // D1: lanes of a warp at different barriers
    divergent_block,  // D2: warps at different barriers
    exited_early,     // D3: a thread had ended when the others met
    stuck,            // D4: threads wait for something that cannot happen
    absent_block,     // D4: they wait for the whole grid, and a block has ended
    absent_lane,      // D4: a mask names a lane that has ended
    invalid_address,  // A1: an access outside of everything allocated
    unstarted_block,  // A1: an access to the shared memory of another block that may not run yet
    ended_block,      // A1: an access to the shared memory of another block that may have ended
    left_running,   // A1: an asynchronous operation on shared memory that its block does not wait for; how is in `text`
    tensor_misuse,  // A1: tensor memory used against its rules; how is in `text`
    assertion,      // A2: assert() or trap in the kernel
    not_modelled,   // the tool cannot follow
    crash,          // A3
    deadline,       // the time is up, or the numbers for intervals are: says nothing about the kernel
  };
  Kind kind = Kind::stuck;
  race::SiteId site = 0, other_site = 0;  // 0: none
  race::ThreadName thread, other_thread;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool write = false;
  Wait wait = Wait::nothing;  // for a stuck thread; nothing: it waits for memory to change
  bool arrives = false;       // at an mbarrier of another block
  bool by_assert = false;     // assert(), not a trap
  std::string text;
  std::uint32_t launch = 0;
  std::uint64_t count = 1;
  race::Effect effect = race::Effect::none;  // for an operation that is not modelled
  std::optional<race::SiteId> doubt;         // as in race::Race
};

// A race or an incident without the threads and the memory that showed it.
struct NoticedKey {
  std::variant<race::ClassId, Incident::Kind> what;
  race::SiteId site = 0, other_site = 0;

  auto operator<=>(const NoticedKey&) const = default;
  bool is_race() const { return std::holds_alternative<race::ClassId>(what); }
};

inline NoticedKey key_of(const race::Race& race) { return {race.race_class, race.first.site, race.second.site}; }
inline NoticedKey key_of(const Incident& incident) { return {incident.kind, incident.site, incident.other_site}; }

}  // namespace weakspot::race_jit
