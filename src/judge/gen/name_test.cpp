// SPDX-License-Identifier: MIT
#include "gen/name.h"

#include <gtest/gtest.h>

#include <set>

#include "base/file.h"
#include "gen/build.h"
#include "gen/identity.h"
#include "gen/parse_cycle.h"
#include "gen/search.h"
#include "litmus/dialect.h"

namespace weakspot::gen::name_test {
namespace {

struct Classic {
  const char* name;
  const char* cycle;
};

// Names the field uses, and the cycles it means by them.
const Classic kClassics[] = {
    {"MP", "PodWW Rfe PodRR Fre"},
    {"LB", "PodRW Rfe PodRW Rfe"},
    {"SB", "PodWR Fre PodWR Fre"},
    {"S", "PodWW Rfe PodRW Coe"},
    {"R", "PodWW Coe PodWR Fre"},
    {"2+2W", "PodWW Coe PodWW Coe"},
    {"CoRR", "Rfe PosRR Fre"},
    {"CoRW", "Rfe PosRW Coe"},
    {"CoWR", "Coe PosWR Fre"},
    {"CoWW", "Coe PosWW Coe"},
    {"WRC", "Rfe PodRW Rfe PodRR Fre"},
    {"RWC", "Rfe PodRR Fre PodWR Fre"},
    {"WWC", "Rfe PodRW Rfe PodRW Coe"},
    {"WRW+WR", "Rfe PodRW Coe PodWR Fre"},
    {"WRR+2W", "Rfe PodRR Fre PodWW Coe"},
    {"WRW+2W", "Rfe PodRW Coe PodWW Coe"},
    {"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre"},
    {"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre"},
    {"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre"},
    {"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe"},
    {"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe"},
    {"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre"},
    {"Z6.4", "PodWW Coe PodWR Fre PodWR Fre"},
    {"Z6.5", "PodWW Coe PodWW Coe PodWR Fre"},
    {"3.SB", "PodWR Fre PodWR Fre PodWR Fre"},
    {"3.LB", "PodRW Rfe PodRW Rfe PodRW Rfe"},
    {"3.2W", "PodWW Coe PodWW Coe PodWW Coe"},
    {"4.SB", "PodWR Fre PodWR Fre PodWR Fre PodWR Fre"},
    {"4.LB", "PodRW Rfe PodRW Rfe PodRW Rfe PodRW Rfe"},
    {"4.2W", "PodWW Coe PodWW Coe PodWW Coe PodWW Coe"},
    {"IRIW", "Rfe PodRR Fre Rfe PodRR Fre"},
    {"IRRWIW", "Rfe PodRR Fre Rfe PodRW Coe"},
    {"IRWIW", "Rfe PodRW Coe Rfe PodRW Coe"},
    {"MP+membar.gl+addr", "Membar.gldWW Rfe DpAddrdR Fre"},
    {"MP+membar.gls", "Membar.gldWW Rfe Membar.gldRR Fre"},
    {"MP+membar.ctas+in.wg", "Membar.ctadWW Rfe.wg Membar.ctadRR Fre.wg"},
    {"MP+dmb.sy+ctrlisb", "Dmb.sydWW Rfe DpCtrlIsbdR Fre"},
    {"MP+dmb.st+addr", "Dmb.stdWW Rfe DpAddrdR Fre"},
    {"MP+rel+acq", "PodWW Rel Rfe Acq PodRR Fre"},
    {"MP+ra", "Rel PodWW Rel Rfe Acq PodRR Acq Fre"},
    {"MP+ra.wg+in.wg", "Rel.wg PodWW Rel.wg Rfe.wg Acq.wg PodRR Acq.wg Fre.wg"},
    {"MP+sc", "Sc PodWW Sc Rfe Sc PodRR Sc Fre"},
    {"MP+po+addr", "PodWW Rfe DpAddrdR Fre"},
    {"MP+po+ctrl", "PodWW Rfe DpCtrldR Fre"},
    {"MP+fence.rel+fence.acq", "Fence.reldWW Rfe Fence.acqdRR Fre"},
    {"MP+cg", "Cg PodWW Cg Rfe Cg PodRR Cg Fre"},
    {"MP+vol", "Vol PodWW Vol Rfe Vol PodRR Vol Fre"},
    {"LB+datas", "DpDatadW Rfe DpDatadW Rfe"},
    {"LB+addrs", "DpAddrdW Rfe DpAddrdW Rfe"},
    {"LB+ctrls", "DpCtrldW Rfe DpCtrldW Rfe"},
    {"LB+data+po", "DpDatadW Rfe PodRW Rfe"},
    {"LB+addr+data", "DpAddrdW Rfe DpDatadW Rfe"},
    {"LB+acq+po", "Acq PodRW Rfe PodRW Rfe"},
    {"LB+data+fri-rfi-ctrl", "DpDatadW Rfe Fri Rfi DpCtrldW Rfe"},
    {"SB+fence.sc+po", "Fence.scdWR Fre PodWR Fre"},
    {"SB+fence.scs", "Fence.scdWR Fre Fence.scdWR Fre"},
    {"SB+mfences", "MfencedWR Fre MfencedWR Fre"},
    {"SB+mfence+rfi-po", "MfencedWR Fre Rfi PodRR Fre"},
    {"SB+rfi-pos", "Rfi PodRR Fre Rfi PodRR Fre"},
    {"SB+po+rfi-po", "PodWR Fre Rfi PodRR Fre"},
    {"S+fence.sc+data", "Fence.scdWW Rfe DpDatadW Coe"},
    {"S+rel+acq", "PodWW Rel Rfe Acq PodRW Coe"},
    {"R+po+fence.sc", "PodWW Coe Fence.scdWR Fre"},
    {"2+2W+dmb.sys", "Dmb.sydWW Coe Dmb.sydWW Coe"},
    {"WRC+po+addr", "Rfe PodRW Rfe DpAddrdR Fre"},
    {"WRC+data+addr", "Rfe DpDatadW Rfe DpAddrdR Fre"},
    {"WRC+rel+acq", "Rfe PodRW Rel Rfe Acq PodRR Fre"},
    {"RWC+po+mfence", "Rfe PodRR Fre MfencedWR Fre"},
    {"ISA2+fence.sc+data+addr", "Fence.scdWW Rfe DpDatadW Rfe DpAddrdR Fre"},
    {"ISA2+rel+acq-po-rel+acq", "PodWW Rel Rfe Acq PodRW Rel Rfe Acq PodRR Fre"},
    {"W+RWC+dmb.st+addr+dmb.sy", "Dmb.stdWW Rfe DpAddrdR Fre Dmb.sydWR Fre"},
    {"IRIW+addrs", "Rfe DpAddrdR Fre Rfe DpAddrdR Fre"},
    {"IRIW+fence.scs", "Rfe Fence.scdRR Fre Rfe Fence.scdRR Fre"},
    {"IRIW+addr+ctrlisb", "Rfe DpAddrdR Fre Rfe DpCtrlIsbdR Fre"},
    {"IRRWIW+addr+data", "Rfe DpAddrdR Fre Rfe DpDatadW Coe"},
    {"3.LB+datas", "DpDatadW Rfe DpDatadW Rfe DpDatadW Rfe"},
    {"Z6.3+fence.sc+po+addr", "Fence.scdWW Coe PodWW Rfe DpAddrdR Fre"},
};

TEST(Names, ClassicNamesMeanTheClassicCycles) {
  EXPECT_GE(std::size(kClassics), 60u);
  for (const Classic& classic : kClassics) {
    base::Result<Cycle> cycle = parse_cycle(classic.cycle);
    ASSERT_TRUE(cycle.ok()) << base::render(cycle.errors());
    EXPECT_EQ(name_of(*cycle), classic.name) << classic.cycle;
    base::Result<Cycle> named = cycle_named(classic.name);
    ASSERT_TRUE(named.ok()) << base::render(named.errors());
    EXPECT_EQ(*named, canonical(*cycle)) << classic.name;
  }
}

TEST(Names, OtherOrdersAndListsAreUnderstood) {
  const std::pair<const char*, const char*> kSame[] = {{"LB+po+data", "LB+data+po"},
                                                       {"LB+data+data", "LB+datas"},
                                                       {"SB+rfi-po+po", "SB+po+rfi-po"},
                                                       {"CoRW2", "CoRW"},
                                                       {"MP+po+po", "MP"},
                                                       {"IRIW+fence.sc+fence.sc", "IRIW+fence.scs"},
                                                       {"2+2W+dmb.sy+dmb.sy", "2+2W+dmb.sys"},
                                                       {"LB+data+fri-rfi-data", "LB+data+fri-rfi-data"},
                                                       {"WW+RR", "MP"}};
  for (const auto& [name, same] : kSame) {
    base::Result<Cycle> cycle = cycle_named(name);
    ASSERT_TRUE(cycle.ok()) << name;
    EXPECT_EQ(name_of(*cycle), same) << name;
  }
}

TEST(Names, NoNames) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"XY+po", "'XY+po' does not start with the name of a family, such as MP or WW+RR"},
      {"MP+foo", "'MP+foo' is not the name of a cycle"},
      {"MP+po+po+po", "'MP+po+po+po' is not the name of a cycle"},
      {"MP+data+po", "'MP+data+po' is not the name of a cycle"},
      {"RR+RR", "'RR+RR' is not the name of a cycle"},
      {"", "'' does not start with the name of a family, such as MP or WW+RR"},
      {"MP+in.wg.dev", "'MP+in.wg.dev' is not the name of a cycle"},
  };
  for (const auto& [name, message] : kWrong) {
    base::Result<Cycle> cycle = cycle_named(name);
    ASSERT_FALSE(cycle.ok()) << name;
    EXPECT_EQ(cycle.errors().front().message, message);
  }
}

// Every name of a wide search reads back as its cycle, so no two cycles share one.
TEST(Names, NamesOfASearchReadBack) {
  SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe", "Rfi", "Po***", "Fence.sc***", "DpAddrs*", "DpCtrlIsbd*", "Rmw"}) {
    for (const Edge& edge : expand_edge(word)) config.edges.push_back(edge);
  }
  config.size = {2, 5};
  config.internal = 3;
  config.critical = false;
  config.mixed_flavours = config.mixed_together = true;
  config.together = {litmus::Scope::device, litmus::Scope::workgroup};
  std::set<std::string> names;
  std::size_t count = search(config, [&](const Cycle& cycle) {
    const std::string name = name_of(cycle);
    EXPECT_TRUE(names.insert(name).second) << name;
    base::Result<Cycle> named = cycle_named(name);
    EXPECT_TRUE(named.ok() && *named == canonical(cycle)) << name << ": " << to_string(cycle);
    return names.size() < 20'000;
  });
  EXPECT_GT(count, 5'000u);
}

TEST(Names, NamesOfAnnotatedCyclesReadBack) {
  SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe", "Pod**", "Membar.gld**"}) {
    for (const Edge& edge : expand_edge(word)) config.edges.push_back(edge);
  }
  config.size = {4, 5};
  config.mixed_flavours = config.mixed_together = config.mixed_spaces = true;
  config.together = {litmus::Scope::device, litmus::Scope::workgroup};
  config.spaces = {litmus::Space::global, litmus::Space::shared};
  Flavour order, wide;
  ASSERT_TRUE(add_annotation("acq", order.read) && add_annotation("rel", order.write));
  ASSERT_TRUE(add_annotation("atom.rlx.sys", wide.read) && add_annotation("vol.cg", wide.write));
  config.flavours = {Flavour{}, order, wide};
  std::set<std::string> names;
  search(config, [&](const Cycle& cycle) {
    const std::string name = name_of(cycle);
    EXPECT_TRUE(names.insert(name).second) << name;
    base::Result<Cycle> named = cycle_named(name);
    EXPECT_TRUE(named.ok() && *named == canonical(cycle)) << name << ": " << to_string(cycle);
    return names.size() < 20'000 && !::testing::Test::HasFailure();
  });
  EXPECT_EQ(names.size(), 20'000u);
}

// Tests of the corpus with the name of a cycle are the tests of that cycle.
TEST(Names, TheCorpusAgrees) {
  const std::string index = (base::data_directory("corpus") / "classic" / "@all").string();
  base::Result<std::vector<litmus::LitmusTest>> corpus = litmus::read_test_file(index);
  ASSERT_TRUE(corpus.ok()) << base::render(corpus.errors());
  std::size_t compared = 0;
  for (const litmus::LitmusTest& test : *corpus) {
    base::Result<Cycle> cycle = cycle_named(test.name);
    if (!cycle) continue;
    TestOptions options;
    options.place_threads = test.scopes.has_value();
    EXPECT_EQ(canonical_hash(*to_test(*cycle, options)), canonical_hash(test)) << test.name;
    ++compared;
  }
  EXPECT_GE(compared, 200u);
}

}  // namespace
}  // namespace weakspot::gen::name_test
