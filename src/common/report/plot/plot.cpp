// SPDX-License-Identifier: MIT
#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "report/markup.h"
#include "report/plot/axis_scale.h"

namespace weakspot::report {
namespace {

constexpr double kCharacter =
    7.5;  // the width of a character, at most: the style sheet has a 12-pixel fixed-width font
constexpr const char* kGrid = "stroke=\"#8884\"";

// The whole picture: `content` in a frame that scrolls where the page is narrower.
std::string picture(const std::string& name, double width, double height, const std::string& content) {
  return fmt::format(
      "<div class=\"plot\"><svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
      "aria-label=\"{2}\">\n{3}</svg></div>\n",
      width, height, escaped(name), content);
}

std::string text_at(double x, double y, const char* anchor, std::string_view text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, more,
                     escaped(text));
}

double widest(const std::vector<std::string>& texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return static_cast<double>(longest) * kCharacter;
}

// The area inside the axes of a chart.
struct Frame {
  double left = 70, top = 14, width = 520, height = 260;

  double x(double place) const { return left + place * width; }
  double y(double place) const { return top + (1 - place) * height; }

  std::string draw(const AxisScale& across, const std::string& across_label, const AxisScale& up,
                   const std::string& up_label) const {
    std::string svg;
    for (const Tick& tick : across.ticks()) {
      const double at = x(across.place(tick.value));
      svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" {3}/>", at, top,
                         top + height, kGrid);
      svg += text_at(at, top + height + 16, "middle", tick.label) + "\n";
    }
    for (const Tick& tick : up.ticks()) {
      const double at = y(up.place(tick.value));
      svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" {3}/>", left, at,
                         left + width, kGrid);
      svg += text_at(left - 6, at + 4, "end", tick.label) + "\n";
    }
    svg += text_at(left + width / 2, top + height + 34, "middle", across_label);
    svg += fmt::format("<text transform=\"translate(13,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                       top + height / 2, escaped(up_label));
    return svg;
  }
};

enum class Mark { line, dots };

std::string series_colour(const Series& series, std::size_t index) {
  return series.colour.empty() ? palette_colour(index) : escaped(series.colour);
}

std::string series_svg(const Series& series, std::size_t index, Mark mark, const Frame& frame, const AxisScale& across,
                       const AxisScale& up) {
  const std::string colour = series_colour(series, index);
  std::string svg;
  if (mark == Mark::line) {
    svg += fmt::format("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\"{} points=\"", colour,
                       series.dashed ? " stroke-dasharray=\"6 4\"" : "");
    for (const Point& point : series.points) {
      svg += fmt::format("{:.1f},{:.1f} ", frame.x(across.place(point.x)), frame.y(up.place(point.y)));
    }
    svg += "\"/>\n";
  }
  for (const Point& point : series.points) {
    svg +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"{}><title>{}{}{}, {}</title></circle>\n",
                    frame.x(across.place(point.x)), frame.y(up.place(point.y)), mark == Mark::line ? "2.5" : "3.5",
                    colour, mark == Mark::line ? "" : " fill-opacity=\".6\"", escaped(series.name),
                    series.name.empty() ? "" : ": ", tick_label(point.x), tick_label(point.y));
  }
  return svg;
}

std::string legend(const std::vector<Series>& series, double left, double top) {
  std::string svg;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double y = top + static_cast<double>(i) * 18;
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"4\" stroke=\"{}\"{}/>", left,
        y + 6, left + 14, y + 6, series_colour(series[i], i), series[i].dashed ? " stroke-dasharray=\"4 2\"" : "");
    svg += text_at(left + 18, y + 10, "start", series[i].name) + "\n";
  }
  return svg;
}

std::string chart_svg(const Chart& chart, Mark mark) {
  std::vector<double> xs, ys;
  std::vector<std::string> names;
  for (const Series& series : chart.series) {
    names.push_back(series.name);
    for (const Point& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  }
  const AxisScale across(chart.x.scale, xs), up(chart.y.scale, ys);
  Frame frame;
  const bool named = widest(names) > 0;
  const double names_height = static_cast<double>(chart.series.size()) * 18;
  if (named) frame.height = std::max(frame.height, names_height);
  const double width = frame.left + frame.width + 20 + (named ? widest(names) + 30 : 0);
  std::string svg = frame.draw(across, chart.x.label, up, chart.y.label);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg += series_svg(chart.series[i], i, mark, frame, across, up);
  }
  if (named) svg += legend(chart.series, frame.left + frame.width + 16, frame.top);
  return picture(chart.name, width, frame.top + frame.height + 42, svg);
}

// Lengths of bars from 0 to 1, and the ticks below them.
struct BarScale {
  explicit BarScale(const BarChart& chart) : scale(chart.scale) {
    double smallest = 1;
    for (const Bar& bar : chart.bars) {
      WEAKSPOT_CHECK(bar.value >= 0);
      largest = std::max(largest, bar.value);
      if (bar.value > 0) smallest = std::min(smallest, bar.value);
    }
    if (scale == Scale::linear) return;
    lowest = static_cast<int>(std::floor(std::log10(smallest)));
    decades = static_cast<int>(std::floor(std::log10(std::max(largest, smallest)))) - lowest + 1;
  }

  double length(double value) const {
    if (value <= 0) return 0;
    return scale == Scale::linear ? value / largest : (std::log10(value) - lowest + 1) / (decades + 1);
  }

  Scale scale;
  double largest = 0;
  int lowest = 0, decades = 0;
};

// The page's text colour on pale fields, white on dark ones. On a white page black is the clearer up to about 0.7.
std::string field(double x, double y, double size, double shade, const std::string& text, const std::string& title) {
  std::string svg = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#08519c\" fill-opacity=\"{:.3f}\">"
      "<title>{}</title></rect>",
      x, y, size, size, shade, escaped(title));
  if (!text.empty()) {
    svg += text_at(x + size / 2, y + size / 2 + 4, "middle", text,
                   shade > 0.7 ? " style=\"fill:#fff;font-size:10px\"" : " style=\"font-size:10px\"");
  }
  return svg + "\n";
}

}  // namespace

std::string palette_colour(std::size_t index) {
  // Okabe and Ito's palette without black and yellow, which disappear on dark and light pages.
  constexpr const char* kColours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7f7f7f"};
  return kColours[index % std::size(kColours)];
}

std::string bar_chart(const BarChart& chart) {
  constexpr int kRow = 22, kBar = 420;
  const BarScale scale(chart);
  std::vector<std::string> labels, texts;
  for (const Bar& bar : chart.bars) {
    labels.push_back(bar.label);
    texts.push_back(bar.text.empty() ? tick_label(bar.value) : bar.text);
  }
  const double left = widest(labels) + 20;
  const double height = static_cast<double>(chart.bars.size()) * kRow + (chart.scale == Scale::linear ? 4 : 24);
  std::string svg;
  if (chart.scale != Scale::linear) {
    for (int decade = 0; decade <= scale.decades; ++decade) {
      const double x = left + static_cast<double>(kBar) * (decade + 1) / (scale.decades + 1);
      svg += fmt::format(
          "<line x1=\"{0:.0f}\" y1=\"0\" x2=\"{0:.0f}\" y2=\"{1:.0f}\" {2}/><text x=\"{0:.0f}\" y=\"{3:.0f}\" "
          "text-anchor=\"middle\" fill-opacity=\".6\">10<tspan dy=\"-4\" font-size=\"9\">{4}</tspan></text>\n",
          x, height - 18, kGrid, height - 4, decade + scale.lowest);
    }
  }
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const double y = static_cast<double>(i) * kRow;
    const double length = kBar * scale.length(bar.value);
    svg += text_at(left - 8, y + 15, "end", bar.label);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>", left, y + 3,
                       length, kRow - 6, bar.colour.empty() ? palette_colour(0) : escaped(bar.colour));
    svg += text_at(left + length + 6, y + 15, "start", texts[i], " class=\"value\"") + "\n";
  }
  return picture(chart.name, left + kBar + widest(texts) + 20, height, svg);
}

std::string line_chart(const Chart& chart) { return chart_svg(chart, Mark::line); }

std::string scatter_chart(const Chart& chart) { return chart_svg(chart, Mark::dots); }

std::string heat_map(const HeatMap& map) {
  WEAKSPOT_CHECK(map.values.size() == map.rows.size() * map.columns.size() && map.low < map.high);
  const double size = map.columns.size() <= 12 ? 40 : map.columns.size() <= 40 ? 30 : 14;
  const double left = widest(map.rows) + 16, top = widest(map.columns) * 0.72 + 16;
  const auto columns = static_cast<double>(map.columns.size()), rows = static_cast<double>(map.rows.size());
  std::string svg;
  for (std::size_t column = 0; column < map.columns.size(); ++column) {
    svg += fmt::format("<text transform=\"translate({:.1f},{:.1f}) rotate(-45)\">{}</text>\n",
                       left + (static_cast<double>(column) + 0.6) * size, top - 6, escaped(map.columns[column]));
  }
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    const double y = top + static_cast<double>(row) * size;
    svg += text_at(left - 8, y + size / 2 + 4, "end", map.rows[row]) + "\n";
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      const double value = map.values[row * map.columns.size() + column];
      if (std::isnan(value)) continue;
      const double shade = std::clamp((value - map.low) / (map.high - map.low), 0.0, 1.0);
      svg += field(left + static_cast<double>(column) * size, y, size - 1, shade,
                   size < 30 || std::abs(value) < 0.005 ? "" : fmt::format("{:.2f}", value),
                   fmt::format("{}, {}: {:.4g}", map.rows[row], map.columns[column], value));
    }
  }
  return picture(map.name, left + columns * size + top, top + rows * size + 8, svg);
}

}  // namespace weakspot::report
