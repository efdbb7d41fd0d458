// SPDX-License-Identifier: MIT
#include "litmus/mutant_name.h"

#include <gtest/gtest.h>

namespace weakspot::litmus {
namespace {

using Places = std::vector<Place>;

TEST(MutantName, LeavesOutWhatNeedNotBeSaid) {
  const Places three = {{0, 1}, {2, 1}, {2, 3}};
  EXPECT_EQ("T-nofence", mutant_name("T", kNoFence, three, three));
  EXPECT_EQ("T-nofence.P0", mutant_name("T", kNoFence, three, {{0, 1}}));
  EXPECT_EQ("T-nofence.P2", mutant_name("T", kNoFence, three, {{2, 1}, {2, 3}}));
  EXPECT_EQ("T-nofence.P2.3", mutant_name("T", kNoFence, three, {{2, 3}}));
  EXPECT_EQ("T-nofence.P0.P2.1", mutant_name("T", kNoFence, three, {{0, 1}, {2, 1}}));
  EXPECT_EQ("T-order.rlx.P0", mutant_name("T", "order.rlx", three, {{0, 1}}));
  EXPECT_EQ(".P0.1", places_text({}, {{0, 1}}));
}

TEST(MutantName, Parses) {
  EXPECT_EQ((MutantName{"MP-relacq", kNoFence}), parse_mutant_name("MP-relacq-nofence.P0"));
  EXPECT_EQ((MutantName{"CoRR-rmw", kReversed}), parse_mutant_name("CoRR-rmw-reversed"));
  EXPECT_EQ((MutantName{"MP+rel+acq", kOrder}), parse_mutant_name("MP+rel+acq-order.rlx.P1"));
  EXPECT_EQ((MutantName{"T-nofence", kScope}), parse_mutant_name("T-nofence-scope.wg.P0.0"));
  for (const char* name : {"MP", "MP-relacq", "MP-wg-diff-wg", "ISA2+rel+acq-po-rel+acq", "-split", "T-splits", "T-"}) {
    EXPECT_EQ(std::nullopt, parse_mutant_name(name)) << name;
  }
}

TEST(MutantName, NumberedNamesOfFormerVersionsParse) {
  EXPECT_EQ((MutantName{"MP-relacq", kNoFence}), parse_mutant_name("MP-relacq-fence0"));
  EXPECT_EQ((MutantName{"CoRR", kReversed}), parse_mutant_name("CoRR-swap12"));
  EXPECT_EQ(std::nullopt, parse_mutant_name("MP-fence"));
  EXPECT_EQ(std::nullopt, parse_mutant_name("MP-fence.sc"));
}

TEST(MutantName, FormerNames) {
  EXPECT_EQ("MP-relacq-nofence.P1", present_name("MP-relacq-fence0"));
  EXPECT_EQ(std::nullopt, present_name("MP-relacq-nofence"));
  // mutate gave the same name to another program.
  EXPECT_EQ("MP-relacq-nofence.P1", present_name("MP-relacq-fence0", "ad579bc58cccc415626d22e3a6945ea6"));
  EXPECT_EQ("MP-relacq-fence0", present_name("MP-relacq-fence0", "00000000000000000000000000000000"));
  EXPECT_EQ("MP", present_name("MP", "ad579bc58cccc415626d22e3a6945ea6"));
}

}  // namespace
}  // namespace weakspot::litmus
