// SPDX-License-Identifier: MIT
// Boost asks a program without exceptions for these. Our arguments are checked before Boost sees them.
#include <exception>

#include "base/check.h"

namespace boost {

struct source_location;

[[noreturn]] void throw_exception(const std::exception& error) {
  weakspot::base::check_failed(error.what(), __FILE__, __LINE__);
}

[[noreturn]] void throw_exception(const std::exception& error, const source_location&) { throw_exception(error); }

}  // namespace boost
