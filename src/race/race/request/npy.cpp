// SPDX-License-Identifier: MIT
#include "race/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace weakspot::race {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

struct NamedType {
  std::string_view descr, type;
  std::uint64_t size;
};
// A type that is written takes the first that fits.
constexpr NamedType kTypes[] = {
    {"f4", "float", 4},       {"f8", "double", 8},        {"f2", "half", 2},      {"b1", "bool", 1},
    {"i1", "char", 1},        {"u1", "unsigned char", 1}, {"i2", "short", 2},     {"u2", "unsigned short", 2},
    {"i4", "int", 4},         {"u4", "unsigned int", 4},  {"i8", "long long", 8}, {"u8", "unsigned long long", 8},
    {"i1", "signed char", 1}, {"u4", "unsigned", 4},      {"i8", "long", 8},      {"u8", "unsigned long", 8},
    {"u8", "size_t", 8},
};

// Little-endian.
std::uint64_t whole_at(const std::string& text, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  return value;
}

// What stands behind 'KEY': in the header, up to the next comma outside of parentheses.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = rest.starts_with("(") ? rest.find(')') : rest.find_first_of(",}");
  if (end == std::string_view::npos) return std::nullopt;
  return rest.substr(0, rest.starts_with("(") ? end + 1 : end);
}

// The product of "(6, 300)" or "(5,)" or "()".
std::optional<std::uint64_t> elements_in(std::string_view shape) {
  if (!shape.starts_with("(") || !shape.ends_with(")")) return std::nullopt;
  shape = shape.substr(1, shape.size() - 2);
  std::uint64_t product = 1;
  while (!shape.empty()) {
    if (shape.front() == ' ' || shape.front() == ',') {
      shape.remove_prefix(1);
      continue;
    }
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (error != std::errc() || size > kMostBytes || (size != 0 && product > kMostBytes / size)) return std::nullopt;
    product *= size;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
  }
  return product;
}

}  // namespace

base::Result<NpyArray> read_npy(const std::string& text, const std::string& file) {
  auto fail = [&](const std::string& why) {
    return base::error_in(file, "expected an array as NumPy writes it: " + why);
  };
  if (!text.starts_with(kMagic)) return fail("the file begins in another way");
  const std::size_t length_bytes = text.size() > kMagic.size() && text[kMagic.size()] == 1 ? 2 : 4;
  const std::size_t begin = kMagic.size() + 2 + length_bytes;
  if (text.size() < begin) return fail("it ends within its header");
  const std::uint64_t length = whole_at(text, kMagic.size() + 2, length_bytes);
  if (text.size() - begin < length) return fail("it ends within its header");
  const std::string_view header = std::string_view(text).substr(begin, length);

  const std::string_view descr = value_of(header, "descr").value_or("");
  const std::string_view order = value_of(header, "fortran_order").value_or("");
  const std::optional<std::uint64_t> count = elements_in(value_of(header, "shape").value_or(""));
  const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const NamedType& type) {
    return descr.size() == 5 && (descr[1] == '<' || descr[1] == '|') && descr.substr(2, 2) == type.descr;
  });
  if (known == std::end(kTypes)) {
    return fail(fmt::format("elements of type {} are not known; expected little-endian numbers, such as '<f4'",
                            descr.empty() ? "?" : descr));
  }
  if (order != "False") return fail("its first index is the fastest (fortran_order)");
  if (!count) return fail("its shape is not a list of sizes");
  const std::uint64_t bytes = *count * known->size;
  if (text.size() - begin - length != bytes) {
    return fail(fmt::format("{} elements need {} bytes, and {} follow its header", *count, bytes,
                            text.size() - begin - length));
  }
  return NpyArray{std::string(known->type), *count, text.substr(begin + length)};
}

std::string npy_text(const std::string& type, std::uint64_t element, std::string_view bytes) {
  const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const NamedType& one) { return one.type == type && one.size == element; });
  const std::string descr = known != std::end(kTypes)                      ? std::string(known->descr)
                            : element == 2 || element == 4 || element == 8 ? fmt::format("u{}", element)
                                                                           : "u1";
  const std::uint64_t size = static_cast<std::uint64_t>(descr.back() - '0');
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({},), }}",
                                   size == 1 ? '|' : '<', descr, bytes.size() / size);
  constexpr std::size_t kBefore = kMagic.size() + 4;  // with version and length
  header.append((64 - (kBefore + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string text(kMagic);
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  return text.append(bytes);
}

}  // namespace weakspot::race
