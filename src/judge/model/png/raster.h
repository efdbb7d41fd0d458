// SPDX-License-Identifier: MIT
// Smooth lines, triangles and rectangles on an image.
#pragma once

#include <cstdint>
#include <vector>

#include "model/png/png_file.h"

namespace weakspot::model::picture {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

struct Spot {
  double x = 0, y = 0;
};

// Places are given in units of the layout, of which each has `scale` pixels.
class Raster {
 public:
  Raster(int width, int height, int scale, Colour paper);

  void fill(Spot corner, Spot opposite, Colour colour);
  void triangle(Spot a, Spot b, Spot c, Colour colour);
  // With round ends. Dashes have a length, and gaps of the same length; 0: none.
  void stroke(const std::vector<Spot>& points, double width, Colour colour, double dash = 0);

  const Image& image() const { return image_; }

 private:
  void segment(Spot a, Spot b, double width, Colour colour);
  template <typename Coverage>
  void paint(Spot low, Spot high, Colour colour, const Coverage& coverage);

  int scale_;
  Image image_;
};

}  // namespace weakspot::model::picture
