// SPDX-License-Identifier: MIT
#include "model/picture/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/sort.h"
#include "model/picture/routes.h"
#include "model/picture/words.h"

namespace weakspot::model::picture {

// Wide enough for the monospaced fonts in use: none is wider than 0.62 of its height.
const Metrics kPixels = {.title = {10, 22},
                         .head = {8, 17},
                         .body = {7, 14},
                         .label = {7, 14},
                         .margin = 14,
                         .pad_x = 8,
                         .pad_y = 6,
                         .slot = 16,
                         .track = 12,
                         .corridor_track = 10,
                         .corridor_top = 8,
                         .corridor_bottom = 18,
                         .arrow = 13,
                         .label_tail = 5,
                         .scope_pad = 12,
                         .scope_bottom = 8,
                         .scope_line = 4,
                         .column_gap = 28,
                         .outside = 0};
const Metrics kCells = {};

namespace {

int to_int(std::size_t number) { return static_cast<int>(number); }

class LayoutMaker {
 public:
  LayoutMaker(const Picture& picture, const Metrics& metrics, const Detail& detail, int least_width)
      : picture_(picture), m_(metrics), detail_(detail), least_width_(least_width), routes_(find_routes(picture)) {
    layout_.metrics = &metrics;
    write_boxes();
    choose_lanes();
    place_rows();
    find_heights();
    assign_tracks(routes_, picture.columns.size() + 1, heights_, m_.slot);
    place_columns();
    place_boxes();
    place_lines();
    place_titles();
  }

  Layout take() && { return std::move(layout_); }

 private:
  static Label label(std::string text, const Metrics::Font& font) {
    const int width = width_of(text) * font.character;
    return {std::move(text), {0, 0, width, font.line}};
  }

  // The texts, not yet in their places.
  void write_boxes() {
    for (const PictureEvent& event : picture_.events) {
      Box box;
      const std::string_view between = event.initial ? "=" : ": ";
      box.lines.push_back(
          label(detail_.effects ? fmt::format("{}{}{}", event.letter, between, event.effect) : event.letter, m_.head));
      if (detail_.instructions && detail_.effects) {
        for (std::string& line : wrapped(event.instruction, detail_.wrap)) {
          box.lines.push_back(label(std::move(line), m_.body));
        }
      }
      layout_.boxes.push_back(std::move(box));
    }
    for (const std::string& title : picture_.columns) layout_.columns.push_back(label(title, m_.head));
    for (const PictureScope& scope : picture_.scopes) {
      layout_.scopes.push_back({{}, label(scope.label, m_.label)});
      depth_ = std::max(depth_, scope.depth + 1);
    }
    for (const PictureArrow& arrow : picture_.arrows) layout_.lines.push_back({{}, label(arrow.label, m_.label)});
  }

  struct Lane {
    bool used = false;
    int label = 0;  // width of the widest
  };
  Lane& lane(const Route::End& end) { return lanes_[end.channel][end.right ? 0 : 1]; }

  // A label stands at the end of its arrow where it costs less width. Wide ones choose first.
  void choose_lanes() {
    lanes_.resize(picture_.columns.size() + 1);
    label_at_end_.resize(picture_.arrows.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < routes_.routes.size(); ++i) {
      const Route& route = routes_.routes[i];
      if (route.kind == Route::Kind::straight) continue;
      lane(route.from).used = lane(route.to).used = true;
      order.push_back(i);
    }
    auto width = [&](std::size_t i) { return layout_.lines[i].label.rect.width; };
    base::sort(order, [&](std::size_t a, std::size_t b) { return std::pair(-width(a), a) < std::pair(-width(b), b); });
    for (std::size_t i : order) {
      const Route& route = routes_.routes[i];
      auto growth = [&](const Route::End& end) { return std::max(0, width(i) - lane(end).label); };
      label_at_end_[i] = growth(route.to) < growth(route.from);
      int& widest = lane(label_at_end_[i] ? route.to : route.from).label;
      widest = std::max(widest, width(i));
    }
  }

  // A lane without arrows keeps the tracks away from the boxes.
  int lane_width(std::size_t channel, std::size_t side) const {
    const Lane& lane = lanes_[channel][side];
    const auto& tracks = routes_.channel_tracks[channel];
    if (!lane.used) return tracks[0] + tracks[1] + tracks[2] > 0 ? m_.label_tail : 0;
    return m_.arrow + (lane.label > 0 ? lane.label + m_.label_tail : 0);
  }

  // Tops and heights, counted from the top of the first corridor.
  void place_rows() {
    const std::size_t rows = rows_of(picture_);
    inner_.assign(rows, 0);
    for (std::size_t i = 0; i < picture_.events.size(); ++i) {
      int text = 0;
      for (const Label& line : layout_.boxes[i].lines) text += line.rect.height;
      int& inner = inner_[row_of(picture_, picture_.events[i])];
      inner = std::max(inner, text);
    }
    for (const auto& [place, count] : routes_.slots) {
      inner_[place.second] = std::max(inner_[place.second], to_int(count) * m_.slot);
    }
    int y = 0;
    for (std::size_t row = 0; row <= rows; ++row) {
      const bool outer = row == 0 || row == rows;
      const bool beside_titles = row == picture_.initial_rows || row == picture_.initial_rows + 1;
      corridor_top_.push_back(y + (outer ? 0 : m_.corridor_top));
      y = corridor_top_.back() + to_int(routes_.corridor_tracks[row]) * m_.corridor_track;
      if (row == rows) break;
      if (!outer && !beside_titles) y += m_.corridor_bottom;
      row_top_.push_back(y);
      y += row == picture_.initial_rows ? titles_height() : inner_[row] + 2 * m_.pad_y;
    }
    bottom_ = y;
  }

  int scope_level() const { return m_.scope_line + m_.label.line; }
  int titles_height() const { return to_int(depth_) * scope_level() + m_.head.line; }

  int slot_height(const Route::End& end) const {
    const int count = to_int(routes_.slots.at({end.channel, end.row}));
    return row_top_[end.row] + m_.pad_y + (2 * to_int(end.slot) + 1) * inner_[end.row] / (2 * count);
  }

  void find_heights() {
    for (const Route& route : routes_.routes) {
      if (route.kind == Route::Kind::straight) {
        heights_.emplace_back();
        continue;
      }
      const int corridor =
          corridor_top_[route.corridor] + to_int(route.corridor_track) * m_.corridor_track + m_.corridor_track / 2;
      heights_.push_back({slot_height(route.from), corridor, slot_height(route.to)});
    }
  }

  // Channels and columns from left to right.
  void place_columns() {
    const std::size_t columns = picture_.columns.size();
    std::vector<int> widths(columns, 0);
    auto widen = [&](std::size_t column, int width) { widths[column] = std::max(widths[column], width); };
    for (std::size_t i = 0; i < picture_.events.size(); ++i) {
      for (const Label& line : layout_.boxes[i].lines) {
        widen(picture_.events[i].column, line.rect.width + 2 * m_.pad_x);
      }
    }
    for (std::size_t i = 0; i < routes_.routes.size(); ++i) {
      if (routes_.routes[i].kind != Route::Kind::straight) continue;
      const int width = layout_.lines[i].label.rect.width;
      if (width > 0)
        widen(picture_.events[picture_.arrows[i].from].column, 2 * (width + label_beside() + m_.outside) + 1);
    }
    for (std::size_t i = 0; i < columns; ++i) widen(i, layout_.columns[i].rect.width);
    for (std::size_t i = 0; i < picture_.scopes.size(); ++i) {
      widen(picture_.scopes[i].first, layout_.scopes[i].title.rect.width);
    }
    int x = m_.margin;
    for (std::size_t channel = 0; channel <= columns; ++channel) {
      x = place_channel(channel, x);
      if (channel == columns) break;
      column_x_.push_back(x);
      column_width_.push_back(widths[channel]);
      x += widths[channel];
    }
    layout_.width = x + m_.margin;
  }

  // Returns where it ends.
  int place_channel(std::size_t channel, int x) {
    const int begin = x;
    track_x_.emplace_back();
    auto tracks = [&](Zone zone) {
      track_x_[channel][static_cast<std::size_t>(zone)] = x + m_.track / 2;
      x += to_int(routes_.channel_tracks[channel][static_cast<std::size_t>(zone)]) * m_.track;
    };
    x += lane_width(channel, 0);
    tracks(Zone::left);
    for (std::size_t i = picture_.scopes.size(); i-- > 0;) {  // inner ones first
      if (picture_.scopes[i].last + 1 != channel) continue;
      x += m_.scope_pad;
      layout_.scopes[i].rect.width = x - layout_.scopes[i].rect.x;
    }
    const int middle = x;
    tracks(Zone::middle);
    const bool inner = channel > 0 && channel < picture_.columns.size();
    int needed = 0;
    for (const PictureScope& scope : picture_.scopes) needed += scope.first == channel ? m_.scope_pad : 0;
    needed += to_int(routes_.channel_tracks[channel][2]) * m_.track + lane_width(channel, 1);
    if (inner) x = std::max(x, begin + m_.column_gap - needed);
    if (inner && depth_ > 0) x = std::max(x, middle + m_.scope_pad);
    for (std::size_t i = 0; i < picture_.scopes.size(); ++i) {
      if (picture_.scopes[i].first != channel) continue;
      layout_.scopes[i].rect.x = x;
      x += m_.scope_pad;
    }
    tracks(Zone::right);
    return x + lane_width(channel, 1);
  }

  void place_boxes() {
    for (std::size_t i = 0; i < picture_.events.size(); ++i) {
      const PictureEvent& event = picture_.events[i];
      const std::size_t row = row_of(picture_, event);
      Box& box = layout_.boxes[i];
      box.rect = {column_x_[event.column], row_top_[row], column_width_[event.column], inner_[row] + 2 * m_.pad_y};
      int text = 0;
      for (const Label& line : box.lines) text += line.rect.height;
      int y = box.rect.y + (box.rect.height - text) / 2;
      for (Label& line : box.lines) {
        line.rect.x = box.rect.x + (box.rect.width - line.rect.width) / 2;
        line.rect.y = y;
        y += line.rect.height;
      }
    }
    const int top = row_top_[picture_.initial_rows];
    for (std::size_t i = 0; i < picture_.scopes.size(); ++i) {
      const PictureScope& scope = picture_.scopes[i];
      ScopeBox& box = layout_.scopes[i];
      box.rect.y = top + to_int(scope.depth) * scope_level();
      box.rect.height = bottom_ + to_int(depth_ - scope.depth) * m_.scope_bottom - box.rect.y;
      box.title.rect.x = column_x_[scope.first];
      box.title.rect.y = box.rect.y + m_.scope_line;
    }
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      Rect& rect = layout_.columns[i].rect;
      rect.x = column_x_[i] + (column_width_[i] - rect.width) / 2;
      rect.y = top + titles_height() - rect.height;
    }
    layout_.height = bottom_ + to_int(depth_) * m_.scope_bottom + m_.margin;
  }

  int label_beside() const { return m_.label.character; }

  void place_lines() {
    for (std::size_t i = 0; i < routes_.routes.size(); ++i) {
      const Route& route = routes_.routes[i];
      const Rect& from = layout_.boxes[picture_.arrows[i].from].rect;
      const Rect& to = layout_.boxes[picture_.arrows[i].to].rect;
      Line& line = layout_.lines[i];
      if (route.kind == Route::Kind::straight) {
        const int x = from.x + from.width / 2;
        line.points = {{x, from.bottom()}, {x, to.y - m_.outside}};
        line.label.rect.x = x + label_beside() + m_.outside;
        line.label.rect.y = to.y - m_.corridor_bottom + (m_.corridor_bottom - line.label.rect.height) / 2;
        continue;
      }
      line.points = points(route, heights_[i], from, to);
      place_label(line.label.rect, route, label_at_end_[i], heights_[i], label_at_end_[i] ? to : from);
    }
  }

  int side(const Route::End& end, const Rect& box) const { return end.right ? box.right() : box.x - m_.outside; }

  int track(const Route::End& end, Zone zone) const {
    return track_x_[end.channel][static_cast<std::size_t>(zone)] + to_int(end.track) * m_.track;
  }

  std::vector<Point> points(const Route& route, const Heights& height, const Rect& from, const Rect& to) const {
    const Point begin{side(route.from, from), height.from}, end{side(route.to, to), height.to};
    if (route.is_level()) return {begin, end};
    const int first = track(route.from, route.zone());
    if (route.kind != Route::Kind::far) return {begin, {first, begin.y}, {first, end.y}, end};
    const int second = track(route.to, route.zone());
    return {begin, {first, begin.y}, {first, height.corridor}, {second, height.corridor}, {second, end.y}, end};
  }

  void place_label(Rect& rect, const Route& route, bool at_end, const Heights& height, const Rect& box) const {
    const Route::End& end = at_end ? route.to : route.from;
    rect.x = end.right ? box.right() + m_.arrow : box.x - m_.arrow - rect.width;
    rect.y = (at_end ? height.to : height.from) - rect.height / 2;
  }

  // The titles come last, because they are broken to the width of the rest, which they push down.
  void place_titles() {
    const int width = std::max(layout_.width, least_width_) - 2 * m_.margin;
    int y = m_.margin;
    auto add = [&](const std::string& text, const Metrics::Font& font) {
      for (std::string& line : wrapped(text, static_cast<std::size_t>(std::max(width / font.character, 1)))) {
        Label one = label(std::move(line), font);
        one.rect.x = m_.margin;
        one.rect.y = y;
        y += font.line;
        layout_.width = std::max(layout_.width, one.rect.right() + m_.margin);
        layout_.titles.push_back(std::move(one));
      }
    };
    add(title_words(picture_), m_.title);
    layout_.title_lines = layout_.titles.size();
    for (const std::string& remark : picture_.remarks) add(remark, m_.label);
    shift(y + m_.corridor_bottom);
  }

  void shift(int by) {
    layout_.height += by;
    for (Label& label : layout_.columns) label.rect.y += by;
    for (ScopeBox& scope : layout_.scopes) {
      scope.rect.y += by;
      scope.title.rect.y += by;
    }
    for (Box& box : layout_.boxes) {
      box.rect.y += by;
      for (Label& line : box.lines) line.rect.y += by;
    }
    for (Line& line : layout_.lines) {
      for (Point& point : line.points) point.y += by;
      line.label.rect.y += by;
    }
  }

  const Picture& picture_;
  const Metrics& m_;
  const Detail& detail_;
  int least_width_;
  Routes routes_;
  Layout layout_;
  std::size_t depth_ = 0;                   // levels of scopes
  std::vector<std::array<Lane, 2>> lanes_;  // by channel: beside the column on the left, and on the right
  std::vector<bool> label_at_end_;          // by arrow
  std::vector<int> inner_, row_top_;        // by row; inner: without padding
  std::vector<int> corridor_top_;           // the first track
  int bottom_ = 0;                          // lower end of everything inside the scopes
  std::vector<Heights> heights_;
  std::vector<int> column_x_, column_width_;
  std::vector<std::array<int, 3>> track_x_;  // by channel and zone: the first track
};

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// Rates a place to end a line: 2 before a blank or after a separator, 1 inside a long name, 0 elsewhere.
int break_quality(std::string_view text, std::size_t at) {
  static constexpr std::string_view kSeparators = ",;+&|(", kJoints = "._-/:[";
  if (text[at] == ' ') return 2;
  const char before = text[at - 1];
  return kSeparators.find(before) != std::string_view::npos ? 2
         : kJoints.find(before) != std::string_view::npos   ? 1
                                                            : 0;
}

// Finds the end of the first line of a text that is too long: the best place that is not too early.
std::size_t line_end(std::string_view text, std::size_t limit) {
  std::array<std::size_t, 3> best = {limit, 0, 0};
  for (std::size_t at = 1; at <= limit; ++at) best[static_cast<std::size_t>(break_quality(text, at))] = at;
  for (std::size_t quality : {2, 1}) {
    if (5 * best[quality] > 2 * limit) return best[quality];
  }
  return limit;
}

}  // namespace

int width_of(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t limit = 0;  // position of the first character that does not fit
    for (std::size_t characters = 0; limit < text.size(); ++limit) {
      if (starts_character(text[limit]) && characters++ == std::max<std::size_t>(width, 1)) break;
    }
    const std::size_t end = limit == text.size() ? limit : line_end(text, limit);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return lines;
}

Detail page_detail(const Picture& picture) {
  Detail detail;
  if (picture.columns.size() > 2) detail.wrap = 22;
  return detail;
}

Layout lay_out(const Picture& picture, const Metrics& metrics, const Detail& detail, int least_width) {
  return LayoutMaker(picture, metrics, detail, least_width).take();
}

}  // namespace weakspot::model::picture
