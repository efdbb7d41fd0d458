// SPDX-License-Identifier: MIT
// The corpus: what tests it has, and how they are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"

namespace weakspot::workbench {

struct CorpusTest {
  std::string name;         // as commands take it: "MP", or "classic/CoRR" where several folders have that name
  std::string folder;       // "classic"
  std::string file;         // its path, or "corpus:classic/MP.litmus" where only the program has it
  std::string description;  // the doc string as one line; may be empty
};

// The tests that one of the patterns means, by folder and name; all without patterns. A pattern is a folder, a test's
// name, or has the wildcards * and ?, and is held against "name" and "folder/name". One that means nothing is an error.
base::Result<std::vector<CorpusTest>> list_corpus(const std::vector<std::string>& patterns);

// The files that `name` may mean: a path inside the corpus with or without its suffix, or a test's name. All files of
// the folder or of the index that it names.
struct CorpusFiles {
  std::vector<std::string> files;
  bool several_tests = false;  // have that name, each in a folder of its own
};
CorpusFiles find_in_corpus(std::string_view name);
// All files of the corpus.
std::vector<std::string> corpus_files();
// Whether this is how a file is called that only the program has: "corpus:classic/MP.litmus".
bool is_carried(std::string_view file);
// The tests of such a file, or of any other.
base::Result<std::vector<litmus::LitmusTest>> read_input(const std::string& file);
// The names that commands take, of all tests.
std::vector<std::string> corpus_arguments();
// The names of all tests and folders, for "did you mean".
std::vector<std::string> corpus_names();

// Whether the text has the form of the pattern: '*' stands for any characters, '?' for one.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace weakspot::workbench
