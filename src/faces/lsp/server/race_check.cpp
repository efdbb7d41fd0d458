// SPDX-License-Identifier: MIT
// Checks of CUDA files by 'weakspot race', in a process of its own, and what classes of findings mean.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "lsp/server/handlers.h"
#include "lsp/server/own_program.h"
#include "project/project_file.h"
#include "race/classes.h"
#include "race/explain.h"
#include "system/child.h"

namespace weakspot::lsp {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kRaceTime{180'000};  // compiling, searching and the report
constexpr std::chrono::milliseconds kTick{100};
constexpr const char* kRaceSeconds = "10";  // for the launches: somebody waits

// As from a shell in the folder of the file.
std::vector<std::string> race_command(const std::string& file) {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  const auto settings = project::find_project_file(fs::path(file).parent_path());
  return {self,        "race",       file,        "--json",
          "--seconds", kRaceSeconds, "--project", settings ? settings->string() : project::kNoProject};
}

}  // namespace

std::string output_of(const std::vector<std::string>& command, std::chrono::milliseconds time,
                      const std::atomic<bool>& stop) {
  base::Result<base::Child> child = base::Child::start(command);
  if (!child) return "";
  const auto end = Clock::now() + time;
  std::string output, line;
  while (!stop && Clock::now() < end) {
    const base::Child::Received received = child->receive(line, Clock::now() + kTick);
    if (received == base::Child::Received::ended) return output;
    if (received == base::Child::Received::line) output += line + "\n";
  }
  return "";
}

void check_races(Session& session, const Document& document, const std::optional<Json>& id) {
  if (document.path.empty()) return;
  Ticket& ticket = session.race_checks[document.uri];
  if (ticket) ticket->store(true);  // the text that it checks is out of date
  ticket = new_ticket();
  session.race_worker->add(
      [&session, id, uri = document.uri, path = document.path](const std::atomic<bool>& stop) {
        std::string report = output_of(race_command(path), kRaceTime, stop);
        const bool stopped = stop;
        return Worker::Afterwards([&session, id, uri, report = std::move(report), stopped] {
          if (!stopped) session.race_reports[uri] = report;
          session.due.insert(uri);
          if (!id) return;
          const bool checked = !stopped && !report.empty();
          session.pending.settle(*id, checked ? Answer(base::json_object({{"uri", uri}, {"checked", true}}))
                                              : Answer(RpcError{kRequestFailed, "the file could not be checked"}));
        });
      },
      ticket);
}

Answer run_race(Session& session, const Json& id, const Json& arguments) {
  const Document* document = session.workspace.find(arguments.at(0).text());
  if (document == nullptr || document->language != Language::cuda || document->path.empty()) {
    return RpcError{kInvalidParams, "expected the URI of an open CUDA file"};
  }
  session.pending.add(id, *document, kRaceTime + std::chrono::seconds(5));
  check_races(session, *document, id);
  return Later{};
}

Answer explain_class(const Json& arguments) {
  const std::string& word = arguments.at(0).text();
  const race::FindingClass* known = race::class_named(word);
  if (known == nullptr) {
    return RpcError{kInvalidParams,
                    fmt::format("'{}' is not a class of findings{}", base::clipped(word), race::meant_class(word))};
  }
  return base::json_object(
      {{"class", known->id}, {"name", known->name}, {"text", race::explanation(*known).value_or("")}});
}

}  // namespace weakspot::lsp
