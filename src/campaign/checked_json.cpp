#include "campaign/checked_json.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace weakspot::campaign {
namespace {

// Follows the parser to find keys that are twice in one object.
class KeyWatch {
 public:
  bool operator()(FileJson::parse_event_t event, const FileJson& value) {
    switch (event) {
      case FileJson::parse_event_t::object_start:
        open_.emplace_back();
        break;
      case FileJson::parse_event_t::object_end:
        if (!open_.empty()) open_.pop_back();
        break;
      case FileJson::parse_event_t::key:
        if (!open_.empty()) see(value.get<std::string>());
        break;
      default:
        break;
    }
    return true;
  }

  const std::string& problem() const { return problem_; }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string last;
  };

  void see(const std::string& key) {
    if (!open_.back().keys.insert(key).second && problem_.empty()) {
      for (std::size_t i = 0; i + 1 < open_.size(); ++i) problem_ += fmt::format("key \"{}\": ", open_[i].last);
      problem_ += fmt::format("the key \"{}\" is there twice", key);
    }
    open_.back().last = key;
  }

  std::vector<Object> open_;
  std::string problem_;
};

// The parser's position counts what it has read, from 1. What is missing at the end is missing after the last word.
std::size_t place_of(const FileJson::parse_error& problem, std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
  return std::min<std::size_t>(problem.byte > 0 ? problem.byte - 1 : 0, end);
}

std::string_view broken(std::string_view text, std::size_t at) {
  const bool cut = text.find_first_not_of(" \t\r\n", at + 1) == std::string_view::npos;
  return cut ? "the text ends in the middle" : "this is no JSON";
}

[[noreturn]] void unexpected(const std::string& key, std::string_view expected, const FileJson& found) {
  const std::string shown = found.is_number() ? found.dump() : std::string(kind_of(found));
  throw JsonProblem{fmt::format("'{}': expected {}, not {}", key, expected, shown)};
}

}  // namespace

std::string_view kind_of(const FileJson& json) {
  if (json.is_null()) return "null";
  if (json.is_boolean()) return "a truth value";
  if (json.is_number()) return "a number";
  if (json.is_string()) return "a text";
  return json.is_array() ? "a list" : "an object";
}

base::Result<FileJson> parse_file(const base::Source& source) {
  KeyWatch watch;
  try {
    FileJson json = FileJson::parse(
        source.text(), [&](int, FileJson::parse_event_t event, FileJson& value) { return watch(event, value); });
    if (!watch.problem().empty()) return base::error_in(source.name(), watch.problem());
    return json;
  } catch (const FileJson::parse_error& problem) {
    const std::size_t at = place_of(problem, source.text());
    const auto begin = static_cast<std::uint32_t>(at);
    return base::error_at(source, {begin, begin + 1}, std::string(broken(source.text(), at)));
  } catch (const FileJson::exception&) {  // a number beyond all numbers
    return base::error_in(source.name(), "a number in this text is too large");
  }
}

FileJson parse_line(std::string_view text) {
  try {
    return FileJson::parse(text);
  } catch (const FileJson::parse_error& problem) {
    const std::size_t at = place_of(problem, text);
    throw JsonProblem{fmt::format("column {}: {}", at + 1, broken(text, at))};
  } catch (const FileJson::exception&) {
    throw JsonProblem{"a number in this text is too large"};
  }
}

const FileJson& member(const FileJson& object, const std::string& key) {
  if (!object.is_object()) throw JsonProblem{fmt::format("expected an object with '{}', not {}", key, kind_of(object))};
  const auto found = object.find(key);
  if (found == object.end()) throw JsonProblem{fmt::format("there is no '{}'", key)};
  return *found;
}

const FileJson& list_in(const FileJson& object, const std::string& key) {
  const FileJson& found = member(object, key);
  if (!found.is_array()) unexpected(key, "a list", found);
  return found;
}

std::string text_in(const FileJson& object, const std::string& key) {
  const FileJson& found = member(object, key);
  if (!found.is_string()) unexpected(key, "a text", found);
  return found.get<std::string>();
}

std::vector<std::string> texts_in(const FileJson& object, const std::string& key) {
  std::vector<std::string> texts;
  for (const FileJson& one : list_in(object, key)) {
    if (!one.is_string()) unexpected(key, "a list of texts", one);
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

bool flag_in(const FileJson& object, const std::string& key) {
  const FileJson& found = member(object, key);
  if (!found.is_boolean()) unexpected(key, "true or false", found);
  return found.get<bool>();
}

std::uint64_t whole_in(const FileJson& object, const std::string& key, std::uint64_t most) {
  const FileJson& found = member(object, key);
  constexpr double kExact = 9007199254740992;  // what a double holds exactly, 2^53
  std::uint64_t number = 0;
  bool whole = false;
  if (found.is_number_unsigned()) {
    number = found.get<std::uint64_t>();
    whole = true;
  } else if (found.is_number_integer()) {  // signed: negative when it was read, any sign when it was built
    whole = found.get<std::int64_t>() >= 0;
    if (whole) number = found.get<std::uint64_t>();
  } else if (found.is_number_float()) {
    const double value = found.get<double>();
    whole = value >= 0 && value <= kExact && std::trunc(value) == value;
    if (whole) number = static_cast<std::uint64_t>(value);
  }
  if (!whole || number > most) unexpected(key, fmt::format("a whole number from 0 to {}", most), found);
  return number;
}

double real_in(const FileJson& object, const std::string& key, double low, double high) {
  const FileJson& found = member(object, key);
  const double number = found.is_number() ? found.get<double>() : std::nan("");
  if (!(number >= low && number <= high)) unexpected(key, fmt::format("a number from {} to {}", low, high), found);
  return number;
}

double seconds_in(const FileJson& object, const std::string& key) {
  const FileJson& found = member(object, key);
  const double number = found.is_number() ? found.get<double>() : std::nan("");
  if (number != 0 && !(number >= kShortestTime && number <= kLongestTime)) {
    unexpected(key, fmt::format("0 or from {} to {} seconds", kShortestTime, kLongestTime), found);
  }
  return number;
}

}  // namespace weakspot::campaign
