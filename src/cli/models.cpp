#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using model::Verdict;

struct List {
  bool json = false;

  int run() const {
    base::Result<std::vector<model::ModelEntry>> entries = model::list_models();
    if (!entries) {
      print_error(base::render(entries.errors()));
      return kBadInput;
    }
    Json array = Json::array();
    for (const model::ModelEntry& entry : *entries) {
      if (json) {
        array.push_back({{"name", entry.name}, {"title", entry.title}, {"description", entry.description}});
      } else {
        print_output(fmt::format("{:<11} {}\n", entry.name, entry.description));
      }
    }
    if (json) print_output(json_text(array));
    return kFine;
  }
};

struct CompareModels {
  std::string first, second;
  std::vector<std::string> files;
  std::size_t count = 5;
  bool json = false;

  struct Difference {
    const TestInput* input;
    Verdict::Reach first, second;
    std::size_t size;
  };

  // Small tests tell more: fewer threads first, then fewer instructions.
  static std::size_t size_of(const litmus::LitmusTest& test) {
    std::size_t instructions = 0;
    for (const litmus::Thread& thread : test.threads) instructions += thread.instructions.size();
    return 100 * test.threads.size() + instructions;
  }

  int run() const {
    base::Result<model::Model> a = model::load_model(first), b = model::load_model(second);
    for (const base::Result<model::Model>* loaded : {&a, &b}) {
      if (loaded->ok()) continue;
      print_error(base::render(loaded->errors()));
      return kBadInput;
    }
    const TestInputs inputs =
        load_tests(files.empty() ? std::vector<std::string>{base::data_directory("corpus").string()} : files);
    model::JudgeOptions options;
    options.condition_only = true;
    options.limits.time = std::chrono::seconds(10);
    std::vector<Difference> differences;
    std::size_t agreed = 0, unknown = 0;
    for (const TestInput& input : inputs.tests) {
      const Verdict::Reach x = model::judge(input.test, *a, options).reach;
      const Verdict::Reach y = model::judge(input.test, *b, options).reach;
      if (x == Verdict::Reach::unknown || y == Verdict::Reach::unknown) {
        ++unknown;
      } else if (x == y) {
        ++agreed;
      } else {
        differences.push_back({&input, x, y, size_of(input.test)});
      }
    }
    std::sort(differences.begin(), differences.end(), [](const Difference& left, const Difference& right) {
      return std::pair(left.size, left.input) < std::pair(right.size, right.input);
    });
    report(differences, agreed, unknown);
    print_error(base::render(inputs.errors));
    return inputs.errors.empty() ? kFine : kBadInput;
  }

  void report(const std::vector<Difference>& differences, std::size_t agreed, std::size_t unknown) const {
    auto allowing = [&](const Difference& one) { return one.first == Verdict::Reach::allowed ? first : second; };
    if (json) {
      Json out;
      out["models"] = {first, second};
      out["agreed"] = agreed;
      out["unknown"] = unknown;
      out["differences"] = Json::array();
      for (const Difference& one : differences) {
        out["differences"].push_back(
            {{"test", one.input->test.name}, {"file", one.input->file}, {"allowed_by", allowing(one)}});
      }
      print_output(json_text(out));
      return;
    }
    std::string text =
        fmt::format("{} and {} agree on {} tests and differ on {}", first, second, agreed, differences.size());
    if (unknown > 0) text += fmt::format("; {} are unknown", unknown);
    text += differences.empty() ? "\n" : ". The smallest:\n";
    for (std::size_t i = 0; i < std::min(count, differences.size()); ++i) {
      text += fmt::format("  {:<40} allowed by {} only\n", differences[i].input->test.name, allowing(differences[i]));
    }
    print_output(text);
  }
};

}  // namespace

void add_models(Command& app, int& exit_code) {
  auto list = std::make_shared<List>();
  Command* command = app.add_subcommand("models", "List the memory models, or compare two of them");
  command->add_flag("--json", list->json, "print JSON");
  command->require_subcommand(0, 1);

  auto compare = std::make_shared<CompareModels>();
  Command* comparing = command->add_subcommand("compare", "Find the smallest tests that tell two models apart");
  comparing->add_option("A", compare->first, "a model")->required();
  comparing->add_option("B", compare->second, "another model")->required();
  comparing->add_option("FILE", compare->files, "the tests to try; default: the corpus");
  comparing->add_option("--count", compare->count, "how many tests to list");
  comparing->add_flag("--json", compare->json, "print JSON");
  comparing->callback([compare, &exit_code] { exit_code = compare->run(); });

  command->footer("Examples:\n  weakspot models\n  weakspot models compare sc tso");
  command->callback([command, comparing, list, &exit_code] {
    if (!command->got_subcommand(comparing)) exit_code = list->run();
  });
}

}  // namespace weakspot::cli
