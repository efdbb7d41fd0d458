// SPDX-License-Identifier: MIT
// The text and JSON forms of an environment: both walk the table of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/source.h"
#include "codegen/environment.h"
#include "json/json.h"

namespace weakspot::codegen {
namespace {

base::Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

std::string preset_names() {
  std::string text;
  for (const Preset& preset : presets()) text += fmt::format("{}{}", text.empty() ? "" : ", ", preset.name);
  return text;
}

std::string unknown_parameter(std::string_view name) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters()) names.emplace_back(parameter.name);
  return fmt::format("unknown parameter '{}'{}", name, base::did_you_mean(name, names));
}

struct Item {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Item trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && std::isspace(static_cast<unsigned char>(text[begin])) != 0) ++begin;
  while (end > begin && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) --end;
  return {begin, end};
}

// Reads "k=v,..." into an environment and gathers the mistakes.
class Reader {
 public:
  explicit Reader(const base::Source& source) : source_(source), text_(source.text()) {}

  base::Result<TestEnvironment> run() {
    std::size_t begin = 0;
    bool first = true;
    while (begin <= text_.size()) {
      const std::size_t comma = std::min(text_.find(',', begin), text_.size());
      read_item(trimmed(text_, begin, comma), first);
      first = false;
      begin = comma + 1;
    }
    if (mistakes_.empty()) {
      if (base::Status status = validate(environment_); !status) {
        for (const base::Diagnostic& mistake : status.errors()) {
          mistakes_.push_back(base::error_at(source_, span_of(0, text_.size()), mistake.message));
        }
      }
    }
    if (!mistakes_.empty()) return mistakes_;
    return environment_;
  }

 private:
  void fail(std::size_t begin, std::size_t end, std::string message) {
    mistakes_.push_back(base::error_at(source_, span_of(begin, std::max(end, begin + 1)), std::move(message)));
  }

  void read_item(Item item, bool first) {
    const std::string_view word = text_.substr(item.begin, item.end - item.begin);
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      const Preset* preset = first ? find_preset(word) : nullptr;
      if (preset != nullptr) {
        environment_ = preset->environment;
      } else if (first) {
        std::vector<std::string> names;
        for (const Preset& one : presets()) names.emplace_back(one.name);
        fail(item.begin, item.end,
             fmt::format("expected name=value or a preset: {}{}", preset_names(), base::did_you_mean(word, names)));
      } else {
        fail(item.begin, item.end, "expected name=value");
      }
      return;
    }
    const Item name = trimmed(text_, item.begin, item.begin + equals);
    const Item value = trimmed(text_, item.begin + equals + 1, item.end);
    const std::string_view key = text_.substr(name.begin, name.end - name.begin);
    const Parameter* parameter = find_parameter(key);
    if (parameter == nullptr) return fail(name.begin, name.end, unknown_parameter(key));
    if (!seen_.insert(parameter).second) return fail(name.begin, name.end, fmt::format("'{}' is given twice", key));
    const std::optional<int> number = parameter->read(text_.substr(value.begin, value.end - value.begin));
    if (!number || !parameter->accepts(*number)) {
      return fail(value.begin, value.end, fmt::format("'{}' takes {}", key, parameter->range_text()));
    }
    parameter->set(environment_, *number);
  }

  const base::Source& source_;
  std::string_view text_;
  TestEnvironment environment_;
  base::Diagnostics mistakes_;
  std::set<const Parameter*> seen_;
};

const Parameter* parameter_in_json(std::string_view name) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.name == name || (!parameter.historic_name.empty() && parameter.historic_name == name)) {
      return &parameter;
    }
  }
  return nullptr;
}

std::optional<int> json_number_of(const Parameter& parameter, const base::JsonValue& value) {
  if (value.is(base::JsonValue::Kind::string)) return parameter.read(value.text());
  const std::optional<std::int64_t> number = value.integer();
  if (!number || !std::in_range<int>(*number)) return std::nullopt;
  return parameter.read(fmt::format("{}", *number));
}

}  // namespace

base::Result<TestEnvironment> parse_environment(const base::Source& text) { return Reader(text).run(); }

std::optional<TestEnvironment> environment_from_json(const base::JsonValue& value, base::Mistakes& mistakes) {
  if (!value.is(base::JsonValue::Kind::object)) {
    mistakes.add(value.span(), fmt::format("expected an object of parameters, found {}", base::describe(value.kind())));
    return std::nullopt;
  }
  const std::size_t before = mistakes.count();
  TestEnvironment environment;
  for (const base::JsonMember& member : value.members()) {
    const Parameter* parameter = parameter_in_json(member.key);
    if (parameter == nullptr) {
      mistakes.add(member.key_span, unknown_parameter(member.key));
      continue;
    }
    const std::optional<int> number = json_number_of(*parameter, member.value);
    if (number && parameter->accepts(*number)) {
      parameter->set(environment, *number);
    } else {
      mistakes.add(member.value.span(), fmt::format("'{}' takes {}", member.key, parameter->range_text()));
    }
  }
  if (mistakes.count() == before) {
    if (const base::Status status = validate(environment); !status) {
      for (const base::Diagnostic& mistake : status.errors()) mistakes.add(value.span(), mistake.message);
    }
  }
  if (mistakes.count() != before) return std::nullopt;
  return environment;
}

base::Result<TestEnvironment> environment_from_json(const base::Source& text) {
  base::Mistakes mistakes(text);
  const std::optional<base::JsonValue> value = base::read_json_text(mistakes);
  const std::optional<TestEnvironment> environment =
      value ? environment_from_json(*value, mistakes) : std::optional<TestEnvironment>();
  if (!environment) return mistakes.take();
  return *environment;
}

std::string to_text(const TestEnvironment& environment) {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    const int value = parameter.get(environment);
    if (value == parameter.default_value()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", parameter.name, parameter.value_text(value));
  }
  return text.empty() ? "basic" : text;
}

base::JsonValue to_json(const TestEnvironment& environment) {
  base::JsonValue object = base::json_object();
  for (const Parameter& parameter : parameters()) {
    const int value = parameter.get(environment);
    const bool choice = parameter.kind == Parameter::Kind::choice;
    object.add(parameter.name, choice ? base::JsonValue(parameter.value_text(value)) : base::JsonValue(value));
  }
  return object;
}

}  // namespace weakspot::codegen
