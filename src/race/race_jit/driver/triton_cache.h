// SPDX-License-Identifier: MIT
// PTX of kernels that a program loads as machine code: Triton keeps NAME.ptx beside NAME.cubin in its cache, a folder
// for each kernel.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race_jit::driver {

// The folders in which Triton keeps kernels in this process, by its variables of the environment.
std::vector<std::filesystem::path> triton_caches();

// The text beside a file of exactly this machine code; nothing if there is none.
std::optional<std::string> ptx_beside(std::string_view machine_code, const std::vector<std::filesystem::path>& caches);

}  // namespace weakspot::race_jit::driver
