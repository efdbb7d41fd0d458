// SPDX-License-Identifier: MIT
#include "base/packed/inflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/check.h"

namespace weakspot::base {
namespace {

// Least significant bits first.
class BitReader {
 public:
  explicit BitReader(std::span<const unsigned char> data) : data_(data) {}

  unsigned bit() {
    WEAKSPOT_CHECK(place_ / 8 < data_.size());
    const unsigned value = (data_[place_ / 8] >> (place_ % 8)) & 1U;
    ++place_;
    return value;
  }

  unsigned bits(unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }

  void to_next_byte() { place_ = (place_ + 7) / 8 * 8; }

 private:
  std::span<const unsigned char> data_;
  std::size_t place_ = 0;
};

constexpr std::size_t kLongestCode = 15;

// Codes of one length are consecutive numbers, those of greater length follow (section 3.2.2).
class Codes {
 public:
  explicit Codes(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    for (std::size_t length = 1; length <= kLongestCode; ++length) {
      for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        if (lengths[symbol] == length) symbols_.push_back(static_cast<std::uint16_t>(symbol));
      }
    }
  }

  unsigned read(BitReader& in) const {
    unsigned code = 0, first = 0, before = 0;
    for (std::size_t length = 1; length <= kLongestCode; ++length) {
      code = code << 1 | in.bit();
      if (code - first < counts_[length]) return symbols_[before + code - first];
      before += counts_[length];
      first = (first + counts_[length]) << 1;
    }
    WEAKSPOT_CHECK(false);
    return 0;
  }

 private:
  std::array<std::uint16_t, kLongestCode + 1> counts_{};
  std::vector<std::uint16_t> symbols_;  // by code
};

// Symbols 257 to 285: a copy of so many bytes.
constexpr std::uint16_t kCopyLengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                          31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t kCopyLengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
// From so far back.
constexpr std::uint16_t kDistances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                        33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                        1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::uint8_t kDistanceBits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                          6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

void read_stored(BitReader& in, std::string& out) {
  in.to_next_byte();
  const unsigned length = in.bits(16);
  WEAKSPOT_CHECK(in.bits(16) == (~length & 0xFFFFU));
  for (unsigned i = 0; i < length; ++i) out += static_cast<char>(in.bits(8));
}

void read_coded(BitReader& in, const Codes& symbols, const Codes& distances, std::string& out) {
  constexpr unsigned kEnd = 256;
  for (unsigned symbol = symbols.read(in); symbol != kEnd; symbol = symbols.read(in)) {
    if (symbol < kEnd) {
      out += static_cast<char>(symbol);
      continue;
    }
    const unsigned copy = symbol - kEnd - 1;
    WEAKSPOT_CHECK(copy < std::size(kCopyLengths));
    const std::size_t length = kCopyLengths[copy] + in.bits(kCopyLengthBits[copy]);
    const unsigned far = distances.read(in);
    WEAKSPOT_CHECK(far < std::size(kDistances));
    const std::size_t distance = kDistances[far] + in.bits(kDistanceBits[far]);
    WEAKSPOT_CHECK(distance <= out.size());
    // Byte by byte: a copy may repeat what it has just written.
    for (std::size_t i = 0; i < length; ++i) out += out[out.size() - distance];
  }
}

void read_fixed(BitReader& in, std::string& out) {
  std::array<std::uint8_t, 288> lengths{};
  std::fill(lengths.begin(), lengths.begin() + 144, std::uint8_t{8});
  std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
  std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
  std::fill(lengths.begin() + 280, lengths.end(), std::uint8_t{8});
  std::array<std::uint8_t, 30> distances{};
  distances.fill(5);
  read_coded(in, Codes(lengths), Codes(distances), out);
}

// The lengths of codes are themselves coded (section 3.2.7).
std::vector<std::uint8_t> read_lengths(BitReader& in, const Codes& codes, std::size_t count) {
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < count) {
    const unsigned symbol = codes.read(in);
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
    } else if (symbol == 16) {
      WEAKSPOT_CHECK(!lengths.empty());
      const std::uint8_t last = lengths.back();
      lengths.insert(lengths.end(), 3 + in.bits(2), last);
    } else {
      lengths.insert(lengths.end(), symbol == 17 ? 3 + in.bits(3) : 11 + in.bits(7), 0);
    }
  }
  WEAKSPOT_CHECK(lengths.size() == count);
  return lengths;
}

void read_dynamic(BitReader& in, std::string& out) {
  constexpr std::uint8_t kOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  const unsigned symbols = in.bits(5) + 257, distances = in.bits(5) + 1, given = in.bits(4) + 4;
  std::array<std::uint8_t, std::size(kOrder)> of_lengths{};
  for (unsigned i = 0; i < given; ++i) of_lengths[kOrder[i]] = static_cast<std::uint8_t>(in.bits(3));
  const std::vector<std::uint8_t> lengths = read_lengths(in, Codes(of_lengths), symbols + distances);
  const std::span<const std::uint8_t> all(lengths);
  read_coded(in, Codes(all.first(symbols)), Codes(all.last(distances)), out);
}

}  // namespace

std::string inflate(std::span<const unsigned char> data) {
  BitReader in(data);
  std::string out;
  bool last = false;
  while (!last) {
    last = in.bit() == 1;
    switch (in.bits(2)) {
      case 0:
        read_stored(in, out);
        break;
      case 1:
        read_fixed(in, out);
        break;
      case 2:
        read_dynamic(in, out);
        break;
      default:
        WEAKSPOT_CHECK(false);
    }
  }
  return out;
}

}  // namespace weakspot::base
