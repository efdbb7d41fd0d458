// SPDX-License-Identifier: MIT
#include "analysis/test_role.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/published_names.h"

namespace weakspot::analysis {
namespace {

using enum TestKind;
using enum Mutator;

struct Case {
  const char* name;
  TestKind kind;
  std::optional<Mutator> mutator;
  const char* family;
};

TEST(TestRole, PublishedNames) {
  const Case cases[] = {
      {"RR Mutations Default", mutant, reversing_po_loc, "CoRR"},
      {"WW Mutations Single Instance RMW", mutant, reversing_po_loc, "CoWW-rmw"},
      {"CoRR Default", conformance, std::nullopt, "CoRR"},
      {"CoWR RMW", conformance, std::nullopt, "CoWR-rmw"},
      {"2+2 Write Coherency", mutant, weakening_po_loc, "2+2W-CO"},
      {"Message Passing Single Instance Coherency", mutant, weakening_po_loc, "MP-CO"},
      {"Message Passing Coherency One-Loc", conformance, std::nullopt, "MP-CO"},
      {"Message Passing Default", mutant, weakening_sw, "MP-relacq"},
      {"Message Passing Barrier Variant 1", mutant, weakening_sw, "MP-relacq"},
      {"Message Passing Single Instance Barrier 2", mutant, weakening_sw, "MP-relacq"},
      {"Message Passing Barrier Variant", conformance, std::nullopt, "MP-relacq"},
      {"Store Buffer RMW", mutant, weakening_sw, "SB-rmw"},
      {"Store Buffer RMW Barrier 2", mutant, weakening_sw, "SB-rmw"},
      {"Store Buffer RMW Barrier", conformance, std::nullopt, "SB-rmw"},
      // GPUHarbor's names.
      {"messagePassingBarrier", conformance, std::nullopt, "MP-relacq"},
      {"messagePassingBarrier1", mutant, weakening_sw, "MP-relacq"},
      {"messagePassingCoherency", conformance, std::nullopt, "MP-CO"},
      {"messagePassingCoherencyTuning", mutant, weakening_po_loc, "MP-CO"},
      {"rrRMWMutant", mutant, reversing_po_loc, "CoRR-rmw"},
      {"rr", conformance, std::nullopt, "CoRR"},
      // Not one of ours.
      {"Store Buffer Default", mutant, weakening_sw, "Store Buffer"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ((TestRole{c.kind, c.mutator, c.family}), role_of(c.name, NameStyle::published)) << c.name;
  }
}

TEST(TestRole, NamesOfTheCorpus) {
  const Case cases[] = {
      {"CoRR-reversed", mutant, reversing_po_loc, "CoRR"},
      {"CoWW-rmw-reversed.P0", mutant, reversing_po_loc, "CoWW-rmw"},
      {"CoWW-rmw", conformance, std::nullopt, "CoWW-rmw"},
      {"2+2W-CO-split", mutant, weakening_po_loc, "2+2W-CO"},
      {"2+2W-CO", conformance, std::nullopt, "2+2W-CO"},
      {"MP-relacq-nofence", mutant, weakening_sw, "MP-relacq"},
      {"SB-rmw-nofence.P0", mutant, weakening_sw, "SB-rmw"},
      {"SB-rmw-fence1", mutant, weakening_sw, "SB-rmw"},  // a former name
      {"MP+rel+acq-order.rlx.P0", mutant, weakening_order, "MP+rel+acq"},
      {"MP-scope.wg.P0.1", mutant, narrowing_scope, "MP"},
      {"SB-rmw", conformance, std::nullopt, "SB-rmw"},
      {"MP-relacq", conformance, std::nullopt, "MP-relacq"},
      {"MP", other, std::nullopt, "MP"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ((TestRole{c.kind, c.mutator, c.family}), role_of(c.name, NameStyle::corpus)) << c.name;
  }
}

TEST(PublishedNames, LeadToOurs) {
  EXPECT_EQ(52, published_names().size());
  std::set<std::string_view> ours;
  for (const PublishedName& row : published_names()) {
    EXPECT_TRUE(ours.insert(row.ours).second) << row.ours;
    EXPECT_EQ(row.ours, our_name(row.study)) << row.study;
    EXPECT_EQ(row.ours, our_name(row.web)) << row.web;
  }
  // "Barrier 1" has the fence of P1, "Barrier 2" that of P0.
  EXPECT_EQ("MP-relacq-nofence.P0", our_name("Message Passing Barrier Variant 1"));
  EXPECT_EQ("MP-relacq-nofence.P1", our_name("Message Passing Single Instance Barrier 2"));
  EXPECT_EQ("CoRR-reversed", our_name("RR Mutations Single Instance"));
  EXPECT_EQ(std::nullopt, our_name("Store Buffer Default"));
}

TEST(TestRole, SingleInstances) {
  EXPECT_TRUE(is_single_instance("RR Mutations Single Instance RMW", NameStyle::published));
  EXPECT_FALSE(is_single_instance("RR Mutations RMW", NameStyle::published));
}

}  // namespace
}  // namespace weakspot::analysis
