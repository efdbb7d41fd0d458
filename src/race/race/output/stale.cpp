// SPDX-License-Identifier: MIT
#include "race/stale.h"

#include <fmt/format.h>

#include <limits>

#include "base/names.h"
#include "base/plural.h"
#include "race/classes.h"
#include "race/output/place_json.h"
#include "race/report.h"

namespace weakspot::race {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();

constexpr base::Named<StaleEnd> kStaleEnds[] = {
    {"finding", StaleEnd::finding},
    {"other-memory", StaleEnd::other_memory},
    {"unexpected", StaleEnd::unexpected},
};

std::string stale_line(const Place& place, const Place& here) {
  return place.file == here.file ? fmt::format("line {}", place.line) : fmt::format("{}:{}", place.file, place.line);
}

std::string stale_origin(const StaleValue& stale, const Place& here) {
  return stale.from ? "the value of " + stale_line(*stale.from, here) : "the initial value";
}

// What the stale values led to.
std::string stale_end(const StaleStory& story, const Place& here) {
  switch (story.end) {
    case StaleEnd::other_memory:
      return "the launch left other contents in memory than all runs without stale values";
    case StaleEnd::unexpected:
      return fmt::format("the launch left other contents in {} than expected", story.array);
    default:
      return fmt::format("{} at {}: {}", class_of(story.shown).id, stale_line(story.place, here), story.message);
  }
}

FindingClass const* class_in(JsonFields& fields, std::string_view key) {
  const FindingClass* known = find_class(fields.text(key));
  if (known == nullptr && fields.has(key)) fields.unexpected(key, "a class of findings, as in E1");
  return known;
}

ThreadIndex thread_in(JsonFields& fields, std::string_view key) {
  const std::string text = fields.text(key);
  std::optional<ThreadIndex> thread = read_thread(text);
  if (!thread && !text.empty()) fields.unexpected(key, "a thread as in 'threadIdx=3 blockIdx=0'");
  return std::move(thread).value_or(ThreadIndex{});
}

Place place_at(JsonFields& fields, std::string_view key) {
  const JsonValue* json = fields.take(key);
  if (json == nullptr) return {};
  JsonFields place(*json, fields.mistakes(), "a place");
  return place_in(place);
}

}  // namespace

WeakReport& WeakReport::operator+=(const WeakReport& other) {
  runs += other.runs;
  with_stale += other.with_stale;
  stale_reads += other.stale_reads;
  ends.insert(ends.end(), other.ends.begin(), other.ends.end());
  return *this;
}

void tell(Finding& finding) {
  const StaleStory& story = *finding.stale;
  const StaleValue& first = story.reads.front();
  finding.message = fmt::format("read of {} returned {}, although {} had overwritten it", variable_text(first.variable),
                                stale_origin(first, first.read), stale_line(first.by, first.read));
  finding.why = fmt::format("nothing makes the newer value visible to the read; then {}", stale_end(story, first.read));
  for (std::size_t i = 1; i < story.reads.size(); ++i) {
    const StaleValue& more = story.reads[i];
    finding.why += fmt::format("; the read at {} by {} also returned {}, which {} had overwritten",
                               stale_line(more.read, first.read), thread_text(more.thread),
                               stale_origin(more, first.read), stale_line(more.by, first.read));
  }
}

std::string weak_text(const WeakReport& report) {
  return fmt::format(
      "weak values: {}, {} of them with stale reads, {} in all\n"
      "  not shown: reads of later stores (load buffering), and stores to one location\n"
      "  that take effect in another order than they ran (2+2W)",
      base::counted(report.runs, "run"), report.with_stale, report.stale_reads);
}

JsonValue to_json(const StaleStory& story) {
  JsonValue reads = json_array();
  for (const StaleValue& stale : story.reads) {
    JsonValue one = json_object({{"read", place_json(stale.read)},
                                 {"thread", thread_text(stale.thread)},
                                 {"variable", variable_text(stale.variable)},
                                 {"overwritten_by", place_json(stale.by)},
                                 {"overwriting_thread", thread_text(stale.by_thread)},
                                 {"value", stale.value},
                                 {"newest", stale.newest}});
    if (stale.from) one["stored_by"] = place_json(*stale.from);
    reads.push_back(std::move(one));
  }
  JsonValue json;
  json["reads"] = std::move(reads);
  json["end"] = base::name_of(kStaleEnds, story.end);
  if (story.end == StaleEnd::finding) {
    json["class"] = class_of(story.shown).id;
    json["message"] = story.message;
    json["place"] = place_json(story.place);
  }
  if (story.end == StaleEnd::unexpected) json["array"] = story.array;
  return json;
}

StaleStory read_stale_story(const JsonValue& json, base::Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the stale values");
  StaleStory story;
  for (const JsonValue& one : fields.list("reads")) {
    JsonFields entry(one, mistakes, "a stale read");
    StaleValue& stale = story.reads.emplace_back();
    stale.read = place_at(entry, "read");
    stale.thread = thread_in(entry, "thread");
    stale.variable = read_variable(entry.text("variable"));
    stale.by = place_at(entry, "overwritten_by");
    stale.by_thread = thread_in(entry, "overwriting_thread");
    stale.value = entry.whole("value", kAnyCount);
    stale.newest = entry.whole("newest", kAnyCount);
    if (entry.has("stored_by")) stale.from = place_at(entry, "stored_by");
  }
  story.end = fields.one_of("end", kStaleEnds).value_or(StaleEnd::finding);
  if (story.end == StaleEnd::finding) {
    if (const FindingClass* known = class_in(fields, "class")) story.shown = known->number;
    story.message = fields.text("message");
    story.place = place_at(fields, "place");
  }
  if (story.end == StaleEnd::unexpected) story.array = fields.text("array");
  return story;
}

JsonValue to_json(const WeakReport& report) {
  JsonValue ends = json_array();
  for (const WeakEnd& end : report.ends) {
    JsonValue one = place_json(end.place);
    one["class"] = class_of(end.shown).id;
    one["message"] = end.message;
    one["runs"] = end.runs;
    ends.push_back(std::move(one));
  }
  JsonValue json =
      json_object({{"runs", report.runs}, {"with_stale", report.with_stale}, {"stale_reads", report.stale_reads}});
  json["ends"] = std::move(ends);
  return json;
}

WeakReport read_weak(const JsonValue& json, base::Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the runs with weak values");
  WeakReport report;
  report.runs = fields.whole("runs", kAnyCount);
  report.with_stale = fields.whole("with_stale", kAnyCount);
  report.stale_reads = fields.whole("stale_reads", kAnyCount);
  for (const JsonValue& one : fields.list("ends")) {
    JsonFields entry(one, mistakes, "an end of runs");
    WeakEnd& end = report.ends.emplace_back();
    end.place = place_in(entry);
    if (const FindingClass* known = class_in(entry, "class")) end.shown = known->number;
    end.message = entry.text("message");
    end.runs = entry.whole("runs", kAnyCount);
  }
  return report;
}

}  // namespace weakspot::race
