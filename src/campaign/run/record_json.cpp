#include "campaign/record_json.h"

#include <fmt/format.h>

#include <limits>

#include "base/file.h"
#include "campaign/checked_json.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

constexpr int kRecordFormat = 1;

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr std::uint64_t kAnyWord = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
constexpr double kAnyTime = 1e12;  // to ask for

std::uint32_t word_in(const Json& json, const std::string& key) {
  return static_cast<std::uint32_t>(whole_in(json, key, kAnyWord));
}

template <typename Read>
auto read_json(std::string_view text, std::string_view what, Read&& read) -> decltype(read(Json())) {
  return take_apart(what, [&] { return read(parse_line(text)); });
}

base::Result<litmus::LitmusTest> read_test(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("the record's test", text));
  if (!tests) return tests.errors();
  if (tests->size() != 1) return base::error(fmt::format("expected one test, found {}", tests->size()));
  return std::move(tests->front());
}

base::Result<codegen::TestEnvironment> read_environment(const Json& parameters) {
  return codegen::environment_from_json(base::Source("parameters", parameters.dump()));
}

// ---- parts of a record ----

Json first_json(const std::optional<FirstSeen>& first) {
  if (!first) return nullptr;
  return {{"launch", first->launch},
          {"round", first->at.round},
          {"iteration", first->at.iteration},
          {"instance", first->at.instance}};
}

std::optional<FirstSeen> read_first(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return FirstSeen{count_in(json, "launch"),
                   {word_in(json, "round"), word_in(json, "iteration"), word_in(json, "instance")}};
}

Json outcome_json(const OutcomeCount& outcome) {
  return {{"outcome", outcome.outcome},
          {"count", outcome.count},
          {"class", stats::to_string(outcome.outcome_class)},
          {"matches", outcome.matches},
          {"first", first_json(outcome.first)}};
}

OutcomeCount read_outcome(const Json& json) {
  OutcomeCount outcome;
  outcome.outcome = text_in(json, "outcome");
  outcome.count = count_in(json, "count");
  outcome.outcome_class = stats::outcome_class_named(text_in(json, "class")).value_or(stats::OutcomeClass::unknown);
  outcome.matches = flag_in(json, "matches");
  outcome.first = read_first(member(json, "first"));
  return outcome;
}

Json witness_json(const Witness& witness) {
  Json threads = Json::array();
  for (const Witness::Thread& thread : witness.threads) {
    threads.push_back({{"thread", thread.name}, {"workgroup", thread.workgroup}, {"local", thread.local}});
  }
  Json addresses = Json::array();
  for (const Witness::Address& address : witness.addresses) {
    addresses.push_back({{"location", address.location}, {"space", address.space}, {"word", address.word}});
  }
  return {{"outcome", witness.outcome},
          {"first", first_json(witness.first)},
          {"launch_seed", witness.launch_seed},
          {"threads", std::move(threads)},
          {"addresses", std::move(addresses)}};
}

Witness read_witness(const Json& json) {
  Witness witness;
  witness.outcome = text_in(json, "outcome");
  witness.first = read_first(member(json, "first"));
  witness.launch_seed = whole_in(json, "launch_seed", kAnyNumber);
  for (const Json& thread : list_in(json, "threads")) {
    witness.threads.push_back({text_in(thread, "thread"), word_in(thread, "workgroup"), word_in(thread, "local")});
  }
  for (const Json& address : list_in(json, "addresses")) {
    witness.addresses.push_back(
        {text_in(address, "location"), text_in(address, "space"), whole_in(address, "word", kAnyNumber)});
  }
  return witness;
}

// ---- parts of a request ----

Json value_json(const litmus::Value& value) {
  if (!value.base) return value.number;
  return {{"base", value.base->index}, {"number", value.number}};
}

litmus::Value read_value(const Json& json) {
  if (json.is_number()) return litmus::integer(json);
  return {json.at("number"), litmus::LocationId{json.at("base")}};
}

Json reachable_json(const stats::Reachable& reachable) {
  Json outcomes = Json::array();
  for (const litmus::Outcome& outcome : reachable.outcomes) {
    Json values = Json::array();
    for (const litmus::Value& value : outcome) values.push_back(value_json(value));
    outcomes.push_back(std::move(values));
  }
  return {{"complete", reachable.complete}, {"outcomes", std::move(outcomes)}};
}

stats::Reachable read_reachable(const Json& json) {
  stats::Reachable reachable;
  reachable.complete = json.at("complete");
  for (const Json& values : json.at("outcomes")) {
    litmus::Outcome outcome;
    for (const Json& value : values) outcome.push_back(read_value(value));
    reachable.outcomes.insert(std::move(outcome));
  }
  return reachable;
}

base::Result<RunRequest> read_request(const Json& json) {
  RunRequest r;
  base::Result<litmus::LitmusTest> test = read_test(text_in(json, "text"));
  if (!test) return test.errors();
  r.test = *std::move(test);
  r.device = text_in(json, "device");
  const base::Result<codegen::TestEnvironment> environment = read_environment(member(json, "parameters"));
  if (!environment) return environment.errors();
  r.environment = *environment;
  r.seed = whole_in(json, "seed", kAnyNumber);
  r.seconds = real_in(json, "seconds", 0, kAnyTime);
  r.instances = whole_in(json, "instances", kAnyNumber);
  r.memory = whole_in(json, "memory", kAnyNumber);
  r.deadline = real_in(json, "deadline", 0, kAnyTime);
  r.started = text_in(json, "started");
  const Json& expected = json.at("expected");
  r.expected = {expected.at("model"), read_reachable(expected.at("sequential")),
                read_reachable(expected.at("consistent")), read_reachable(expected.at("allowed")),
                expected.at("remark")};
  return r;
}

}  // namespace

std::string to_json(const RunRecord& r) {
  Json json;
  json["format"] = kRecordFormat;
  json["program"] = r.program;
  json["started"] = r.started;
  json["test"] = r.test;
  json["hash"] = r.hash;
  json["text"] = r.text;
  json["device"] = r.device;
  json["device_name"] = r.device_name;
  json["driver"] = r.driver;
  json["code_hash"] = r.code_hash;
  json["environment"] = codegen::to_text(r.environment);
  json["parameters"] = Json::parse(codegen::to_json(r.environment));
  if (r.deliberately_broken()) json["deliberately_broken"] = true;
  json["seed"] = r.seed;
  json["asked"] = {{"seconds", r.asked_seconds},
                   {"instances", r.asked_instances},
                   {"memory", r.asked_memory},
                   {"deadline", r.deadline}};
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
  json["outcomes"] = Json::array();
  for (const OutcomeCount& outcome : r.outcomes) json["outcomes"].push_back(outcome_json(outcome));
  json["witnesses"] = Json::array();
  for (const Witness& witness : r.witnesses) json["witnesses"].push_back(witness_json(witness));
  json["status"] = to_string(r.status);
  json["message"] = r.message;
  return one_line(json);
}

base::Result<RunRecord> record_from_json(std::string_view text) {
  return read_json(text, "record of a run", [](const Json& json) -> base::Result<RunRecord> {
    if (const Json& format = member(json, "format"); format != kRecordFormat) {
      return base::error(
          fmt::format("the record has format {}; this program reads format {}", format.dump(), kRecordFormat));
    }
    RunRecord r;
    r.program = text_in(json, "program");
    r.started = text_in(json, "started");
    r.test = text_in(json, "test");
    r.hash = text_in(json, "hash");
    r.text = text_in(json, "text");
    r.device = text_in(json, "device");
    r.device_name = text_in(json, "device_name");
    r.driver = text_in(json, "driver");
    r.code_hash = text_in(json, "code_hash");
    const base::Result<codegen::TestEnvironment> environment = read_environment(member(json, "parameters"));
    if (!environment) return environment.errors();
    r.environment = *environment;
    r.seed = whole_in(json, "seed", kAnyNumber);
    const Json& asked = member(json, "asked");
    r.asked_seconds = real_in(asked, "seconds", 0, kAnyTime);
    r.asked_instances = whole_in(asked, "instances", kAnyNumber);
    r.asked_memory = whole_in(asked, "memory", kAnyNumber);
    r.deadline = real_in(asked, "deadline", 0, kAnyTime);
    r.model = text_in(json, "model");
    r.remark = text_in(json, "remark");
    r.instances = count_in(json, "instances");
    r.unfinished = count_in(json, "unfinished");
    r.barrier_timeouts = count_in(json, "barrier_timeouts");
    r.launches = count_in(json, "launches");
    r.rounds = count_in(json, "rounds");
    r.workgroups = word_in(json, "workgroups");
    r.workgroup_size = word_in(json, "workgroup_size");
    r.iterations = word_in(json, "iterations");
    r.memory = whole_in(json, "memory", kAnyNumber);
    r.seconds = seconds_in(json, "seconds");
    r.host_seconds = seconds_in(json, "host_seconds");
    r.compile_seconds = seconds_in(json, "compile_seconds");
    for (const Json& outcome : list_in(json, "outcomes")) r.outcomes.push_back(read_outcome(outcome));
    for (const Json& witness : list_in(json, "witnesses")) r.witnesses.push_back(read_witness(witness));
    // Each at most 2^60: more than the instances long before the sum could overflow.
    std::uint64_t counted = r.unfinished;
    for (const OutcomeCount& outcome : r.outcomes) {
      counted += outcome.count;
      if (counted > r.instances) throw JsonProblem{"the outcomes count more than the 'instances'"};
    }
    const std::optional<RunState> status = run_state_named(text_in(json, "status"));
    if (!status) return base::error(fmt::format("the record has an unknown status {}", member(json, "status").dump()));
    r.status = *status;
    r.message = text_in(json, "message");
    return r;
  });
}

std::string to_json(const RunRequest& r) {
  Json json;
  json["text"] = litmus::print(r.test, litmus::Dialect::canonical).value();
  json["device"] = r.device;
  json["parameters"] = Json::parse(codegen::to_json(r.environment));
  json["seed"] = r.seed;
  json["seconds"] = r.seconds;
  json["instances"] = r.instances;
  json["memory"] = r.memory;
  json["deadline"] = r.deadline;
  json["started"] = r.started;
  json["expected"] = {{"model", r.expected.model},
                      {"remark", r.expected.remark},
                      {"sequential", reachable_json(r.expected.sequential)},
                      {"consistent", reachable_json(r.expected.consistent)},
                      {"allowed", reachable_json(r.expected.allowed)}};
  return one_line(json);
}

base::Result<RunRequest> request_from_json(std::string_view text) {
  return read_json(text, "request for a run", read_request);
}

std::string to_json(std::span<const RunRequest> requests) {
  std::string text;
  for (const RunRequest& request : requests) text += (text.empty() ? "" : ",") + to_json(request);
  return "[" + text + "]";
}

base::Result<std::vector<RunRequest>> requests_from_json(std::string_view text) {
  return read_json(text, "list of requests", [](const Json& json) -> base::Result<std::vector<RunRequest>> {
    std::vector<RunRequest> requests;
    for (const Json& one : json) {
      base::Result<RunRequest> request = read_request(one);
      if (!request) return request.errors();
      requests.push_back(*std::move(request));
    }
    return requests;
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
  return request;
}

base::Result<std::vector<RunRecord>> read_records(const std::string& path) {
  const base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  std::vector<RunRecord> records;
  std::size_t begin = 0;
  std::uint64_t instances = 0;  // together: what adds records up must not overflow
  for (std::size_t number = 1; begin < text->size(); ++number) {
    const std::size_t end = text->find('\n', begin);
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    base::Result<RunRecord> record = record_from_json(line);
    if (!record) {
      if (end == std::string::npos && number > 1) break;
      return base::error_in(path, fmt::format("line {}: {}", number, record.errors().front().message));
    }
    instances += record->instances;
    if (instances > kMostCount) {
      return base::error_in(path,
                            fmt::format("line {}: expected at most {} instances in one file", number, kMostCount));
    }
    records.push_back(*std::move(record));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  if (records.empty()) return base::error_in(path, "there is no record in this file");
  return records;
}

}  // namespace weakspot::campaign
