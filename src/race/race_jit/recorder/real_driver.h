// SPDX-License-Identifier: MIT
// CUDA's driver as the recorder of 'weakspot capture' calls it: the functions that the program would find without us.
#pragma once

namespace weakspot::race_jit::recorder {

using Code = int;  // CUresult
constexpr Code kDone = 0, kNotFoundCode = 500;

using Dlsym = void* (*)(void*, const char*);
// The system's dlsym(), for which the recorder's stands.
Dlsym real_dlsym();
// The driver's own function; null without a driver.
void* driver_function(const char* name);

template <typename... Arguments>
Code call_driver(const char* name, Arguments... arguments) {
  auto* function = reinterpret_cast<Code (*)(Arguments...)>(driver_function(name));
  return function == nullptr ? kNotFoundCode : function(arguments...);
}

}  // namespace weakspot::race_jit::recorder
