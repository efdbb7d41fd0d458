// SPDX-License-Identifier: MIT
// Device code as weakspot-nvcc puts it into an object, or as a program loads it while it runs: bitcode, or PTX, with a
// head that says what it is and where it ends. The head can be found in any file that contains it: an object, an
// archive, a shared library.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race_jit {

struct DeviceCode {
  bool relocatable = false;  // refers to, and is referred to by, the code of other objects
  std::string id;            // the same code has the same one
  std::string source;        // the file it was compiled from
  std::string bitcode;
  bool ptx = false;  // `bitcode` is a text of PTX instead
};

std::string to_bytes(const DeviceCode& code);
// The device code that begins there in the memory of this process; nothing if it is not ours.
std::optional<DeviceCode> device_code_at(const char* begin);
// All device code in the bytes of a file.
std::vector<DeviceCode> device_code_in(std::string_view bytes);

}  // namespace weakspot::race_jit
