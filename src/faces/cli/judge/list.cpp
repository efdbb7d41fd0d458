// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "cli/command/commands.h"
#include "console/help.h"
#include "workbench/corpus.h"

namespace weakspot::cli {
namespace {

using CorpusTests = std::vector<workbench::CorpusTest>;

struct ListTests {
  std::vector<std::string> patterns;
  bool json = false, names = false;

  int run() const {
    const base::Result<CorpusTests> tests = workbench::list_corpus(patterns);
    if (!tests) return fail(tests.errors());
    const bool table = output_is_terminal() && !names;
    print_output(json ? json_text(as_json(*tests)) : table ? table_of(*tests) : names_of(*tests));
    return kFine;
  }

 private:
  static base::JsonValue as_json(const CorpusTests& tests) {
    base::JsonValue array = base::json_array();
    for (const workbench::CorpusTest& test : tests) {
      array.push_back(base::json_object(
          {{"test", test.name}, {"folder", test.folder}, {"file", test.file}, {"description", test.description}}));
    }
    return array;
  }

  static std::string names_of(const CorpusTests& tests) {
    std::string text;
    for (const workbench::CorpusTest& test : tests) text += test.name + "\n";
    return text;
  }

  static std::string table_of(const CorpusTests& tests) {
    constexpr std::size_t kMostTerm = 24;  // longer names have a line of their own
    std::size_t term = 0;
    for (const workbench::CorpusTest& test : tests) term = std::max(term, test.name.size() + 4);
    term = std::min(term, kMostTerm);
    std::string text;
    const std::string* folder = nullptr;
    for (const workbench::CorpusTest& test : tests) {
      if (folder == nullptr || *folder != test.folder) {
        const auto in_folder = std::count_if(
            tests.begin(), tests.end(), [&](const workbench::CorpusTest& one) { return one.folder == test.folder; });
        text += fmt::format("{}{}: {} test{}\n", folder == nullptr ? "" : "\n", test.folder, in_folder,
                            in_folder == 1 ? "" : "s");
        folder = &test.folder;
      }
      text += help_entry(test.name, test.description, term, output_width());
    }
    return text;
  }
};

}  // namespace

void add_list(Command& app, int& exit_code) {
  auto options = std::make_shared<ListTests>();
  Command* command = app.add_subcommand("list", "List the tests of the corpus, by folder and pattern");
  command->add_option("PATTERN ...", options->patterns,
                      "folders or names, with * and ? as in a shell (default: the whole corpus)");
  command->add_flag("--names", options->names,
                    "print names alone, one per line, as in a pipe (default: on a terminal, a table)");
  command->add_flag("--json", options->json, "print an array of {test, folder, file, description}");
  command->footer("Examples:\n  weakspot list classic\n  weakspot list 'MP*' '*fence*' --names");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
