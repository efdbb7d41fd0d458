// SPDX-License-Identifier: MIT
// Declares the options of commands: CLI11's words without its headers, whose templates cost every file that includes
// them many seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weakspot::console {

// Returns the mistake in a text, or an empty string; may rewrite the text.
using TextCheck = std::function<std::string(std::string& text)>;

// "1000000", "64M", "2G", "512MiB"; units are powers of 1024.
std::optional<std::uint64_t> read_bytes(const std::string& text);

// Takes words of another program's command line, beginning at words[at]; returns their number, 0 for none.
using WordTaker = std::function<std::size_t(const std::vector<std::string>& words, std::size_t at)>;

// An option of a command. Its methods return the option itself.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option* required();
  Option* delimiter(char separator);
  // For lists: takes one value each time, so that other arguments may follow.
  Option* repeatable();
  Option* expected(int count);
  Option* expected(int least, int most);
  Option* option_text(const std::string& text);  // the help's word for its value
  Option* check(TextCheck check);
  // For numbers; both refuse "nan".
  Option* positive();
  Option* range(double low, double high);
  Option* one_of(std::vector<std::string> words);
  Option* hide();      // from the help
  Option* as_bytes();  // reads like read_bytes(); for numbers
  // Reads a time like read_duration(), from `least` to `most` seconds; for numbers, which become seconds.
  Option* as_time(double least = 1e-3, double most = 1e7);
  bool given() const;

 private:
  CLI::Option* option_;
};

// With the commands above it: "weakspot models compare".
std::string full_name_of(const CLI::App& command);

// What Command::take_words() and add_taken_option() have declared for a command.
struct TakenWords {
  WordTaker taker;
  std::vector<std::string> options;  // their names, with dashes
};
// Null if nothing is declared.
const TakenWords* taken_words_of(const CLI::App& command);

// A command with its options; pointers to them stay valid as long as it does.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // The title in the help above the commands that are added from now on.
  void open_group(std::string title);
  Command* add_subcommand(const std::string& name, const std::string& help);
  // `name` may be followed by a blank and the help's word for the value: "--out FILE". Values are texts, numbers, and
  // lists and optionals of them, as instantiated in command_line.cpp.
  template <typename Value>
  Option* add_option(const std::string& name, Value& value, const std::string& help);
  Option* add_flag(const std::string& name, bool& value, const std::string& help);

  // Words that are not options of this command are offered to `taker` before the rest is parsed. So are options that
  // add_taken_option() declares for the help, `name` and `help` being those of add_option().
  void take_words(WordTaker taker);
  Option* add_taken_option(const std::string& name, const std::string& help);

  void footer(const std::string& text);
  void callback(std::function<void()> run);
  void hide();  // from the list of commands
  void require_subcommand(std::size_t least, std::size_t most);
  bool got_subcommand(const Command* command) const;
  std::string full_name() const;  // see full_name_of()

 private:
  CLI::App* app_;
  std::string unused_;  // the value of taken options, which never reach the parser
  std::string group_ = "Commands";
  std::list<Command> commands_;
  std::list<Option> options_;
};

}  // namespace weakspot::console
