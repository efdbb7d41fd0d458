// SPDX-License-Identifier: MIT
// Finds faults in the layout of a picture by geometry alone, sharing nothing with the code that made the layout.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/picture.h"
#include "model/picture/layout.h"

namespace weakspot::tests {

class LayoutFaults {
 public:
  LayoutFaults(const model::Picture& picture, const model::picture::Layout& layout)
      : picture_(picture), layout_(layout), cells_(layout.metrics->outside == 1) {
    texts();
    boxes();
    scopes();
    for (std::size_t i = 0; i < layout.lines.size(); ++i) line(i);
    shared_ways();
  }

  // The faults, one per line; empty if all is well.
  const std::string& text() const { return text_; }

 private:
  using Label = model::picture::Label;
  using Line = model::picture::Line;
  using Metrics = model::picture::Metrics;
  using Point = model::picture::Point;
  using Rect = model::picture::Rect;
  struct Segment {
    Point a, b;  // a is above or on the left
  };

  void fault(std::string what) { text_ += std::move(what) + "\n"; }

  static bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
  }
  static bool within(const Rect& inner, const Rect& outer) {
    return outer.x <= inner.x && inner.right() <= outer.right() && outer.y <= inner.y &&
           inner.bottom() <= outer.bottom();
  }
  Rect canvas() const { return {0, 0, layout_.width, layout_.height}; }

  void add_text(const Label& label, const Metrics::Font& font) {
    if (label.text.empty()) return;
    const auto characters =
        std::count_if(label.text.begin(), label.text.end(), [](char c) { return (c & '\xc0') != '\x80'; });
    if (characters * font.character > label.rect.width) fault(fmt::format("'{}' is wider than its place", label.text));
    if (!within(label.rect, canvas())) fault(fmt::format("'{}' leaves the canvas", label.text));
    for (const Label* other : labels_) {
      if (overlap(label.rect, other->rect)) fault(fmt::format("'{}' overlaps '{}'", label.text, other->text));
    }
    labels_.push_back(&label);
  }

  void texts() {
    const Metrics& metrics = *layout_.metrics;
    for (std::size_t i = 0; i < layout_.titles.size(); ++i) {
      add_text(layout_.titles[i], i < layout_.title_lines ? metrics.title : metrics.label);
    }
    for (const Label& column : layout_.columns) add_text(column, metrics.head);
    for (const auto& scope : layout_.scopes) {
      add_text(scope.title, metrics.label);
      if (!within(scope.title.rect, scope.rect)) fault(fmt::format("'{}' is outside its scope", scope.title.text));
    }
    for (const auto& box : layout_.boxes) {
      for (std::size_t i = 0; i < box.lines.size(); ++i) {
        add_text(box.lines[i], i == 0 ? metrics.head : metrics.body);
        const Rect inside{box.rect.x + 1, box.rect.y + 1, box.rect.width - 2, box.rect.height - 2};
        if (!within(box.lines[i].rect, inside)) fault(fmt::format("'{}' leaves its box", box.lines[i].text));
      }
    }
    for (const Line& line : layout_.lines) {
      add_text(line.label, metrics.label);
      for (const auto& box : layout_.boxes) {
        if (!line.label.text.empty() && overlap(line.label.rect, box.rect)) fault("a label is on a box");
      }
    }
  }

  void boxes() {
    for (std::size_t i = 0; i < layout_.boxes.size(); ++i) {
      const Rect& rect = layout_.boxes[i].rect;
      const std::string& letter = picture_.events[i].letter;
      if (!within(rect, canvas())) fault(fmt::format("box {} leaves the canvas", letter));
      for (std::size_t j = 0; j < i; ++j) {
        if (overlap(rect, layout_.boxes[j].rect)) fault(fmt::format("box {} is on another", letter));
      }
    }
  }

  void scopes() {
    for (std::size_t i = 0; i < layout_.scopes.size(); ++i) {
      const model::PictureScope& scope = picture_.scopes[i];
      const Rect& rect = layout_.scopes[i].rect;
      if (!within(rect, canvas())) fault(fmt::format("{} leaves the canvas", scope.label));
      for (std::size_t j = 0; j < picture_.events.size(); ++j) {
        const model::PictureEvent& event = picture_.events[j];
        const bool member = !event.initial && scope.first <= event.column && event.column <= scope.last;
        const Rect& box = layout_.boxes[j].rect;
        if (member ? !within(box, rect) : overlap(box, rect)) {
          fault(fmt::format("box {} is {} {}", event.letter, member ? "not in" : "in", scope.label));
        }
      }
      for (std::size_t j = 0; j < i; ++j) {
        const model::PictureScope& other = picture_.scopes[j];
        const bool nested = other.first <= scope.first && scope.last <= other.last;
        if (nested ? !within(rect, layout_.scopes[j].rect) : overlap(rect, layout_.scopes[j].rect)) {
          fault(fmt::format("{} and {} are not as the tree has them", scope.label, other.label));
        }
      }
    }
  }

  static std::vector<Segment> segments(const Line& line) {
    std::vector<Segment> result;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      Point a = line.points[i - 1], b = line.points[i];
      if (std::pair(b.x, b.y) < std::pair(a.x, a.y)) std::swap(a, b);
      result.push_back({a, b});
    }
    return result;
  }

  // True if a part of the segment is in the rectangle, grown on all sides.
  static bool meets(const Segment& segment, const Rect& rect, int grown) {
    return segment.a.x < rect.right() + grown && segment.b.x > rect.x - 1 - grown &&
           segment.a.y < rect.bottom() + grown && segment.b.y > rect.y - 1 - grown;
  }

  void line(std::size_t index) {
    const Line& line = layout_.lines[index];
    const model::PictureArrow& arrow = picture_.arrows[index];
    const std::string name =
        fmt::format("arrow {} to {}", picture_.events[arrow.from].letter, picture_.events[arrow.to].letter);
    if (line.points.size() < 2) return fault(name + " has no line");
    for (const Segment& segment : segments(line)) {
      if (segment.a.x != segment.b.x && segment.a.y != segment.b.y) fault(name + " is slanted");
      if (segment.a.x < 0 || segment.a.y < 0 || segment.b.x >= layout_.width || segment.b.y >= layout_.height) {
        fault(name + " leaves the canvas");
      }
      for (std::size_t i = 0; i < layout_.boxes.size(); ++i) {
        // A line of pixels ends on the edges of its own boxes and keeps away from the edges of others.
        const bool own = i == arrow.from || i == arrow.to;
        Rect rect = layout_.boxes[i].rect;
        if (own && !cells_) rect = {rect.x + 1, rect.y + 1, rect.width - 2, rect.height - 2};
        if (meets(segment, rect, own || cells_ ? 0 : 2)) fault(fmt::format("{} runs through box {}", name, i));
      }
      for (const Label* label : labels_) {
        if (label == &line.label) continue;
        if (meets(segment, label->rect, cells_ ? 0 : -1)) fault(fmt::format("{} runs through '{}'", name, label->text));
      }
      along_edges(segment, name);
    }
    touches(line.points.front(), layout_.boxes[arrow.from].rect, name);
    touches(line.points.back(), layout_.boxes[arrow.to].rect, name);
  }

  void along_edges(const Segment& segment, const std::string& name) {
    for (const auto& scope : layout_.scopes) {
      const Rect& rect = scope.rect;
      const int right = rect.right() - (cells_ ? 1 : 0), bottom = rect.bottom() - (cells_ ? 1 : 0);
      const bool upright = segment.a.x == segment.b.x && segment.a.y != segment.b.y;
      const bool level = segment.a.y == segment.b.y && segment.a.x != segment.b.x;
      if (upright && (segment.a.x == rect.x || segment.a.x == right) && segment.a.y <= bottom &&
          rect.y <= segment.b.y) {
        fault(name + " runs along a scope's side");
      }
      if (level && (segment.a.y == rect.y || segment.a.y == bottom) && segment.a.x <= right && rect.x <= segment.b.x) {
        fault(name + " runs along a scope's edge");
      }
    }
  }

  void touches(Point point, const Rect& box, const std::string& name) {
    const int reach = cells_ ? 1 : 0;
    const bool beside =
        (point.x == box.right() || point.x == box.x - reach) && box.y < point.y && point.y < box.bottom();
    const bool over = (point.y == box.bottom() || point.y == box.y - reach) && box.x < point.x && point.x < box.right();
    if (!beside && !over) fault(name + " does not reach its box");
  }

  // Lines cross at points; no two go the same way.
  void shared_ways() {
    for (std::size_t i = 0; i < layout_.lines.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (const Segment& a : segments(layout_.lines[i])) {
          for (const Segment& b : segments(layout_.lines[j])) {
            if (share(a, b)) fault(fmt::format("arrows {} and {} run on each other", j, i));
          }
        }
      }
    }
  }

  static bool share(const Segment& a, const Segment& b) {
    const bool upright = a.a.x == a.b.x && b.a.x == b.b.x && a.a.x == b.a.x;
    const bool level = a.a.y == a.b.y && b.a.y == b.b.y && a.a.y == b.a.y;
    return (upright && a.a.y <= b.b.y && b.a.y <= a.b.y) || (level && a.a.x <= b.b.x && b.a.x <= a.b.x);
  }

  const model::Picture& picture_;
  const model::picture::Layout& layout_;
  bool cells_;
  std::vector<const Label*> labels_;
  std::string text_;
};

}  // namespace weakspot::tests
