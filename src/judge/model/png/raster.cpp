// SPDX-License-Identifier: MIT
#include "model/png/raster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weakspot::model::picture {
namespace {

double distance(Spot point, Spot a, Spot b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double along = length == 0 ? 0 : std::clamp(((point.x - a.x) * dx + (point.y - a.y) * dy) / length, 0.0, 1.0);
  return std::hypot(point.x - a.x - along * dx, point.y - a.y - along * dy);
}

// The distance of the point from the line from a to b, positive on the inner side.
double depth(Spot point, Spot a, Spot b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  return (dx * (point.y - a.y) - dy * (point.x - a.x)) / std::hypot(dx, dy);
}

Spot between(Spot a, Spot b, double part) { return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part}; }

}  // namespace

Raster::Raster(int width, int height, int scale, Colour paper) : scale_(scale) {
  image_.width = width * scale;
  image_.height = height * scale;
  const std::size_t pixels = static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height);
  image_.bytes.reserve(pixels * 3);
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::uint8_t part : {paper.red, paper.green, paper.blue}) image_.bytes.push_back(part);
  }
}

// `coverage` says how much of a pixel is covered, from its centre in pixels.
template <typename Coverage>
void Raster::paint(Spot low, Spot high, Colour colour, const Coverage& coverage) {
  const int left = std::max(0, static_cast<int>(std::floor(low.x)) - 1);
  const int right = std::min(image_.width - 1, static_cast<int>(std::ceil(high.x)) + 1);
  const int top = std::max(0, static_cast<int>(std::floor(low.y)) - 1);
  const int bottom = std::min(image_.height - 1, static_cast<int>(std::ceil(high.y)) + 1);
  const std::array<std::uint8_t, 3> parts = {colour.red, colour.green, colour.blue};
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const double part = std::clamp(coverage(Spot{x + 0.5, y + 0.5}), 0.0, 1.0);
      if (part == 0) continue;
      std::uint8_t* pixel =
          image_.bytes.data() +
          3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) + static_cast<std::size_t>(x));
      for (std::size_t i = 0; i < 3; ++i) {
        pixel[i] = static_cast<std::uint8_t>(std::lround(pixel[i] + part * (parts[i] - pixel[i])));
      }
    }
  }
}

void Raster::fill(Spot corner, Spot opposite, Colour colour) {
  const Spot low{corner.x * scale_, corner.y * scale_}, high{opposite.x * scale_, opposite.y * scale_};
  paint(low, high, colour,
        [&](Spot at) { return low.x <= at.x && at.x <= high.x && low.y <= at.y && at.y <= high.y ? 1.0 : 0.0; });
}

void Raster::triangle(Spot a, Spot b, Spot c, Colour colour) {
  for (Spot* spot : {&a, &b, &c}) *spot = {spot->x * scale_, spot->y * scale_};
  if (depth(c, a, b) < 0) std::swap(b, c);
  const Spot low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
  const Spot high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
  paint(low, high, colour,
        [&](Spot at) { return std::min({depth(at, a, b), depth(at, b, c), depth(at, c, a)}) + 0.5; });
}

void Raster::segment(Spot a, Spot b, double width, Colour colour) {
  for (Spot* spot : {&a, &b}) *spot = {spot->x * scale_, spot->y * scale_};
  const double half = width * scale_ / 2;
  const Spot low{std::min(a.x, b.x) - half, std::min(a.y, b.y) - half};
  const Spot high{std::max(a.x, b.x) + half, std::max(a.y, b.y) + half};
  paint(low, high, colour, [&](Spot at) { return half + 0.5 - distance(at, a, b); });
}

void Raster::stroke(const std::vector<Spot>& points, double width, Colour colour, double dash) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Spot a = points[i - 1], b = points[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (dash == 0 || length == 0) {
      segment(a, b, width, colour);
      continue;
    }
    for (double at = 0; at < length; at += 2 * dash) {
      segment(between(a, b, at / length), between(a, b, std::min(1.0, (at + dash) / length)), width, colour);
    }
  }
}

}  // namespace weakspot::model::picture
