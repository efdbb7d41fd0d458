// SPDX-License-Identifier: MIT
// The progress of a campaign as a table of at most 80 columns.
#pragma once

#include <string>

#include "store/campaign_store.h"

namespace weakspot::cli {

std::string status_text(const store::CampaignStatus& status);

}  // namespace weakspot::cli
