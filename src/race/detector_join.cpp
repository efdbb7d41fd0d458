// SPDX-License-Identifier: MIT
// Several detectors for the blocks of one launch.
#include "race/detector.h"

namespace weakspot::race {

void Detector::join_launch(const Detector& main) {
  are_branch_sides_ = main.are_branch_sides_;
  is_checked_again_ = main.is_checked_again_;
  intervals_ = main.intervals_;
  intervals_.start_launch(main.intervals_.launch_start(), false);
  launch_ = main.launch_;
  launch_begin_ = main.launch_begin_;
  keeps_barriers_ = main.keeps_barriers_;
  needed_ = main.needed_;
  doubt_ = main.doubt_;
  races_.clear();
  by_sites_.clear();
  met_.clear();
  published_.clear();
  issuers_.clear();
  conflicts_ = chains_ = 0;
}

void Detector::leave_launch(Detector& main) const {
  main.intervals_.skip_to(intervals_.last());
  main.conflicts_ += conflicts_;
  main.ignored_.insert(ignored_.begin(), ignored_.end());
  main.polls_.insert(polls_.begin(), polls_.end());
}

void Detector::add_race(const Race& race) {
  const auto key = std::tuple(race.race_class, race.first.site, race.second.site, race.first.write, race.second.write);
  auto [found, fresh] = by_sites_.try_emplace(key, races_.size());
  if (fresh) {
    races_.push_back(race);
  } else {
    races_[found->second].count += race.count;
    races_[found->second].across_blocks |= race.across_blocks;
  }
}

}  // namespace weakspot::race
