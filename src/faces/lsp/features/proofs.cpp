// SPDX-License-Identifier: MIT
#include "lsp/features/proofs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/source.h"
#include "json/json.h"
#include "race/replay.h"
#include "race/request.h"

namespace weakspot::lsp {
namespace {

using base::JsonValue;
using Severity = RaceFinding::Severity;

RacePlace place_of(const JsonValue& place, std::string message) {
  return {place.at("file").text(), place.at("line").whole().value_or(0), place.at("column").whole().value_or(0),
          std::move(message)};
}

// The steps of an execution, each at its line.
std::vector<RacePlace> steps_of(const JsonValue& witness) {
  std::vector<RacePlace> steps;
  for (const JsonValue& thread : witness.items()) {
    const std::string who = fmt::format("thread {} of block {}", thread.at("thread").whole().value_or(0),
                                        thread.at("block").whole().value_or(0));
    for (const JsonValue& step : thread.at("steps").items()) {
      std::string text = fmt::format("{} {}", who, step.at("text").text());
      if (const JsonValue* from = step.find("from"))
        text += fmt::format(", of line {}", from->at("line").whole().value_or(0));
      if (step.at("initial").truth()) text += ", as before the launch";
      steps.push_back(place_of(step.at("place"), std::move(text)));
    }
  }
  return steps;
}

}  // namespace

std::vector<LaunchInText> launches_in(const std::string& name, const std::string& text) {
  const base::Source source(name, text);
  const base::Result<race::Annotations> annotations = race::read_annotations(source);
  if (!annotations) return {};
  static constexpr std::string_view kMark = "// weakspot:";
  std::vector<LaunchInText> launches;
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
    const std::size_t word = text.find_first_not_of(" \t", at + kMark.size());
    if (word == std::string::npos || text.compare(word, 6, "launch") != 0) continue;
    if (launches.size() == annotations->launches.size()) return {};
    const race::LaunchSpec& launch = annotations->launches[launches.size()];
    LaunchInText& found = launches.emplace_back();
    found.line = source.position(at).line - 1;
    found.title = race::launch_text(launch);
    found.words = {"--launch=" + found.title};
    if (!launch.kernel.empty()) {
      found.title = fmt::format("{}, {}", launch.kernel, found.title);
      found.words.push_back("--kernel=" + launch.kernel);
    }
    for (const race::ArgumentSpec& argument : launch.arguments) {
      found.words.push_back("--arg=" + race::argument_text(argument));
    }
  }
  return launches;
}

const LaunchInText* launch_at(const std::vector<LaunchInText>& launches, std::size_t line) {
  if (launches.empty()) return nullptr;
  const auto below = std::find_if(launches.begin(), launches.end(), [&](const auto& one) { return one.line > line; });
  return below == launches.begin() ? &launches.front() : &*std::prev(below);
}

base::Result<ProofReport> read_proof(const std::string& json, const std::string& path, const LaunchInText& launch) {
  const base::Result<JsonValue> read = base::read_json_text(base::Source("the proof", json));
  if (!read) return read.errors();
  ProofReport report{.verdict = read->at("verdict").text()};
  const RacePlace here{path, launch.line + 1, 1, ""};
  std::vector<std::string> proved;
  auto add = [&](Severity severity, const RacePlace& place, std::string message, std::vector<RacePlace> related) {
    RaceFinding& finding = report.findings.emplace_back();
    finding.severity = severity;
    finding.place = place;
    finding.place.message = std::move(message);
    finding.related = std::move(related);
  };
  for (const JsonValue& property : read->at("properties").items()) {
    const std::string &what = property.at("what").text(), &verdict = property.at("verdict").text();
    if (verdict == "proved") {
      proved.push_back(what);
      continue;
    }
    const RacePlace at = property.find("place") == nullptr ? here : place_of(property.at("place"), "");
    std::string message = fmt::format("{} for {}: {}", verdict, launch.title, what);
    if (const std::string& reason = property.at("reason").text(); !reason.empty()) message += "; " + reason;
    for (const JsonValue& line : property.at("story").items()) message += "\n" + line.text();
    add(verdict == "violated" ? Severity::error : Severity::warning, names_file(at.file, path) ? at : here,
        std::move(message), steps_of(property.at("witness")));
  }
  if (const std::string& reason = read->at("reason").text(); !reason.empty()) {
    add(Severity::warning, here, fmt::format("unknown for {}: {}", launch.title, reason), {});
  }
  if (report.verdict == "proved") {
    add(Severity::note, here,
        fmt::format("proved: {}; holds for {}", fmt::join(proved, ", "), read->at("holds_for").text()), {});
  }
  return report;
}

}  // namespace weakspot::lsp
