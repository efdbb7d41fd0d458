// SPDX-License-Identifier: MIT
// The mistakes of one text, gathered so that a reader can report all of them at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "base/span.h"

namespace weakspot::base {

// Stops at a limit: nobody reads more. The source must outlive it.
class Mistakes {
 public:
  explicit Mistakes(const Source& source) : source_(source) {}

  void add(Span span, std::string message);
  void append(const Diagnostics& more);
  bool any() const { return !diagnostics_.empty(); }
  std::size_t count() const { return diagnostics_.size(); }
  bool full() const { return diagnostics_.size() >= kLimit; }
  Diagnostics take() { return std::move(diagnostics_); }
  const Source& source() const { return source_; }

 private:
  static constexpr std::size_t kLimit = 50;
  const Source& source_;
  Diagnostics diagnostics_;
};

// The text for a message: a long one ends in "...".
std::string clipped(std::string_view text);

}  // namespace weakspot::base
