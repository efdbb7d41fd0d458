// SPDX-License-Identifier: MIT
// Reads that returned a value which another store had already overwritten, as PTX's memory model allows, and what
// became of them: the story of a finding of class V1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/json_fields.h"
#include "race/class_id.h"
#include "race/facts.h"
#include "race/site.h"

namespace weakspot::race {

struct Finding;

struct StaleValue {
  Place read;
  ThreadIndex thread;
  Variable variable;
  std::optional<Place> from;  // the store of the value; none: it was there before the launch's first strong store
  Place by;                   // the store that had overwritten it
  ThreadIndex by_thread;
  std::uint64_t value = 0, newest = 0;
};

// The end of a run that no run without stale values has: something that is a finding by itself, other contents of
// memory, or contents other than those asked for.
enum class StaleEnd : std::uint8_t { finding, other_memory, unexpected };

struct StaleStory {
  std::vector<StaleValue> reads;  // all that the end needs; never empty
  StaleEnd end = StaleEnd::finding;
  ClassId shown = ClassId::a2;  // of the finding, its message and its place
  std::string message;
  Place place;
  std::string array;  // with unexpected contents
};

// Runs with stale values that ended in the same way.
struct WeakEnd {
  ClassId shown = ClassId::a2;
  Place place;
  std::string message;
  std::uint64_t runs = 0;
};

// The extent of the runs with stale values.
struct WeakReport {
  std::uint64_t runs = 0, with_stale = 0;  // and those in which a read returned an old value
  std::uint64_t stale_reads = 0;           // in all of them
  std::vector<WeakEnd> ends;

  WeakReport& operator+=(const WeakReport& other);
};

// Makes the finding's message and reason from its story.
void tell(Finding& finding);
// "weak values: 200 runs, 183 of them with stale reads; ..."
std::string weak_text(const WeakReport& report);

base::JsonValue to_json(const StaleStory& story);
StaleStory read_stale_story(const base::JsonValue& json, base::Mistakes& mistakes);
base::JsonValue to_json(const WeakReport& report);
WeakReport read_weak(const base::JsonValue& json, base::Mistakes& mistakes);

}  // namespace weakspot::race
