// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "litmus/dialect.h"
#include "model/library.h"
#include "questions/test_verdict.h"
#include "workbench/compare_models.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;

struct ListModels {
  bool json = false;

  int run() const {
    base::Result<std::vector<model::ModelEntry>> entries = model::list_models();
    if (!entries) return fail(entries.errors());
    Json array = base::json_array();
    for (const model::ModelEntry& entry : *entries) {
      if (json) {
        array.push_back(questions::model_json(entry));
      } else {
        print_results(fmt::format("{:<15}  {}\n", entry.name, entry.description));
      }
    }
    if (json) print_output(json_text(array));
    return kFine;
  }
};

struct CompareModels {
  workbench::CompareModelsRequest request;
  std::size_t listed = 5;
  bool json = false;

  int run() const {
    if (enumerates() && !request.tests.empty()) {
      return fail({base::error("--events and --config make tests of their own: leave out TEST")});
    }
    const base::Result<workbench::CompareModelsResult> result = workbench::compare_models(request);
    if (!result) return fail(result.errors());
    if (json) {
      print_output(json_text(as_json(*result)));
    } else {
      print_text(*result);
    }
    return result->errors.empty() ? kFine : fail(result->errors);
  }

 private:
  bool enumerates() const { return request.events > 0 || !request.config_file.empty(); }

  const std::string& allowing(const workbench::DifferenceCause& cause) const {
    return cause.first_allows ? request.first : request.second;
  }
  const std::string& forbidding(const workbench::DifferenceCause& cause) const {
    return cause.first_allows ? request.second : request.first;
  }

  static Json strings(const std::vector<std::string>& items) {
    Json array = base::json_array();
    for (const std::string& item : items) array.push_back(item);
    return array;
  }

  Json as_json(const workbench::CompareModelsResult& result) const {
    Json object;
    object["models"] = base::json_array({request.first, request.second});
    object["compared"] = result.compared();
    object["agreed"] = result.agreed;
    object["unknown"] = result.unknown;
    object["causes"] = base::json_array();
    for (const workbench::CauseCount& count : result.causes) {
      object["causes"].push_back(base::json_object({{"tests", count.tests},
                                                    {"allowed_by", allowing(count.cause)},
                                                    {"forbidden_by", forbidding(count.cause)},
                                                    {"check", count.cause.check},
                                                    {"relations", strings(count.cause.relations)},
                                                    {"example", result.differences[count.example].input.test.name}}));
    }
    object["differences"] = base::json_array();
    for (const workbench::ModelDifference& one : result.differences) {
      object["differences"].push_back(base::json_object({{"test", one.input.test.name},
                                                         {"file", one.input.file},
                                                         {"allowed_by", allowing(one.cause)},
                                                         {"check", one.cause.check}}));
    }
    return object;
  }

  void print_text(const workbench::CompareModelsResult& result) const {
    std::string text = fmt::format("{} and {} agree on {} and differ on {}", request.first, request.second,
                                   base::counted(result.agreed, "test"), result.differences.size());
    if (result.unknown > 0) {
      text += fmt::format("; {} {} unknown", result.unknown, base::plural(result.unknown, "is", "are"));
    }
    if (request.events > 0) {
      text += fmt::format(". Enumerated: {} of up to {} accesses", base::counted(result.compared(), "test"),
                          request.events);
    }
    print_results(text + (result.differences.empty() ? "\n" : ". By cause:\n"));
    for (const workbench::CauseCount& count : result.causes) print_cause(result, count);
    if (result.differences.empty() || listed == 0) return;
    text = "The smallest:\n";
    for (std::size_t i = 0; i < std::min(listed, result.differences.size()); ++i) {
      const workbench::ModelDifference& one = result.differences[i];
      text += fmt::format("  {:<40} allowed by {} only\n", one.input.test.name, allowing(one.cause));
    }
    print_results(text);
  }

  void print_cause(const workbench::CompareModelsResult& result, const workbench::CauseCount& count) const {
    const workbench::DifferenceCause& cause = count.cause;
    std::string why =
        cause.check.empty() ? "for a reason that was not found in time" : fmt::format("by its check '{}'", cause.check);
    if (!cause.relations.empty()) why += fmt::format(" ({})", fmt::join(cause.relations, ", "));
    const litmus::LitmusTest& example = result.differences[count.example].input.test;
    print_results(fmt::format("  {}: allowed by {}, forbidden by {} {}, for example {}:\n",
                              base::counted(count.tests, "test"), allowing(cause), forbidding(cause), why,
                              example.name));
    if (const base::Result<std::string> program = litmus::print(example, litmus::Dialect::canonical)) {
      print_output(indented_program(*program));
    }
  }

  // Without the header: the columns, the placement and the question.
  static std::string indented_program(const std::string& text) {
    std::string result;
    bool header = true;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      const std::string line = text.substr(begin, end - begin);
      header = header && !line.starts_with(" P0") && !line.starts_with("{");
      if (!header) result += fmt::format("    {}\n", line);
      begin = end + 1;
    }
    return result;
  }
};

}  // namespace

void add_models(Command& app, int& exit_code) {
  auto list = std::make_shared<ListModels>();
  Command* command = app.add_subcommand("models", "List the memory models, or compare two of them");
  command->add_flag("--json", list->json, "print an array of models");
  command->require_subcommand(0, 1);

  auto compare = std::make_shared<CompareModels>();
  Command* comparing = command->add_subcommand("compare", "Find the tests that tell two models apart, and why");
  comparing->add_option("A", compare->request.first, "a model")->required();
  comparing->add_option("B", compare->request.second, "another model")->required();
  comparing->add_option("TEST ...", compare->request.tests,
                        "files, folders, @indexes or tests of the corpus (default: the whole corpus)");
  comparing
      ->add_option("--events N", compare->request.events,
                   "compare on every test made of a critical cycle of up to N accesses instead (2 to 8)")
      ->range(2, 8);
  comparing->add_option("--config FILE", compare->request.config_file,
                        "the edges and annotations of those cycles, as for 'weakspot gen' (default: program order, "
                        "fence.sc, dependencies, release and acquire)");
  comparing->add_option("--count N", compare->listed, "how many tests to list (default 5)");
  comparing->add_flag("--json", compare->json, "print an object with all differences");
  comparing->footer(
      "Examples:\n  weakspot models compare sc tso --events 4\n  weakspot models compare ptx my.cat classic --json");
  comparing->callback([compare, &exit_code] { exit_code = compare->run(); });

  command->footer("Examples:\n  weakspot models\n  weakspot models compare sc tso");
  command->callback([command, comparing, list, &exit_code] {
    if (!command->got_subcommand(comparing)) exit_code = list->run();
  });
}

}  // namespace weakspot::cli
