#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "race/classes.h"
#include "race/report.h"
#include "race/request.h"

namespace weakspot::race {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

Json place_json(const Place& place) { return {{"file", place.file}, {"line", place.line}, {"column", place.column}}; }

Place place_from(const Json& json) {
  return {json.value("file", ""), json.value("line", 0u), json.value("column", 0u)};
}

Json places_json(const std::vector<Place>& places) {
  Json array = Json::array();
  for (const Place& place : places) array.push_back(place_json(place));
  return array;
}

std::vector<Place> places_from(const Json& array) {
  std::vector<Place> places;
  for (const Json& place : array) places.push_back(place_from(place));
  return places;
}

Json evidence_json(const BarrierEvidence& evidence) {
  return {{"runs", evidence.runs},
          {"instances", evidence.instances},
          {"threads", evidence.threads},
          {"confirmed_runs", evidence.confirmed},
          {"same_memory", evidence.compared},
          {"together", places_json(evidence.together)},
          {"instead", places_json(evidence.instead)}};
}

BarrierEvidence evidence_from(const Json& json) {
  return {json.value("runs", std::uint64_t{0}),
          json.value("instances", std::uint64_t{0}),
          json.value("threads", std::uint64_t{0}),
          json.value("confirmed_runs", std::uint64_t{0}),
          json.value("same_memory", std::uint64_t{0}),
          places_from(json.value("together", Json::array())),
          places_from(json.value("instead", Json::array()))};
}

Json finding_json(const Finding& finding) {
  Json json;
  json["class"] = class_of(finding.finding_class).id;
  json["kind"] = finding.kind;
  json["severity"] = severity_text(finding.severity);
  json["message"] = finding.message;
  json["file"] = finding.place.file;
  json["line"] = finding.place.line;
  json["column"] = finding.place.column;
  json["function"] = finding.function;
  json["label"] = finding.label;
  if (!finding.called_from.empty()) json["called_from"] = places_json(finding.called_from);
  if (finding.other) {
    json["other"] = place_json(*finding.other);
    json["other"]["function"] = finding.other_function;
    json["other"]["label"] = finding.other_label;
  } else {
    json["other"] = nullptr;
  }
  json["space"] = finding.space;
  json["variable"] = finding.variable;
  json["kernel"] = finding.kernel;
  json["launch"] = finding.launch;
  json["why"] = finding.why;
  json["fix"] = finding.fix;
  json["count"] = finding.count;
  json["replay"] = finding.replay;
  if (finding.evidence) json["evidence"] = evidence_json(*finding.evidence);
  return json;
}

base::Result<Finding> finding_from(const Json& json) {
  Finding finding;
  const std::string id = json.value("class", "");
  const FindingClass* known = find_class(id);
  if (known == nullptr) return base::error(fmt::format("the report is not readable: unknown class '{}'", id));
  classify(finding, known->number);
  finding.kind = json.value("kind", "");
  finding.message = json.value("message", "");
  finding.place = place_from(json);
  finding.function = json.value("function", "");
  finding.label = json.value("label", "");
  if (json.contains("called_from")) finding.called_from = places_from(json["called_from"]);
  if (json.contains("evidence")) finding.evidence = evidence_from(json["evidence"]);
  if (json.contains("other") && json["other"].is_object()) {
    finding.other = place_from(json["other"]);
    finding.other_function = json["other"].value("function", "");
    finding.other_label = json["other"].value("label", "");
  }
  finding.space = json.value("space", "");
  finding.variable = json.value("variable", "");
  finding.kernel = json.value("kernel", "");
  finding.launch = json.value("launch", "");
  finding.why = json.value("why", "");
  finding.fix = json.value("fix", "");
  finding.count = json.value("count", std::uint64_t{1});
  finding.replay = json.value("replay", "");
  return finding;
}

Json extent_json(const Extent& extent) { return Json::array({extent.x, extent.y, extent.z}); }

Extent extent_from(const Json& json) {
  const auto sizes = json.get<std::array<std::uint32_t, 3>>();
  return {sizes[0], sizes[1], sizes[2]};
}

Json launch_json(const LaunchSpec& launch) {
  Json json{{"kernel", launch.kernel},
            {"grid", extent_json(launch.grid)},
            {"block", extent_json(launch.block)},
            {"cluster", extent_json(launch.cluster)},
            {"shared", launch.shared},
            {"cooperative", launch.cooperative},
            {"arguments", Json::array()}};
  for (const ArgumentSpec& argument : launch.arguments) {
    Json entry{{"name", argument.name},
               {"type", argument.type},
               {"value", argument.value},
               {"fill", argument.fill},
               {"values", argument.values}};
    if (argument.count) entry["count"] = *argument.count;
    json["arguments"].push_back(std::move(entry));
  }
  return json;
}

LaunchSpec launch_from(const Json& json) {
  LaunchSpec launch;
  json.at("kernel").get_to(launch.kernel);
  launch.grid = extent_from(json.at("grid"));
  launch.block = extent_from(json.at("block"));
  launch.cluster = extent_from(json.at("cluster"));
  json.at("shared").get_to(launch.shared);
  json.at("cooperative").get_to(launch.cooperative);
  for (const Json& entry : json.at("arguments")) {
    ArgumentSpec argument;
    entry.at("name").get_to(argument.name);
    entry.at("type").get_to(argument.type);
    entry.at("value").get_to(argument.value);
    entry.at("fill").get_to(argument.fill);
    entry.at("values").get_to(argument.values);
    if (entry.contains("count")) argument.count = entry["count"].get<std::uint64_t>();
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json;
  json["kernels"] = Json::array();
  for (const KernelReport& kernel : report.kernels) {
    json["kernels"].push_back({{"name", kernel.name},
                               {"file", kernel.place.file},
                               {"line", kernel.place.line},
                               {"launches", kernel.launches},
                               {"threads", kernel.threads}});
  }
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) json["findings"].push_back(finding_json(finding));
  json["suppressed"] = Json::array();
  for (const Finding& finding : report.suppressed) json["suppressed"].push_back(finding_json(finding));
  json["not_modelled"] = report.notes;
  json["output"] = report.output;
  json["accesses"] = report.accesses;
  json["compile_seconds"] = report.compile_seconds;
  json["run_seconds"] = report.run_seconds;
  json["program_exit"] = report.program_exit;
  if (report.search) {
    json["search"] = {{"runs", report.search->runs},         {"unjudged", report.search->unjudged},
                      {"branches", report.search->branches}, {"branches_reached", report.search->branches_reached},
                      {"pairs", report.search->pairs},       {"seconds", report.search->seconds}};
  }
  return dump(json);
}

base::Result<Report> report_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Report report;
    for (const Json& kernel : json.at("kernels")) {
      report.kernels.push_back({kernel.at("name").get<std::string>(), place_from(kernel),
                                kernel.at("launches").get<std::uint64_t>(), kernel.at("threads").get<std::uint64_t>()});
    }
    for (const auto& [key, list] : {std::pair("findings", &report.findings), {"suppressed", &report.suppressed}}) {
      for (const Json& entry : json.at(key)) {
        base::Result<Finding> finding = finding_from(entry);
        if (!finding) return finding.errors();
        list->push_back(std::move(*finding));
      }
    }
    json.at("not_modelled").get_to(report.notes);
    json.at("output").get_to(report.output);
    json.at("accesses").get_to(report.accesses);
    json.at("compile_seconds").get_to(report.compile_seconds);
    json.at("run_seconds").get_to(report.run_seconds);
    json.at("program_exit").get_to(report.program_exit);
    if (json.contains("search")) {
      const Json& search = json["search"];
      report.search =
          SearchReport{search.at("runs").get<std::uint64_t>(),     search.at("unjudged").get<std::uint64_t>(),
                       search.at("branches").get<std::uint64_t>(), search.at("branches_reached").get<std::uint64_t>(),
                       search.at("pairs").get<std::uint64_t>(),    search.at("seconds").get<double>()};
    }
    return report;
  } catch (const Json::exception& error) {
    return base::error(std::string("the report is not readable: ") + error.what());
  }
}

std::string to_json(const Request& request) {
  Json json{{"file", request.file},
            {"compiler_arguments", request.compiler_arguments},
            {"launches", Json::array()},
            {"program", request.program},
            {"program_arguments", request.program_arguments},
            {"kernel", request.kernel},
            {"lockstep", request.lockstep},
            {"check", request.check},
            {"plain_checker", request.plain_checker},
            {"seed", request.seed},
            {"schedules", request.schedules},
            {"jobs", request.jobs},
            {"seconds", request.seconds},
            {"headers", request.headers},
            {"cuda_path", request.cuda_path},
            {"clang", request.clang}};
  if (request.schedule) json["schedule"] = schedule_text(*request.schedule);
  if (request.runs) json["runs"] = *request.runs;
  for (const LaunchSpec& launch : request.launches) json["launches"].push_back(launch_json(launch));
  return dump(json);
}

base::Result<Request> request_from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Request request;
    json.at("file").get_to(request.file);
    json.at("compiler_arguments").get_to(request.compiler_arguments);
    for (const Json& launch : json.at("launches")) request.launches.push_back(launch_from(launch));
    json.at("program").get_to(request.program);
    json.at("program_arguments").get_to(request.program_arguments);
    json.at("kernel").get_to(request.kernel);
    json.at("lockstep").get_to(request.lockstep);
    json.at("check").get_to(request.check);
    json.at("plain_checker").get_to(request.plain_checker);
    json.at("seed").get_to(request.seed);
    json.at("schedules").get_to(request.schedules);
    json.at("jobs").get_to(request.jobs);
    json.at("seconds").get_to(request.seconds);
    if (json.contains("schedule")) {
      base::Result<ScheduleChoice> schedule = parse_schedule(json["schedule"].get<std::string>());
      if (!schedule) return schedule.errors();
      request.schedule = *schedule;
    }
    if (json.contains("runs")) request.runs = json["runs"].get<std::uint64_t>();
    json.at("headers").get_to(request.headers);
    json.at("cuda_path").get_to(request.cuda_path);
    json.at("clang").get_to(request.clang);
    return request;
  } catch (const Json::exception& error) {
    return base::error(std::string("the request is not readable: ") + error.what());
  }
}

}  // namespace weakspot::race
