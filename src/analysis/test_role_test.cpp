// SPDX-License-Identifier: MIT
#include "analysis/test_role.h"

#include <gtest/gtest.h>

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
      {"RR Mutations Default", mutant, reversing_po_loc, "RR Mutations Default"},
      {"WW Mutations Single Instance RMW", mutant, reversing_po_loc, "WW Mutations RMW"},
      {"CoRR Default", conformance, std::nullopt, "RR Mutations Default"},
      {"CoWR RMW", conformance, std::nullopt, "WR Mutations RMW"},
      {"2+2 Write Coherency", mutant, weakening_po_loc, "2+2 Write Coherency"},
      {"Message Passing Single Instance Coherency", mutant, weakening_po_loc, "Message Passing Coherency"},
      {"Message Passing Coherency One-Loc", conformance, std::nullopt, "Message Passing Coherency"},
      {"Message Passing Default", mutant, weakening_sw, "Message Passing"},
      {"Message Passing Barrier Variant 1", mutant, weakening_sw, "Message Passing"},
      {"Message Passing Single Instance Barrier 2", mutant, weakening_sw, "Message Passing"},
      {"Message Passing Barrier Variant", conformance, std::nullopt, "Message Passing"},
      {"Store Buffer RMW", mutant, weakening_sw, "Store Buffer RMW"},
      {"Store Buffer RMW Barrier 2", mutant, weakening_sw, "Store Buffer RMW"},
      {"Store Buffer RMW Barrier", conformance, std::nullopt, "Store Buffer RMW"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ((TestRole{c.kind, c.mutator, c.family}), role_of(c.name, NameStyle::published)) << c.name;
  }
}

TEST(TestRole, NamesOfTheCorpus) {
  const Case cases[] = {
      {"CoRR-reversed", mutant, reversing_po_loc, "CoRR"},
      {"CoWW-rmw-reversed", mutant, reversing_po_loc, "CoWW-rmw"},
      {"CoWW-rmw", conformance, std::nullopt, "CoWW-rmw"},
      {"2+2W-CO-split", mutant, weakening_po_loc, "2+2W-CO"},
      {"2+2W-CO", conformance, std::nullopt, "2+2W-CO"},
      {"MP-relacq-nofence", mutant, weakening_sw, "MP-relacq"},
      {"SB-rmw-fence1", mutant, weakening_sw, "SB-rmw"},
      {"SB-rmw", conformance, std::nullopt, "SB-rmw"},
      {"MP-relacq", conformance, std::nullopt, "MP-relacq"},
      {"MP", other, std::nullopt, "MP"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ((TestRole{c.kind, c.mutator, c.family}), role_of(c.name, NameStyle::corpus)) << c.name;
  }
}

TEST(TestRole, SingleInstances) {
  EXPECT_TRUE(is_single_instance("RR Mutations Single Instance RMW", NameStyle::published));
  EXPECT_FALSE(is_single_instance("RR Mutations RMW", NameStyle::published));
}

}  // namespace
}  // namespace weakspot::analysis
