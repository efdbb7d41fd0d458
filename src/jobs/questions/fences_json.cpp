// SPDX-License-Identifier: MIT
#include "desk/fences_json.h"

#include "litmus/dialect.h"

namespace weakspot::desk {
namespace {

using Json = base::JsonValue;

Json change_json(const Change& change, const std::vector<Place>& places, const ChangeTexts& change_text) {
  const Place& place = places[change.place];
  Json json;
  json["thread"] = place.thread.index;
  json["instruction"] = place.instruction;
  json[place.gap ? "before" : "replaces"] = change_text.before(change);
  json["text"] = change_text.after(change);
  if (const auto& dependency = place.alternatives[change.alternative].dependency) {
    json["dependency"] = to_string(dependency->kind);
    json["load"] = dependency->load;
  }
  if (place.also.empty()) return json;
  json["also"] = base::json_array();
  for (const Spot& spot : place.also) {
    Json other;
    other["thread"] = spot.thread.index;
    other["instruction"] = spot.instruction;
    json["also"].push_back(std::move(other));
  }
  return json;
}

Json changes_json(const Changes& changes, const std::vector<Place>& places, const ChangeTexts& change_text) {
  Json array = base::json_array();
  for (const Change& change : changes) array.push_back(change_json(change, places, change_text));
  return array;
}

Json way_json(const Way& way, const std::vector<Place>& places, const ChangeTexts& change_text) {
  Json json;
  json["changes"] = changes_json(way.changes, places, change_text);
  json["hash"] = litmus::hash_of(way.test).hex();
  json["weaker"] = base::json_array();
  for (const WeakerTest& weaker : way.weaker) {
    Json below;
    below["changes"] = changes_json(weaker.changes, places, change_text);
    below["verdict"] = to_string(weaker.reach);
    json["weaker"].push_back(std::move(below));
  }
  return json;
}

}  // namespace

base::JsonValue fences_json(const FencesOf& found) {
  const Fences& fences = found.fences;
  Json json;
  json["test"] = found.test.name;
  json["hash"] = litmus::hash_of(found.test).hex();
  json["model"] = found.model_name;
  json["verdict"] = to_string(fences.reach);
  json["judged"] = fences.judged;
  json["complete"] = fences.complete;
  if (!fences.reason.empty()) json["reason"] = fences.reason;
  json["ways"] = base::json_array();
  const ChangeTexts change_text(found.test, fences.places);
  for (const Way& way : fences.ways) json["ways"].push_back(way_json(way, fences.places, change_text));
  return json;
}

}  // namespace weakspot::desk
