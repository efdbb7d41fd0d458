// SPDX-License-Identifier: MIT
#include "model/picture/routes.h"
#include "base/sort.h"

#include <algorithm>
#include <tuple>

namespace weakspot::model::picture {
namespace {

class RouteFinder {
 public:
  explicit RouteFinder(const Picture& picture) : picture_(picture), side_load_(2 * picture.columns.size()) {
    routes_.corridor_tracks.resize(rows_of(picture) + 1);
    for (const PictureArrow& arrow : picture.arrows) routes_.routes.push_back(kind_and_sides(arrow));
    for (Route& route : routes_.routes) {
      if (route.kind == Route::Kind::far) choose_corridor(route);
    }
    assign_slots();
  }

  Routes take() && { return std::move(routes_); }

 private:
  Route kind_and_sides(const PictureArrow& arrow) {
    const PictureEvent& from = picture_.events[arrow.from];
    const PictureEvent& to = picture_.events[arrow.to];
    Route route;
    route.from.row = row_of(picture_, from);
    route.to.row = row_of(picture_, to);
    if (from.column == to.column) {
      const bool next = route.to.row == route.from.row + 1 && from.initial == to.initial;
      route.kind = next ? Route::Kind::straight : Route::Kind::loop;
      if (next) return route;
      route.from.right = route.to.right = loops_right(from.column);
    } else {
      const std::size_t distance = from.column < to.column ? to.column - from.column : from.column - to.column;
      route.kind = distance == 1 ? Route::Kind::near : Route::Kind::far;
      route.from.right = from.column < to.column;
      route.to.right = !route.from.right;
    }
    route.from.channel = from.column + (route.from.right ? 1 : 0);
    route.to.channel = to.column + (route.to.right ? 1 : 0);
    ++side_load_[2 * from.column + (route.from.right ? 1 : 0)];
    ++side_load_[2 * to.column + (route.to.right ? 1 : 0)];
    return route;
  }

  // Outwards in the first and last column, where there is room; else where fewer arrows are.
  bool loops_right(std::size_t column) const {
    if (column + 1 == picture_.columns.size()) return true;
    if (column == 0) return false;
    return side_load_[2 * column + 1] <= side_load_[2 * column];
  }

  // Counts the columns between the ends with a box above the corridor and one below: the arrow crosses their program
  // order.
  std::size_t crossed(const Route& route, std::size_t corridor) const {
    const auto [first, last] = std::minmax(route.from.channel, route.to.channel);
    std::size_t count = 0;
    for (const PictureEvent& event : picture_.events) {
      const bool between = first <= event.column && event.column < last && !event.initial;
      if (between && event.row > 0 && row_of(picture_, event) == corridor) ++count;
    }
    return count;
  }

  // Near to both ends, across little, and not too crowded.
  void choose_corridor(Route& route) {
    auto cost = [&](std::size_t corridor) {
      auto away = [&](std::size_t row) {
        return 2 * row + 1 > 2 * corridor ? 2 * row + 1 - 2 * corridor : 2 * corridor - 2 * row - 1;
      };
      return away(route.from.row) + away(route.to.row) + crossed(route, corridor) + corridors_[corridor].size() / 2;
    };
    route.corridor = route.from.row;
    for (std::size_t candidate : {route.from.row + 1, route.to.row, route.to.row + 1}) {
      if (cost(candidate) < cost(route.corridor)) route.corridor = candidate;
    }
    const auto span = std::minmax(route.from.channel, route.to.channel);
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>>& tracks = corridors_[route.corridor];
    auto is_free = [&](const auto& taken) {
      return std::none_of(taken.begin(), taken.end(),
                          [&](const auto& other) { return other.first <= span.second && span.first <= other.second; });
    };
    const auto found = std::find_if(tracks.begin(), tracks.end(), is_free);
    route.corridor_track = static_cast<std::size_t>(found - tracks.begin());
    if (found == tracks.end()) tracks.emplace_back();
    tracks[route.corridor_track].push_back(span);
    routes_.corridor_tracks[route.corridor] = tracks.size();
  }

  // Arrows that go up leave above those that go down.
  void assign_slots() {
    struct User {
      std::size_t aim;  // rows are odd, the corridors between them even
      std::size_t arrow;
      bool at_end;
    };
    std::map<std::pair<std::size_t, std::size_t>, std::vector<User>> users;
    for (std::size_t i = 0; i < routes_.routes.size(); ++i) {
      const Route& route = routes_.routes[i];
      if (route.kind == Route::Kind::straight) continue;
      const bool far = route.kind == Route::Kind::far;
      const std::size_t corridor = 2 * route.corridor;
      users[{route.from.channel, route.from.row}].push_back({far ? corridor : 2 * route.to.row + 1, i, false});
      if (route.is_level()) continue;
      users[{route.to.channel, route.to.row}].push_back({far ? corridor : 2 * route.from.row + 1, i, true});
    }
    for (auto& [place, list] : users) {
      base::sort(list, [](const User& a, const User& b) {
        return std::tie(a.aim, a.arrow, a.at_end) < std::tie(b.aim, b.arrow, b.at_end);
      });
      routes_.slots[place] = list.size();
      for (std::size_t slot = 0; slot < list.size(); ++slot) {
        Route& route = routes_.routes[list[slot].arrow];
        (list[slot].at_end ? route.to : route.from).slot = slot;
        if (route.is_level()) route.to.slot = slot;
      }
    }
  }

  const Picture& picture_;
  Routes routes_;
  std::vector<std::size_t> side_load_;  // by column and side: ends of arrows
  std::map<std::size_t, std::vector<std::vector<std::pair<std::size_t, std::size_t>>>> corridors_;
};

// A part of an arrow that runs up or down in a channel.
struct Run {
  Route::End* end;  // the end whose track it is
  int low, high;
  struct Side {
    int height;
    bool left;  // goes on to the left
  };
  std::array<Side, 2> sides;
};

// Counts how often the sideways parts of one run cross the other, with the runs on these tracks.
int crossings(const Run& a, std::size_t track_a, const Run& b, std::size_t track_b) {
  int count = 0;
  for (const Run::Side& side : a.sides) {
    const bool towards = side.left ? track_b < track_a : track_b > track_a;
    if (towards && b.low < side.height && side.height < b.high) ++count;
  }
  return count;
}

int crossings(const std::vector<Run>& runs, const std::vector<std::size_t>& order) {
  int count = 0;
  for (const Run& a : runs) {
    for (const Run& b : runs) {
      if (a.end != b.end) count += crossings(a, order[a.end->track], b, order[b.end->track]);
    }
  }
  return count;
}

// Gives each run a track on which it meets no other; returns how many there are.
std::size_t place_runs(std::vector<Run>& runs, int gap) {
  base::sort(runs, [](const Run& a, const Run& b) { return std::pair(a.low, a.high) < std::pair(b.low, b.high); });
  std::vector<int> filled;  // by track: the lowest point of what is on it
  for (Run& run : runs) {
    const auto found = std::find_if(filled.begin(), filled.end(), [&](int until) { return until + gap <= run.low; });
    run.end->track = static_cast<std::size_t>(found - filled.begin());
    if (found == filled.end()) filled.push_back(0);
    filled[run.end->track] = run.high;
  }
  // Tracks change places while that saves crossings. In a crowd the reader would not notice.
  constexpr std::size_t kCrowd = 12;
  std::vector<std::size_t> order(filled.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  int best = crossings(runs, order);
  for (bool better = order.size() <= kCrowd; better && best > 0;) {
    better = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        std::swap(order[i], order[j]);
        const int count = crossings(runs, order);
        if (count < best) {
          best = count;
          better = true;
        } else {
          std::swap(order[i], order[j]);
        }
      }
    }
  }
  for (Run& run : runs) run.end->track = order[run.end->track];
  return filled.size();
}

Run make_run(Route::End& end, int here, bool here_left, int there, bool there_left) {
  return {&end, std::min(here, there), std::max(here, there), {{{here, here_left}, {there, there_left}}}};
}

}  // namespace

std::size_t row_of(const Picture& picture, const PictureEvent& event) {
  return event.initial ? event.row : picture.initial_rows + 1 + event.row;
}

std::size_t rows_of(const Picture& picture) { return picture.initial_rows + 1 + picture.rows; }

Routes find_routes(const Picture& picture) { return RouteFinder(picture).take(); }

void assign_tracks(Routes& routes, std::size_t channels, const std::vector<Heights>& heights, int gap) {
  std::vector<std::array<std::vector<Run>, 3>> runs(channels);
  for (std::size_t i = 0; i < routes.routes.size(); ++i) {
    Route& route = routes.routes[i];
    if (route.kind == Route::Kind::straight || route.is_level()) continue;
    const Heights& height = heights[i];
    const auto zone = static_cast<std::size_t>(route.zone());
    const bool from_left = route.from.right;  // the box is on the left of its channel
    if (route.kind == Route::Kind::far) {
      runs[route.from.channel][zone].push_back(
          make_run(route.from, height.from, from_left, height.corridor, !from_left));
      runs[route.to.channel][zone].push_back(make_run(route.to, height.corridor, from_left, height.to, !from_left));
    } else {
      runs[route.from.channel][zone].push_back(make_run(route.from, height.from, from_left, height.to, route.to.right));
    }
  }
  routes.channel_tracks.resize(channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    for (std::size_t zone = 0; zone < 3; ++zone) {
      routes.channel_tracks[channel][zone] = place_runs(runs[channel][zone], gap);
    }
  }
}

}  // namespace weakspot::model::picture
