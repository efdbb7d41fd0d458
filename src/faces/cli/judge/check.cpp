// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <thread>

#include "base/file.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/judge/check_progress.h"
#include "cli/judge/herd_log.h"
#include "cli/judge/project_models.h"
#include "console/fold.h"
#include "console/interrupt.h"
#include "console/terminal.h"
#include "litmus/text.h"
#include "model/picture.h"
#include "project/project_file.h"
#include "workbench/picture_files.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;
using model::Verdict;

struct Check {
  workbench::CheckRequest request;
  ModelOptions models;
  std::vector<std::string> progress;
  std::string graph, svg, png, dot, project;
  bool draw = false, ascii = false;
  bool explain = false, all = false, brief = false, herd = false, json = false;
  double seconds = 60;
  unsigned jobs = 0;

  int run() {
    if (draw && (herd || json)) return fail({base::error("--draw cannot be combined with --herd or --json")});
    if (brief && (all || explain)) return fail({base::error("--brief cannot be combined with --all or --explain")});
    const base::Result<std::vector<workbench::PicturePath>> paths = picture_paths();
    if (!paths) return fail(paths.errors());
    if (models.count() == 0) {
      base::Result<std::vector<std::string>> usual = project_models(project);
      if (!usual) return fail(usual.errors());
      models.names = *std::move(usual);
    }
    workbench::PictureFiles files(*paths, models.count() > 1);
    models.set(request);
    request.options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    request.options.explain = explain || draw || files.any();
    // Several threads may find different examples of what is allowed.
    const unsigned most = request.options.explain ? 1 : std::max(std::thread::hardware_concurrency(), 1u);
    request.options.threads = jobs != 0 ? jobs : most;
    const InterruptGuard guard;
    request.options.limits.stop = InterruptGuard::flag();
    if (!progress.empty()) return run_check_progress(request, progress, json);
    Json array = base::json_array();
    base::Diagnostics errors;
    const base::Result<workbench::CheckResult> result =
        workbench::check(request, [&](const questions::TestVerdict& judged) {
          if (json) {
            array.push_back(as_json(judged));
          } else {
            herd ? print_herd(judged) : print_results(text_of(judged));
          }
          if (!draw && !files.any()) return;
          const base::Status drawn = show_pictures(judged, files);
          errors.insert(errors.end(), drawn.errors().begin(), drawn.errors().end());
        });
    if (!result) return fail(result.errors());
    if (json) {
      add_refusals(array, result->errors);
      print_output(json_text(array));
    }
    errors.insert(errors.end(), result->errors.begin(), result->errors.end());
    if (!errors.empty()) return fail(errors);
    return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : kFine;
  }

 private:
  std::string text_of(const questions::TestVerdict& judged) const {
    if (brief) return shortened(brief_line(judged), results_width()) + "\n";
    std::string text = line(judged.test, judged.model_name, judged.verdict, judged.contradicted.has_value());
    if (all) text += outcome_lines(judged.test, judged.verdict);
    if (explain) text += questions::explanation(judged, request.options.limits);
    return text;
  }

  static std::string brief_line(const questions::TestVerdict& judged) {
    const Verdict& verdict = judged.verdict;
    std::string text = fmt::format("{:<9} {}  {}", to_string(verdict.reach), judged.test.name, judged.model_name);
    if (judged.contradicted) text += "  UNEXPECTED";
    for (const std::string& flag : verdict.flags) text += fmt::format("  flag {}", flag);
    return verdict.reason.empty() ? text : text + fmt::format("  ({})", verdict.reason);
  }

  static std::string line(const litmus::LitmusTest& test, const std::string& name, const Verdict& verdict,
                          bool unexpected) {
    std::string text;
    text.reserve(120);
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<9} {}  {}", to_string(verdict.reach), test.name, name);
    if (verdict.never_ends) {
      text += "  never: no execution ends";
    } else if (verdict.complete) {
      fmt::format_to(out, "  {}, {} outcome{}, {} execution{}", to_string(verdict.condition), verdict.outcomes.size(),
                     verdict.outcomes.size() == 1 ? "" : "s", verdict.executions, verdict.executions == 1 ? "" : "s");
    }
    for (const std::string& flag : verdict.flags) text += fmt::format("  flag {}", flag);
    if (!verdict.reason.empty()) text += fmt::format("  ({})", verdict.reason);
    if (unexpected) text += "  UNEXPECTED";
    text += '\n';
    return text;
  }

  static std::string outcome_lines(const litmus::LitmusTest& test, const Verdict& verdict) {
    const litmus::OutcomeReader reader(test);
    std::string text;
    for (const litmus::Outcome& outcome : verdict.outcomes) {
      text += reader.satisfies(outcome) ? "  * " : "    ";
      reader.append_text(text, outcome);
      text += '\n';
    }
    return text;
  }

  // herd7 prints nothing about a test whose time is over but this, on standard error.
  static void print_herd(const questions::TestVerdict& judged) {
    const std::string log = herd_log(judged);
    if (log.empty()) {
      print_error(fmt::format("Timeout for {} ({})\n", judged.test.name, judged.verdict.reason));
    } else {
      print_output(log + "\n");
    }
  }

  Json as_json(const questions::TestVerdict& judged) const {
    Json entry = questions::verdict_json(judged);
    if (explain) entry["explanation"] = questions::explanation(judged, request.options.limits);
    return entry;
  }

  // An entry for each file that gave no verdict, with what is wrong in it.
  static void add_refusals(Json& array, const base::Diagnostics& errors) {
    std::map<std::string, Json> entries;
    std::vector<std::string> order;
    for (const base::Diagnostic& error : errors) {
      if (error.file.empty()) continue;
      const auto [found, fresh] = entries.try_emplace(error.file);
      Json& entry = found->second;
      if (fresh) {
        order.push_back(error.file);
        entry["file"] = error.file;
        entry["errors"] = base::json_array();
      }
      Json one;
      one["message"] = error.message;
      if (error.located()) {
        one["line"] = error.position.line;
        one["column"] = error.position.column;
      }
      entry["errors"].push_back(std::move(one));
    }
    for (const std::string& file : order) array.push_back(std::move(entries[file]));
  }

  base::Result<std::vector<workbench::PicturePath>> picture_paths() const {
    using workbench::PictureFormat;
    std::vector<workbench::PicturePath> paths;
    if (!graph.empty()) {
      const base::Result<PictureFormat> format = workbench::picture_format(graph);
      if (!format) return format.errors();
      paths.push_back({*format, graph});
    }
    if (!svg.empty()) paths.push_back({PictureFormat::svg, svg});
    if (!png.empty()) paths.push_back({PictureFormat::png, png});
    if (!dot.empty()) paths.push_back({PictureFormat::dot, dot});
    return paths;
  }

  // A batch goes on without a picture where there is nothing to draw.
  base::Status show_pictures(const questions::TestVerdict& judged, workbench::PictureFiles& files) const {
    const std::optional<model::Picture> picture =
        model::picture_of(judged.verdict, judged.model, judged.model_name, request.options.limits);
    if (!picture) {
      const std::string why = judged.verdict.reach == Verdict::Reach::unknown
                                  ? "the verdict is unknown"
                                  : "no candidate execution satisfies the condition";
      const std::string message = fmt::format("{}: there is no execution to draw: {}", judged.test.name, why);
      if (files.one_expected()) return base::error(message);
      print_error(message + "\n");
      return base::ok_status();
    }
    if (draw) {
      const bool plain = ascii || draws_plainly();
      print_output(model::text_picture(*picture, {.width = terminal_of(STDOUT_FILENO).width, .ascii = plain}));
    }
    return files.write(*picture);
  }
};

}  // namespace

void add_check(Command& app, int& exit_code) {
  auto options = std::make_shared<Check>();
  workbench::CheckRequest& request = options->request;
  request.options.limits.memory = std::uint64_t{4} << 30;
  Command* command = app.add_subcommand("check", "Ask a memory model whether the test's condition can be reached");
  add_tests(*command, request.tests);
  add_model_options(*command, options->models);
  command->add_option("--project FILE", options->project, project::kProjectHelp);
  command->add_flag("--all", options->all, "list the allowed outcomes; * marks those that satisfy the condition");
  command->add_flag("--brief", options->brief, "print one line per test and model, without counts");
  command->add_flag("--explain", options->explain,
                    "say why: the failed check step by step, or an allowed execution and what is missing to forbid it");
  command->add_flag("--draw", options->draw, "draw that execution here, as wide as the terminal");
  command->add_flag("--ascii", options->ascii, "draw only with + - | (default: if the locale is not UTF-8)");
  command->add_option("--svg PATH", options->svg, "draw it into a file, or into a folder, one file per test");
  command->add_option("--png PATH", options->png, "the same as an image");
  command->add_option("--dot PATH", options->dot, "the same for Graphviz; 'neato -n2' keeps the places");
  command->add_option("--graph FILE", options->graph, "draw it into a file, .svg, .png or .dot");
  command
      ->add_option(
          "--progress NAME,...", options->progress,
          "ask instead whether the test always ends, if threads are scheduled by fair, lobe, hsa-obe, obe, hsa "
          "or unfair; or all")
      ->delimiter(',')
      ->repeatable();
  command->add_flag("--herd", options->herd, "print as herd7 does");
  command->add_flag("--json", options->json, "print an array of verdicts");
  command->add_flag("--condition-only", request.options.condition_only,
                    "stop at the first execution that decides the condition");
  command
      ->add_option("--seconds TIME", options->seconds,
                   "time for each test, after which it is 'unknown', such as 500ms or 2min (default 60s)")
      ->as_time();
  command
      ->add_option("--memory SIZE", request.options.limits.memory,
                   "memory for each test, such as 512M, beyond which it is 'unknown' (default 4G)")
      ->as_bytes();
  command->add_option("--unroll N", request.options.limits.unroll, "iterations of a loop to follow (default 3)");
  command->add_option("--jobs N", options->jobs,
                      "threads to use for one large test (default: one per processor; 1 with --explain)");
  command->footer(
      "Exit code 2: a verdict contradicts the test's Expect line, or a model has no\n"
      "meaning for part of the test.\n\n"
      "Examples:\n"
      "  weakspot check MP SB --model sc,tso,ptx\n  weakspot check my.litmus --cat my.cat --explain --draw");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
