// SPDX-License-Identifier: MIT
#include "console/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

#include "base/nearest.h"
#include "console/text/duration.h"

namespace weakspot::console {

std::optional<std::uint64_t> read_bytes(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || number == 0) return std::nullopt;
  static constexpr std::pair<std::string_view, int> kUnits[] = {{"", 0},   {"K", 10},   {"M", 20},   {"G", 30},
                                                                {"k", 10}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  for (const auto& [name, shift] : kUnits) {
    if (unit != name) continue;
    if (number > UINT64_MAX >> shift) return std::nullopt;
    return number << shift;
  }
  return std::nullopt;
}

namespace {

// NaN unless all of the text is a number: CLI11 takes "nan" as a number in every range.
double read_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : std::nan("");
}

template <typename Value>
struct Unwrapped {
  using Type = Value;
};
template <typename Value>
struct Unwrapped<std::optional<Value>> {
  using Type = Value;
};

// CLI11 takes "-3" for 2^64-3, what is too large for the largest number, and has words of its own for the rest.
template <typename Whole>
std::string whole_mistake(const std::string& text) {
  Whole number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  if (std::is_signed_v<Whole>) return fmt::format("'{}' is not a whole number", text);
  return fmt::format("'{}' is not a whole number from 0 to 2^{}-1", text, sizeof(Whole) * 8);
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::delimiter(char separator) {
  option_->delimiter(separator);
  return this;
}

Option* Option::repeatable() {
  option_->take_all()->allow_extra_args(false);
  return this;
}

Option* Option::expected(int count) {
  option_->expected(count);
  return this;
}

Option* Option::expected(int least, int most) {
  option_->expected(least, most);
  return this;
}

Option* Option::option_text(const std::string& text) {
  option_->option_text(text);
  return this;
}

Option* Option::check(TextCheck check) {
  option_->check(CLI::Validator(std::move(check), ""));
  return this;
}

Option* Option::positive() {
  const auto above_zero = [](std::string& text) {
    const double number = read_number(text);
    return number > 0 && std::isfinite(number) ? std::string() : fmt::format("'{}' is not a number above 0", text);
  };
  option_->check(CLI::Validator(above_zero, "POSITIVE"));
  return this;
}

Option* Option::range(double low, double high) {
  const auto within = [=](std::string& text) {
    const double number = read_number(text);
    return number >= low && number <= high ? std::string() : fmt::format("'{}' is not from {} to {}", text, low, high);
  };
  option_->transform(CLI::Validator(within, ""));  // before what add_option() checks, and says less of
  return this;
}

Option* Option::one_of(std::vector<std::string> words) {
  return check([words = std::move(words)](std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    const std::string last = words.empty() ? "" : words.back();
    return fmt::format("'{}' is not {} or {}{}", text,
                       fmt::join(words.begin(), words.end() - (words.empty() ? 0 : 1), ", "), last,
                       base::did_you_mean(text, words));
  });
}

Option* Option::hide() {
  option_->group("");
  return this;
}

Option* Option::as_bytes() {
  const auto read = [](std::string& text) {
    const std::optional<std::uint64_t> bytes = read_bytes(text);
    if (!bytes) return fmt::format("'{}' is not a size such as 1000000, 64M or 2G", text);
    text = std::to_string(*bytes);
    return std::string();
  };
  option_->transform(CLI::Validator(read, ""));
  return this;
}

Option* Option::as_time(double least, double most) {
  const auto read = [=](std::string& text) {
    const base::Result<double> seconds = read_duration(text);
    if (!seconds) return base::messages(seconds.errors());
    if (*seconds < least || *seconds > most) {
      return fmt::format("'{}' is not from {} to {}", text, duration_text(least), duration_text(most));
    }
    text = fmt::format("{}", *seconds);
    return std::string();
  };
  option_->transform(CLI::Validator(read, ""));
  return this;
}

bool Option::given() const { return option_->count() > 0; }

std::string full_name_of(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name_of(*command.get_parent()) + " " + command.get_name();
}

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
  return &commands_.emplace_back(*app_->add_subcommand(name, help)->group(group_));
}

template <typename Value>
Option* Command::add_option(const std::string& name, Value& value, const std::string& help) {
  const std::size_t blank = name.find(' ');
  Option& option = options_.emplace_back(*app_->add_option(name.substr(0, blank), value, help));
  if (blank != std::string::npos) option.option_text(name.substr(blank + 1));
  using Single = typename Unwrapped<Value>::Type;
  if constexpr (std::is_integral_v<Single>) option.check(whole_mistake<Single>);
  if constexpr (std::is_same_v<Single, double>) {
    option.check([](std::string& text) {
      return std::isnan(read_number(text)) ? fmt::format("'{}' is not a number", text) : std::string();
    });
  }
  return &option;
}

#define WEAKSPOT_OPTION(...) \
  template Option* Command::add_option<__VA_ARGS__>(const std::string&, __VA_ARGS__&, const std::string&);
WEAKSPOT_OPTION(std::string)
WEAKSPOT_OPTION(std::vector<std::string>)
WEAKSPOT_OPTION(double)
WEAKSPOT_OPTION(int)
WEAKSPOT_OPTION(std::uint32_t)
WEAKSPOT_OPTION(std::uint64_t)
WEAKSPOT_OPTION(std::optional<std::string>)
WEAKSPOT_OPTION(std::optional<double>)
WEAKSPOT_OPTION(std::optional<std::uint32_t>)
WEAKSPOT_OPTION(std::optional<std::uint64_t>)
#undef WEAKSPOT_OPTION

Option* Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return &options_.emplace_back(*app_->add_flag(name, value, help));
}

namespace {

// CLI11 has no place for them in its commands.
std::map<const CLI::App*, TakenWords>& all_taken_words() {
  static std::map<const CLI::App*, TakenWords> all;
  return all;
}

}  // namespace

const TakenWords* taken_words_of(const CLI::App& command) {
  const auto found = all_taken_words().find(&command);
  return found == all_taken_words().end() ? nullptr : &found->second;
}

void Command::take_words(WordTaker taker) { all_taken_words()[app_].taker = std::move(taker); }

Option* Command::add_taken_option(const std::string& name, const std::string& help) {
  all_taken_words()[app_].options.push_back(name.substr(0, name.find(' ')));
  return add_option(name, unused_, help);
}

void Command::open_group(std::string title) { group_ = std::move(title); }
void Command::footer(const std::string& text) { app_->footer(text); }
void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }
void Command::hide() { app_->group(""); }
void Command::require_subcommand(std::size_t least, std::size_t most) { app_->require_subcommand(least, most); }
std::string Command::full_name() const { return full_name_of(*app_); }
bool Command::got_subcommand(const Command* command) const { return app_->got_subcommand(command->app_); }

}  // namespace weakspot::console
