// SPDX-License-Identifier: MIT
#include "serve/submissions/submission_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/source.h"
#include "codegen/environment.h"
#include "json/json_fields.h"

namespace weakspot::serve {
namespace {

using base::JsonFields;
using base::JsonValue;

constexpr std::size_t kMostWord = 64;
constexpr std::size_t kMostText = 200;
constexpr std::size_t kMostEnvironment = 2000;
constexpr std::size_t kMostEnvironments = 500;
constexpr std::size_t kMostRuns = 20'000;
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53;  // the largest number that a browser counts to exactly
constexpr double kMostSecondsOfRecord = 7 * 24 * 3600;

bool is_plain(std::string_view text, std::size_t most) {
  return text.size() <= most && std::all_of(text.begin(), text.end(),
                                            [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 0x7f; });
}

bool is_word_like(std::string_view text) {
  return text.size() <= kMostWord && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view(" ._-+()").find(c) != std::string_view::npos;
         });
}

class Reader {
 public:
  Reader(const JsonValue& value, base::Mistakes& mistakes, const KnownTests& known)
      : fields_(value, mistakes, "a submission"), mistakes_(mistakes), known_(known) {}

  std::optional<store::Submission> read() {
    if (!fields_.valid()) return std::nullopt;
    fields_.format(1);
    read_device();
    read_remarks();
    read_environments();
    read_runs();
    read_tests();
    fields_.done();
    if (mistakes_.any()) return std::nullopt;
    return std::move(made_);
  }

 private:
  // Texts that are kept in the document alone.
  void expect_text(JsonFields& fields, std::string_view key, std::size_t most = kMostText) {
    const std::optional<std::string_view> text = fields.string(key);
    if (text && !is_plain(*text, most)) fields.unexpected(key, fmt::format("at most {} plain characters", most));
  }

  std::string word(JsonFields& fields, std::string_view key) {
    const std::optional<std::string_view> text = fields.string(key);
    if (text && !is_word_like(*text)) {
      fields.unexpected(key, fmt::format("at most {} letters, digits, spaces and . _ - + ( )", kMostWord));
      return "";
    }
    return std::string(text.value_or(""));
  }

  void read_device() {
    const JsonValue* value = fields_.take("device", JsonValue::Kind::object);
    if (value == nullptr) return;
    JsonFields fields(*value, mistakes_, "a device");
    made_.vendor = word(fields, "vendor");
    made_.architecture = word(fields, "architecture");
    expect_text(fields, "name");
    expect_text(fields, "browser");
    fields.done();
  }

  void read_remarks() {
    expect_text(fields_, "suite", kMostWord);
    expect_text(fields_, "started", kMostWord);
    if (fields_.has("seed")) fields_.whole("seed", UINT64_MAX);
    if (fields_.has("seconds")) fields_.real("seconds", 0, kMostSecondsOfRecord);
    expect_verdict(fields_);
  }

  void expect_verdict(JsonFields& fields) {
    constexpr std::string_view kVerdicts[] = {"conformant", "inconclusive", "violation", "unobservable", "not run"};
    const std::optional<std::string_view> text = fields.string("verdict");
    if (text && std::find(std::begin(kVerdicts), std::end(kVerdicts), *text) == std::end(kVerdicts)) {
      fields.unexpected("verdict", "a verdict");
    }
  }

  void read_environments() {
    const JsonValue* value = fields_.take("environments", JsonValue::Kind::array);
    if (value == nullptr) return;
    has_environments_ = true;
    if (value->items().size() > kMostEnvironments) {
      fields_.mistake(value, fmt::format("'environments': expected at most {}", kMostEnvironments));
      return;
    }
    for (const JsonValue& item : value->items()) {
      const bool fits = item.is(JsonValue::Kind::string) && item.text().size() <= kMostEnvironment;
      const auto environment = codegen::parse_environment(base::Source("environment", fits ? item.text() : "?"));
      if (!environment) fields_.mistake(&item, "expected an environment as --env takes it");
      environments_.push_back(environment ? codegen::to_text(*environment) : "");
    }
  }

  void read_runs() {
    const JsonValue* value = fields_.take("runs", JsonValue::Kind::array, true);
    if (value == nullptr) return;
    if (value->items().empty() || value->items().size() > kMostRuns) {
      fields_.mistake(value, fmt::format("'runs': expected 1 to {}", kMostRuns));
      return;
    }
    for (const JsonValue& item : value->items()) {
      if (mistakes_.full()) return;
      read_run(item);
    }
  }

  void read_run(const JsonValue& value) {
    JsonFields fields(value, mistakes_, "a run");
    if (!fields.valid()) return;
    store::SubmissionRow row;
    expect_text(fields, "test");
    row.test_hash = fields.text("hash");
    if (const std::string* name = known_.name_of(row.test_hash)) {
      row.test = *name;
    } else if (fields.has("hash")) {
      fields.mistake(value.find("hash"), "'hash': not that of a test in the corpus or the suite mc-mutants");
    }
    row.environment = environment(fields);
    row.seconds = fields.real("seconds", 0, kMostSecondsOfRecord);
    const std::uint64_t instances = fields.whole("instances", kMostCount);
    const std::uint64_t unfinished = fields.has("unfinished") ? fields.whole("unfinished", kMostCount) : 0;
    row.instances = static_cast<std::int64_t>(instances);
    read_outcomes(fields, row, unfinished);
    fields.done();
    made_.rows.push_back(std::move(row));
  }

  std::string environment(JsonFields& fields) {
    if (!fields.has("environment")) return "";
    const std::uint64_t at = fields.whole("environment", kMostEnvironments);
    if (!has_environments_) return "";
    if (at < environments_.size()) return environments_[at];
    fields.unexpected("environment", "a place in 'environments', from 0");
    return "";
  }

  void read_outcomes(JsonFields& fields, store::SubmissionRow& row, std::uint64_t unfinished) {
    const JsonValue* value = fields.take("outcomes", JsonValue::Kind::object, true);
    if (value == nullptr) return;
    const std::size_t before = mistakes_.count();
    JsonFields counts(*value, mistakes_, "outcomes");
    std::uint64_t sum = unfinished;  // six numbers below 2^53 do not overflow
    for (const auto& [key, field] : kClasses) {
      const std::uint64_t count = counts.has(key) ? counts.whole(key, kMostCount) : 0;
      row.*field = static_cast<std::int64_t>(count);
      sum += count;
    }
    counts.done();
    if (mistakes_.count() == before && sum != static_cast<std::uint64_t>(row.instances)) {
      counts.mistake(nullptr, fmt::format("the outcomes add up to {}, the instances are {}", sum, row.instances));
    }
  }

  void read_tests() {
    const JsonValue* value = fields_.take("tests", JsonValue::Kind::array);
    if (value == nullptr) return;
    if (value->items().size() > kMostRuns)
      fields_.mistake(value, fmt::format("'tests': expected at most {}", kMostRuns));
    for (const JsonValue& item : value->items()) {
      if (mistakes_.full()) return;
      JsonFields fields(item, mistakes_, "a test");
      if (!fields.valid()) continue;
      expect_text(fields, "test");
      expect_verdict(fields);
      const JsonValue* confidence = fields.take("confidence");
      const std::optional<double> real = confidence == nullptr ? std::nullopt : confidence->real();
      if (confidence != nullptr && !confidence->is(JsonValue::Kind::null) && !(real && *real >= 0 && *real <= 1)) {
        fields.unexpected("confidence", "0 to 1, or null");
      }
      fields.done();
    }
  }

  static constexpr std::pair<std::string_view, std::int64_t store::SubmissionRow::*> kClasses[] = {
      {"sequential", &store::SubmissionRow::sequential},
      {"interleaved", &store::SubmissionRow::interleaved},
      {"weak", &store::SubmissionRow::weak},
      {"forbidden", &store::SubmissionRow::forbidden},
      {"unknown", &store::SubmissionRow::unknown},
  };

  JsonFields fields_;
  base::Mistakes& mistakes_;
  const KnownTests& known_;
  bool has_environments_ = false;
  std::vector<std::string> environments_;
  store::Submission made_;
};

}  // namespace

base::Result<store::Submission> read_submission(const std::string& body, const KnownTests& known) {
  const base::Source source("submission", body);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  if (!value) return mistakes.take();
  std::optional<store::Submission> submission = Reader(*value, mistakes, known).read();
  if (!submission) return mistakes.take();
  submission->document = body;
  return *std::move(submission);
}

}  // namespace weakspot::serve
