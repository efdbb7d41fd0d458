// SPDX-License-Identifier: MIT
// The corpus: what tests it has, and how they are called.
#pragma once

#include <string>
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

// The tests that one of the patterns means (questions/corpus_names.h), by folder and name; all without patterns. A
// pattern that means nothing is an error.
base::Result<std::vector<CorpusTest>> list_corpus(const std::vector<std::string>& patterns);

// The files that `name` means in the corpus: a test, or a folder (questions/corpus_names.h). At least one, or an error.
base::Result<std::vector<std::string>> find_in_corpus(const std::string& name);
// All files of the corpus.
std::vector<std::string> corpus_files();
// The tests of a file, which may be inside the program: "corpus:classic/MP.litmus".
base::Result<std::vector<litmus::LitmusTest>> read_input(const std::string& file);
// The names that commands take, of all tests.
std::vector<std::string> corpus_arguments();

}  // namespace weakspot::workbench
