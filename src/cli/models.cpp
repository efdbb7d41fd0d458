// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "cli/commands.h"
#include "model/library.h"
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
        array.push_back(
            base::json_object({{"name", entry.name}, {"title", entry.title}, {"description", entry.description}}));
      } else {
        print_results(fmt::format("{:<11} {}\n", entry.name, entry.description));
      }
    }
    if (json) print_output(json_text(array));
    return kFine;
  }
};

struct CompareModels {
  workbench::CompareModelsRequest request;
  std::size_t count = 5;
  bool json = false;

  int run() const {
    const base::Result<workbench::CompareModelsResult> result = workbench::compare_models(request);
    if (!result) return fail(result.errors());
    json ? print_output(json_text(as_json(*result))) : print_results(text_of(*result));
    return result->errors.empty() ? kFine : fail(result->errors);
  }

 private:
  const std::string& allowing(const workbench::ModelDifference& one) const {
    return one.first_allows ? request.first : request.second;
  }

  Json as_json(const workbench::CompareModelsResult& result) const {
    Json object;
    object["models"] = base::json_array({request.first, request.second});
    object["agreed"] = result.agreed;
    object["unknown"] = result.unknown;
    object["differences"] = base::json_array();
    for (const workbench::ModelDifference& one : result.differences) {
      object["differences"].push_back(
          base::json_object({{"test", one.input.test.name}, {"file", one.input.file}, {"allowed_by", allowing(one)}}));
    }
    return object;
  }

  std::string text_of(const workbench::CompareModelsResult& result) const {
    std::string text = fmt::format("{} and {} agree on {} and differ on {}", request.first, request.second,
                                   base::counted(result.agreed, "test"), result.differences.size());
    if (result.unknown > 0) {
      text += fmt::format("; {} {} unknown", result.unknown, base::plural(result.unknown, "is", "are"));
    }
    text += result.differences.empty() ? "\n" : ". The smallest:\n";
    for (std::size_t i = 0; i < std::min(count, result.differences.size()); ++i) {
      const workbench::ModelDifference& one = result.differences[i];
      text += fmt::format("  {:<40} allowed by {} only\n", one.input.test.name, allowing(one));
    }
    return text;
  }
};

}  // namespace

void add_models(Command& app, int& exit_code) {
  auto list = std::make_shared<ListModels>();
  Command* command = app.add_subcommand("models", "List the memory models, or compare two of them");
  command->add_flag("--json", list->json, "print an array of models");
  command->require_subcommand(0, 1);

  auto compare = std::make_shared<CompareModels>();
  Command* comparing = command->add_subcommand("compare", "Find the smallest tests that tell two models apart");
  comparing->add_option("A", compare->request.first, "a model")->required();
  comparing->add_option("B", compare->request.second, "another model")->required();
  comparing->add_option("TEST ...", compare->request.tests,
                        "files, folders, @indexes or tests of the corpus (default: the whole corpus)");
  comparing->add_option("--count N", compare->count, "how many tests to list (default 5)");
  comparing->add_flag("--json", compare->json, "print an object with all differences");
  comparing->footer("Examples:\n  weakspot models compare sc tso\n  weakspot models compare ptx my.cat classic --json");
  comparing->callback([compare, &exit_code] { exit_code = compare->run(); });

  command->footer("Examples:\n  weakspot models\n  weakspot models compare sc tso");
  command->callback([command, comparing, list, &exit_code] {
    if (!command->got_subcommand(comparing)) exit_code = list->run();
  });
}

}  // namespace weakspot::cli
