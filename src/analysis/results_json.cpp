#include "analysis/results_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/checked_json.h"

namespace weakspot::analysis {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 53;  // what a double holds exactly
constexpr std::array<std::string_view, 4> kFields = {"seq", "interleaved", "weak", "durationSeconds"};

bool is_number(std::string_view key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string_view::npos;
}

// What nlohmann's parser calls for each token. Depth 1 is inside the whole, 2 inside an environment, 3 inside a test.
class Reader {
 public:
  Reader(const std::string& file, std::string_view text, DeviceResults& results)
      : file_(file), text_(text), results_(results) {}

  bool null() { return scalar("null"); }
  bool boolean(bool) { return scalar("a truth value"); }
  bool number_integer(std::int64_t value) { return negative(static_cast<double>(value)); }  // others are unsigned
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value), value, true); }
  bool number_float(double value, const std::string&) { return number(value, 0, false); }
  bool string(std::string& value) {
    if (depth_ == 3 && key_[0] == "platformInfo" && key_[1] == "gpu") {
      gpu_.emplace_back(key_[2], value);
      return true;
    }
    return scalar("a string");
  }
  bool binary(nlohmann::json::binary_t&) { return scalar("bytes"); }

  bool start_object(std::size_t) {
    bool go_on = true;
    if (depth_ == 3) go_on = scalar("an object");
    ++depth_;
    object_ = true;
    if (depth_ == 2 && in_entry()) begin_entry();
    if (depth_ == 2 && key_[0] == "platformInfo") platform_ = true;
    if (depth_ == 3 && in_cell()) begin_cell();
    return go_on;
  }
  bool end_object() {
    if (depth_ == 3 && in_cell()) end_cell();
    --depth_;
    return true;
  }
  bool key(std::string& key) {
    if (depth_ >= 1 && depth_ <= 3) key_[depth_ - 1] = key;
    return true;
  }
  bool start_array(std::size_t) {
    const bool go_on = scalar("an array");
    ++depth_;
    ++arrays_;
    return go_on;
  }
  bool end_array() {
    --depth_;
    --arrays_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    const std::size_t begin = std::min(position > 0 ? position - 1 : 0, text_.size());
    const bool cut = text_.find_first_not_of(" \t\r\n", begin + 1) == std::string_view::npos;
    const auto at = static_cast<std::uint32_t>(begin);
    errors_.push_back(base::error_at(base::Source(file_, std::string(text_)), {at, at + 1},
                                     where() + (cut ? "the text ends in the middle" : "this is no JSON")));
    return false;
  }

  base::Diagnostics finish() {
    if (errors_.empty() && !object_) errors_.push_back(base::error_in(file_, "expected an object of environments"));
    if (errors_.empty() && results_.entries.empty()) {
      errors_.push_back(base::error_in(file_, "there is no environment: expected keys that are numbers"));
    }
    if (errors_.empty()) name_device();
    if (errors_.empty() && platform_) part_conformance();
    return std::move(errors_);
  }

 private:
  bool in_entry() const { return arrays_ == 0 && is_number(key_[0]); }
  bool in_parameters() const { return in_entry() && key_[1] == "params"; }
  bool in_cell() const { return in_entry() && key_[1] != "params"; }

  void begin_entry() {
    key_[1].clear();
    if (!keys_.insert(key_[0]).second) wrong("this key is there twice");
    results_.entries.push_back({key_[0], {}, {}});
    tests_.clear();
  }

  void begin_cell() {
    if (!tests_.insert(key_[1]).second) wrong("this test is there twice");
    results_.entries.back().cells.push_back({key_[1], {}});
    seen_.fill(false);
  }

  void end_cell() {
    for (std::size_t field = 0; field < kFields.size(); ++field) {
      if (!seen_[field]) wrong(fmt::format("there is no '{}'", kFields[field]));
    }
    Cell& cell = results_.entries.back().cells.back().cell;
    cell.sightings = cell.weak;
  }

  bool number(double value, std::uint64_t whole, bool is_whole) {
    if (depth_ == 3 && in_parameters()) {
      results_.entries.back().parameters.emplace_back(key_[2], value);
      return true;
    }
    if (depth_ != 3 || !in_cell()) return scalar("a number");
    const auto field = std::find(kFields.begin(), kFields.end(), key_[2]);
    if (field == kFields.end()) return true;
    seen_[static_cast<std::size_t>(field - kFields.begin())] = true;
    Cell& cell = results_.entries.back().cells.back().cell;
    if (key_[2] == "durationSeconds") {
      if (value != 0 && !(value >= campaign::kShortestTime && value <= campaign::kLongestTime)) {
        return wrong(fmt::format("'durationSeconds': expected 0 or from 1e-9 to 1e9, not {}", value));
      }
      cell.seconds = value;
      return true;
    }
    if (!is_whole) return wrong(fmt::format("'{}': expected a whole number, not {}", key_[2], value));
    if (whole > kLargestCount) return wrong(fmt::format("'{}': expected at most {}", key_[2], kLargestCount));
    (key_[2] == "seq" ? cell.sequential : key_[2] == "weak" ? cell.weak : cell.interleaved) = whole;
    return true;
  }

  bool negative(double value) {
    if (depth_ == 3 && in_parameters()) return number(value, 0, false);
    return scalar("a negative one");
  }

  // Something other than what belongs here; outside of environments it is skipped.
  bool scalar(std::string_view what) {
    if (depth_ == 0) return false;
    if (depth_ == 1 && in_entry()) return wrong(fmt::format("expected an object of tests, not {}", what));
    if (depth_ == 2 && in_entry()) return wrong(fmt::format("expected an object of counts, not {}", what));
    if (depth_ == 3 && in_cell() && std::find(kFields.begin(), kFields.end(), key_[2]) != kFields.end()) {
      mark_seen();
      return wrong(fmt::format("'{}': expected a number, not {}", key_[2], what));
    }
    return true;
  }

  void mark_seen() {
    const auto field = std::find(kFields.begin(), kFields.end(), key_[2]);
    if (field != kFields.end()) seen_[static_cast<std::size_t>(field - kFields.begin())] = true;
  }

  std::string where() const {
    if (depth_ == 0 || key_[0].empty()) return "";
    if (depth_ == 1 || !is_number(key_[0])) return fmt::format("key \"{}\": ", key_[0]);
    if (depth_ >= 2 && key_[1].empty()) return fmt::format("key \"{}\": ", key_[0]);
    return fmt::format("key \"{}\", test \"{}\": ", key_[0], key_[1]);
  }

  // True while the reading should go on.
  bool wrong(std::string message) {
    errors_.push_back(base::error_in(file_, where() + message));
    return errors_.size() < kMostErrors;
  }

  std::string gpu(std::string_view field) const {
    for (const auto& [name, value] : gpu_) {
      if (name == field) return value;
    }
    return "";
  }

  void name_device() {
    results_.vendor = gpu("vendor");
    std::string name = gpu("description");
    if (name.empty()) name = gpu("device");
    if (name.empty() && !gpu("architecture").empty()) name = results_.vendor + " " + gpu("architecture");
    if (!name.empty()) results_.device = name;
    if (results_.vendor.empty()) results_.vendor = results_.device;
  }

  void part_conformance() {
    std::vector<Entry> tuning;
    for (Entry& entry : results_.entries) {
      (entry.cells.size() <= 1 ? results_.conformance : tuning).push_back(std::move(entry));
    }
    results_.entries = std::move(tuning);
  }

  const std::string& file_;
  std::string_view text_;
  DeviceResults& results_;
  base::Diagnostics errors_;
  std::size_t depth_ = 0;
  std::size_t arrays_ = 0;
  std::array<std::string, 3> key_;
  std::array<bool, 4> seen_{};
  std::set<std::string> keys_, tests_;
  std::vector<std::pair<std::string, std::string>> gpu_;
  bool platform_ = false;
  bool object_ = false;
};

}  // namespace

base::Result<DeviceResults> read_results_json(const std::string& file, std::string_view text,
                                              const std::string& device) {
  DeviceResults results;
  results.file = file;
  results.device = device;
  Reader reader(file, text, results);
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  if (base::Diagnostics errors = reader.finish(); !errors.empty()) return errors;
  return results;
}

}  // namespace weakspot::analysis
