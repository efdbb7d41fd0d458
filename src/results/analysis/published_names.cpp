// SPDX-License-Identifier: MIT
#include "analysis/published_names.h"

#include <string>

namespace weakspot::analysis {
namespace {

constexpr PublishedName kPublishedNames[] = {
    {"CoRR", "CoRR Default", "rr"},
    {"CoRR-rmw", "CoRR RMW", "rrRMW"},
    {"CoRW", "CoRW Default", "rw"},
    {"CoRW-rmw", "CoRW RMW", "rwRMW"},
    {"CoWR", "CoWR Default", "wr"},
    {"CoWR-rmw", "CoWR RMW", "wrRMW"},
    {"CoWW", "CoWW Default", "ww"},
    {"CoWW-rmw", "CoWW RMW", "wwRMW"},
    {"MP-CO", "Message Passing Coherency One-Loc", "messagePassingCoherency"},
    {"LB-CO", "Load Buffer Coherency One-Loc", "loadBufferCoherency"},
    {"SB-CO", "Store Buffer Coherency One-Loc", "storeBufferCoherency"},
    {"S-CO", "Store Coherency One-Loc", "storeCoherency"},
    {"R-CO", "Read Coherency One-Loc", "readCoherency"},
    {"2+2W-CO", "2+2 Write Coherency One-Loc", "twoPlusTwoWriteCoherency"},
    {"MP-relacq", "Message Passing Barrier Variant", "messagePassingBarrier"},
    {"LB-relacq", "Load Buffer Barrier Variant", "loadBufferBarrier"},
    {"S-relacq", "Store Barrier Variant", "storeBarrier"},
    {"R-rmw", "Read RMW Barrier", "readRMWBarrier"},
    {"SB-rmw", "Store Buffer RMW Barrier", "storeBufferRMWBarrier"},
    {"2+2W-rmw", "2+2 Write RMW Barrier", "twoPlusTwoWriteRMWBarrier"},
    {"CoRR-reversed", "RR Mutations Default", "rrMutant"},
    {"CoRR-rmw-reversed", "RR Mutations RMW", "rrRMWMutant"},
    {"CoRW-reversed", "RW Mutations Default", "rwMutant"},
    {"CoRW-rmw-reversed", "RW Mutations RMW", "rwRMWMutant"},
    {"CoWR-reversed", "WR Mutations Default", "wrMutant"},
    {"CoWR-rmw-reversed", "WR Mutations RMW", "wrRMWMutant"},
    {"CoWW-reversed.P0", "WW Mutations Default", "wwMutant"},
    {"CoWW-rmw-reversed.P0", "WW Mutations RMW", "wwRMWMutant"},
    {"MP-CO-split", "Message Passing Coherency", "messagePassingCoherencyTuning"},
    {"LB-CO-split", "Load Buffer Coherency", "loadBufferCoherencyTuning"},
    {"SB-CO-split", "Store Buffer Coherency", "storeBufferCoherencyTuning"},
    {"S-CO-split", "Store Coherency", "storeCoherencyTuning"},
    {"R-CO-split", "Read Coherency", "readCoherencyTuning"},
    {"2+2W-CO-split", "2+2 Write Coherency", "twoPlusTwoWriteCoherencyTuning"},
    {"MP-relacq-nofence", "Message Passing Default", "messagePassing"},
    {"MP-relacq-nofence.P0", "Message Passing Barrier Variant 1", "messagePassingBarrier1"},
    {"MP-relacq-nofence.P1", "Message Passing Barrier Variant 2", "messagePassingBarrier2"},
    {"LB-relacq-nofence", "Load Buffer Default", "loadBuffer"},
    {"LB-relacq-nofence.P0", "Load Buffer Barrier Variant 1", "loadBufferBarrier1"},
    {"LB-relacq-nofence.P1", "Load Buffer Barrier Variant 2", "loadBufferBarrier2"},
    {"S-relacq-nofence", "Store Default", "store"},
    {"S-relacq-nofence.P0", "Store Barrier Variant 1", "storeBarrier1"},
    {"S-relacq-nofence.P1", "Store Barrier Variant 2", "storeBarrier2"},
    {"R-rmw-nofence", "Read RMW", "readRMW"},
    {"R-rmw-nofence.P0", "Read RMW Barrier 1", "readRMWBarrier1"},
    {"R-rmw-nofence.P1", "Read RMW Barrier 2", "readRMWBarrier2"},
    {"SB-rmw-nofence", "Store Buffer RMW", "storeBufferRMW"},
    {"SB-rmw-nofence.P0", "Store Buffer RMW Barrier 1", "storeBufferRMWBarrier1"},
    {"SB-rmw-nofence.P1", "Store Buffer RMW Barrier 2", "storeBufferRMWBarrier2"},
    {"2+2W-rmw-nofence", "2+2 Write RMW", "twoPlusTwoWriteRMW"},
    {"2+2W-rmw-nofence.P0", "2+2 Write RMW Barrier 1", "twoPlusTwoWriteRMWBarrier1"},
    {"2+2W-rmw-nofence.P1", "2+2 Write RMW Barrier 2", "twoPlusTwoWriteRMWBarrier2"},
};

// Without words that do not tell tests of one study apart: "Single Instance", "Default" and "Variant".
std::string bare(std::string_view name) {
  std::string text(name);
  for (const std::string_view word : {" Single Instance", " Default", " Variant"}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos) text.erase(at, word.size());
  }
  return text;
}

}  // namespace

std::span<const PublishedName> published_names() { return kPublishedNames; }

std::optional<std::string_view> our_name(std::string_view published) {
  const std::string text = bare(published);
  for (const PublishedName& row : kPublishedNames) {
    if (row.web == published || bare(row.study) == text) return row.ours;
  }
  return std::nullopt;
}

}  // namespace weakspot::analysis
