// SPDX-License-Identifier: MIT
#include "model/picture/png_file.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weakspot::model::picture {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_number(std::string& text, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>((number >> shift) & 0xff);
}

std::uint32_t crc(std::string_view text) {
  static const std::array<std::uint32_t, 256> kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
      table[i] = value;
    }
    return table;
  }();
  std::uint32_t value = 0xffffffffu;
  for (char c : text) value = kTable[(value ^ static_cast<std::uint8_t>(c)) & 0xff] ^ (value >> 8);
  return ~value;
}

std::uint32_t adler(const Bytes& bytes) {
  std::uint32_t a = 1, b = 0;
  for (std::uint8_t byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

// One block with the fixed codes of RFC 1951, 3.2.6. The only repetitions it looks for are runs of one byte and of one
// pixel: a picture is mostly rows that equal the row above, which the filter makes zeros.
class Deflate {
 public:
  explicit Deflate(const Bytes& bytes) {
    put(0b011, 3);  // the last block, fixed codes
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t by_byte = run_at(bytes, at, 1), by_pixel = run_at(bytes, at, 3);
      const std::size_t run = std::max(by_byte, by_pixel);
      if (run < 3) {
        literal(bytes[at++]);
        continue;
      }
      length(static_cast<unsigned>(run));
      put_code(by_byte == run ? 0 : 2, 5);  // distances 1 and 3
      at += run;
    }
    literal(kEnd);
    if (used_ > 0) text_ += static_cast<char>(bits_);
  }

  std::string take() && { return std::move(text_); }

 private:
  static constexpr std::size_t kLongest = 258;
  static constexpr unsigned kEnd = 256;

  // How many bytes from here on repeat those at this distance.
  static std::size_t run_at(const Bytes& bytes, std::size_t at, std::size_t distance) {
    std::size_t run = 0;
    if (at < distance) return run;
    while (at + run < bytes.size() && bytes[at + run] == bytes[at + run - distance] && run < kLongest) ++run;
    return run;
  }

  // Lowest bit first.
  void put(unsigned value, int count) {
    for (int bit = 0; bit < count; ++bit) {
      bits_ |= ((value >> bit) & 1u) << used_;
      if (++used_ < 8) continue;
      text_ += static_cast<char>(bits_);
      bits_ = 0;
      used_ = 0;
    }
  }

  // Huffman codes start with their highest bit.
  void put_code(unsigned code, int count) {
    for (int bit = count - 1; bit >= 0; --bit) put((code >> bit) & 1u, 1);
  }

  void literal(unsigned symbol) {
    if (symbol < 144) return put_code(0x30 + symbol, 8);
    if (symbol < 256) return put_code(0x190 + symbol - 144, 9);
    if (symbol < 280) return put_code(symbol - 256, 7);
    put_code(0xc0 + symbol - 280, 8);
  }

  // RFC 1951, 3.2.5: from 3 to 10 a symbol each, then four symbols for each number of further bits; 258 has its own.
  void length(unsigned run) {
    if (run == kLongest) return literal(285);
    if (run <= 10) return literal(257 + run - 3);
    unsigned base = 11, symbol = 265;
    int further = 1;
    while (run >= base + (4u << further)) {
      base += 4u << further;
      symbol += 4;
      ++further;
    }
    literal(symbol + ((run - base) >> further));
    put((run - base) & ((1u << further) - 1), further);
  }

  std::string text_;
  unsigned bits_ = 0;
  int used_ = 0;
};

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

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
  append_number(file, static_cast<std::uint32_t>(data.size()));
  const std::string checked = std::string(type) + std::string(data);
  file += checked;
  append_number(file, crc(checked));
}

}  // namespace

std::string png_file(const Image& image) {
  std::string header;
  append_number(header, static_cast<std::uint32_t>(image.width));
  append_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string_view("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, no interlacing
  const Bytes bytes = filtered(image);
  std::string data = "\x78\x01";
  data += Deflate(bytes).take();
  append_number(data, adler(bytes));
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", data);
  append_chunk(file, "IEND", "");
  return file;
}

}  // namespace weakspot::model::picture
