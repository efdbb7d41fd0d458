// SPDX-License-Identifier: MIT
#include "race_jit/hooks/wave_products.h"

#include <bit>
#include <charconv>
#include <cstring>

#include "race_jit/math/small_floats.h"

namespace weakspot::race_jit {
namespace {

using Element = WaveProduct::Type;

bool skip_word(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

std::optional<unsigned> skip_number(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<Element> element_of(std::string_view result, std::string_view operands) {
  if (result == "i32") return operands == "i8" ? std::optional(Element::i8) : std::nullopt;
  if (operands == "f32") return Element::f32;
  if (operands == "f16") return Element::f16;
  if (operands == "bf16" || operands == "bf16.1k") return Element::bf16;
  return std::nullopt;
}

unsigned element_bits(Element type) { return type == Element::f32 ? 32 : type == Element::i8 ? 8 : 16; }

template <typename T>
T load_at(const void* from, unsigned index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(from) + index * sizeof(T), sizeof value);
  return value;
}

float small_number(Element type, const void* from, unsigned index) {
  if (type == Element::f32) return load_at<float>(from, index);
  const auto bits = load_at<std::uint16_t>(from, index);
  return type == Element::f16 ? half_to_float(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// Where the element of D is that a lane holds as its result `r`.
struct ResultPlace {
  unsigned row, column, block;
};
ResultPlace result_place(const WaveProduct& product, unsigned lane, unsigned r) {
  if (product.size == 4) return {r, lane % 4, lane / 4};
  const unsigned of_block = product.results() / product.blocks();
  const unsigned group = lane / product.size, groups = 64 / product.size, in_block = r % of_block;
  return {4 * groups * (in_block / 4) + 4 * group + in_block % 4, lane % product.size, r / of_block};
}

// The lane and the element that hold A[index][k], which is also where B[k][index] is.
const ProductLane* holding_lane(const WaveProduct& product, const std::array<const ProductLane*, 64>& lanes,
                                unsigned index, unsigned k, unsigned block) {
  return lanes[index + product.size * (k / product.each + product.depth / product.each * block)];
}

// D of one element, from C.
template <typename Number, typename Read>
Number sum_of_products(const WaveProduct& product, const std::array<const ProductLane*, 64>& lanes,
                       const ResultPlace& there, Number sum, const Read& read) {
  for (unsigned k = 0; k < product.depth; ++k) {
    const ProductLane* a = holding_lane(product, lanes, there.row, k, there.block);
    const ProductLane* b = holding_lane(product, lanes, there.column, k, there.block);
    if (a != nullptr && b != nullptr) sum += read(a->a, k % product.each) * read(b->b, k % product.each);
  }
  return sum;
}

}  // namespace

std::optional<WaveProduct> wave_product(std::string_view name, unsigned bits) {
  const std::string_view result = name.substr(0, 3);
  if ((result != "f32" && result != "i32") || !name.substr(3).starts_with(".")) return std::nullopt;
  name.remove_prefix(4);
  WaveProduct product;
  const auto rows = skip_number(name);
  if (!rows || !skip_word(name, "x") || skip_number(name) != rows || !skip_word(name, "x")) return std::nullopt;
  const auto depth = skip_number(name);
  skip_word(name, ".");
  const std::optional<Element> type = element_of(result, name);
  if (!depth || !type) return std::nullopt;
  product = {*type, *rows, *depth, bits / element_bits(*type)};
  const bool known = product.size == 4 || product.size == 16 || product.size == 32;
  return known && product.each != 0 && product.depth % product.each == 0 && product.blocks() != 0
             ? std::optional(product)
             : std::nullopt;
}

void multiply(const WaveProduct& product, const std::array<const ProductLane*, 64>& lanes) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (lanes[lane] == nullptr) continue;
    for (unsigned r = 0; r < product.results(); ++r) {
      const ResultPlace there = result_place(product, lane, r);
      char* to = static_cast<char*>(lanes[lane]->d) + std::size_t{r} * 4;
      if (product.type == Element::i8) {
        const auto read = [](const void* from, unsigned i) {
          return std::uint32_t(std::int32_t{load_at<std::int8_t>(from, i)});
        };
        const std::uint32_t sum =
            sum_of_products(product, lanes, there, load_at<std::uint32_t>(lanes[lane]->c, r), read);
        std::memcpy(to, &sum, sizeof sum);
      } else {
        const auto read = [&](const void* from, unsigned i) { return small_number(product.type, from, i); };
        const float sum = sum_of_products(product, lanes, there, load_at<float>(lanes[lane]->c, r), read);
        std::memcpy(to, &sum, sizeof sum);
      }
    }
  }
}

}  // namespace weakspot::race_jit
