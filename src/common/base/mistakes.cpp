// SPDX-License-Identifier: MIT
#include "base/mistakes.h"

namespace weakspot::base {
namespace {

constexpr std::size_t kLongestMessage = 300;
constexpr std::size_t kLongestClipped = 40;

}  // namespace

void Mistakes::add(Span span, std::string message) {
  if (full()) return;
  if (message.size() > kLongestMessage) message.replace(kLongestMessage, std::string::npos, "...");
  diagnostics_.push_back(error_at(source_, span, std::move(message)));
  if (full()) diagnostics_.push_back(error_in(source_.name(), "too many mistakes; the rest is not shown"));
}

void Mistakes::append(const Diagnostics& more) {
  for (const Diagnostic& diagnostic : more) {
    if (!full()) diagnostics_.push_back(diagnostic);
  }
}

std::string clipped(std::string_view text) {
  if (text.size() <= kLongestClipped) return std::string(text);
  std::size_t length = kLongestClipped;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  return std::string(text.substr(0, length)) + "...";
}

}  // namespace weakspot::base
