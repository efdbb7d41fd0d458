// SPDX-License-Identifier: MIT
#include "campaign/record_json.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "base/file.h"
#include "base/source.h"
#include "campaign/measured_fields.h"
#include "json/json_fields.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;
using base::Mistakes;

constexpr std::uint64_t kRecordFormat = 1;
constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr double kLongestAsked = 1e12;  // seconds

std::uint32_t word_in(JsonFields& fields, std::string_view key) {
  return static_cast<std::uint32_t>(fields.whole(key, std::numeric_limits<std::uint32_t>::max()));
}

base::Result<litmus::LitmusTest> read_test(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("the record's test", text));
  if (!tests) return tests.errors();
  if (tests->size() != 1) return base::error(fmt::format("expected one test, found {}", tests->size()));
  return std::move(tests->front());
}

codegen::TestEnvironment parameters_in(JsonFields& fields) {
  const JsonValue* parameters = fields.take("parameters", JsonValue::Kind::object, true);
  if (parameters == nullptr) return {};
  return codegen::environment_from_json(*parameters, fields.mistakes()).value_or(codegen::TestEnvironment{});
}

// ---- parts of a record ----

JsonValue first_json(const std::optional<FirstSeen>& first) {
  if (!first) return nullptr;
  return json_object({{"launch", first->launch},
                      {"round", first->at.round},
                      {"iteration", first->at.iteration},
                      {"instance", first->at.instance}});
}

std::optional<FirstSeen> first_in(JsonFields& fields) {
  const JsonValue* first = fields.take("first");
  if (first == nullptr || first->is(JsonValue::Kind::null)) return std::nullopt;
  JsonFields inner(*first, fields.mistakes(), "the place of an outcome");
  FirstSeen seen;
  seen.launch = count_in(inner, "launch");
  seen.at = {word_in(inner, "round"), word_in(inner, "iteration"), word_in(inner, "instance")};
  return seen;
}

// Without the place where it was seen first.
JsonValue count_json(const OutcomeCount& outcome) {
  return json_object({{"outcome", outcome.outcome},
                      {"count", outcome.count},
                      {"class", stats::to_string(outcome.outcome_class)},
                      {"matches", outcome.matches}});
}

JsonValue outcome_json(const OutcomeCount& outcome) {
  JsonValue json = count_json(outcome);
  json["first"] = first_json(outcome.first);
  return json;
}

OutcomeCount read_outcome(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "an outcome");
  OutcomeCount outcome;
  outcome.outcome = fields.text("outcome");
  outcome.count = count_in(fields, "count");
  outcome.outcome_class = stats::outcome_class_named(fields.text("class")).value_or(stats::OutcomeClass::unknown);
  outcome.matches = fields.flag("matches");
  outcome.first = first_in(fields);
  return outcome;
}

JsonValue witness_json(const Witness& witness) {
  JsonValue threads = json_array();
  for (const Witness::Thread& thread : witness.threads) {
    threads.push_back(json_object({{"thread", thread.name}, {"workgroup", thread.workgroup}, {"local", thread.local}}));
  }
  JsonValue addresses = json_array();
  for (const Witness::Address& address : witness.addresses) {
    addresses.push_back(
        json_object({{"location", address.location}, {"space", address.space}, {"word", address.word}}));
  }
  return json_object({{"outcome", witness.outcome},
                      {"first", first_json(witness.first)},
                      {"launch_seed", witness.launch_seed},
                      {"threads", std::move(threads)},
                      {"addresses", std::move(addresses)}});
}

// A row per slice: its instances, then the count of each outcome of the record.
JsonValue slice_json(const RunSlice& slice) {
  JsonValue row = json_array();
  row.push_back(slice.instances);
  for (const std::uint64_t count : slice.counts) row.push_back(count);
  return row;
}

std::optional<RunSlice> read_slice(const JsonValue& row, std::size_t outcomes) {
  if (!row.is(JsonValue::Kind::array) || row.items().size() != outcomes + 1) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const JsonValue& item : row.items()) {
    const std::optional<std::int64_t> number = item.integer();
    if (!number || *number < 0) return std::nullopt;
    numbers.push_back(static_cast<std::uint64_t>(*number));
  }
  return RunSlice{numbers.front(), {numbers.begin() + 1, numbers.end()}};
}

// Old records do not have them.
void read_slices(JsonFields& fields, RunRecord& r) {
  const JsonValue* list = fields.take("slices", JsonValue::Kind::array);
  if (list == nullptr) return;
  std::uint64_t instances = 0;
  std::vector<std::uint64_t> counts(r.outcomes.size());
  for (const JsonValue& row : list->items()) {
    std::optional<RunSlice> slice = read_slice(row, r.outcomes.size());
    if (!slice) return fields.mistake(&row, "expected an array: the slice's instances, and a count for each outcome");
    bool fits = slice->instances <= r.instances - instances;
    instances += slice->instances;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      fits = fits && slice->counts[i] <= r.outcomes[i].count - counts[i];
      counts[i] += slice->counts[i];
    }
    if (!fits) return fields.mistake(&row, "the slices have more instances or outcomes than the run");
    r.slices.push_back(*std::move(slice));
  }
}

Witness read_witness(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a witness");
  Witness witness;
  witness.outcome = fields.text("outcome");
  witness.first = first_in(fields);
  witness.launch_seed = fields.whole("launch_seed", kAnyNumber);
  for (const JsonValue& one : fields.list("threads")) {
    JsonFields thread(one, mistakes, "a thread");
    witness.threads.push_back({thread.text("thread"), word_in(thread, "workgroup"), word_in(thread, "local")});
  }
  for (const JsonValue& one : fields.list("addresses")) {
    JsonFields address(one, mistakes, "an address");
    witness.addresses.push_back({address.text("location"), address.text("space"), address.whole("word", kAnyNumber)});
  }
  return witness;
}

template <typename Item>
JsonValue list_json(const std::vector<Item>& items, JsonValue (*json)(const Item&)) {
  JsonValue list = json_array();
  for (const Item& item : items) list.push_back(json(item));
  return list;
}

void read_asked(JsonFields& record, RunRecord& r) {
  const JsonValue* json = record.take("asked", JsonValue::Kind::object, true);
  if (json == nullptr) return;
  JsonFields asked(*json, record.mistakes(), "'asked'");
  r.asked_seconds = asked.real("seconds", 0, kLongestAsked);
  r.asked_instances = asked.whole("instances", kAnyNumber);
  r.asked_memory = asked.whole("memory", kAnyNumber);
  r.deadline = asked.real("deadline", 0, kLongestAsked);
  if (asked.has("judging")) r.asked_judging = asked.real("judging", 0, kLongestAsked);
}

void read_status(JsonFields& fields, RunRecord& r) {
  const std::string name = fields.text("status");
  const std::optional<RunState> status = run_state_named(name);
  if (status) {
    r.status = *status;
  } else if (fields.has("status")) {
    fields.mistake(fields.take("status"), fmt::format("unknown status '{}'", base::clipped(name)));
  }
}

// Each count is at most 2^60: the sum exceeds the instances long before it could overflow.
void check_counts(JsonFields& fields, const RunRecord& r) {
  std::uint64_t counted = r.unfinished;
  for (const OutcomeCount& outcome : r.outcomes) {
    counted += outcome.count;
    if (counted > r.instances) {
      return fields.mistake(fields.take("instances"), "the counts of the outcomes exceed the 'instances'");
    }
  }
}

std::optional<CheckedCode> read_code(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "'code'");
  const std::optional<optcheck::CodeVerdict> verdict = optcheck::code_verdict_named(fields.text("verdict"));
  if (!verdict) {
    fields.mistake(&json, "expected the verdict matched, changed or unknown");
    return std::nullopt;
  }
  CheckedCode code{*verdict, fields.text("reason")};
  if (const JsonValue* value = fields.take("afterwards", JsonValue::Kind::boolean)) code.afterwards = value->truth();
  return code;
}

JsonValue code_json(const CheckedCode& code) {
  JsonValue json = json_object({{"verdict", optcheck::to_string(code.verdict)}, {"reason", code.reason}});
  if (code.afterwards) json["afterwards"] = true;
  return json;
}

std::optional<RunRecord> read_record(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the record");
  if (!fields.valid() || !fields.format(kRecordFormat)) return std::nullopt;
  RunRecord r;
  r.program = fields.text("program");
  r.started = fields.text("started");
  r.test = fields.text("test");
  r.hash = fields.text("hash");
  r.text = fields.text("text");
  r.device = fields.text("device");
  r.device_name = fields.text("device_name");
  r.driver = fields.text("driver");
  r.code_hash = fields.text("code_hash");
  if (const JsonValue* code = fields.take("code", JsonValue::Kind::object)) r.code = read_code(*code, mistakes);
  r.environment = parameters_in(fields);
  r.seed = fields.whole("seed", kAnyNumber);
  read_asked(fields, r);
  r.model = fields.text("model");
  r.remark = fields.text("remark");
  r.instances = count_in(fields, "instances");
  r.unfinished = count_in(fields, "unfinished");
  r.barrier_timeouts = count_in(fields, "barrier_timeouts");
  r.launches = count_in(fields, "launches");
  r.rounds = count_in(fields, "rounds");
  r.workgroups = word_in(fields, "workgroups");
  r.workgroup_size = word_in(fields, "workgroup_size");
  r.iterations = word_in(fields, "iterations");
  r.memory = fields.whole("memory", kAnyNumber);
  r.seconds = seconds_in(fields, "seconds");
  r.host_seconds = seconds_in(fields, "host_seconds");
  r.compile_seconds = seconds_in(fields, "compile_seconds");
  for (const JsonValue& outcome : fields.list("outcomes")) r.outcomes.push_back(read_outcome(outcome, mistakes));
  read_slices(fields, r);
  for (const JsonValue& witness : fields.list("witnesses")) r.witnesses.push_back(read_witness(witness, mistakes));
  read_status(fields, r);
  r.message = fields.text("message");
  if (!mistakes.any()) check_counts(fields, r);
  if (mistakes.any()) return std::nullopt;
  return r;
}

// ---- parts of a request ----

JsonValue value_json(const litmus::Value& value) {
  if (!value.base) return value.number;
  return json_object({{"base", value.base->index}, {"number", value.number}});
}

litmus::Value read_value(const JsonValue& json, Mistakes& mistakes) {
  if (const std::optional<std::int64_t> number = json.integer()) return litmus::integer(*number);
  JsonFields fields(json, mistakes, "a value");
  return {fields.number("number", true).value_or(0), litmus::LocationId{word_in(fields, "base")}};
}

JsonValue reachable_json(const stats::Reachable& reachable) {
  JsonValue outcomes = json_array();
  for (const litmus::Outcome& outcome : reachable.outcomes) {
    JsonValue values = json_array();
    for (const litmus::Value& value : outcome) values.push_back(value_json(value));
    outcomes.push_back(std::move(values));
  }
  return json_object({{"complete", reachable.complete}, {"outcomes", std::move(outcomes)}});
}

stats::Reachable reachable_in(JsonFields& expected, std::string_view key) {
  stats::Reachable reachable;
  const JsonValue* json = expected.take(key, JsonValue::Kind::object, true);
  if (json == nullptr) return reachable;
  JsonFields fields(*json, expected.mistakes(), "the outcomes that a model allows");
  reachable.complete = fields.flag("complete");
  for (const JsonValue& values : fields.list("outcomes")) {
    litmus::Outcome outcome;
    for (const JsonValue& value : values.items()) outcome.push_back(read_value(value, expected.mistakes()));
    reachable.outcomes.insert(std::move(outcome));
  }
  return reachable;
}

JsonValue request_json(const RunRequest& r) {
  JsonValue expected = json_object({{"model", r.expected.model},
                                    {"remark", r.expected.remark},
                                    {"sequential", reachable_json(r.expected.sequential)},
                                    {"consistent", reachable_json(r.expected.consistent)},
                                    {"allowed", reachable_json(r.expected.allowed)}});
  if (r.expected.contradicted) {
    expected["expect_allows"] = *r.expected.contradicted == litmus::Expectation::allowed;
  }
  JsonValue json = json_object({{"text", r.test.text()},
                                {"hash", r.test.hash()},
                                {"device", r.device},
                                {"parameters", codegen::to_json(r.environment)},
                                {"seed", r.seed},
                                {"seconds", r.seconds},
                                {"instances", r.instances},
                                {"memory", r.memory},
                                {"deadline", r.deadline},
                                {"started", r.started},
                                {"expected", std::move(expected)}});
  if (r.judging != 0) json["judging"] = r.judging;
  if (r.optcheck) json["optcheck"] = true;
  if (r.code_later) json["code_later"] = true;
  return json;
}

// Tests that were read before, by their texts: many requests are for the same one.
using KnownTests = std::unordered_map<std::string, RunTest>;

std::optional<RunRequest> read_request(const JsonValue& json, Mistakes& mistakes, KnownTests& known) {
  JsonFields fields(json, mistakes, "the request");
  RunRequest r;
  std::string text = fields.text("text");
  std::string hash = fields.text("hash");
  r.device = fields.text("device");
  r.environment = parameters_in(fields);
  r.seed = fields.whole("seed", kAnyNumber);
  r.seconds = fields.real("seconds", 0, kLongestAsked);
  r.instances = fields.whole("instances", kAnyNumber);
  r.memory = fields.whole("memory", kAnyNumber);
  r.deadline = fields.real("deadline", 0, kLongestAsked);
  r.started = fields.text("started");
  if (fields.has("judging")) r.judging = fields.real("judging", 0, kLongestAsked);
  if (const JsonValue* value = fields.take("optcheck", JsonValue::Kind::boolean)) r.optcheck = value->truth();
  if (const JsonValue* value = fields.take("code_later", JsonValue::Kind::boolean)) r.code_later = value->truth();
  if (const JsonValue* value = fields.take("expected", JsonValue::Kind::object, true)) {
    JsonFields expected(*value, mistakes, "'expected'");
    r.expected.model = expected.text("model");
    r.expected.remark = expected.text("remark");
    r.expected.sequential = reachable_in(expected, "sequential");
    r.expected.consistent = reachable_in(expected, "consistent");
    r.expected.allowed = reachable_in(expected, "allowed");
    if (const JsonValue* allows = expected.take("expect_allows", JsonValue::Kind::boolean, false)) {
      r.expected.contradicted = allows->truth() ? litmus::Expectation::allowed : litmus::Expectation::forbidden;
    }
  }
  if (mistakes.any()) return std::nullopt;
  auto found = known.find(text);
  if (found == known.end()) {
    base::Result<litmus::LitmusTest> test = read_test(text);
    if (!test) {
      mistakes.append(test.errors());
      return std::nullopt;
    }
    RunTest read(*std::move(test), text, std::move(hash));
    found = known.emplace(std::move(text), std::move(read)).first;
  }
  r.test = found->second;
  return r;
}

// The text as a value, and what `read` makes of it.
template <typename Read>
auto read_one_value(std::string_view name, std::string_view text, Read&& read)
    -> base::Result<typename decltype(read(JsonValue(), std::declval<Mistakes&>()))::value_type> {
  const base::Source source{std::string(name), std::string(text)};
  Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  auto result = value ? read(*value, mistakes) : std::nullopt;
  if (!result) return mistakes.take();
  return *std::move(result);
}

}  // namespace

JsonValue to_json_value(const RunRecord& r) {
  JsonValue json = json_object({{"format", kRecordFormat},
                                {"program", r.program},
                                {"started", r.started},
                                {"test", r.test},
                                {"hash", r.hash},
                                {"text", r.text},
                                {"device", r.device},
                                {"device_name", r.device_name},
                                {"driver", r.driver},
                                {"code_hash", r.code_hash}});
  if (r.code) json["code"] = code_json(*r.code);
  json["environment"] = codegen::to_text(r.environment);
  json["parameters"] = codegen::to_json(r.environment);
  if (r.deliberately_broken()) json["deliberately_broken"] = true;
  json["seed"] = r.seed;
  json["asked"] = json_object({{"seconds", r.asked_seconds},
                               {"instances", r.asked_instances},
                               {"memory", r.asked_memory},
                               {"deadline", r.deadline}});
  if (r.asked_judging != 0) json["asked"]["judging"] = r.asked_judging;
  json["model"] = r.model;
  json["remark"] = r.remark;
  json["instances"] = r.instances;
  json["unfinished"] = r.unfinished;
  json["barrier_timeouts"] = r.barrier_timeouts;
  json["launches"] = r.launches;
  json["rounds"] = r.rounds;
  json["workgroups"] = r.workgroups;
  json["workgroup_size"] = r.workgroup_size;
  json["iterations"] = r.iterations;
  json["memory"] = r.memory;
  json["seconds"] = r.seconds;
  json["host_seconds"] = r.host_seconds;
  json["compile_seconds"] = r.compile_seconds;
  json["outcomes"] = list_json(r.outcomes, outcome_json);
  if (!r.slices.empty()) json["slices"] = list_json(r.slices, slice_json);
  json["witnesses"] = list_json(r.witnesses, witness_json);
  json["status"] = to_string(r.status);
  json["message"] = r.message;
  return json;
}

JsonValue results_json(const RunRecord& r) {
  JsonValue json = json_object(
      {{"test", r.test}, {"hash", r.hash}, {"device", r.device}, {"environment", codegen::to_text(r.environment)}});
  if (r.deliberately_broken()) json["deliberately_broken"] = true;
  if (r.code) json["code"] = code_json(*r.code);
  json["seed"] = r.seed;
  json["model"] = r.model;
  json["remark"] = r.remark;
  json["instances"] = r.instances;
  json["seconds"] = r.seconds;
  json["outcomes"] = list_json(r.outcomes, count_json);
  json["unfinished"] = r.unfinished;
  json["barrier_timeouts"] = r.barrier_timeouts;
  json["witnesses"] = list_json(r.witnesses, witness_json);
  json["status"] = to_string(r.status);
  json["message"] = r.message;
  return json;
}

std::string to_json(const RunRecord& record) { return base::json_compact(to_json_value(record)); }

base::Result<RunRecord> record_from_json(std::string_view text) { return read_one_value("record", text, read_record); }

std::string to_json(const RunRequest& request) { return base::json_compact(request_json(request)); }

base::Result<RunRequest> request_from_json(std::string_view text) {
  KnownTests known;
  return read_one_value("request", text,
                        [&](const JsonValue& json, Mistakes& mistakes) { return read_request(json, mistakes, known); });
}

std::string to_json(std::span<const RunRequest> requests) {
  JsonValue list = json_array();
  for (const RunRequest& request : requests) list.push_back(request_json(request));
  return base::json_compact(list);
}

base::Result<std::vector<RunRequest>> requests_from_json(std::string_view text) {
  KnownTests known;
  return read_one_value("requests", text,
                        [&](const JsonValue& json, Mistakes& mistakes) -> std::optional<std::vector<RunRequest>> {
                          std::vector<RunRequest> requests;
                          for (const JsonValue& one : json.items()) {
                            std::optional<RunRequest> request = read_request(one, mistakes, known);
                            if (!request) return std::nullopt;
                            requests.push_back(*std::move(request));
                          }
                          return requests;
                        });
}

std::string codes_to_json(std::span<const std::optional<CheckedCode>> codes) {
  JsonValue list = json_array();
  for (const std::optional<CheckedCode>& code : codes) list.push_back(code ? code_json(*code) : JsonValue());
  return base::json_compact(list);
}

base::Result<std::vector<std::optional<CheckedCode>>> codes_from_json(std::string_view text) {
  using Codes = std::vector<std::optional<CheckedCode>>;
  return read_one_value("codes", text, [](const JsonValue& json, Mistakes& mistakes) -> std::optional<Codes> {
    Codes codes;
    for (const JsonValue& one : json.items()) {
      codes.emplace_back();
      if (!one.is(JsonValue::Kind::null)) codes.back() = read_code(one, mistakes);
    }
    if (mistakes.any()) return std::nullopt;
    return codes;
  });
}

base::Result<RunRequest> repeat(const RunRecord& record) {
  RunRequest request;
  base::Result<litmus::LitmusTest> test = read_test(record.text);
  if (!test) return test.errors();
  request.test = *std::move(test);
  request.device = record.device;
  request.environment = record.environment;
  request.seed = record.seed;
  request.seconds = record.asked_seconds;
  request.instances = record.instances;
  request.memory = record.asked_memory;
  request.deadline = record.deadline;
  request.judging = record.asked_judging;
  request.optcheck = record.code && !record.code->afterwards;
  return request;
}

namespace {

// Checks that records have the hash of the text beside it. Records of one test usually follow each other.
class HashChecks {
 public:
  // A text that this program cannot read, and a record that has neither, is not judged here.
  bool fits(const RunRecord& record) {
    if (record.text.empty() || record.hash.empty()) return true;
    if (record.text != text_) {
      text_ = record.text;
      const base::Result<litmus::LitmusTest> test = read_test(record.text);
      hash_ = test ? litmus::hash_of(*test).hex() : "";
    }
    return hash_.empty() || hash_ == record.hash;
  }

 private:
  std::string text_, hash_;
};

}  // namespace

base::Result<std::vector<RunRecord>> read_records(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return read_records(base::Source(path, *std::move(text)));
}

base::Result<std::vector<RunRecord>> read_records(const base::Source& source) {
  const std::string_view lines = source.text();
  std::vector<RunRecord> records;
  std::uint64_t instances = 0;  // sum over all records, which must not overflow
  HashChecks hashes;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const base::Span line{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    Mistakes mistakes(source);
    const std::optional<JsonValue> value = base::read_json_part(mistakes, line);
    std::optional<RunRecord> record = value ? read_record(*value, mistakes) : std::nullopt;
    if (!record) {
      if (end == lines.size() && !records.empty()) break;
      return mistakes.take();
    }
    if (!hashes.fits(*record)) {
      return base::error_at(source, line, "the hash is not that of the record's text: one of them was changed");
    }
    instances += record->instances;
    if (instances > kMostCount) {
      return base::error_at(source, line, fmt::format("expected at most {} instances in one file", kMostCount));
    }
    records.push_back(*std::move(record));
    begin = end + 1;
  }
  if (records.empty()) return base::error_in(source.name(), "the file has no records");
  return records;
}

}  // namespace weakspot::campaign
