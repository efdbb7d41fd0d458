// SPDX-License-Identifier: MIT
// Names of tests of the corpus, as people write them: the tests that a name means, and what is wrong with one that
// means none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::questions {

struct CorpusFile {
  std::string path;          // "corpus:classic/MP.litmus" for a file inside the program
  std::string folder, name;  // "classic", "MP"
};

// The files inside the program, by folder and name.
std::vector<CorpusFile> carried_files();
// Whether the path is that of a file inside the program.
bool is_carried(std::string_view path);
base::Result<base::Source> carried_source(const std::string& path);

// The paths of the files that `name` means: a test with or without its folder ("MP", "classic/MP"), a folder
// ("classic"), or everything in one ("classic/@all", "@all"). At least one; a name that means none, or several tests of
// different folders, is an error. `expected` says what the name could have been: "test or folder of the corpus".
base::Result<std::vector<std::string>> files_named(const std::string& name, const std::vector<CorpusFile>& files,
                                                   std::string_view expected);
// Whether the pattern means the file: a folder, a test's name, or words with the wildcards * and ?, which are held
// against "name" and "folder/name".
bool is_meant(const CorpusFile& file, std::string_view pattern);
// An error for each pattern that means none of the files.
base::Status check_patterns(const std::vector<std::string>& patterns, const std::vector<CorpusFile>& files);
// Whether the text matches the pattern: '*' stands for any characters, '?' for one.
bool matches(std::string_view pattern, std::string_view text);
// The names of all tests and folders, for "did you mean".
std::vector<std::string> corpus_words(const std::vector<CorpusFile>& files);

// Whether the words are the text of a test: a name has neither lines nor braces.
bool is_test_text(std::string_view words);
// The source of one test given by its text, which then is called `file`, or by its name in the carried corpus.
base::Result<base::Source> text_or_named_test(const std::string& words, const std::string& file);

}  // namespace weakspot::questions
