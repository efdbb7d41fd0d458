// SPDX-License-Identifier: MIT
// The sections of an ELF file of 64 bits, little endian, which compilers for NVIDIA's GPUs make.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::optcheck {

using Bytes = std::span<const std::uint8_t>;

template <typename Number>
std::optional<Number> number_at(Bytes bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Points into the image, which must outlive it.
class ElfFile {
 public:
  struct Section {
    std::string name;
    Bytes bytes;
    std::uint32_t link = 0;
  };

  // Nothing if the image is not such a file.
  static std::optional<ElfFile> read(Bytes image);

  const std::vector<Section>& sections() const { return sections_; }
  const Section* find(std::string_view name) const;
  // The name of a symbol; that of its section if it has none.
  std::string symbol_name(std::uint64_t number) const;

 private:
  std::vector<Section> sections_;
};

}  // namespace weakspot::optcheck
