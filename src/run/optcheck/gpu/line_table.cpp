// SPDX-License-Identifier: MIT
#include "optcheck/gpu/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "optcheck/gpu/elf.h"

namespace weakspot::optcheck {
namespace {

std::size_t kernels_in(const ElfFile& file) {
  return static_cast<std::size_t>(std::count_if(file.sections().begin(), file.sections().end(),
                                                [](const auto& s) { return s.name.starts_with(".text."); }));
}

}  // namespace

base::Result<std::vector<LineRow>> read_line_table(Bytes image, std::string_view kernel) {
  const std::optional<ElfFile> file = ElfFile::read(image);
  if (!file) return base::error("the machine code is not an ELF file");
  const ElfFile::Section* table = file->find(".nv_debug_line_sass");
  if (table == nullptr) return base::error("the machine code has no line information");
  const std::optional<std::vector<LineSequence>> sequences = read_line_program(table->bytes);
  if (!sequences) return base::error("the line information of the machine code cannot be read");
  const ElfFile::Section* relocations = file->find(".rela.nv_debug_line_sass");
  std::vector<LineRow> rows;
  for (const LineSequence& sequence : *sequences) {
    bool ours = kernels_in(*file) == 1;
    for (std::uint64_t at = 0; relocations != nullptr && at + 24 <= relocations->bytes.size(); at += 24) {
      if (*number_at<std::uint64_t>(relocations->bytes, at) != sequence.relocated) continue;
      const std::string symbol = file->symbol_name(*number_at<std::uint64_t>(relocations->bytes, at + 8) >> 32);
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
