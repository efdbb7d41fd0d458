// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/plot/axis_scale.h"

namespace weakspot::report::plot_test {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string labels(const AxisScale& axis) {
  std::string text;
  for (const Tick& tick : axis.ticks()) text += tick.label + " ";
  return text;
}

TEST(AxisScale, HasRoundTicksAroundAllValues) {
  EXPECT_EQ("0 2 4 6 8 10 ", labels(AxisScale(Scale::linear, {3, 9.5})));
  EXPECT_EQ("-1 -0.5 0 0.5 1 ", labels(AxisScale(Scale::linear, {-0.7, 1})));
  EXPECT_EQ("1/1024 1/256 1/64 1/16 1/4 1 4 16 64 ", labels(AxisScale(Scale::doublings, {1.0 / 1024, 64})));
  EXPECT_EQ("0.01 0.1 1 10 100 1000 1e4 ", labels(AxisScale(Scale::decades, {0.03, 0, 4000})));
  EXPECT_EQ("1/4 1/2 1 2 4 ", labels(AxisScale(Scale::doublings, {0.25, 4})));
}

TEST(AxisScale, WorksWithoutValuesAndWithOne) {
  EXPECT_EQ(0, AxisScale(Scale::linear, {}).place(0));
  EXPECT_EQ(0, AxisScale(Scale::decades, {0}).place(0));
  EXPECT_EQ(1, AxisScale(Scale::linear, {5}).place(5));
  EXPECT_EQ(0, AxisScale(Scale::decades, {10}).place(10));
  EXPECT_EQ(0, AxisScale(Scale::linear, {1}).place(std::nan("")));
  EXPECT_EQ(1, AxisScale(Scale::linear, {1}).place(std::numeric_limits<double>::infinity()));
}

TEST(AxisScale, PlacesByTheLogarithm) {
  const AxisScale axis(Scale::decades, {1, 100});
  EXPECT_NEAR(0, axis.place(1), 1e-9);
  EXPECT_NEAR(0.5, axis.place(10), 1e-9);
  EXPECT_EQ(1, axis.place(1e9));
  EXPECT_EQ(0, axis.place(0));
}

TEST(BarChart, GrowsWithTheValueOrItsLogarithm) {
  const std::string linear = bar_chart({"c", Scale::linear, {{"a", 1, "", ""}, {"b", 4, "four", "var(--weak)"}}});
  EXPECT_NE(std::string::npos, linear.find("width=\"105.0\""));
  EXPECT_NE(std::string::npos, linear.find("width=\"420.0\" height=\"16\" fill=\"var(--weak)\""));
  EXPECT_NE(std::string::npos, linear.find(">four<"));
  // From a hundredth to one: three decades, and one more so that the smallest value has a length.
  const std::string logarithmic =
      bar_chart({"c", Scale::decades, {{"a", 0.01, "", ""}, {"b", 1, "", ""}, {"c", 0, "", ""}}});
  EXPECT_NE(std::string::npos, logarithmic.find("width=\"105.0\""));
  EXPECT_NE(std::string::npos, logarithmic.find("width=\"315.0\""));
  EXPECT_NE(std::string::npos, logarithmic.find("width=\"0.0\""));
  EXPECT_NE(std::string::npos, bar_chart({"none", Scale::decades, {}}).find("</svg>"));
}

TEST(Charts, DrawEveryPointAndEveryName) {
  const Chart chart{
      "c", {"time", Scale::doublings}, {"reached", Scale::linear}, {{"95 %", {{1, 2}, {2, 4}}}, {"a<b", {{4, 8}}}}};
  const std::string lines = line_chart(chart);
  EXPECT_EQ(2, occurrences(lines, "<polyline"));
  EXPECT_EQ(3, occurrences(lines, "<circle"));
  EXPECT_NE(std::string::npos, lines.find(">a&lt;b</text>"));
  EXPECT_EQ(std::string::npos, lines.find("a<b"));
  EXPECT_NE(std::string::npos, lines.find("points=\"70.0,209.0 330.0,144.0 \""));
  EXPECT_EQ(0, occurrences(lines, "stroke-dasharray"));
  Chart dashed = chart;
  dashed.series[1].dashed = true;
  dashed.series[1].colour = "red";
  EXPECT_EQ(2, occurrences(line_chart(dashed), "stroke=\"red\" stroke-dasharray"));  // the line and the legend
  const std::string dots = scatter_chart(chart);
  EXPECT_EQ(0, occurrences(dots, "<polyline"));
  EXPECT_EQ(3, occurrences(dots, "<circle"));
}

TEST(HeatMap, ShadesByValueAndSkipsMissingValues) {
  const std::string svg = heat_map({"m", {"r"}, {"a", "b", "c"}, {0, 0.5, std::nan("")}, 0, 1});
  EXPECT_EQ(2, occurrences(svg, "<rect"));
  EXPECT_NE(std::string::npos, svg.find("fill-opacity=\"0.500\"><title>r, b: 0.5</title>"));
}

}  // namespace
}  // namespace weakspot::report::plot_test
