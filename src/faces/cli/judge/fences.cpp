// SPDX-License-Identifier: MIT
#include "workbench/fences.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/make/test_writer.h"
#include "console/interrupt.h"
#include "questions/fences_json.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;
using model::Verdict;
using questions::ChangeTexts;
using questions::Way;
using questions::WeakerChanges;

struct FencesCommand {
  workbench::FencesRequest request;
  ModelOptions models;
  std::string folder;
  bool json = false;
  double seconds = 60;

  int run() {
    models.set(request);
    request.options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    const InterruptGuard guard;
    request.options.limits.stop = InterruptGuard::flag();
    Json array = base::json_array();
    std::optional<TestWriter> writer;
    if (!folder.empty()) writer.emplace(TestWriterOptions{.folder = folder});
    bool writes = writer.has_value();  // until a file cannot be written
    const base::Result<workbench::CheckResult> result =
        workbench::fences(request, [&](const questions::FencesOf& found) {
          if (json) {
            array.push_back(questions::fences_json(found));
          } else {
            print_results(text_of(found));
          }
          for (std::size_t i = 0; writes && i < found.fences.ways.size(); ++i) {
            litmus::LitmusTest test = found.fences.ways[i].test;
            test.name += fmt::format("+way{}", i + 1);
            writes = writer->write(test);
          }
        });
    if (!result) return fail(result.errors());
    if (json) print_output(json_text(array));
    base::Diagnostics errors = result->errors;
    if (writer) {
      const base::Diagnostics unwritten = writer->finish();
      errors.insert(errors.end(), unwritten.begin(), unwritten.end());
    }
    if (!errors.empty()) return fail(errors);
    return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : kFine;
  }

 private:
  static std::string text_of(const questions::FencesOf& found) {
    const questions::Fences& fences = found.fences;
    std::string text = fmt::format("{:<9} {}  {}", to_string(fences.reach), found.test.name, found.model_name);
    if (fences.reach != Verdict::Reach::allowed && !fences.avoids_flag) {
      if (!fences.reason.empty()) text += fmt::format("  ({})", fences.reason);
      return text + "\n";
    }
    text += fmt::format("  {}, {} judged", ways_text(fences), base::counted(fences.judged, "test"));
    if (!fences.complete) text += fmt::format("  (not all were tried: {})", fences.reason);
    text += '\n';
    const ChangeTexts change_text(found.test, fences.places);
    for (std::size_t i = 0; i < fences.ways.size(); ++i) text += way_text(fences, i, change_text);
    return text;
  }

  static std::string ways_text(const questions::Fences& fences) {
    const std::string_view does = fences.avoids_flag ? "avoids the flag" : "forbids it";
    if (fences.ways.empty()) return fmt::format("nothing that was tried {}", does);
    return fmt::format("{} to {}", base::counted(fences.ways.size(), "way"),
                       fences.avoids_flag ? "avoid the flag" : "forbid it");
  }

  static std::string way_text(const questions::Fences& fences, std::size_t index, const ChangeTexts& change_text) {
    const Way& way = fences.ways[index];
    std::string text;
    for (const questions::Change& change : way.changes) {
      text += fmt::format("  {:<4}{}\n", text.empty() ? fmt::format("{}.", index + 1) : "", change_text(change));
    }
    for (const WeakerChanges& weaker : way.weaker) {
      const bool flagged = fences.avoids_flag && weaker.reach == Verdict::Reach::allowed;
      text += fmt::format("      {}  {}\n", flagged ? "flagged" : to_string(weaker.reach),
                          weaker_text(weaker, change_text));
    }
    return text;
  }

  // Describes the weaker change of a way: without it, or with a weaker alternative instead.
  static std::string weaker_text(const WeakerChanges& weaker, const ChangeTexts& change_text) {
    const std::string thread = change_text.thread(weaker.lifted);
    if (change_text.is_dependency(weaker.lifted)) return dependency_text(weaker, change_text);
    const std::string own = fmt::format("`{}`", change_text.after(weaker.lifted));
    if (weaker.as_written && change_text.is_gap(weaker.lifted)) return fmt::format("{} without {}", thread, own);
    std::string instead = change_text.before(weaker.lifted);
    for (const questions::Change& change : weaker.changes) {
      if (change.place == weaker.lifted.place) instead = change_text.after(change);
    }
    return fmt::format("{} `{}` instead of {}", thread, instead, own);
  }

  static std::string dependency_text(const WeakerChanges& weaker, const ChangeTexts& change_text) {
    for (const questions::Change& change : weaker.changes) {
      if (change.place == weaker.lifted.place) return change_text(change);
    }
    return fmt::format("{} `{}` without it", change_text.thread(weaker.lifted), change_text.before(weaker.lifted));
  }
};

}  // namespace

void add_fences(Command& app, int& exit_code) {
  auto options = std::make_shared<FencesCommand>();
  workbench::FencesRequest& request = options->request;
  request.options.limits.memory = std::uint64_t{4} << 30;
  Command* command = app.add_subcommand("fences", "Find the weakest orders, scopes and fences that forbid outcomes");
  add_tests(*command, request.tests);
  add_model_options(*command, options->models);
  command->add_option("--places N", request.options.places,
                      "leave out ways that change more places than this (default 6)");
  command->add_option("--tests N", request.options.tests, "judge at most this many tests; 0: no limit (default 20000)");
  command->add_option("--emit FOLDER", options->folder, "write each strengthened test into this folder");
  command->add_flag("--json", options->json, "print an array of what was found");
  command
      ->add_option("--seconds TIME", options->seconds,
                   "time to search for each test, such as 500ms or 2min (default 60s)")
      ->as_time();
  command->footer(
      "Each way is minimal: the tests that are one step weaker are judged, and shown\n"
      "below it.\n\n"
      "Examples:\n  weakspot fences MP --model ptx\n  weakspot fences my.litmus --emit fenced");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
