// SPDX-License-Identifier: MIT
#include "lsp/protocol/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weakspot::lsp {
namespace {

constexpr std::size_t kLargestHeader = 4096;
constexpr std::string_view kHeaderEnd = "\r\n\r\n";
constexpr std::string_view kLength = "Content-Length:";

bool is_length_field(std::string_view name) {
  return std::equal(name.begin(), name.end(), kLength.begin(), kLength.end() - 1, [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(a) == lower(b);
  });
}

// RFC 7230: the characters of a field's name.
bool is_field_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::optional<std::size_t> read_length(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  std::size_t length = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

// The length that the fields of a header give, or what is wrong with them.
std::optional<std::size_t> read_fields(std::string_view fields, std::string& wrong) {
  std::optional<std::size_t> length;
  while (!fields.empty()) {
    const std::size_t end = std::min(fields.find("\r\n"), fields.size());
    const std::string_view line = fields.substr(0, end);
    fields.remove_prefix(std::min(end + 2, fields.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_field_name(line.substr(0, colon))) {
      wrong = "the header is malformed; expected 'Content-Length: N'";
      return std::nullopt;
    }
    if (!is_length_field(line.substr(0, colon))) continue;
    const std::optional<std::size_t> given = read_length(line.substr(colon + 1));
    if (!given || (length && *length != *given)) {
      wrong = "the header has no valid Content-Length";
      return std::nullopt;
    }
    length = given;
  }
  if (!length) wrong = "the header has no Content-Length";
  return length;
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  const std::size_t skipped = std::min(skip_, bytes.size());
  skip_ -= skipped;
  bytes.remove_prefix(skipped);
  buffer_.erase(0, at_);
  at_ = 0;
  buffer_.append(bytes);
}

std::optional<FrameReader::Item> FrameReader::next() {
  if (!length_) {
    if (lost_ && !find_header()) return std::nullopt;
    if (std::optional<Item> fault = header()) return fault;
    if (!length_) return std::nullopt;
  }
  if (buffer_.size() - at_ < *length_) return std::nullopt;
  Item item{false, buffer_.substr(at_, *length_)};
  at_ += *length_;
  length_.reset();
  return item;
}

// Reads a header if all of it is there.
std::optional<FrameReader::Item> FrameReader::header() {
  const std::size_t end = buffer_.find(kHeaderEnd, at_);
  if (end == std::string::npos) {
    if (buffer_.size() - at_ > kLargestHeader) return lost("the header does not end");
    return std::nullopt;
  }
  std::string wrong;
  const std::optional<std::size_t> length = read_fields(std::string_view(buffer_).substr(at_, end - at_), wrong);
  if (!length) return lost(std::move(wrong));
  at_ = end + kHeaderEnd.size();
  if (*length <= kLargestMessage) {
    length_ = length;
    return std::nullopt;
  }
  const std::size_t here = std::min(*length, buffer_.size() - at_);
  at_ += here;
  skip_ = *length - here;
  return Item{true, fmt::format("a message of {} bytes is too large; expected at most {}", *length, kLargestMessage)};
}

FrameReader::Item FrameReader::lost(std::string reason) {
  lost_ = true;
  ++at_;  // so that the search does not find the same header again
  return {true, std::move(reason)};
}

// The next place where a header may begin; drops what is before it.
bool FrameReader::find_header() {
  const std::size_t found = buffer_.find(kLength, at_);
  if (found != std::string::npos) {
    at_ = found;
    lost_ = false;
    return true;
  }
  // The beginning of one may be at the end.
  at_ = std::max(at_, buffer_.size() - std::min(buffer_.size(), kLength.size() - 1));
  return false;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace weakspot::lsp
