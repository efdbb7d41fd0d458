// SPDX-License-Identifier: MIT
#include "race/ptx_text/locations.h"

#include <charconv>

namespace weakspot::race::ptx {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

bool take_number(std::string_view text, unsigned& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::size_t Locations::add(unsigned file, unsigned line, unsigned column, std::string function,
                           std::size_t called_from) {
  if (auto known = latest_.find({file, line, column}); known != latest_.end()) {
    const Location& same = module_.locations[known->second];
    if (same.function == function && same.inlined_at == called_from) return known->second;
  }
  module_.locations.push_back({file, line, column, std::move(function), called_from});
  return latest_[{file, line, column}] = module_.locations.size() - 1;
}

std::size_t Locations::find(unsigned file, unsigned line, unsigned column) {
  auto known = latest_.find({file, line, column});
  return known != latest_.end() ? known->second : add(file, line, column, {}, kNone);
}

std::vector<Locations::Frame> Locations::frames_of(std::string_view comment) {
  std::vector<Frame> frames;
  while (!comment.empty()) {
    const std::size_t open = comment.find("@[");
    std::string_view place = trimmed(comment.substr(0, open));
    while (place.ends_with(']')) place = trimmed(place.substr(0, place.size() - 1));
    const std::size_t second = place.rfind(':');
    const std::size_t first = second == std::string_view::npos || second == 0 ? second : place.rfind(':', second - 1);
    if (first == std::string_view::npos || first == second) return {};
    Frame frame{std::string(place.substr(0, first)), 0, 0};
    if (!take_number(place.substr(first + 1, second - first - 1), frame.line)) return {};
    if (!take_number(place.substr(second + 1), frame.column)) return {};
    frames.push_back(std::move(frame));
    comment = open == std::string_view::npos ? std::string_view() : comment.substr(open + 2);
  }
  return frames;
}

std::size_t Locations::add_comment(unsigned file, unsigned line, unsigned column, std::string_view comment) {
  const std::vector<Frame> frames = frames_of(comment);
  if (frames.size() < 2 || frames.front().line != line) return kNone;
  std::size_t outer = kNone;
  for (std::size_t i = frames.size(); i-- > 1;) {
    const Frame& frame = frames[i];
    const std::string key = frame.file + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
    const auto [known, fresh] = by_comment_.try_emplace({outer, key}, module_.locations.size());
    if (fresh) {
      module_.locations.push_back({0, frame.line, frame.column, {}, outer});
      named_files_[known->second] = frame.file;
    }
    outer = known->second;
  }
  return add(file, line, column, {}, outer);
}

void Locations::finish() {
  for (const auto& [index, name] : named_files_) {
    unsigned number = 0;
    for (const auto& [file, path] : module_.files) {
      if (path == name || path.ends_with("/" + name)) number = file;
    }
    if (number == 0) {
      number = module_.files.empty() ? 1 : module_.files.rbegin()->first + 1;
      module_.files[number] = name;
    }
    module_.locations[index].file = number;
  }
  for (Location& location : module_.locations) {
    auto found = strings_.find(location.function);
    location.function = found == strings_.end() ? std::string() : found->second;
  }
}

}  // namespace weakspot::race::ptx
