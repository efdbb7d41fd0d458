// SPDX-License-Identifier: MIT
#include "optcheck/gpu/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace weakspot::optcheck {
namespace {

using Bytes = std::span<const std::uint8_t>;

template <typename Number>
std::optional<Number> number_at(Bytes bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) return std::nullopt;
  Number value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The sections of an ELF file of 64 bits, little endian.
class ElfFile {
 public:
  struct Section {
    std::string name;
    Bytes bytes;
    std::uint32_t link = 0;
  };

  static std::optional<ElfFile> read(Bytes image) {
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
      file.sections_[i].name = text_at(file.sections_[names].bytes, name_offsets[i]);
    }
    return file;
  }

  const Section* find(std::string_view name) const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
    return found == sections_.end() ? nullptr : &*found;
  }
  std::size_t kernels() const {
    return static_cast<std::size_t>(std::count_if(sections_.begin(), sections_.end(),
                                                  [](const Section& s) { return s.name.starts_with(".text."); }));
  }
  // The name of a symbol; that of its section if it has none.
  std::string symbol(std::uint64_t number) const {
    const Section* symbols = find(".symtab");
    if (symbols == nullptr || symbols->link >= sections_.size()) return {};
    const auto name = number_at<std::uint32_t>(symbols->bytes, number * 24);
    const auto section = number_at<std::uint16_t>(symbols->bytes, number * 24 + 6);
    if (!name || !section) return {};
    std::string text = text_at(sections_[symbols->link].bytes, *name);
    if (text.empty() && *section < sections_.size()) text = sections_[*section].name;
    return text;
  }

 private:
  static std::string text_at(Bytes bytes, std::uint64_t at) {
    if (at >= bytes.size()) return {};
    const auto end = std::find(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), std::uint8_t{0});
    return {bytes.begin() + static_cast<std::ptrdiff_t>(at), end};
  }

  std::vector<Section> sections_;
};

// The line number program of DWARF 2, section 6.2.
class LineProgram {
 public:
  explicit LineProgram(Bytes bytes) : bytes_(bytes) {}

  struct Sequence {
    std::uint64_t relocated = 0;  // where its address stands in the section
    std::vector<LineRow> rows;
  };

  std::optional<std::vector<Sequence>> run() {
    while (next_ < bytes_.size() && ok_) unit();
    if (!ok_) return std::nullopt;
    return std::move(sequences_);
  }

 private:
  std::uint8_t byte() {
    const auto value = number_at<std::uint8_t>(bytes_, next_);
    ok_ = ok_ && value;
    ++next_;
    return value.value_or(0);
  }
  template <typename Number>
  Number fixed() {
    const auto value = number_at<Number>(bytes_, next_);
    ok_ = ok_ && value;
    next_ += sizeof(Number);
    return value.value_or(Number{});
  }
  std::uint64_t variable(bool is_signed) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_ && shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7fu} << shift;
      if ((part & 0x80) != 0) continue;
      if (is_signed && (part & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
      break;
    }
    return value;
  }

  void unit() {
    const std::uint64_t begin = next_;
    const std::uint64_t end = begin + 4 + fixed<std::uint32_t>();
    fixed<std::uint16_t>();  // version
    const std::uint64_t header = fixed<std::uint32_t>();
    const std::uint64_t program = next_ + header;
    const std::uint8_t least = byte();
    byte();  // statements by default
    const auto base = static_cast<std::int8_t>(byte());
    const std::uint8_t range = byte();
    const std::uint8_t first_special = byte();
    std::vector<std::uint8_t> operands;
    for (int i = 1; i < first_special; ++i) operands.push_back(byte());
    if (!ok_ || range == 0 || end > bytes_.size() || program > end) {
      ok_ = false;
      return;
    }
    next_ = program;
    Sequence sequence;
    std::uint64_t at = 0;
    std::int64_t line = 1;
    auto add_row = [&] { sequence.rows.push_back({at, static_cast<std::size_t>(line)}); };
    while (ok_ && next_ < end) {
      const std::uint8_t opcode = byte();
      if (opcode >= first_special) {
        const int special = opcode - first_special;
        at += least * static_cast<std::uint64_t>(special / range);
        line += base + special % range;
        add_row();
      } else if (opcode == 0) {
        const std::uint64_t length = variable(false);
        const std::uint64_t after = next_ + length;
        const std::uint8_t extended = byte();
        if (extended == 1) {
          sequences_.push_back(std::move(sequence));
          sequence = {};
          at = 0;
          line = 1;
        } else if (extended == 2) {
          sequence.relocated = next_;
          at = fixed<std::uint64_t>();
        }
        next_ = after;
      } else if (opcode == 1) {
        add_row();
      } else if (opcode == 2) {
        at += variable(false) * least;
      } else if (opcode == 3) {
        line += static_cast<std::int64_t>(variable(true));
      } else if (opcode == 8) {
        at += least * static_cast<std::uint64_t>((255 - first_special) / range);
      } else if (opcode == 9) {
        at += fixed<std::uint16_t>();
      } else {
        for (int i = 0; i < operands[opcode - 1u]; ++i) variable(false);
      }
    }
    next_ = end;
  }

  Bytes bytes_;
  std::uint64_t next_ = 0;
  bool ok_ = true;
  std::vector<Sequence> sequences_;
};

}  // namespace

base::Result<std::vector<LineRow>> read_line_table(Bytes image, std::string_view kernel) {
  const std::optional<ElfFile> file = ElfFile::read(image);
  if (!file) return base::error("the machine code is not an ELF file");
  const ElfFile::Section* table = file->find(".nv_debug_line_sass");
  if (table == nullptr) return base::error("the machine code has no line information");
  std::optional<std::vector<LineProgram::Sequence>> sequences = LineProgram(table->bytes).run();
  if (!sequences) return base::error("the line information of the machine code cannot be read");
  const ElfFile::Section* relocations = file->find(".rela.nv_debug_line_sass");
  std::vector<LineRow> rows;
  for (const LineProgram::Sequence& sequence : *sequences) {
    bool ours = file->kernels() == 1;
    for (std::uint64_t at = 0; relocations != nullptr && at + 24 <= relocations->bytes.size(); at += 24) {
      if (*number_at<std::uint64_t>(relocations->bytes, at) != sequence.relocated) continue;
      const std::string symbol = file->symbol(*number_at<std::uint64_t>(relocations->bytes, at + 8) >> 32);
      ours = ours || symbol == kernel || symbol == fmt::format(".text.{}", kernel);
    }
    if (ours) rows.insert(rows.end(), sequence.rows.begin(), sequence.rows.end());
  }
  if (rows.empty()) return base::error(fmt::format("the line information does not speak of kernel '{}'", kernel));
  return rows;
}

std::size_t line_at(const std::vector<LineRow>& rows, std::uint64_t at) {
  std::size_t line = 0;
  for (const LineRow& row : rows) {
    if (row.at > at) break;
    line = row.line;
  }
  return line;
}

}  // namespace weakspot::optcheck
