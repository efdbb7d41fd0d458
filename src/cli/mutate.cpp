#include "gen/mutate.h"

#include <fmt/format.h>

#include <map>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/model_filter.h"
#include "cli/test_writer.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

struct Mutate {
  std::vector<std::string> files;
  std::vector<std::string> words;
  std::string dialect_name;
  bool keep_forbidden = false;
  ModelFilter filter;
  TestWriterOptions output;

  static std::string mutator_list() {
    std::string list;
    for (const gen::Mutator& mutator : gen::mutators())
      list += fmt::format("{}{}", list.empty() ? "" : ", ", mutator.word);
    return list;
  }

  int run() {
    for (const std::string& word : words) {
      if (gen::mutator_named(word) != nullptr) continue;
      print_error(fmt::format("error: there is no mutator '{}'; expected {}\n", word, mutator_list()));
      return kBadInput;
    }
    if (!dialect_name.empty()) {
      output.dialect = litmus::dialect_named(dialect_name);
      if (!output.dialect) {
        print_error(fmt::format("error: unknown dialect '{}'\n", dialect_name));
        return kBadInput;
      }
    }
    if (base::Status loaded = filter.load(); !loaded) {
      print_error(base::render(loaded.errors()));
      return kBadInput;
    }
    const TestInputs inputs = load_tests(files);
    TestWriter writer(output);
    std::size_t dropped = 0;
    for (const TestInput& input : inputs.tests) {
      for (const litmus::LitmusTest& mutant : gen::mutate(input.test, {words, {}})) {
        if (keeps(mutant)) {
          writer.write(mutant);
        } else {
          ++dropped;
        }
      }
    }
    base::Diagnostics errors = writer.finish();
    errors.insert(errors.begin(), inputs.errors.begin(), inputs.errors.end());
    if (dropped > 0) print_error(fmt::format("{} mutant{} dropped\n", dropped, dropped == 1 ? "" : "s"));
    print_error(base::render(errors));
    return errors.empty() ? kFine : kBadInput;
  }

  // A mutant whose outcome is still forbidden can never be killed. The model is the one asked for, or that of the
  // test's kind; where the program has none for it, every mutant is kept.
  bool keeps(const litmus::LitmusTest& mutant) {
    if (filter.active()) return filter.keeps(mutant);
    if (keep_forbidden) return true;
    // Tests for no machine in particular are judged by a model that knows scopes, or narrowing one would change
    // nothing.
    const bool generic = mutant.arch == litmus::Arch::generic;
    const std::string name = generic ? "ptx" : model::default_model(mutant.arch);
    auto found = defaults_.find(name);
    if (found == defaults_.end()) found = defaults_.emplace(name, model::load_model(name)).first;
    return !found->second || !forbids(*found->second, mutant);
  }

 private:
  std::map<std::string, base::Result<model::Model>> defaults_;
};

}  // namespace

void add_mutate(Command& app, int& exit_code) {
  auto options = std::make_shared<Mutate>();
  Command* command = app.add_subcommand("mutate", "Disrupt tests: swap, split, narrow, weaken, leave out");
  command->add_option("TEST", options->files, "files, folders, @indexes, '-', or tests of the corpus by name")
      ->required();
  std::string help = "which ones (all):";
  for (const gen::Mutator& mutator : gen::mutators()) help += fmt::format("\n{}: {}", mutator.word, mutator.sentence);
  command->add_option("--mutator", options->words, help)->delimiter(',');
  command->add_option("--to", options->dialect_name, "the dialect to write them in; the test's own if not given");
  options->filter.add_options(*command);
  command->add_flag("--keep-forbidden", options->keep_forbidden,
                    "also mutants that the model of the test's kind still forbids");
  command->add_flag("--list", options->output.list, "print names alone");
  command->add_option("--out", options->output.folder, "write one file per test and an @all index into this folder");
  command->add_flag("--json", options->output.json, "print an array of {test, hash, identity, dialect, info, text}");
  command->footer(
      "Examples:\n  weakspot mutate MP+rel+acq\n  weakspot mutate classic --mutator order,fence --out mutants\n"
      "  weakspot mutate MP+rel+acq --allowed-by rel-acq");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
