// SPDX-License-Identifier: MIT
#include "optcheck/gpu/line_program.h"

namespace weakspot::optcheck {
namespace {

class LineProgram {
 public:
  explicit LineProgram(Bytes bytes) : bytes_(bytes) {}

  std::optional<std::vector<LineSequence>> run() {
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

  struct Header {
    std::uint8_t least = 1;  // bytes of an instruction
    std::int8_t base = 0;
    std::uint8_t range = 1;
    std::uint8_t first_special = 1;
    std::vector<std::uint8_t> operands;  // operand counts of the standard opcodes
  };

  void unit() {
    const auto length = fixed<std::uint32_t>();
    const std::uint64_t end = next_ + length;
    const auto version = fixed<std::uint16_t>();
    if (version >= 5) fixed<std::uint16_t>();  // the sizes of an address and of a segment
    const auto header_length = fixed<std::uint32_t>();
    const std::uint64_t program = next_ + header_length;
    const Header header = read_header(version);
    if (!ok_ || header.range == 0 || version > 5 || end > bytes_.size() || program > end) {
      ok_ = false;
      return;
    }
    next_ = program;
    row_ = {0, 1};
    sequence_ = {};
    while (ok_ && next_ < end) step(header);
    next_ = end;
  }

  Header read_header(std::uint16_t version) {
    Header header;
    header.least = byte();
    if (version >= 4) byte();  // operations per instruction
    byte();                    // statements by default
    header.base = static_cast<std::int8_t>(byte());
    header.range = byte();
    header.first_special = byte();
    for (int i = 1; i < header.first_special; ++i) header.operands.push_back(byte());
    return header;
  }

  void step(const Header& header) {
    const std::uint8_t opcode = byte();
    if (opcode >= header.first_special) {
      const int special = opcode - header.first_special;
      row_.at += header.least * static_cast<std::uint64_t>(special / header.range);
      add_to_line(header.base + special % header.range);
      sequence_.rows.push_back(row_);
      return;
    }
    switch (opcode) {
      case 0:
        return extended();
      case 1:
        sequence_.rows.push_back(row_);
        return;
      case 2:
        row_.at += variable(false) * header.least;
        return;
      case 3:
        return add_to_line(static_cast<std::int64_t>(variable(true)));
      case 8:
        row_.at += header.least * static_cast<std::uint64_t>((255 - header.first_special) / header.range);
        return;
      case 9:
        row_.at += fixed<std::uint16_t>();
        return;
      default:
        for (int i = 0; i < header.operands[opcode - 1u]; ++i) variable(false);
    }
  }

  void extended() {
    const std::uint64_t length = variable(false);
    const std::uint64_t after = next_ + length;
    const std::uint8_t opcode = byte();
    if (opcode == 1) {
      sequences_.push_back(std::move(sequence_));
      sequence_ = {};
      row_ = {0, 1};
    } else if (opcode == 2) {
      sequence_.relocated = next_;
      row_.at = fixed<std::uint64_t>();
    }
    next_ = after;
  }

  void add_to_line(std::int64_t lines) {
    row_.line = static_cast<std::size_t>(static_cast<std::int64_t>(row_.line) + lines);
  }

  Bytes bytes_;
  std::uint64_t next_ = 0;
  bool ok_ = true;
  LineRow row_;
  LineSequence sequence_;
  std::vector<LineSequence> sequences_;
};

}  // namespace

std::optional<std::vector<LineSequence>> read_line_program(Bytes section) { return LineProgram(section).run(); }

}  // namespace weakspot::optcheck
