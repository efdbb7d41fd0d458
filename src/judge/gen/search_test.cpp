// SPDX-License-Identifier: MIT
#include "gen/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/source.h"
#include "gen/config.h"
#include "gen/identity.h"
#include "gen/name.h"
#include "gen/shape/check_cycle.h"

namespace weakspot::gen::search_test {
namespace {

std::vector<Edge> edges(std::initializer_list<const char*> words) {
  std::vector<Edge> list;
  for (const char* word : words) {
    for (const Edge& edge : expand_edge(word)) list.push_back(edge);
  }
  return list;
}

std::set<std::string> names_of(const SearchConfig& config) {
  std::set<std::string> names;
  search(config, [&](const Cycle& cycle) {
    EXPECT_TRUE(names.insert(name_of(cycle)).second) << to_string(cycle);
    return true;
  });
  return names;
}

// The 23 critical cycles of two and three threads, and those of four threads with three program-order edges or fewer.
TEST(Search, TheCriticalCyclesAreTheKnownFamilies) {
  SearchConfig config;
  config.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  config.size = {2, 6};
  config.threads = {2, 3};
  EXPECT_EQ(names_of(config),
            (std::set<std::string>{"2+2W", "3.2W", "3.LB", "3.SB",  "ISA2", "LB",     "MP",     "R",
                                   "RWC",  "S",    "SB",   "W+RWC", "WRC",  "WRR+2W", "WRW+2W", "WRW+WR",
                                   "WWC",  "Z6.0", "Z6.1", "Z6.2",  "Z6.3", "Z6.4",   "Z6.5"}));
  config.threads = {4, 4};
  EXPECT_EQ(names_of(config), (std::set<std::string>{"IRIW", "IRRWIW", "IRWIW"}));
}

// The obvious way: every sequence of edges, kept if it is a cycle no rotation of which was met before.
std::set<std::string> slow_names(const SearchConfig& config) {
  std::set<std::string> names;
  std::vector<std::size_t> word;
  for (std::size_t size = config.size.least; size <= config.size.most; ++size) {
    word.assign(size, 0);
    while (true) {
      Cycle cycle;
      for (std::size_t letter : word) cycle.steps.push_back({{}, config.edges[letter]});
      if (check(cycle).empty()) names.insert(name_of(cycle));
      std::size_t at = 0;
      while (at < size && ++word[at] == config.edges.size()) word[at++] = 0;
      if (at == size) break;
    }
  }
  return names;
}

TEST(Search, FindsWhatTryingEverythingFinds) {
  SearchConfig config;
  config.edges = edges({"Rfe", "Fre", "Coe", "Rfi", "PodRW", "PodWW", "PosRR", "DpAddrdR"});
  config.size = {2, 5};
  config.threads = {2, 5};
  config.internal = 5;
  config.critical = false;
  EXPECT_EQ(names_of(config), slow_names(config));
}

TEST(Search, StopsWhenTold) {
  SearchConfig config;
  config.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  config.size = {2, 8};
  std::size_t calls = 0;
  EXPECT_EQ(search(config, [&](const Cycle&) { return ++calls < 5; }), 5u);
  EXPECT_EQ(calls, 5u);
}

TEST(Config, ReadsEveryKey) {
  const base::Source source(
      "c",
      "# all of them\ndialect = ptx-2015\nedges = Rfe Pod**  # two\nedges = Rfe Fre\nsize = 3..6\n"
      "threads = 4\ninternal = 2\ncritical = no\nobservers = yes\nscopes = wg dev\n"
      "annotations = - cg acq/rel\nspaces = none shared\nmixed-scopes = yes\n"
      "mixed-annotations = yes\nmixed-spaces = yes\n");
  base::Result<SearchConfig> config = parse_config(source);
  ASSERT_TRUE(config.ok()) << base::render(config.errors());
  EXPECT_EQ(config->test.arch, litmus::Arch::ptx2015);
  EXPECT_EQ(config->edges.size(), 6u);
  EXPECT_EQ(config->size, (Range{3, 6}));
  EXPECT_EQ(config->threads, (Range{2, 4}));
  EXPECT_EQ(config->internal, 2u);
  EXPECT_FALSE(config->critical);
  EXPECT_TRUE(config->test.layout.prefer_observers);
  EXPECT_EQ(config->together.size(), 2u);
  EXPECT_EQ(config->flavours.size(), 3u);
  EXPECT_EQ(config->flavours[2].write.order, litmus::Order::release);
  EXPECT_TRUE(config->mixed_together && config->mixed_flavours && config->mixed_spaces);
  base::Result<SearchConfig> again = parse_config(base::Source("again", to_string(*config)));
  ASSERT_TRUE(again.ok()) << base::render(again.errors());
  EXPECT_EQ(*again, *config);
}

TEST(Config, ReportsAllMistakesAtOnce) {
  base::Result<SearchConfig> config = parse_config(
      base::Source("c",
                   "edges = Rfe Podd\nsize = 6..3\nfoo = 1\ncritical = maybe\nscopes = qf\njust words\nspaces =\n"
                   "size = 4\ndialect = arm\nannotations = acq/xyz\n"));
  ASSERT_FALSE(config.ok());
  std::vector<std::string> messages;
  for (const base::Diagnostic& error : config.errors()) messages.push_back(error.message);
  const std::vector<std::string> expected = {
      "'Podd' is not an edge; expected edges such as Rfe, Pod**, Membar.gld** or DpAddrd*",
      "expected a number up to 64 or a range such as 3..6",
      "unknown key 'foo'; expected dialect, edges, size, threads, internal, critical, observers, scopes, annotations, "
      "spaces, mixed-scopes, mixed-annotations or mixed-spaces",
      "expected yes or no",
      "unknown 'qf'; expected sg, wg, cluster, dev or sys",
      "expected 'key = value'",
      "key 'spaces' has no value",
      "key 'size' is given twice",
      "unknown dialect 'arm'; expected generic, ptx-2015, ptx, vulkan, opencl, c, aarch64 or x86-64",
      "unknown 'acq/xyz'; expected annotations such as -, cg or acq/rel"};
  EXPECT_EQ(messages, expected);
}

TEST(Config, SlipsAreUnderstood) {
  base::Result<SearchConfig> config =
      parse_config(base::Source("c", "edges = Rfe Fre Pod**\nscopes = clustr\nspaces = globl\n"));
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.errors()[0].message,
            "unknown 'clustr'; expected sg, wg, cluster, dev or sys; did you mean 'cluster'?");
  EXPECT_EQ(config.errors()[1].message, "unknown 'globl'; expected none, global or shared; did you mean 'global'?");
}

TEST(Config, NoEdges) {
  base::Result<SearchConfig> config = parse_config(base::Source("c", "size = 4\n"));
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(base::render(config.errors()),
            "c: error: the configuration has no edges; expected a line 'edges = Rfe Fre Pod**'\n");
}

// The size of the campaign of 2015 (10,930 tests), without duplicates.
TEST(Config, ThePtx2015Campaign) {
  const std::string path = (base::data_directory("configs") / "ptx-2015-campaign.conf").string();
  base::Result<std::string> text = base::read_file(path);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  base::Result<SearchConfig> config = parse_config(base::Source(path, *text));
  ASSERT_TRUE(config.ok()) << base::render(config.errors());
  std::set<std::string> names;
  const Generated generated = generate(*config, [&](const litmus::LitmusTest& test) {
    EXPECT_EQ(test.arch, litmus::Arch::ptx2015);
    EXPECT_TRUE(names.insert(test.name).second) << test.name;
    return true;
  });
  EXPECT_GE(generated.tests, 11'000u);
  EXPECT_EQ(generated.refused, 0u);
  EXPECT_EQ(generated.duplicates, 0u);
}

}  // namespace
}  // namespace weakspot::gen::search_test
