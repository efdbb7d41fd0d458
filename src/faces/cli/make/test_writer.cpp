// SPDX-License-Identifier: MIT
#include "cli/make/test_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "console/interrupt.h"
#include "gen/build.h"
#include "gen/mutate.h"
#include "litmus/dialect.h"
#include "questions/make_tests.h"
#include "questions/test_json.h"

namespace weakspot::cli {
namespace {

using litmus::Dialect;

// "lb, mp, sb and 38 more": as many as a short line holds, and one at least.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kColumns = 60;
  std::string text = names.front();
  std::size_t shown = 1;
  for (; shown < names.size() && text.size() + names[shown].size() < kColumns; ++shown) text += ", " + names[shown];
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

}  // namespace

base::Diagnostics tell_left_out(const workbench::LeftOut& left_out, std::size_t written, std::string_view did) {
  const std::size_t all = written + left_out.count();
  if (left_out.empty()) return {};
  if (all == 1) return left_out.first();
  for (const workbench::LeftOut::Reason& reason : left_out.reasons()) {
    print_error(fmt::format("left out {}: {}\n         {}\n", base::counted(reason.tests.size(), "test"), reason.text,
                            some_of(reason.tests)));
  }
  if (written == 0) {
    return {
        base::error(fmt::format("the dialect cannot express {} of the {} tests", all == 2 ? "either" : "any", all))};
  }
  print_error(fmt::format("{} {} of {} tests\n", did, written, all));
  return {};
}

void add_writer_options(Command& command, TestWriterOptions& options) {
  command.add_flag("--list", options.list, "print only names and cycles");
  command.add_option("--out FOLDER", options.folder, "write one file per test, and an @all index, into this folder");
  command.add_flag("--json", options.json, "print an array of {test, hash, identity, dialect, info, text}");
}

TestWriter::TestWriter(TestWriterOptions options) : options_(std::move(options)) {
  shows_progress_ = !options_.folder.empty() && terminal_of(STDERR_FILENO).redraws;
}

void TestWriter::note(const base::Diagnostics& errors) { errors_.insert(errors_.end(), errors.begin(), errors.end()); }

bool TestWriter::write(const litmus::LitmusTest& test) {
  if (InterruptGuard::interrupted()) return false;
  if (options_.list) {
    const std::optional<std::string> cycle = gen::info_of(test, "Cycle");
    print_output(cycle ? fmt::format("{}: {}\n", test.name, *cycle) : test.name + "\n");
    ++count_;
    return true;
  }
  if (!options_.folder.empty() && !folder_) {
    base::Result<workbench::TestFolder> made = workbench::TestFolder::create(options_.folder);
    if (!made) {
      note(made.errors());
      return false;
    }
    folder_ = *std::move(made);
  }
  const Dialect dialect = options_.dialect.value_or(questions::usual_dialect(test));
  const base::Result<std::string> text = litmus::print(test, dialect);
  if (!text) {
    left_out_.add(test.name, text.errors());
    return true;
  }
  if (folder_) {
    if (const base::Status added = folder_->add(test.name, dialect, *text); !added) {
      note(added.errors());
      return false;
    }
  } else if (options_.json) {
    write_json(test, *text, dialect);
  } else {
    print_output(count_ == 0 ? *text : "\n" + *text);
  }
  ++count_;
  show_progress();
  return true;
}

void TestWriter::write_json(const litmus::LitmusTest& test, const std::string& text, Dialect dialect) {
  print_output((count_ == 0 ? "[\n" : ",\n") + base::json_indented(questions::made_test_json(test, text, dialect)));
}

void TestWriter::show_progress() {
  if (shows_progress_ && count_ % 1000 == 0) fmt::print(stderr, "\r{} tests", count_);
}

int TestWriter::ended(int exit_code) const {
  if (!InterruptGuard::interrupted()) {
    const bool is_silent = exit_code == kFine && count_ == 0 && !options_.json && left_out_.empty();
    if (is_silent) print_error("note: no tests were made\n");
    return exit_code;
  }
  print_error(fmt::format("note: interrupted; {} until then\n", base::counted(count_, "test")));
  return InterruptGuard::exit_code();
}

base::Diagnostics TestWriter::finish() {
  if (options_.json && options_.folder.empty()) print_output(count_ == 0 ? "[]\n" : "\n]\n");
  if (folder_ && count_ > 0) {
    note(folder_->finish().errors());
    if (shows_progress_ && count_ >= 1000) print_error("\n");
    print_output(fmt::format("{} in {}\n", base::counted(count_, "test"), options_.folder));
  }
  note(tell_left_out(left_out_, count_, "wrote"));
  return std::move(errors_);
}

}  // namespace weakspot::cli
