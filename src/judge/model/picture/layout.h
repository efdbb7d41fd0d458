// SPDX-License-Identifier: MIT
// Where everything in a picture stands, in whole units: pixels, or the characters of a terminal.
//
// Columns of boxes are separated by channels, rows by corridors. An arrow leaves its box sideways through a slot, a
// height that no other arrow has in that channel and row; runs up or down on a track of the channel; and crosses other
// columns, if it must, on a track of a corridor. Tracks are shared only by arrows that never meet there. A label stands
// on the arrow itself, in the lane beside the box, where only the arrows of this box run. So lines cross at right
// angles or not at all, and no line meets a box or a label that is not its own.
//
//            lane  loops  scope  main  scope  loops  lane
//     +-----+      |      |      |     |      |      +-----+
//     | box |------+------+--+   |     |      |      | box |
//     |     |--rf---------------+-------------------->     |
//     +-----+      |      |      |     |      |      +-----+
#pragma once

#include <string>
#include <vector>

#include "model/picture.h"

namespace weakspot::model::picture {

struct Point {
  int x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
  int right() const { return x + width; }
  int bottom() const { return y + height; }
};

// Text of one line. The rectangle is as wide as the text at the metrics' width of a character.
struct Label {
  std::string text;
  Rect rect;
};

// The sizes of a medium.
struct Metrics {
  struct Font {
    int character = 1, line = 1;  // width of a character, height of a line
  };
  Font title, head, body, label;  // head: the first line of a box; body: the others; label: of arrows and scopes
  int margin = 0;                 // around everything
  int pad_x = 2, pad_y = 1;       // between the edge of a box and its text
  int slot = 1;                   // least distance of two slots
  int track = 2;                  // distance of two tracks of a channel
  int corridor_track = 1;         // distance of two tracks of a corridor
  int corridor_top = 0;           // free space below a row
  int corridor_bottom = 1;        // above the next: heads of arrows, and labels of arrows within a column
  int arrow = 1;                  // length of a head
  int label_tail = 1;             // line between a label and the channel's tracks
  int scope_pad = 2;              // from a scope's edge to what is inside, sideways
  int scope_bottom = 1;           // the same, below
  int scope_line = 1;             // between a scope's upper edge and its title
  int column_gap = 2;             // least width of a channel
  int outside = 1;                // 1 if an arrow's end is a cell beside the box, 0 if it touches the box
};
extern const Metrics kPixels;
extern const Metrics kCells;

// The amount of text in boxes.
struct Detail {
  std::size_t wrap = 26;  // characters in a line of an instruction
  bool instructions = true;
  bool effects = true;  // else the letter alone
};

// For pages: many threads have narrow columns.
Detail page_detail(const Picture& picture);

struct Box {
  Rect rect;
  std::vector<Label> lines;  // the first one is the head
};

struct ScopeBox {
  Rect rect;
  Label title;
};

struct Line {
  std::vector<Point> points;  // from the box that the arrow leaves to the one it enters; at right angles
  Label label;                // empty text: none
};

struct Layout {
  const Metrics* metrics = nullptr;
  int width = 0, height = 0;
  std::vector<Label> titles;
  std::size_t title_lines = 0;  // how many of `titles` are titles; the others are remarks
  std::vector<Label> columns;   // in the picture's order
  std::vector<ScopeBox> scopes;
  std::vector<Box> boxes;
  std::vector<Line> lines;
};

// The metrics must outlive the layout. Remarks and title are broken to the width of the picture or of `least_width`.
Layout lay_out(const Picture& picture, const Metrics& metrics, const Detail& detail = {}, int least_width = 0);

// Characters, of which one may have several bytes.
int width_of(std::string_view text);
// Breaks at blanks and after punctuation, and within a word only if the word is too long.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace weakspot::model::picture
