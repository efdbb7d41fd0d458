#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/explain.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using litmus::outcome_text;
using model::Verdict;

struct Check {
  std::vector<std::string> files;
  std::vector<std::string> model_names;
  std::vector<std::string> cat_files;
  std::vector<std::string> include_folders;
  std::string graph;
  bool explain = false, all = false, herd = false, json = false, condition_only = false;
  double seconds = 60;
  std::uint64_t memory = std::uint64_t{4} << 30;
  unsigned unroll = 3;
  unsigned jobs = 1;

  // ---- what was asked ----

  model::JudgeOptions options() const {
    model::JudgeOptions options;
    options.limits.unroll = unroll;
    options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    options.limits.memory = memory;
    options.condition_only = condition_only;
    options.explain = explain || !graph.empty();
    options.threads = jobs;
    return options;
  }

  // ---- what comes out ----

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

  // As herd7 prints it, for scripts that read that.
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
    // What is always or never so cannot be told from a part of the executions.
    if (verdict.complete || verdict.condition == Verdict::Condition::sometimes) {
      json["condition"] = to_string(verdict.condition);
    }
    json["outcomes"] = Json::array();
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
    return base::write_file(
        graph, graph.ends_with(".dot") ? model::dot_graph(*witness, model) : model::svg_graph(*witness, model));
  }

  static bool is_unexpected(const litmus::LitmusTest& test, const std::string& name, const Verdict& verdict) {
    const auto expected = test.expectations.find(name);
    if (expected == test.expectations.end() || verdict.reach == Verdict::Reach::unknown) return false;
    return (expected->second == litmus::Expectation::allowed) != (verdict.reach == Verdict::Reach::allowed);
  }

  int run() const {
    if (!graph.empty() && !graph.ends_with(".dot") && !graph.ends_with(".svg")) {
      print_error(fmt::format(
          "error: cannot tell the kind of picture '{}' is; expected a name that ends in .svg or .dot\n", graph));
      return kBadInput;
    }
    base::Diagnostics errors;
    auto fail = [&](const base::Diagnostics& more) { errors.insert(errors.end(), more.begin(), more.end()); };
    std::map<std::string, model::BatchJudge, std::less<>> judges;
    auto judge_by = [&](const std::string& name) -> model::BatchJudge* {
      auto found = judges.find(name);
      if (found != judges.end()) return &found->second;
      base::Result<model::Model> loaded = model::load_model(name, include_folders);
      if (!loaded) {
        fail(loaded.errors());
        return nullptr;
      }
      return &judges.emplace(name, *loaded).first->second;
    };
    std::vector<std::string> named = model_names;
    named.insert(named.end(), cat_files.begin(), cat_files.end());
    for (const std::string& name : named) {
      if (judge_by(name) == nullptr) {
        print_error(base::render(errors));
        return kBadInput;
      }
    }

    const model::JudgeOptions judge_options = options();
    bool unexpected = false;
    Json array = Json::array();
    auto check = [&](const litmus::LitmusTest& test, const std::string& name) {
      model::BatchJudge* const judge = judge_by(name);
      if (judge == nullptr) return;
      const Verdict verdict = judge->judge(test, judge_options);
      const bool surprise = is_unexpected(test, name, verdict);
      unexpected = unexpected || surprise;
      if (json) {
        array.push_back(as_json(test, name, verdict));
      } else if (herd) {
        print_output(herd_text(test, verdict) + "\n");
      } else {
        std::string text = line(test, name, verdict, surprise);
        if (all) text += outcome_lines(test, verdict);
        if (explain) text += model::explain_verdict(verdict, judge->model());
        print_output(text);
      }
      if (!graph.empty()) {
        base::Status written = write_graph(verdict, judge->model());
        if (!written) fail(written.errors());
      }
    };
    // Each test is judged as it is read, so that a batch may be of any length.
    const base::Diagnostics unread = for_each_test(files, [&](litmus::LitmusTest&& test, const std::string&) {
      if (named.empty()) check(test, std::string(model::default_model(test.arch)));
      for (const std::string& name : named) check(test, name);
    });
    fail(unread);
    if (json) print_output(json_text(array));
    print_error(base::render(errors));
    if (!errors.empty()) return kBadInput;
    return unexpected ? kFinding : kFine;
  }
};

}  // namespace

void add_check(Command& app, int& exit_code) {
  auto options = std::make_shared<Check>();
  Command* command = app.add_subcommand("check", "Ask a memory model: can the test's condition be reached?");
  command->add_option("FILE", options->files, "files, folders, @indexes, '-', or tests of the corpus by name")
      ->required();
  command
      ->add_option("--model", options->model_names,
                   "models by name, see 'weakspot models'; default: by the test's kind")
      ->delimiter(',')
      ->allow_extra_args(false);
  // One value each time, so that tests may follow.
  command->add_option("--cat", options->cat_files, "a model of your own")->allow_extra_args(false);
  command->add_option("-I", options->include_folders, "a folder to look for included cat files in")
      ->allow_extra_args(false);
  command->add_flag("--all", options->all, "list the allowed outcomes; * marks those that satisfy the condition");
  command->add_flag("--explain", options->explain, "say why: the failed check and its cycle, or an allowed execution");
  command->add_option("--graph", options->graph, "draw that execution to a file, .svg or .dot");
  command->add_flag("--herd", options->herd, "print as herd7 does");
  command->add_flag("--json", options->json, "print an array of verdicts");
  command->add_flag("--condition-only", options->condition_only,
                    "stop at the first execution that settles the condition");
  command->add_option("--seconds", options->seconds, "time for each test, then 'unknown'")->positive();
  command->add_option("--memory", options->memory, "memory for each test, such as 512M, then 'unknown'; default 4G")
      ->as_bytes();
  command->add_option("--unroll", options->unroll, "how often a loop is followed");
  command->add_option("--jobs", options->jobs, "cores to use for one test");
  command->footer(
      "Exit code 1: a verdict contradicts the test's Expect line.\n\nExamples:\n"
      "  weakspot check MP SB --model sc,tso,ptx\n  weakspot check my.litmus --cat my.cat --explain");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
