// SPDX-License-Identifier: MIT
// The way of each arrow, in slots and tracks; layout.h defines these. Places come later: slots and corridors are
// assigned first, then heights follow, then the tracks of channels, whose arrows must not meet at these heights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/picture.h"

namespace weakspot::model::picture {

// The zones of a channel that have tracks: beside the column on the left, in the middle, beside the one on the right.
// Arrows within a column stay beside it, inside its scopes.
enum class Zone : std::uint8_t { left, middle, right };

struct Route {
  // straight: to the next box of the column. loop: within a column, around what is between. near: to the next column.
  // far: through a corridor.
  enum class Kind : std::uint8_t { straight, loop, near, far };
  struct End {
    std::size_t channel = 0, row = 0, slot = 0, track = 0;
    bool right = false;  // through the right side of its box
  };
  Kind kind = Kind::straight;
  End from, to;  // a near arrow and a loop use the track of `from`
  std::size_t corridor = 0, corridor_track = 0;

  bool is_level() const { return kind == Kind::near && from.row == to.row; }  // has no track
  Zone zone() const { return kind != Kind::loop ? Zone::middle : from.right ? Zone::left : Zone::right; }
};

struct Routes {
  std::vector<Route> routes;                                         // by arrow
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> slots;  // by channel and row: how many
  std::vector<std::size_t> corridor_tracks;                          // by corridor: how many
  std::vector<std::array<std::size_t, 3>> channel_tracks;            // by channel and zone: how many
};

// Rows from the top: initial writes, the titles of scopes and threads, the events of the threads. Channel and corridor
// `i` come before column and row `i`.
std::size_t row_of(const Picture& picture, const PictureEvent& event);
std::size_t rows_of(const Picture& picture);

// Everything but the tracks of channels.
Routes find_routes(const Picture& picture);

// The heights at which a route runs sideways.
struct Heights {
  int from = 0, corridor = 0, to = 0;
};
// `gap` is the least distance of two arrows on one track.
void assign_tracks(Routes& routes, std::size_t channels, const std::vector<Heights>& heights, int gap);

}  // namespace weakspot::model::picture
