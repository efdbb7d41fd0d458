#include "campaign/record_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRecordFormat = 1;

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Runs what takes a JSON value apart; anything that is missing or of another type is an error, not an exception.
template <typename Read>
auto read_json(std::string_view text, std::string_view what, Read&& read) -> decltype(read(Json())) {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& problem) {
    // The library's texts begin with a name in brackets.
    const std::string_view text_of = problem.what();
    return base::error(fmt::format("this is no {}: {}", what, text_of.substr(text_of.find("] ") + 2)));
  }
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
  return FirstSeen{json.at("launch"), {json.at("round"), json.at("iteration"), json.at("instance")}};
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
  outcome.outcome = json.at("outcome");
  outcome.count = json.at("count");
  outcome.outcome_class =
      stats::outcome_class_named(json.at("class").get<std::string>()).value_or(stats::OutcomeClass::unknown);
  outcome.matches = json.at("matches");
  outcome.first = read_first(json.at("first"));
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
  witness.outcome = json.at("outcome");
  witness.first = read_first(json.at("first"));
  witness.launch_seed = json.at("launch_seed");
  for (const Json& thread : json.at("threads")) {
    witness.threads.push_back({thread.at("thread"), thread.at("workgroup"), thread.at("local")});
  }
  for (const Json& address : json.at("addresses")) {
    witness.addresses.push_back({address.at("location"), address.at("space"), address.at("word")});
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
  base::Result<litmus::LitmusTest> test = read_test(json.at("text"));
  if (!test) return test.errors();
  r.test = *std::move(test);
  r.device = json.at("device");
  const base::Result<codegen::TestEnvironment> environment = read_environment(json.at("parameters"));
  if (!environment) return environment.errors();
  r.environment = *environment;
  r.seed = json.at("seed");
  r.seconds = json.at("seconds");
  r.instances = json.at("instances");
  r.memory = json.at("memory");
  r.deadline = json.at("deadline");
  r.started = json.at("started");
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
    if (json.at("format") != kRecordFormat) {
      return base::error(fmt::format("the record has format {}; this program reads format {}", json.at("format").dump(),
                                     kRecordFormat));
    }
    RunRecord r;
    r.program = json.at("program");
    r.started = json.at("started");
    r.test = json.at("test");
    r.hash = json.at("hash");
    r.text = json.at("text");
    r.device = json.at("device");
    r.device_name = json.at("device_name");
    r.driver = json.at("driver");
    r.code_hash = json.at("code_hash");
    const base::Result<codegen::TestEnvironment> environment = read_environment(json.at("parameters"));
    if (!environment) return environment.errors();
    r.environment = *environment;
    r.seed = json.at("seed");
    const Json& asked = json.at("asked");
    r.asked_seconds = asked.at("seconds");
    r.asked_instances = asked.at("instances");
    r.asked_memory = asked.at("memory");
    r.deadline = asked.at("deadline");
    r.model = json.at("model");
    r.remark = json.at("remark");
    r.instances = json.at("instances");
    r.unfinished = json.at("unfinished");
    r.barrier_timeouts = json.at("barrier_timeouts");
    r.launches = json.at("launches");
    r.rounds = json.at("rounds");
    r.workgroups = json.at("workgroups");
    r.workgroup_size = json.at("workgroup_size");
    r.iterations = json.at("iterations");
    r.memory = json.at("memory");
    r.seconds = json.at("seconds");
    r.host_seconds = json.at("host_seconds");
    r.compile_seconds = json.at("compile_seconds");
    for (const Json& outcome : json.at("outcomes")) r.outcomes.push_back(read_outcome(outcome));
    for (const Json& witness : json.at("witnesses")) r.witnesses.push_back(read_witness(witness));
    const std::optional<RunState> status = run_state_named(json.at("status").get<std::string>());
    if (!status) return base::error(fmt::format("the record has an unknown status {}", json.at("status").dump()));
    r.status = *status;
    r.message = json.at("message");
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
  for (std::size_t number = 1; begin < text->size(); ++number) {
    const std::size_t end = text->find('\n', begin);
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    base::Result<RunRecord> record = record_from_json(line);
    if (!record) {
      if (end == std::string::npos && number > 1) break;
      return base::error_in(path, fmt::format("line {}: {}", number, record.errors().front().message));
    }
    records.push_back(*std::move(record));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  if (records.empty()) return base::error_in(path, "there is no record in this file");
  return records;
}

}  // namespace weakspot::campaign
