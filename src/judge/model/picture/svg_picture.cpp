// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/markup.h"
#include "model/picture.h"
#include "model/picture/layout.h"
#include "model/picture/words.h"

namespace weakspot::model {
namespace {

using picture::Label;
using picture::Line;
using picture::Point;
using picture::Rect;
using Tone = PictureArrow::Tone;

// The classes are this picture's own, so that it can stand inside a page. Only the cycle has a colour that calls.
constexpr std::string_view kStyle =
    ".wp{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;--paper:#fff;"
    "--ink:#1b1f24;--soft:#57606a;--faint:#768390;--box:#f6f8fa;--edge:#8c959f;--scope:#afb8c1;--calm:#2f5f9e;"
    "--loud:#c4162a;--glow:#fff0f1}\n"
    "@media(prefers-color-scheme:dark){.wp{--paper:#0d1117;--ink:#e6edf3;--soft:#9da7b3;--faint:#848d97;--box:#161b22;"
    "--edge:#6e7681;--scope:#3d444d;--calm:#79a8e8;--loud:#ff6b76;--glow:#2a1519}}\n"
    ".wp text{fill:var(--ink);white-space:pre}.wp .paper{fill:var(--paper)}.wp .title{font-size:16px;font-weight:600}"
    ".wp .head{font-size:13px;font-weight:600}.wp .body,.wp .note{font-size:11px;fill:var(--soft)}"
    ".wp .column{font-size:13px;fill:var(--soft)}.wp .scope-title{font-size:11px;fill:var(--faint)}\n"
    ".wp .box{fill:var(--box);stroke:var(--edge)}.wp .init .box{stroke-dasharray:3 3}"
    ".wp .scope{fill:none;stroke:var(--scope);stroke-dasharray:6 4}"
    ".wp .loud .box{fill:var(--glow);stroke:var(--loud);stroke-width:2}\n"
    ".wp .arrow path{fill:none;stroke:var(--line);stroke-width:1.25}.wp .arrow text{font-size:11px;fill:var(--line)}"
    ".wp .dependency path{stroke-dasharray:2 3}.wp .arrow.loud path{stroke-width:2.25}.wp .arrow.loud "
    "text{font-weight:700}"
    ".wp .arrow .point{fill:var(--line);stroke:none}\n"
    ".wp .order{--line:var(--faint)}.wp .dependency,.wp .communication{--line:var(--soft)}"
    ".wp .synchronisation{--line:var(--calm)}.wp .arrow.loud{--line:var(--loud)}";

constexpr std::string_view kTones[] = {"order", "dependency", "communication", "synchronisation", "loud"};

// The baseline of a monospaced font stands at about this part of its line.
std::string text_at(const Label& label, std::string_view style) {
  return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style, label.rect.x,
                     label.rect.y + label.rect.height * 3 / 4, base::escaped(label.text));
}

std::string centred(const Label& label, std::string_view style) {
  return fmt::format("<text class=\"{}\" x=\"{}.5\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", style,
                     label.rect.x + label.rect.width / 2, label.rect.y + label.rect.height * 3 / 4,
                     base::escaped(label.text));
}

std::string rect_at(const Rect& rect, std::string_view style, int radius) {
  return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n", style, rect.x,
                     rect.y, rect.width, rect.height, radius);
}

int sign(int number) { return number > 0 ? 1 : number < 0 ? -1 : 0; }

Point towards(Point from, Point to, int distance) {
  return {from.x + sign(to.x - from.x) * distance, from.y + sign(to.y - from.y) * distance};
}

int distance(Point a, Point b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

// A triangle whose tip is the end of the line.
std::string point_at(Point tip, Point before) {
  const Point back = towards(tip, before, 9);
  const int dx = back.x == tip.x ? 4 : 0, dy = back.y == tip.y ? 4 : 0;
  return fmt::format("<path class=\"point\" d=\"M{},{} L{},{} L{},{} z\"/>", tip.x, tip.y, back.x - dx, back.y - dy,
                     back.x + dx, back.y + dy);
}

// The line with round corners. It leaves its label's place free and ends inside the heads.
std::string path_of(const Line& line, bool both_ways) {
  std::vector<Point> points = line.points;
  if (both_ways) points.front() = towards(points[0], points[1], 6);
  points.back() = towards(points.back(), points[points.size() - 2], 6);
  std::string path = fmt::format("M{},{}", points[0].x, points[0].y);
  const Rect& label = line.label.rect;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point from = points[i - 1], to = points[i];
    const bool labelled = !line.label.text.empty() && from.y == to.y && label.y <= to.y && to.y < label.bottom() &&
                          std::min(from.x, to.x) <= label.x && label.right() <= std::max(from.x, to.x);
    if (labelled) {
      const int left = label.x - 1, right = label.right() + 1;
      path += fmt::format(" L{},{} M{},{}", from.x < to.x ? left : right, to.y, from.x < to.x ? right : left, to.y);
    }
    if (i + 1 == points.size()) {
      path += fmt::format(" L{},{}", to.x, to.y);
    } else {
      const int radius = std::min({5, distance(from, to) / 2, distance(to, points[i + 1]) / 2});
      const Point before = towards(to, from, radius), after = towards(to, points[i + 1], radius);
      path += fmt::format(" L{},{} Q{},{} {},{}", before.x, before.y, to.x, to.y, after.x, after.y);
    }
  }
  return path;
}

std::string arrow_text(const PictureArrow& arrow, const Line& line) {
  const std::size_t last = line.points.size() - 1;
  std::string text = fmt::format("<g class=\"arrow {}\"><path d=\"{}\"/>", kTones[static_cast<std::size_t>(arrow.tone)],
                                 path_of(line, arrow.both_ways));
  text += point_at(line.points[last], line.points[last - 1]);
  if (arrow.both_ways) text += point_at(line.points[0], line.points[1]);
  if (!arrow.label.empty()) {
    const Rect& rect = line.label.rect;
    text += fmt::format("<text x=\"{}.5\" y=\"{}\" text-anchor=\"middle\">{}</text>", rect.x + rect.width / 2,
                        rect.y + rect.height * 3 / 4, base::escaped(arrow.label));
  }
  return text + "</g>\n";
}

}  // namespace

std::string svg_picture(const Picture& picture) {
  const picture::Layout layout = picture::lay_out(picture, picture::kPixels, picture::page_detail(picture));
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "style=\"max-width:100%;height:auto\" class=\"wp\" role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n<style>\n{4}\n</style>\n"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\" rx=\"8\"/>\n",
      layout.width, layout.height, base::escaped(picture::title_words(picture)),
      base::escaped(picture::description_words(picture)), kStyle);
  for (std::size_t i = 0; i < layout.titles.size(); ++i) {
    text += text_at(layout.titles[i], i < layout.title_lines ? "title" : "note");
  }
  for (const picture::ScopeBox& scope : layout.scopes) {
    text += rect_at(scope.rect, "scope", 8);
    text += text_at(scope.title, "scope-title");
  }
  for (const Label& column : layout.columns) text += centred(column, "column");
  for (std::size_t i = 0; i < layout.lines.size(); ++i) text += arrow_text(picture.arrows[i], layout.lines[i]);
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    const PictureEvent& event = picture.events[i];
    const picture::Box& box = layout.boxes[i];
    text += fmt::format("<g class=\"event{}{}\">\n", event.initial ? " init" : "", event.loud ? " loud" : "");
    text += rect_at(box.rect, "box", 5);
    for (std::size_t line = 0; line < box.lines.size(); ++line) {
      text += centred(box.lines[line], line == 0 ? "head" : "body");
    }
    text += "</g>\n";
  }
  return text + "</svg>\n";
}

}  // namespace weakspot::model
