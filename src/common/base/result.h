// SPDX-License-Identifier: MIT
// A value, or the reasons why there is none. The diagnostics are the error: each has a kind, and there are no other
// codes. A function that can report several mistakes at once returns all of them.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/diagnostic.h"

namespace weakspot::base {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                        // NOLINT
  Result(Diagnostic diagnostic) : errors_{std::move(diagnostic)} {}    // NOLINT
  Result(Diagnostics diagnostics) : errors_(std::move(diagnostics)) {  // NOLINT
    WEAKSPOT_CHECK(!errors_.empty());
  }

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    WEAKSPOT_CHECK(ok());
    return *value_;
  }
  T& value() & {
    WEAKSPOT_CHECK(ok());
    return *value_;
  }
  T&& value() && {
    WEAKSPOT_CHECK(ok());
    return *std::move(value_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  // Empty iff ok().
  const Diagnostics& errors() const { return errors_; }

 private:
  std::optional<T> value_;
  Diagnostics errors_;
};

// The same result; if it is an error, of this kind.
template <typename T>
Result<T> of_kind(ErrorKind kind, Result<T> result) {
  if (result) return result;
  return of_kind(kind, Diagnostics(result.errors()));
}

// A result without a value: done, or why not.
using Status = Result<std::monostate>;
inline Status ok_status() { return Status(std::monostate{}); }

}  // namespace weakspot::base
