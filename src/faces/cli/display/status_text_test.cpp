// SPDX-License-Identifier: MIT
#include "cli/display/status_text.h"

#include <gtest/gtest.h>

namespace weakspot::cli::status_text_test {
namespace {

TEST(StatusText, IsATableOfEightyColumns) {
  store::CampaignStatus status;
  status.campaign.campaign = {"0123456789abcdef", "nightly", ""};
  status.classes.push_back({"cuda", 12, 3, 100, 1, 12, 103, 2.5});
  status.classes.push_back({"a card with a name that is much too long", 5, 0, 0, 0, 5, 0, 0});
  EXPECT_EQ(status_text(status),
            "running campaign 0123456789abcdef  nightly\n"
            "device class               done running     left quarantined    rate   time left\n"
            "cuda                         12       3      100           1     2.5        41 s\n"
            "a card with a name ...        5       0        0           0       -           -\n");
  status.campaign.paused = true;
  EXPECT_TRUE(status_text(status).starts_with("paused campaign"));
  status.classes.erase(status.classes.begin());
  EXPECT_TRUE(status_text(status).starts_with("done campaign"));
}

TEST(StatusText, DoesNotGuessTheTimeOfRunsThatCountInstances) {
  store::CampaignStatus status;
  status.classes.push_back({"cpu", 1, 0, 9, 0, 0, 0, 0});
  EXPECT_NE(status_text(status).find("unknown"), std::string::npos);
}

}  // namespace
}  // namespace weakspot::cli::status_text_test
