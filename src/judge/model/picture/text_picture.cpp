// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/picture.h"
#include "model/picture/layout.h"
#include "model/picture/words.h"

namespace weakspot::model {
namespace {

using picture::Detail;
using picture::Label;
using picture::Line;
using picture::Point;
using picture::Rect;

// Directions in which a line leaves a cell.
constexpr unsigned kUp = 1, kRight = 2, kDown = 4, kLeft = 8;

struct Strokes {
  std::array<std::string_view, 16> lines;    // by the directions joined
  std::array<std::string_view, 16> doubled;  // the same, for what is loud
  std::string_view loud_across, loud_down;   // a loud line crosses another: sideways, downwards
  std::array<std::string_view, 4> heads;     // up, right, down, left
  std::string_view scope_across, scope_down;
  std::array<std::string_view, 4> scope_corners;  // from the upper left, with the sun
};
constexpr Strokes kUnicodeStrokes = {{" ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"},
                                     {" ", "║", "═", "╚", "║", "║", "╔", "╠", "═", "╝", "═", "╩", "╗", "╣", "╦", "╬"},
                                     "╪",
                                     "╫",
                                     {"▲", "►", "▼", "◄"},
                                     "┈",
                                     "┊",
                                     {"┌", "┐", "┘", "└"}};
constexpr Strokes kAsciiStrokes = {{" ", "|", "-", "+", "|", "|", "+", "+", "-", "+", "-", "+", "+", "+", "+", "+"},
                                   {" ", "#", "=", "#", "#", "#", "#", "#", "=", "#", "=", "#", "#", "#", "#", "#"},
                                   "#",
                                   "#",
                                   {"^", ">", "v", "<"},
                                   ".",
                                   ":",
                                   {".", ".", ".", "."}};

// Characters in rows, drawn over each other.
class Canvas {
 public:
  Canvas(int width, int height, const Strokes& strokes)
      : strokes_(strokes),
        rows_(static_cast<std::size_t>(height), std::vector<Cell>(static_cast<std::size_t>(width))) {}

  void put(int x, int y, std::string_view character) { cell(x, y) = {std::string(character), 0, 0}; }

  void write(const Label& label) {
    int x = label.rect.x - 1;
    for (char c : label.text) {
      const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
      if (continues) {
        cell(x, label.rect.y).text += c;
      } else {
        put(++x, label.rect.y, std::string_view(&c, 1));
      }
    }
  }

  // From the first point to the last but one cell; the caller puts the heads.
  void draw(const std::vector<Point>& points, bool loud) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Point to = points[i];
      const unsigned ahead = direction(points[i - 1], to), back = opposite(ahead);
      Point at = points[i - 1];
      if (i == 1) join(at, back, loud);
      while (!(at == to)) {
        join(at, ahead, loud);
        at.x += ahead == kRight ? 1 : ahead == kLeft ? -1 : 0;
        at.y += ahead == kDown ? 1 : ahead == kUp ? -1 : 0;
        join(at, back, loud);
      }
      if (i + 1 == points.size()) join(at, ahead, loud);
    }
  }

  void head(Point tip, Point before) {
    const unsigned way = opposite(direction(tip, before));
    put(tip.x, tip.y, strokes_.heads[way == kUp ? 0 : way == kRight ? 1 : way == kDown ? 2 : 3]);
  }

  void frame(const Rect& rect, bool loud) {
    const auto& lines = loud ? strokes_.doubled : strokes_.lines;
    border(rect, lines[kLeft | kRight], lines[kUp | kDown],
           {lines[kRight | kDown], lines[kLeft | kDown], lines[kLeft | kUp], lines[kRight | kUp]});
  }

  void scope(const Rect& rect) { border(rect, strokes_.scope_across, strokes_.scope_down, strokes_.scope_corners); }

  std::string text() const {
    std::string text;
    for (const std::vector<Cell>& row : rows_) {
      std::string line;
      for (const Cell& one : row) line += shown(one);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
    return text;
  }

 private:
  struct Cell {
    std::string text = " ";
    unsigned quiet = 0, loud = 0;  // lines over the text
  };

  static unsigned direction(Point from, Point to) {
    if (from.x == to.x) return from.y > to.y ? kUp : kDown;
    return from.x > to.x ? kLeft : kRight;
  }
  static unsigned opposite(unsigned way) { return way < 4 ? way * 4 : way / 4; }

  Cell& cell(int x, int y) { return rows_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]; }

  void join(Point at, unsigned way, bool loud) { (loud ? cell(at.x, at.y).loud : cell(at.x, at.y).quiet) |= way; }

  std::string_view shown(const Cell& one) const {
    if (one.loud == 0) return one.quiet == 0 ? std::string_view(one.text) : strokes_.lines[one.quiet];
    if (one.loud == (kLeft | kRight) && one.quiet == (kUp | kDown)) return strokes_.loud_across;
    if (one.loud == (kUp | kDown) && one.quiet == (kLeft | kRight)) return strokes_.loud_down;
    return strokes_.doubled[one.loud];
  }

  void border(const Rect& rect, std::string_view across, std::string_view down,
              const std::array<std::string_view, 4>& corners) {
    const int right = rect.right() - 1, bottom = rect.bottom() - 1;
    for (int x = rect.x; x <= right; ++x) {
      put(x, rect.y, across);
      put(x, bottom, across);
    }
    for (int y = rect.y; y <= bottom; ++y) {
      put(rect.x, y, down);
      put(right, y, down);
    }
    put(rect.x, rect.y, corners[0]);
    put(right, rect.y, corners[1]);
    put(right, bottom, corners[2]);
    put(rect.x, bottom, corners[3]);
  }

  const Strokes& strokes_;
  std::vector<std::vector<Cell>> rows_;
};

void finish_arrow(Canvas& canvas, const PictureArrow& arrow, const Line& line) {
  const std::vector<Point>& points = line.points;
  // Between boxes with one row between them the line is its head.
  const bool short_line = points.front() == points.back();
  const Point last = points.back();
  canvas.head(last, short_line ? Point{last.x, last.y - 1} : points[points.size() - 2]);
  if (arrow.both_ways && !short_line) canvas.head(points.front(), points[1]);
  canvas.write(line.label);
}

std::string drawn(const Picture& picture, const picture::Layout& layout, const Strokes& strokes) {
  Canvas canvas(layout.width, layout.height, strokes);
  for (const Label& title : layout.titles) canvas.write(title);
  for (const picture::ScopeBox& scope : layout.scopes) {
    canvas.scope(scope.rect);
    canvas.write(scope.title);
  }
  for (const Label& column : layout.columns) canvas.write(column);
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    canvas.frame(layout.boxes[i].rect, picture.events[i].loud);
    for (const Label& line : layout.boxes[i].lines) canvas.write(line);
  }
  // Heads and labels replace what is below them, so all lines come first.
  for (std::size_t i = 0; i < layout.lines.size(); ++i) {
    canvas.draw(layout.lines[i].points, picture.arrows[i].tone == PictureArrow::Tone::loud);
  }
  for (std::size_t i = 0; i < layout.lines.size(); ++i) finish_arrow(canvas, picture.arrows[i], layout.lines[i]);
  return canvas.text();
}

// A paragraph whose later lines are indented.
std::string paragraph(const std::string& text, std::size_t width) {
  constexpr std::size_t kIndent = 4;
  std::string result, indent;
  for (const std::string& part : picture::wrapped(text, std::max(width, 4 * kIndent) - kIndent)) {
    result += indent + part.substr(0, part.find_last_not_of(' ') + 1) + '\n';
    indent.assign(kIndent, ' ');
  }
  return result;
}

// Explains the letters when boxes contain nothing else.
std::string legend(const Picture& picture, std::size_t width) {
  std::string text = "\n";
  for (std::size_t column = 0; column < picture.columns.size(); ++column) {
    for (const PictureEvent& event : picture.events) {
      if (event.column != column || event.initial) continue;
      text += paragraph(
          fmt::format("{}  {}: {:<8} {}", picture.columns[column], event.letter, event.effect, event.instruction),
          width);
    }
  }
  return text;
}

// The arrows that have a name, as words.
std::string arrow_words(const Picture& picture, const std::vector<PictureArrow>& arrows, std::string_view lead,
                        std::size_t width) {
  std::string text;
  for (const PictureArrow& arrow : arrows) {
    if (arrow.label.empty()) continue;
    text += fmt::format("{}{} {} {}", text.empty() ? lead : ", ", picture.events[arrow.from].letter, arrow.label,
                        picture.events[arrow.to].letter);
  }
  return text.empty() ? text : paragraph(text, width);
}

// The loud part of a picture with the threads in it, and the arrows that this leaves out.
class Core {
 public:
  explicit Core(const Picture& whole) : picture(whole), whole_(whole) {
    picture.initial_rows = 0;
    keep_columns();
    keep_scopes();
    keep_events();
    picture.arrows.clear();
    for (const PictureArrow& arrow : whole.arrows) keep(arrow);
  }

  Picture picture;
  std::vector<PictureArrow> left_out;  // arrows of the whole picture

 private:
  void keep_columns() {
    picture.columns.clear();
    for (std::size_t column = 0; column < whole_.columns.size(); ++column) {
      const bool kept = std::any_of(whole_.events.begin(), whole_.events.end(), [&](const PictureEvent& event) {
        return event.loud && !event.initial && event.column == column;
      });
      new_column_.push_back(picture.columns.size());
      if (kept) picture.columns.push_back(whole_.columns[column]);
    }
    new_column_.push_back(picture.columns.size());
  }

  bool is_kept(std::size_t column) const { return new_column_[column] < new_column_[column + 1]; }

  void keep_scopes() {
    std::erase_if(picture.scopes,
                  [&](const PictureScope& scope) { return new_column_[scope.first] == new_column_[scope.last + 1]; });
    for (PictureScope& scope : picture.scopes) {
      scope.last = new_column_[scope.last + 1] - 1;
      scope.first = new_column_[scope.first];
    }
  }

  void keep_events() {
    picture.events.clear();
    for (PictureEvent event : whole_.events) {
      new_event_.push_back(picture.events.size());
      if (event.initial || !is_kept(event.column)) continue;
      event.column = new_column_[event.column];
      picture.events.push_back(event);
    }
    new_event_.push_back(picture.events.size());
  }

  void keep(PictureArrow arrow) {
    const bool shown = arrow.tone == PictureArrow::Tone::loud || arrow.tone == PictureArrow::Tone::order;
    auto is_there = [&](std::size_t event) { return new_event_[event] < new_event_[event + 1]; };
    if (!shown || !is_there(arrow.from) || !is_there(arrow.to)) return left_out.push_back(arrow);
    arrow.from = new_event_[arrow.from];
    arrow.to = new_event_[arrow.to];
    picture.arrows.push_back(arrow);
  }

  const Picture& whole_;
  // By what they were before: the number of those kept until then.
  std::vector<std::size_t> new_column_, new_event_;
};

std::string in_words(const Picture& picture, std::size_t width) {
  std::string text = paragraph(picture::title_words(picture), width);
  for (const std::string& remark : picture.remarks) text += paragraph(remark, width);
  return text + legend(picture, width) + arrow_words(picture, picture.arrows, "arrows: ", width);
}

}  // namespace

std::string text_picture(const Picture& picture, const TextPictureOptions& options) {
  static constexpr Detail kDetails[] = {{.wrap = 26, .instructions = true, .effects = true},
                                        {.wrap = 14, .instructions = true, .effects = true},
                                        {.wrap = 0, .instructions = false, .effects = true}};
  static constexpr Detail kLetters = {.wrap = 0, .instructions = false, .effects = false};
  const int width = static_cast<int>(options.width);
  auto fitting = [&](const Picture& shown, const Detail& detail) -> std::string {
    const picture::Layout layout = picture::lay_out(shown, picture::kCells, detail, width);
    if (layout.width > width) return {};
    return drawn(shown, layout, options.ascii ? kAsciiStrokes : kUnicodeStrokes);
  };
  for (const Detail& detail : kDetails) {
    if (std::string text = fitting(picture, detail); !text.empty()) return text;
  }
  if (const std::string text = fitting(picture, kLetters); !text.empty()) return text + legend(picture, options.width);
  const Core core(picture);
  for (const Detail& detail : {kDetails[1], kDetails[2], kLetters}) {
    const std::string text = core.picture.columns.empty() ? "" : fitting(core.picture, detail);
    if (text.empty()) continue;
    return text + legend(picture, options.width) + arrow_words(picture, core.left_out, "not drawn: ", options.width);
  }
  return in_words(picture, options.width);
}

}  // namespace weakspot::model
