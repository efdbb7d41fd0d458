// Values out of JSON files that others wrote, each with its type and its range: a wrong one is an error that says what
// was expected, never an exception of the library, and never a number that later breaks an invariant.
//
// Readers take a file apart by throwing: JsonProblem leaves the reader that knows where it is (file, line, key), and
// take_apart() makes a Result of it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::campaign {

using FileJson = nlohmann::ordered_json;

// Sixteen of them add up without overflow; a GPU needs a year for so many instances.
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 60;
inline constexpr double kShortestTime = 1e-9;  // seconds; 0 is allowed besides
inline constexpr double kLongestTime = 1e9;

struct JsonProblem {
  std::string text;
};

// "null", "a number", "an object" and so on.
std::string_view kind_of(const FileJson& json);

// The text as JSON; mistakes of form have a line and a caret. A key that is twice in one object is an error: one of the
// two values would be lost.
base::Result<FileJson> parse_file(const base::Source& source);
// The same for a line among others. Throws JsonProblem; keys are not compared.
FileJson parse_line(std::string_view text);

// All of these throw JsonProblem, whose text names the key.
const FileJson& member(const FileJson& object, const std::string& key);
const FileJson& list_in(const FileJson& object, const std::string& key);
std::string text_in(const FileJson& object, const std::string& key);
std::vector<std::string> texts_in(const FileJson& object, const std::string& key);
bool flag_in(const FileJson& object, const std::string& key);
// A number such as 1e14 or 3.0 is whole, too.
std::uint64_t whole_in(const FileJson& object, const std::string& key, std::uint64_t most);
double real_in(const FileJson& object, const std::string& key, double low, double high);

inline std::uint64_t count_in(const FileJson& object, const std::string& key) {
  return whole_in(object, key, kMostCount);
}
// 0, or from kShortestTime to kLongestTime.
double seconds_in(const FileJson& object, const std::string& key);

// What `read` returns, a Result; JsonProblems and what else is of another type become "this is no WHAT: ...".
template <typename Read>
auto take_apart(std::string_view what, Read&& read) -> decltype(read()) {
  try {
    return read();
  } catch (const JsonProblem& problem) {
    return base::error(fmt::format("this is no {}: {}", what, problem.text));
  } catch (const FileJson::exception&) {
    return base::error(fmt::format("this is no {}: a value has another type than expected", what));
  }
}

}  // namespace weakspot::campaign
