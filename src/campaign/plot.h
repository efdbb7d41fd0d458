// Pictures for reports: SVG elements that stand in an HTML page (page.h) and need nothing else. Each is a free function
// from plain data to text, the same data giving the same text.
//
// Lines and texts take the colour of the page's text, so that a picture reads on a dark page too. Where a scale is
// logarithmic, what is not above zero is drawn at its lower end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weakspot::campaign {

enum class Scale {
  linear,
  decades,    // powers of ten
  doublings,  // powers of two, as 1/64, 1, 4
};

struct Bar {
  std::string label;
  double value = 0;    // at least 0
  std::string text;    // beside the bar; the number itself if empty
  std::string colour;  // of CSS, "var(--weak)"; the first of the palette if empty
};

// Horizontal bars, one below the other. With Scale::decades the lowest power of ten that is needed has a length too.
struct BarChart {
  std::string name;  // what a screen reader says
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
  std::string colour;  // of CSS; the next of the palette if empty
  bool dashed = false;
};

struct Chart {
  std::string name;
  Axis x, y;
  std::vector<Series> series;
};
// The points of each series joined in their order.
std::string line_chart(const Chart& chart);
// The points alone.
std::string scatter_chart(const Chart& chart);

// How often the samples fall into each of so many equal parts of their range; of its logarithm, if the axis has one,
// and then samples that are not above zero are counted in a part of their own on the left.
struct HistogramChart {
  std::string name;
  Axis x;
  std::vector<double> samples;
  std::size_t bins = 20;
};
std::string histogram_chart(const HistogramChart& chart);

// A coloured field per row and column, darker for larger values, with its number where there is room and it is not 0.
struct HeatMap {
  std::string name;
  std::vector<std::string> rows, columns;
  std::vector<double> values;  // row by row; NaN where there is none
  double low = 0, high = 1;    // the palest and the darkest
};
std::string heat_map(const HeatMap& map);

// Of the palette: colours that can be told apart, also by the colour-blind; after the last, the first again.
std::string palette_colour(std::size_t index);

}  // namespace weakspot::campaign
