// SPDX-License-Identifier: MIT
#include "questions/fences_json.h"

#include "litmus/dialect.h"

namespace weakspot::questions {
namespace {

using Json = base::JsonValue;

Json change_json(const Change& change, const std::vector<Place>& places, const ChangeTexts& change_text) {
  const Place& place = places[change.place];
  Json json = base::json_object({{"thread", place.thread.index},
                                 {"instruction", place.instruction},
                                 {place.gap ? "before" : "replaces", change_text.before(change)},
                                 {"text", change_text.after(change)}});
  if (const auto& dependency = place.alternatives[change.alternative].dependency) {
    json["dependency"] = to_string(dependency->kind);
    json["load"] = dependency->load;
  }
  if (place.also.empty()) return json;
  json["also"] = base::json_array();
  for (const Spot& spot : place.also) {
    json["also"].push_back(base::json_object({{"thread", spot.thread.index}, {"instruction", spot.instruction}}));
  }
  return json;
}

Json changes_json(const Changes& changes, const std::vector<Place>& places, const ChangeTexts& change_text) {
  Json array = base::json_array();
  for (const Change& change : changes) array.push_back(change_json(change, places, change_text));
  return array;
}

Json way_json(const Way& way, const std::vector<Place>& places, const ChangeTexts& change_text) {
  Json below = base::json_array();
  for (const WeakerChanges& weaker : way.weaker) {
    below.push_back(base::json_object(
        {{"changes", changes_json(weaker.changes, places, change_text)}, {"verdict", to_string(weaker.reach)}}));
  }
  return base::json_object({{"changes", changes_json(way.changes, places, change_text)},
                            {"hash", litmus::hash_of(way.test).hex()},
                            {"weaker", std::move(below)}});
}

}  // namespace

base::JsonValue fences_json(const FencesOf& found) {
  const Fences& fences = found.fences;
  Json json = base::json_object({{"test", found.test.name},
                                 {"hash", litmus::hash_of(found.test).hex()},
                                 {"model", found.model_name},
                                 {"verdict", to_string(fences.reach)},
                                 {"judged", fences.judged},
                                 {"complete", fences.complete}});
  if (fences.avoids_flag) json["avoids"] = "flag";
  if (!fences.reason.empty()) json["reason"] = fences.reason;
  json["ways"] = base::json_array();
  const ChangeTexts change_text(found.test, fences.places);
  for (const Way& way : fences.ways) json["ways"].push_back(way_json(way, fences.places, change_text));
  return json;
}

}  // namespace weakspot::questions
