// SPDX-License-Identifier: MIT
// The corpus: what tests it has, and how they are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::workbench {

struct CorpusTest {
  std::string name;         // as commands take it: "MP", or "classic/CoRR" where several folders have that name
  std::string folder;       // "classic"
  std::string file;         // its path
  std::string description;  // the doc string as one line; may be empty
};

// The tests that one of the patterns means, by folder and name; all without patterns. A pattern is a folder, a test's
// name, or has the wildcards * and ?, and is held against "name" and "folder/name". One that means nothing is an error.
base::Result<std::vector<CorpusTest>> list_corpus(const std::vector<std::string>& patterns);

// The files that `name` may mean: a path inside the corpus with or without its suffix, or a test's name.
std::vector<std::string> find_in_corpus(const std::string& name);
// The names that commands take, of all tests.
std::vector<std::string> corpus_arguments();
// The names of all tests and folders, for "did you mean".
std::vector<std::string> corpus_names();

// Whether the text has the form of the pattern: '*' stands for any characters, '?' for one.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace weakspot::workbench
