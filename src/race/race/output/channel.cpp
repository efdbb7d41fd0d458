// SPDX-License-Identifier: MIT
#include "race/channel.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace weakspot::race {
namespace {

constexpr std::array<std::string_view, 7> kKinds = {"running", "findings", "progress", "values",
                                                    "file",    "report",   "residual"};
constexpr std::size_t kLongestHead = 64;
constexpr std::size_t kLongestRecord = std::size_t{1} << 30;

}  // namespace

// A line with the kind and the length, then the text.
std::string to_bytes(const Record& record) {
  return fmt::format("{} {}\n{}", kKinds[static_cast<std::size_t>(record.kind)], record.text.size(), record.text);
}

std::optional<Record> RecordReader::next() {
  if (failed_) return std::nullopt;
  const std::size_t end = bytes_.find('\n');
  if (end == std::string::npos) {
    failed_ = bytes_.size() > kLongestHead;
    return std::nullopt;
  }
  const std::string_view head = std::string_view(bytes_).substr(0, end);
  const std::size_t space = head.find(' ');
  Record record;
  std::size_t size = 0;
  bool known = false;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (head.substr(0, space) != kKinds[i]) continue;
    record.kind = static_cast<RecordKind>(i);
    known = space != std::string_view::npos;
  }
  if (known) {
    const auto [stop, error] = std::from_chars(head.data() + space + 1, head.data() + head.size(), size);
    known = error == std::errc() && stop == head.data() + head.size() && size <= kLongestRecord;
  }
  if (!known) {
    failed_ = true;
    return std::nullopt;
  }
  if (bytes_.size() - end - 1 < size) return std::nullopt;
  record.text = bytes_.substr(end + 1, size);
  bytes_.erase(0, end + 1 + size);
  return record;
}

}  // namespace weakspot::race
