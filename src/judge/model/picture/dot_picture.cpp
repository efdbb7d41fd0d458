// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "model/picture.h"
#include "model/picture/layout.h"
#include "model/picture/words.h"

namespace weakspot::model {
namespace {

using picture::Line;
using picture::Point;
using picture::Rect;

// A string of DOT; line breaks are kept as such.
std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return quoted + "\"";
}

// Graphviz counts in points from the bottom; a unit of the layout is a point.
std::string place(const picture::Layout& layout, Point point) {
  return fmt::format("{},{}", point.x, layout.height - point.y);
}

std::string node_text(const picture::Layout& layout, const Picture& picture, std::size_t i) {
  const PictureEvent& event = picture.events[i];
  const picture::Box& box = layout.boxes[i];
  std::string label;
  for (const picture::Label& line : box.lines) label += (label.empty() ? "" : "\n") + line.text;
  const Point centre{box.rect.x + box.rect.width / 2, box.rect.y + box.rect.height / 2};
  return fmt::format("  e{} [label={}, pos=\"{}\", width={:.3f}, height={:.3f}{}{}];\n", i, dot_string(label),
                     place(layout, centre), box.rect.width / 72.0, box.rect.height / 72.0,
                     event.initial ? ", style=dashed" : "", event.loud ? ", color=\"#c4162a\", penwidth=2" : "");
}

// The line as a spline whose pieces are straight.
std::string spline(const picture::Layout& layout, const Line& line) {
  std::string text = "e," + place(layout, line.points.back()) + " " + place(layout, line.points.front());
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point a = line.points[i - 1], b = line.points[i];
    const Point third{a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3},
        later{b.x - (b.x - a.x) / 3, b.y - (b.y - a.y) / 3};
    text += fmt::format(" {} {} {}", place(layout, third), place(layout, later), place(layout, b));
  }
  return text;
}

std::string edge_text(const picture::Layout& layout, const Picture& picture, std::size_t i) {
  static constexpr std::string_view kLooks[] = {"color=\"#8c959f\"", "color=\"#57606a\", style=dotted",
                                                "color=\"#57606a\"", "color=\"#3a5f95\"",
                                                "color=\"#c4162a\", penwidth=2"};
  const PictureArrow& arrow = picture.arrows[i];
  const Line& line = layout.lines[i];
  std::string text =
      fmt::format("  e{} -> e{} [{}", arrow.from, arrow.to, kLooks[static_cast<std::size_t>(arrow.tone)]);
  if (arrow.both_ways) text += ", dir=both";
  if (!arrow.label.empty()) {
    const Rect& rect = line.label.rect;
    text += fmt::format(", label={}, lp=\"{}\"", dot_string(arrow.label),
                        place(layout, {rect.x + rect.width / 2, rect.y + rect.height / 2}));
  }
  return text + fmt::format(", pos=\"{}\"];\n", spline(layout, line));
}

class Clusters {
 public:
  explicit Clusters(const Picture& picture) : picture_(picture) {}

  // The scopes of `depth` among these columns, and the threads that are in none.
  std::string text(std::size_t first, std::size_t last, std::size_t depth, const std::string& indent) {
    std::string text;
    for (std::size_t column = first; column <= last; ++column) {
      const PictureScope* scope = scope_at(column, depth);
      if (scope == nullptr) {
        text += thread(column, indent);
        continue;
      }
      text += fmt::format("{}subgraph cluster_{} {{ label={}; style=dashed;\n", indent, number_++,
                          dot_string(scope->label));
      text += this->text(scope->first, scope->last, depth + 1, indent + "  ");
      text += indent + "}\n";
      column = scope->last;
    }
    return text;
  }

 private:
  const PictureScope* scope_at(std::size_t column, std::size_t depth) const {
    for (const PictureScope& scope : picture_.scopes) {
      if (scope.depth == depth && scope.first == column) return &scope;
    }
    return nullptr;
  }

  std::string thread(std::size_t column, const std::string& indent) {
    std::string text = fmt::format("{}subgraph cluster_{} {{ label={}; style=invis;", indent, number_++,
                                   dot_string(picture_.columns[column]));
    for (std::size_t i = 0; i < picture_.events.size(); ++i) {
      if (picture_.events[i].column == column && !picture_.events[i].initial) text += fmt::format(" e{};", i);
    }
    return text + " }\n";
  }

  const Picture& picture_;
  std::size_t number_ = 0;
};

}  // namespace

std::string dot_picture(const Picture& picture) {
  const picture::Layout layout = picture::lay_out(picture, picture::kPixels, picture::page_detail(picture));
  std::string title = picture::title_words(picture);
  for (const std::string& remark : picture.remarks) title += "\n" + remark;
  std::string text = fmt::format(
      "digraph {} {{\n"
      "  graph [label={}, labelloc=t, fontname=monospace];\n"
      "  node [shape=box, fontname=monospace, fontsize=11];\n  edge [fontname=monospace, fontsize=10];\n",
      dot_string(picture.test), dot_string(title));
  text += Clusters(picture).text(0, picture.columns.size() - 1, 0, "  ");
  for (std::size_t i = 0; i < picture.events.size(); ++i) text += node_text(layout, picture, i);
  for (std::size_t i = 0; i < picture.arrows.size(); ++i) text += edge_text(layout, picture, i);
  return text + "}\n";
}

}  // namespace weakspot::model
