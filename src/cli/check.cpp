// SPDX-License-Identifier: MIT
#include "workbench/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <thread>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/shared_options.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/explain.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;
using litmus::outcome_text;
using model::Verdict;

struct Check {
  workbench::CheckRequest request;
  std::vector<std::string> cat_files;
  std::string graph;
  bool explain = false, all = false, herd = false, json = false;
  double seconds = 60;
  unsigned jobs = 0;

  int run() {
    if (!graph.empty() && !graph.ends_with(".dot") && !graph.ends_with(".svg")) {
      return fail({base::error(
          fmt::format("cannot tell what kind of picture '{}' is; expected a name that ends in .svg or .dot", graph))});
    }
    request.models.insert(request.models.end(), cat_files.begin(), cat_files.end());
    request.options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    request.options.explain = explain || !graph.empty();
    // Several threads may find different examples of what is allowed.
    const unsigned most = request.options.explain ? 1 : std::max(std::thread::hardware_concurrency(), 1u);
    request.options.threads = jobs != 0 ? jobs : most;
    const InterruptGuard guard;
    request.options.limits.stop = InterruptGuard::flag();
    Json array = base::json_array();
    base::Diagnostics errors;
    const base::Result<workbench::CheckResult> result = workbench::check(request, [&](const workbench::Judged& judged) {
      if (json) {
        array.push_back(as_json(judged.test, judged.model_name, judged.verdict));
      } else {
        herd ? print_output(herd_text(judged.test, judged.verdict) + "\n") : print_results(text_of(judged));
      }
      if (graph.empty()) return;
      const base::Status drawn = write_graph(judged.verdict, judged.model);
      errors.insert(errors.end(), drawn.errors().begin(), drawn.errors().end());
    });
    if (!result) return fail(result.errors());
    if (json) print_output(json_text(array));
    errors.insert(errors.end(), result->errors.begin(), result->errors.end());
    if (!errors.empty()) return fail(errors);
    return InterruptGuard::interrupted() ? InterruptGuard::exit_code() : kFine;
  }

 private:
  std::string text_of(const workbench::Judged& judged) const {
    std::string text = line(judged.test, judged.model_name, judged.verdict, judged.unexpected);
    if (all) text += outcome_lines(judged.test, judged.verdict);
    if (explain) text += model::explain_verdict(judged.verdict, judged.model, request.options.limits);
    return text;
  }

  static std::string line(const litmus::LitmusTest& test, const std::string& name, const Verdict& verdict,
                          bool unexpected) {
    std::string text;
    text.reserve(120);
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<9} {}  {}", to_string(verdict.reach), test.name, name);
    if (verdict.complete) {
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

  // The form of herd7, for scripts that read it.
  static std::string herd_text(const litmus::LitmusTest& test, const Verdict& verdict) {
    static constexpr std::string_view kKinds[] = {"Allowed", "Forbidden", "Required"};
    static constexpr std::string_view kObservations[] = {"Always", "Sometimes", "Never"};
    std::string text =
        fmt::format("Test {} {}\nStates {}\n", test.name, kKinds[static_cast<std::size_t>(test.condition.quantifier)],
                    verdict.outcomes.size());
    for (const litmus::Outcome& outcome : verdict.outcomes) text += outcome_text(test, outcome) + "\n";
    const bool holds = test.condition.quantifier == litmus::Condition::Quantifier::exists
                           ? verdict.condition != Verdict::Condition::never
                       : test.condition.quantifier == litmus::Condition::Quantifier::not_exists
                           ? verdict.condition == Verdict::Condition::never
                           : verdict.condition == Verdict::Condition::always;
    text += fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\n", holds ? "Ok" : "No", verdict.positive,
                        verdict.executions - verdict.positive);
    for (const std::string& flag : verdict.flags) text += fmt::format("Flag {}\n", flag);
    text +=
        fmt::format("Condition {}\nObservation {} {} {} {}\nTime {} {:.2f}\nHash={}\n", litmus::condition_line(test),
                    test.name, kObservations[static_cast<std::size_t>(verdict.condition)], verdict.positive,
                    verdict.executions - verdict.positive, test.name, verdict.seconds, litmus::hash_of(test).hex());
    return text;
  }

  static Json as_json(const litmus::LitmusTest& test, const std::string& name, const Verdict& verdict) {
    Json json;
    json["test"] = test.name;
    json["hash"] = litmus::hash_of(test).hex();
    json["model"] = name;
    json["verdict"] = to_string(verdict.reach);
    // A part of the executions cannot show that the condition always or never holds.
    if (verdict.complete || verdict.condition == Verdict::Condition::sometimes) {
      json["condition"] = to_string(verdict.condition);
    }
    json["outcomes"] = base::json_array();
    for (const litmus::Outcome& outcome : verdict.outcomes) json["outcomes"].push_back(outcome_text(test, outcome));
    json["executions"] = verdict.executions;
    json["seconds"] = verdict.seconds;
    json["flags"] = verdict.flags;
    if (!verdict.reason.empty()) json["reason"] = verdict.reason;
    return json;
  }

  base::Status write_graph(const Verdict& verdict, const model::Model& model) const {
    const model::Witness* witness = verdict.witness          ? &*verdict.witness
                                    : verdict.counterexample ? &*verdict.counterexample
                                                             : nullptr;
    if (witness == nullptr) return base::error("there is no execution to draw: no candidate satisfies the condition");
    return base::write_file(graph, graph.ends_with(".dot") ? model::dot_graph(*witness, model, request.options.limits)
                                                           : model::svg_graph(*witness, model, request.options.limits));
  }
};

}  // namespace

void add_check(Command& app, int& exit_code) {
  auto options = std::make_shared<Check>();
  workbench::CheckRequest& request = options->request;
  request.options.limits.memory = std::uint64_t{4} << 30;
  Command* command = app.add_subcommand("check", "Ask a memory model whether the test's condition can be reached");
  add_tests(*command, request.tests);
  // One value each time, so that tests may follow.
  command
      ->add_option(
          "--model NAME,...", request.models,
          "models as 'weakspot models' lists them (default: the one for the test's dialect; for generic tests rel-acq, "
          "or ptx if they need scopes or sequential consistency)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--cat FILE", options->cat_files, "a model of your own; may be repeated")
      ->allow_extra_args(false);
  command->add_option("-I FOLDER", request.include_folders, "where to look for included cat files; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--all", options->all, "list the allowed outcomes; * marks those that satisfy the condition");
  command->add_flag("--explain", options->explain, "say why: the failed check and its cycle, or an allowed execution");
  command->add_option("--graph FILE", options->graph, "draw that execution into a file, .svg or .dot");
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
      "  weakspot check MP SB --model sc,tso,ptx\n  weakspot check my.litmus --cat my.cat --explain");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
