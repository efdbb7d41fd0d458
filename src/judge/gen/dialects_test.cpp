// SPDX-License-Identifier: MIT
// What is generated for a dialect can be written in it and reads back the same.
#include <gtest/gtest.h>

#include "gen/search.h"
#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "support/read_one.h"

namespace weakspot::gen::dialects_test {
namespace {

using litmus::Arch;
using litmus::Dialect;

struct Vocabulary {
  Arch arch;
  Dialect dialect;
  std::vector<const char*> edges;
  std::vector<std::pair<const char*, const char*>> flavours;  // a read's and a write's
  std::vector<litmus::Scope> together;
  std::vector<litmus::Space> spaces;
};

const Vocabulary kVocabularies[] = {
    {Arch::generic,
     Dialect::canonical,
     {"Po***", "Fence.sc.wgd**", "DpAddrd*", "DpCtrlIsbd*", "DpDatas*", "Rmw", "Rfi", "Bard**"},
     {{"-", "-"}, {"acq.wg", "rel.wg"}, {"atom", "atom.sc"}},
     {litmus::Scope::device, litmus::Scope::workgroup},
     {litmus::Space::none, litmus::Space::shared}},
    {Arch::ptx2015,
     Dialect::ptx2015,
     {"Po***", "Membar.ctad**", "Membar.syss**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Fri"},
     {{"-", "-"}, {"cg", "cg"}, {"vol", "vol"}, {"ca", "wb"}, {"atom", "atom"}},
     {litmus::Scope::device, litmus::Scope::workgroup, litmus::Scope::subgroup},
     {litmus::Space::global, litmus::Space::shared}},
    {Arch::ptx,
     Dialect::ptx,
     {"Pod**", "Fenced**", "Fence.acqrel.wgd**", "Fence.sc.sysd**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Rmw",
      "Bard**"},
     {{"-", "-"}, {"na", "na"}, {"acq.cta", "rel.cta"}, {"atom.acq", "atom.acqrel.sys"}, {"vol", "vol"}, {"cg", "cg"}},
     {litmus::Scope::device, litmus::Scope::workgroup, litmus::Scope::system},
     {litmus::Space::none}},
    {Arch::vulkan,
     Dialect::vulkan,
     {"Pod**", "Fenced**", "Fence.acqrel.wgd**", "Fence.rel.sgd**", "DpDatadW", "DpCtrld*", "Rmw", "Bard**"},
     {{"-", "-"}, {"na", "na"}, {"acq.wg", "rel.wg"}, {"atom.acq", "atom.rel"}},
     {litmus::Scope::device, litmus::Scope::workgroup, litmus::Scope::subgroup},
     {litmus::Space::none, litmus::Space::shared}},
    {Arch::opencl,
     Dialect::opencl,
     {"Pod**", "Fenced**", "Fence.acqrel.wgd**", "Fence.sc.sysd**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Rmw",
      "Bard**"},
     {{"-", "-"}, {"na", "na"}, {"acq.wg", "rel.wg"}, {"sc", "sc"}, {"atom.acq", "atom.acqrel.sys"}},
     {litmus::Scope::device, litmus::Scope::workgroup},
     {litmus::Space::global, litmus::Space::shared}},
    {Arch::c11,
     Dialect::c11,
     {"Po***", "Fenced**", "Fence.acqreld**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Rmw", "Coi"},
     {{"-", "-"}, {"na", "na"}, {"acq", "rel"}, {"sc", "sc"}, {"atom.acq", "atom.acqrel"}},
     {litmus::Scope::device},
     {litmus::Space::none}},
    {Arch::aarch64,
     Dialect::aarch64,
     {"Po***", "Fenced**", "Dmb.ldd**", "Dsb.std**", "DpAddrd*", "DpDatadW", "DpCtrld*", "DpCtrlIsbd*", "Rmw", "Rfi"},
     {{"-", "-"}, {"acq", "rel"}, {"acqpc", "rel"}, {"atom.acq", "atom.acqrel"}},
     {litmus::Scope::device},
     {litmus::Space::none}},
    {Arch::x86_64,
     Dialect::x86_64,
     {"Po***", "Fenced**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Rmw", "Rfi"},
     {{"-", "-"}, {"-", "atom"}, {"atom", "-"}},
     {litmus::Scope::device},
     {litmus::Space::none}},
};

class Dialects : public ::testing::TestWithParam<Vocabulary> {};

TEST_P(Dialects, GeneratedTestsPrintAndReadBack) {
  const Vocabulary& vocabulary = GetParam();
  SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe"}) config.edges.push_back(*parse_edge(word));
  for (const char* word : vocabulary.edges) {
    const std::vector<Edge> edges = expand_edge(word);
    EXPECT_FALSE(edges.empty()) << word;
    config.edges.insert(config.edges.end(), edges.begin(), edges.end());
  }
  config.flavours.clear();
  for (const auto& [read, write] : vocabulary.flavours) {
    Flavour& flavour = config.flavours.emplace_back();
    EXPECT_TRUE(read == std::string("-") || add_annotation(read, flavour.read)) << read;
    EXPECT_TRUE(write == std::string("-") || add_annotation(write, flavour.write)) << write;
  }
  config.together = vocabulary.together;
  config.spaces = vocabulary.spaces;
  config.size = {3, 6};
  config.internal = 2;
  config.test.arch = vocabulary.arch;
  std::size_t count = 0, refused = 0, cycles = 0;
  search(config, [&](const Cycle& cycle) {
    // A sample: every dialect, within a second.
    if (++cycles % 7 != 0 && cycles > 2'000) return true;
    base::Result<litmus::LitmusTest> test = to_test(cycle, config.test);
    if (!test) {
      if (refused++ == 0) ADD_FAILURE() << to_string(cycle) << "\n" << base::render(test.errors());
      return true;
    }
    ++count;
    EXPECT_EQ(test->arch, vocabulary.arch);
    EXPECT_TRUE(litmus::validate(*test).empty()) << to_string(cycle);
    litmus::LitmusTest normal = *test;
    litmus::normalize(normal);
    EXPECT_EQ(normal, *test) << to_string(cycle);
    base::Result<std::string> text = litmus::print(*test, vocabulary.dialect);
    EXPECT_TRUE(text.ok()) << to_string(cycle) << "\n" << base::render(text.errors());
    if (!text) return false;
    EXPECT_EQ(tests::read_one(*text), *test) << *text;
    return !HasFailure() && count < 4'000;
  });
  EXPECT_EQ(refused, 0u) << "of " << count;
  EXPECT_GT(count, 500u);
}

INSTANTIATE_TEST_SUITE_P(All, Dialects, ::testing::ValuesIn(kVocabularies), [](const auto& vocabulary) {
  std::string name(litmus::to_string(vocabulary.param.arch));
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace weakspot::gen::dialects_test
