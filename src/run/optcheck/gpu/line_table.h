// SPDX-License-Identifier: MIT
// Maps the machine instructions of a kernel to lines of PTX: the table that NVIDIA's assembler puts into the section
// .nv_debug_line_sass of an ELF file when it is asked for line information, in the form of DWARF 2.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "optcheck/gpu/line_program.h"

namespace weakspot::optcheck {

// Fails if the image is not such a file, has no table, or has several kernels and does not say whose rows they are.
base::Result<std::vector<LineRow>> read_line_table(std::span<const std::uint8_t> image, std::string_view kernel);

std::size_t line_at(const std::vector<LineRow>& rows, std::uint64_t at);

}  // namespace weakspot::optcheck
