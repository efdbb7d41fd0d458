// SPDX-License-Identifier: MIT
#include "model/png/png_file.h"

#include <zlib.h>

#include <string_view>

#include "base/check.h"

namespace weakspot::model::picture {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_number(std::string& text, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>((number >> shift) & 0xff);
}

Bytef* as_bytes(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

// Each row says how it is filtered: by what it adds to the row above.
Bytes filtered(const Image& image) {
  const std::size_t stride = static_cast<std::size_t>(image.width) * 3;
  Bytes bytes;
  bytes.reserve((stride + 1) * static_cast<std::size_t>(image.height));
  for (std::size_t row = 0; row < static_cast<std::size_t>(image.height); ++row) {
    bytes.push_back(row == 0 ? 0 : 2);
    for (std::size_t i = row * stride; i < (row + 1) * stride; ++i) {
      bytes.push_back(row == 0 ? image.bytes[i] : static_cast<std::uint8_t>(image.bytes[i] - image.bytes[i - stride]));
    }
  }
  return bytes;
}

std::string packed(const Bytes& bytes) {
  uLong size = compressBound(bytes.size());
  std::string data(size, '\0');
  const int code = compress2(as_bytes(data), &size, bytes.data(), bytes.size(), Z_BEST_COMPRESSION);
  WEAKSPOT_CHECK(code == Z_OK);
  data.resize(size);
  return data;
}

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
  append_number(file, static_cast<std::uint32_t>(data.size()));
  std::string checked = std::string(type) + std::string(data);
  file += checked;
  append_number(file, static_cast<std::uint32_t>(crc32(0, as_bytes(checked), static_cast<uInt>(checked.size()))));
}

}  // namespace

std::string png_file(const Image& image) {
  std::string header;
  append_number(header, static_cast<std::uint32_t>(image.width));
  append_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string_view("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, no interlacing
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed(filtered(image)));
  append_chunk(file, "IEND", "");
  return file;
}

}  // namespace weakspot::model::picture
