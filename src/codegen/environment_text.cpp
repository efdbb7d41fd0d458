// The text and JSON forms of an environment: both walk the table of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "codegen/environment.h"

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

// Levenshtein's distance, for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string unknown_parameter(std::string_view name) {
  const Parameter* nearest = nullptr;
  std::size_t best = 4;
  for (const Parameter& parameter : parameters()) {
    const std::size_t d = distance(name.substr(0, 64), parameter.name);
    if (d < best) {
      best = d;
      nearest = &parameter;
    }
  }
  std::string message = fmt::format("unknown parameter '{}'", name);
  if (nearest != nullptr) message += fmt::format("; did you mean '{}'?", nearest->name);
  return message;
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
        fail(item.begin, item.end, fmt::format("expected name=value or a preset: {}", preset_names()));
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

// Reads a flat JSON object of numbers and strings, which is all an environment needs.
class JsonReader {
 public:
  explicit JsonReader(const base::Source& source) : source_(source), text_(source.text()) {}

  base::Result<TestEnvironment> run() {
    skip();
    if (!take('{')) return fail("expected '{'");
    skip();
    if (!take('}')) {
      do {
        if (base::Status status = member(); !status) return status.errors();
        skip();
      } while (take(','));
      if (!take('}')) return fail("expected ',' or '}'");
    }
    skip();
    if (at_ != text_.size()) return fail("expected the end of the object");
    if (base::Status status = validate(environment_); !status) return status.errors();
    return environment_;
  }

 private:
  base::Diagnostics fail(std::string message) { return {base::error_at(source_, span_of(at_, at_ + 1), message)}; }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<std::string_view> quoted() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    const std::size_t end = text_.find('"', begin);
    if (end == std::string_view::npos) return std::nullopt;
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  base::Status member() {
    skip();
    const std::size_t name_begin = at_;
    const std::optional<std::string_view> name = quoted();
    if (!name) return fail("expected the name of a parameter");
    skip();
    if (!take(':')) return fail("expected ':'");
    skip();
    const std::size_t begin = at_;
    std::string_view value;
    if (const std::optional<std::string_view> word = quoted()) {
      value = *word;
    } else {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-' ||
                                    text_[at_] == '.' || text_[at_] == '+')) {
        ++at_;
      }
      value = text_.substr(begin, at_ - begin);
    }
    for (const Parameter& parameter : parameters()) {
      if (parameter.name != *name && (parameter.historic_name.empty() || parameter.historic_name != *name)) continue;
      const std::optional<int> number = parameter.read(value);
      if (!number || !parameter.accepts(*number)) {
        return base::error_at(source_, span_of(begin, std::max(at_, begin + 1)),
                              fmt::format("'{}' takes {}", *name, parameter.range_text()));
      }
      parameter.set(environment_, *number);
      return base::ok_status();
    }
    return base::error_at(source_, span_of(name_begin, name_begin + name->size() + 2), unknown_parameter(*name));
  }

  const base::Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  TestEnvironment environment_;
};

}  // namespace

base::Result<TestEnvironment> parse_environment(const base::Source& text) { return Reader(text).run(); }

base::Result<TestEnvironment> environment_from_json(const base::Source& text) { return JsonReader(text).run(); }

std::string to_text(const TestEnvironment& environment) {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    const int value = parameter.get(environment);
    if (value == parameter.default_value()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", parameter.name, parameter.value_text(value));
  }
  return text.empty() ? "basic" : text;
}

std::string to_json(const TestEnvironment& environment) {
  std::string text = "{";
  for (const Parameter& parameter : parameters()) {
    const std::string value = parameter.value_text(parameter.get(environment));
    const char* quote = parameter.kind == Parameter::Kind::choice ? "\"" : "";
    text += fmt::format("{}\"{}\":{}{}{}", text.size() == 1 ? "" : ",", parameter.name, quote, value, quote);
  }
  return text + "}";
}

}  // namespace weakspot::codegen
