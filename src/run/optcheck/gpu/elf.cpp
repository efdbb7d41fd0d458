// SPDX-License-Identifier: MIT
#include "optcheck/gpu/elf.h"

#include <algorithm>

namespace weakspot::optcheck {
namespace {

constexpr std::uint64_t kSymbolBytes = 24;

std::string elf_text_at(Bytes bytes, std::uint64_t at) {
  if (at >= bytes.size()) return {};
  const auto end = std::find(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), std::uint8_t{0});
  return {bytes.begin() + static_cast<std::ptrdiff_t>(at), end};
}

}  // namespace

std::optional<ElfFile> ElfFile::read(Bytes image) {
  static constexpr std::uint8_t kMagic[] = {0x7f, 'E', 'L', 'F', 2, 1};
  if (image.size() < 64 || !std::equal(std::begin(kMagic), std::end(kMagic), image.begin())) return std::nullopt;
  ElfFile file;
  const std::uint64_t headers = *number_at<std::uint64_t>(image, 40);
  const std::uint16_t count = *number_at<std::uint16_t>(image, 60);
  const std::uint16_t names = *number_at<std::uint16_t>(image, 62);
  std::vector<std::uint32_t> name_offsets;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = headers + i * 64;
    const auto name = number_at<std::uint32_t>(image, at);
    const auto type = number_at<std::uint32_t>(image, at + 4);
    const auto offset = number_at<std::uint64_t>(image, at + 24);
    const auto size = number_at<std::uint64_t>(image, at + 32);
    const auto link = number_at<std::uint32_t>(image, at + 40);
    if (!name || !type || !offset || !size || !link) return std::nullopt;
    Section section;
    constexpr std::uint32_t kNoBits = 8;
    if (*type != kNoBits) {
      if (*offset > image.size() || image.size() - *offset < *size) return std::nullopt;
      section.bytes = image.subspan(*offset, *size);
    }
    section.link = *link;
    name_offsets.push_back(*name);
    file.sections_.push_back(std::move(section));
  }
  if (names >= file.sections_.size()) return std::nullopt;
  for (std::size_t i = 0; i < file.sections_.size(); ++i) {
    file.sections_[i].name = elf_text_at(file.sections_[names].bytes, name_offsets[i]);
  }
  return file;
}

const ElfFile::Section* ElfFile::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::string ElfFile::symbol_name(std::uint64_t number) const {
  const Section* table = find(".symtab");
  if (table == nullptr || table->link >= sections_.size()) return {};
  const auto name = number_at<std::uint32_t>(table->bytes, number * kSymbolBytes);
  const auto section = number_at<std::uint16_t>(table->bytes, number * kSymbolBytes + 6);
  if (!name || !section) return {};
  std::string text = elf_text_at(sections_[table->link].bytes, *name);
  if (text.empty() && *section < sections_.size()) text = sections_[*section].name;
  return text;
}

}  // namespace weakspot::optcheck
