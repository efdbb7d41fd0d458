// SPDX-License-Identifier: MIT
// Pictures for reports: SVG elements inside the HTML page of page.h, which has their fonts. Each is a free function
// from plain data to text; the same data gives the same text.
//
// Lines and text take the colour of the page's text, so pictures also work on a dark page. On a logarithmic scale,
// values that are not above zero are drawn at the lower end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weakspot::report {

enum class Scale {
  linear,
  decades,    // powers of ten
  doublings,  // powers of two, as 1/64, 1, 4
};

struct Bar {
  std::string label;
  double value = 0;    // at least 0
  std::string text;    // beside the bar; the value if empty
  std::string colour;  // as CSS writes it, "var(--weak)"; the palette's first if empty
};

// Horizontal bars, one below the other. With Scale::decades, a bar of the lowest power of ten still has a length.
struct BarChart {
  std::string name;  // for screen readers
  Scale scale = Scale::linear;
  std::vector<Bar> bars;
};
std::string bar_chart(const BarChart& chart);

struct Axis {
  std::string label;
  Scale scale = Scale::linear;
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Series {
  std::string name;  // in the legend
  std::vector<Point> points;
  std::string colour;  // in CSS; empty: the palette's next
  bool dashed = false;
};

struct Chart {
  std::string name;
  Axis x, y;
  std::vector<Series> series;
};
// The points of each series, joined in their order.
std::string line_chart(const Chart& chart);
// The points alone.
std::string scatter_chart(const Chart& chart);

// A coloured field per row and column, darker for larger values. Fields show their value if it is not 0 and there is
// room.
struct HeatMap {
  std::string name;
  std::vector<std::string> rows, columns;
  std::vector<double> values;  // row by row; NaN leaves a field out
  double low = 0, high = 1;    // the palest and the darkest
};
std::string heat_map(const HeatMap& map);

// The palette: colours that colour-blind readers can tell apart. It repeats after the last.
std::string palette_colour(std::size_t index);

}  // namespace weakspot::report
