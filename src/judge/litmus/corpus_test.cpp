// SPDX-License-Identifier: MIT
// The corpus as a whole: its indexes, names and texts, and which dialects can hold it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::litmus::corpus_test {
namespace {

namespace fs = std::filesystem;

// The least number of tests of the corpus that each dialect can hold; 0: not checked.
struct MinimumCount {
  Dialect dialect;
  std::size_t tests;
};
constexpr std::size_t kAll = SIZE_MAX;
constexpr MinimumCount kMinimumCounts[] = {
    {Dialect::canonical, kAll}, {Dialect::ptx2015, 85}, {Dialect::ptx, 438},
    {Dialect::vulkan, 240},     {Dialect::opencl, 374}, {Dialect::c11, 277},
    {Dialect::aarch64, 162},    {Dialect::x86_64, 67},  {Dialect::json, kAll},
};

std::size_t minimum_count(Dialect dialect) {
  for (const MinimumCount& entry : kMinimumCounts) {
    if (entry.dialect == dialect) return entry.tests;
  }
  return 0;
}

struct Entry {
  std::string folder;
  std::string stem;  // the file's name without its ending
  std::string text;
  LitmusTest test;
};

fs::path corpus_folder() { return base::data_directory("corpus"); }

std::vector<std::string> lines_of(const fs::path& path) {
  base::Result<std::string> text = base::read_file(path.string());
  EXPECT_TRUE(text.ok()) << base::render(text.errors());
  std::vector<std::string> lines;
  std::istringstream stream(text ? *text : std::string());
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Entry> load_corpus() {
  std::vector<Entry> entries;
  base::Result<std::vector<std::string>> files = base::files_under(corpus_folder().string(), ".litmus");
  EXPECT_TRUE(files.ok()) << base::render(files.errors());
  if (!files) return entries;
  for (const std::string& file : *files) {
    base::Result<std::string> text = base::read_file(file);
    base::Result<std::vector<LitmusTest>> tests = read_test_file(file);
    EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
    if (!text || !tests) continue;
    EXPECT_EQ(tests->size(), 1u) << file;
    const fs::path path(file);
    entries.push_back(
        {path.parent_path().filename().string(), path.stem().string(), std::move(*text), std::move(tests->front())});
  }
  return entries;
}

const std::vector<Entry>& corpus() {
  static const std::vector<Entry> entries = load_corpus();
  return entries;
}

TEST(Corpus, IndexesNameEveryFileOnce) {
  std::set<std::string> folders;
  std::map<std::string, std::set<std::string>> files;
  for (const Entry& entry : corpus()) files[entry.folder].insert(entry.stem + ".litmus");
  for (const std::string& line : lines_of(corpus_folder() / "@all")) {
    const fs::path index(line);
    EXPECT_EQ(index.filename(), "@all");
    EXPECT_TRUE(folders.insert(index.parent_path().string()).second) << line;
  }
  for (const auto& [folder, names] : files) {
    EXPECT_TRUE(folders.contains(folder)) << folder << " is not in corpus/@all";
    const std::vector<std::string> listed = lines_of(corpus_folder() / folder / "@all");
    EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), names) << folder;
    EXPECT_EQ(listed.size(), names.size()) << folder << " lists a file twice";
  }
  EXPECT_EQ(folders.size(), files.size());
}

TEST(Corpus, IndexReadsEveryTest) {
  base::Result<std::vector<LitmusTest>> tests = read_test_file((corpus_folder() / "@all").string());
  ASSERT_TRUE(tests.ok()) << base::render(tests.errors());
  EXPECT_EQ(tests->size(), corpus().size());
  EXPECT_GE(tests->size(), 160u);
}

TEST(Corpus, FilesAreNamedAfterTheirTests) {
  for (const Entry& entry : corpus()) EXPECT_EQ(entry.stem, entry.test.name);
}

TEST(Corpus, NoTestIsTwiceInAFolder) {
  std::map<std::pair<std::string, base::Hash128>, std::string> seen;
  for (const Entry& entry : corpus()) {
    if (entry.folder == "mutants") continue;  // mutants of different tests may be the same
    auto [other, fresh] = seen.emplace(std::pair(entry.folder, hash_of(entry.test)), entry.stem);
    EXPECT_TRUE(fresh) << entry.folder << ": " << entry.stem << " is the same test as " << other->second;
  }
}

TEST(Corpus, EveryTestSaysWhatItsOutcomeMeans) {
  for (const Entry& entry : corpus()) {
    const std::string& description = entry.test.description;
    ASSERT_FALSE(description.empty()) << entry.stem;
    EXPECT_EQ(description.find('\n'), std::string::npos) << entry.stem;
    EXPECT_EQ(description.back(), '.') << entry.stem;
  }
}

TEST(Corpus, FilesAreInTheCanonicalForm) {
  for (const Entry& entry : corpus()) EXPECT_EQ(*print(entry.test, Dialect::canonical), entry.text);
}

TEST(Corpus, ExpectationsNameKnownModels) {
  const std::set<std::string> models = {
      "sc",      "sc-per-loc", "rel-acq",         "tso",   "rmo",         "ptx-2015", "ptx",    "ptx-strong",
      "vulkan",  "opencl",     "opencl-repaired", "c11",   "c11-2011",    "cpp20",    "webgpu", "amdgpu",
      "aarch64", "ptx-tso",    "ptx-aarch64",     "riscv", "linux-kernel"};
  for (const Entry& entry : corpus()) {
    EXPECT_TRUE(entry.test.expectations.contains("sc")) << entry.stem;
    for (const auto& [model, expectation] : entry.test.expectations) {
      EXPECT_TRUE(models.contains(model)) << entry.stem << ": " << model;
    }
  }
}

// A test of a weak behaviour asks for an outcome that sequential consistency does not have.
TEST(Corpus, SequentialConsistencyForbidsTheOutcomes) {
  for (const Entry& entry : corpus()) {
    if (entry.folder == "scoped") continue;   // a barrier may be placed where it orders nothing
    if (entry.folder == "mutants") continue;  // some are forbidden by no model
    if (entry.folder == "async") continue;    // a copy that nobody waits for may come late
    if (entry.folder == "tensor") continue;   // nor any operation on tensor memory
    EXPECT_EQ(entry.test.expectations.at("sc"), Expectation::forbidden) << entry.folder << "/" << entry.stem;
  }
}

TEST(Corpus, ConformanceTestsAreTheTwenty) {
  const std::set<std::string> names = {
      "CoRR",  "CoRR-rmw", "CoRW", "CoRW-rmw", "CoWR",      "CoWR-rmw",  "CoWW",     "CoWW-rmw", "MP-CO",  "LB-CO",
      "SB-CO", "S-CO",     "R-CO", "2+2W-CO",  "MP-relacq", "LB-relacq", "S-relacq", "R-rmw",    "SB-rmw", "2+2W-rmw"};
  std::set<std::string> found;
  for (const Entry& entry : corpus()) {
    if (entry.folder != "conformance") continue;
    found.insert(entry.stem);
    const LitmusTest& test = entry.test;
    EXPECT_EQ(test.expectations.at("rel-acq"), Expectation::forbidden) << entry.stem;
    ASSERT_TRUE(test.scopes.has_value()) << entry.stem;
    EXPECT_EQ(*test.scopes, default_scope_tree(test.threads.size())) << entry.stem;
    for (const Thread& thread : test.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const Access* access = access_of(instruction);
        if (access == nullptr) continue;
        EXPECT_EQ(access->order, Order::relaxed) << entry.stem;
        EXPECT_EQ(access->scope, Scope::device) << entry.stem;
      }
    }
  }
  EXPECT_EQ(found, names);
}

TEST(Corpus, MutantsAreTheThirtyTwo) {
  std::size_t mutants = 0;
  for (const Entry& entry : corpus()) {
    if (entry.folder != "mutants") continue;
    ++mutants;
    EXPECT_EQ(entry.test.expectations.at("rel-acq"), Expectation::allowed) << entry.stem;
  }
  EXPECT_EQ(mutants, 32u);
}

// Whether the dialect can hold the test. If so, the printed text must read back as the same test.
bool is_written(const Entry& entry, Dialect dialect) {
  const std::string where = fmt::format("{}/{} as {}", entry.folder, entry.stem, to_string(dialect));
  base::Result<LitmusTest> adapted = adapt(entry.test, dialect);
  if (!adapted) return false;
  base::Result<std::string> text = print(entry.test, dialect);
  EXPECT_TRUE(text.ok()) << where;
  if (!text || text->empty()) return false;
  base::Result<std::vector<LitmusTest>> again = read_tests(base::Source(where, *text));
  EXPECT_TRUE(again.ok()) << base::render(again.errors()) << *text;
  if (!again || again->size() != 1) return false;
  EXPECT_EQ(again->front(), *adapted) << where << "\n" << *text;
  return again->front() == *adapted;
}

class CorpusDialect : public testing::TestWithParam<Dialect> {};

TEST_P(CorpusDialect, ReadsWhatItPrints) {
  std::size_t written = 0;
  for (const Entry& entry : corpus()) written += is_written(entry, GetParam()) ? 1u : 0u;
  EXPECT_GE(written, std::min(minimum_count(GetParam()), corpus().size()));
  RecordProperty("written", fmt::format("{} of {}", written, corpus().size()));
}

INSTANTIATE_TEST_SUITE_P(All, CorpusDialect, testing::ValuesIn(kDialects), [](const auto& instance) {
  std::string name(to_string(instance.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Dialects that have the words for a classic test of two threads. Dialects that are not named may also have them.
struct Holders {
  std::vector<std::string> variants;  // behind the shape's name
  std::vector<Dialect> dialects;
};

TEST(Corpus, ClassicTestsAreHeldByTheDialectsThatHaveTheWords) {
  using enum Dialect;
  const Holders table[] = {
      {{""}, {canonical, json, ptx, vulkan, opencl, c11, aarch64, x86_64}},
      {{"+ra"}, {canonical, json, ptx, opencl, c11, aarch64}},
      {{"+sc"}, {canonical, json, opencl, c11}},
      {{"+fence.sc+fence.sc", "+fence.sc+po", "+fence.acqrel+fence.acqrel"}, {canonical, json, ptx, c11}},
      {{"+rel+acq", "+rel+po", "+po+acq"}, {canonical, json, ptx, opencl, c11, aarch64}},
      {{"+fence.rel+fence.acq"}, {canonical, json, c11}},
      {{"+addrs", "+datas", "+ctrls", "+rel+addr", "+rel+data", "+rel+ctrl"}, {canonical, json, aarch64}},
  };
  std::size_t looked_at = 0;
  for (const std::string shape : {"MP", "LB", "SB", "S", "R", "2+2W"}) {
    for (const Entry& entry : corpus()) {
      if (entry.folder != "classic" || !entry.stem.starts_with(shape)) continue;
      for (const Holders& row : table) {
        const std::string variant = entry.stem.substr(shape.size());
        if (std::find(row.variants.begin(), row.variants.end(), variant) == row.variants.end()) continue;
        ++looked_at;
        for (Dialect dialect : row.dialects) {
          if (minimum_count(dialect) == 0) continue;
          base::Result<LitmusTest> adapted = adapt(entry.test, dialect);
          EXPECT_TRUE(adapted.ok()) << base::render(adapted.errors());
        }
      }
    }
  }
  EXPECT_GE(looked_at, 40u);
}

}  // namespace
}  // namespace weakspot::litmus::corpus_test
