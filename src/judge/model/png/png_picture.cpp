// SPDX-License-Identifier: MIT
#include <algorithm>

#include "model/picture.h"
#include "model/picture/layout.h"
#include "model/png/raster.h"
#include "model/png/stroke_font.h"

namespace weakspot::model {
namespace {

using picture::Colour;
using picture::Label;
using picture::Line;
using picture::Point;
using picture::Raster;
using picture::Rect;
using picture::Spot;
using Tone = PictureArrow::Tone;

constexpr int kScale = 2;
// The light colours of the SVG picture.
constexpr Colour kPaper{0xff, 0xff, 0xff}, kInk{0x1b, 0x1f, 0x24}, kSoft{0x57, 0x60, 0x6a}, kFaint{0x8c, 0x95, 0x9f},
    kFilling{0xf6, 0xf8, 0xfa}, kScopeEdge{0xaf, 0xb8, 0xc1}, kCalm{0x3a, 0x5f, 0x95}, kLoud{0xc4, 0x16, 0x2a},
    kGlow{0xff, 0xf0, 0xf1};

struct Pen {
  double height;  // height of a capital letter
  double width;   // width of the line
  Colour colour;
};

class ImagePainter {
 public:
  ImagePainter(const Picture& picture, const picture::Layout& layout)
      : raster_(layout.width, layout.height, kScale, kPaper) {
    for (std::size_t i = 0; i < layout.titles.size(); ++i) {
      write(layout.titles[i], i < layout.title_lines ? Pen{11.5, 1.7, kInk} : Pen{8, 1, kSoft});
    }
    for (const picture::ScopeBox& scope : layout.scopes) {
      outline(scope.rect, 1, kScopeEdge, 5);
      write(scope.title, {8, 1, kFaint});
    }
    for (const Label& column : layout.columns) write(column, {9.5, 1.1, kSoft});
    for (std::size_t i = 0; i < layout.lines.size(); ++i) draw_arrow(picture.arrows[i], layout.lines[i]);
    for (std::size_t i = 0; i < layout.boxes.size(); ++i) draw_box(picture.events[i], layout.boxes[i]);
  }

  std::string file() const { return picture::png_file(raster_.image()); }

 private:
  void write(const Label& label, const Pen& pen) {
    if (label.text.empty()) return;
    const double unit = pen.height / picture::kGlyphHeight;
    const double advance = static_cast<double>(label.rect.width) / picture::width_of(label.text);
    const double top = label.rect.y + label.rect.height * 0.75 - pen.height;
    double x = label.rect.x + (advance - picture::kGlyphWidth * unit) / 2;
    for (char c : label.text) {
      const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
      if (continues) continue;
      for (const picture::PenStroke& stroke : picture::strokes_of(c)) {
        std::vector<Spot> spots;
        for (const picture::PenPoint& point : stroke) spots.push_back({x + point.x * unit, top + point.y * unit});
        raster_.stroke(spots, pen.width, pen.colour);
      }
      x += advance;
    }
  }

  void outline(const Rect& rect, double width, Colour colour, double dash) {
    const double x = rect.x, y = rect.y, right = rect.right(), bottom = rect.bottom();
    raster_.stroke({{x, y}, {right, y}, {right, bottom}, {x, bottom}, {x, y}}, width, colour, dash);
  }

  void draw_box(const PictureEvent& event, const picture::Box& box) {
    const double right = box.rect.right(), bottom = box.rect.bottom();
    raster_.fill({static_cast<double>(box.rect.x), static_cast<double>(box.rect.y)}, {right, bottom},
                 event.loud ? kGlow : kFilling);
    outline(box.rect, event.loud ? 2 : 1, event.loud ? kLoud : kFaint, event.initial && !event.loud ? 3 : 0);
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
      write(box.lines[i], i == 0 ? Pen{9.5, 1.5, kInk} : Pen{8, 1, kSoft});
    }
  }

  void draw_arrow(const PictureArrow& arrow, const Line& line) {
    static constexpr Colour kColours[] = {kFaint, kSoft, kSoft, kCalm, kLoud};
    const Colour colour = kColours[static_cast<std::size_t>(arrow.tone)];
    const double width = arrow.tone == Tone::loud ? 2.25 : 1.25;
    const double dash = arrow.tone == Tone::dependency ? 2.5 : 0;
    std::vector<Spot> spots;
    spots.reserve(line.points.size());
    for (const Point& point : line.points) {
      spots.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
    }
    spots.back() = towards(spots.back(), spots[spots.size() - 2], 5);
    if (arrow.both_ways) spots.front() = towards(spots.front(), spots[1], 5);
    raster_.stroke(spots, width, colour, dash);
    head(line.points.back(), line.points[line.points.size() - 2], colour);
    if (arrow.both_ways) head(line.points.front(), line.points[1], colour);
    if (line.label.text.empty()) return;
    const Rect& rect = line.label.rect;
    raster_.fill({rect.x - 1.0, static_cast<double>(rect.y)}, {rect.right() + 1.0, static_cast<double>(rect.bottom())},
                 kPaper);
    write(line.label, {8, arrow.tone == Tone::loud ? 1.4 : 1.0, colour});
  }

  static Spot towards(Spot from, Spot to, double distance) {
    auto sign = [](double number) { return number > 0 ? 1.0 : number < 0 ? -1.0 : 0.0; };
    return {from.x + sign(to.x - from.x) * distance, from.y + sign(to.y - from.y) * distance};
  }

  void head(Point tip, Point before, Colour colour) {
    const Spot end{static_cast<double>(tip.x), static_cast<double>(tip.y)};
    const Spot back = towards(end, {static_cast<double>(before.x), static_cast<double>(before.y)}, 9);
    const double dx = tip.x == before.x ? 4 : 0, dy = tip.x == before.x ? 0 : 4;
    raster_.triangle(end, {back.x - dx, back.y - dy}, {back.x + dx, back.y + dy}, colour);
  }

  Raster raster_;
};

}  // namespace

std::string png_picture(const Picture& picture) {
  const picture::Layout layout = picture::lay_out(picture, picture::kPixels, picture::page_detail(picture));
  return ImagePainter(picture, layout).file();
}

}  // namespace weakspot::model
