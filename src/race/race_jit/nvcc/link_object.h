// SPDX-License-Identifier: MIT
// The step that nvcc calls device linking. Device code is linked when a program starts, from what its objects register.
// But a linker takes only those members of an archive that host code refers to; what device code alone refers to is
// therefore put into an object of its own.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "race_jit/nvcc/places.h"

namespace weakspot::race_jit {

// The bytes of all relocatable device code in the objects and archives of a linker's command line.
base::Result<std::string> relocatable_code(const std::vector<std::string>& link_words);

// Makes the object in `folder`, or in the file `object`. False if the compiler failed.
bool make_link_object(const std::string& code, const std::string& object, const std::string& folder,
                      const NvccPlaces& places, const race::NvccCommand& command);

}  // namespace weakspot::race_jit
