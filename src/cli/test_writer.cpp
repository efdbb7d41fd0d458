#include "cli/test_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/commands.h"
#include "gen/build.h"
#include "gen/identity.h"
#include "gen/mutate.h"
#include "litmus/dialect.h"

namespace weakspot::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using litmus::Dialect;

}  // namespace

TestWriter::TestWriter(TestWriterOptions options) : options_(std::move(options)) {
  if (options_.folder.empty()) return;
  shows_progress_ = isatty(STDERR_FILENO) != 0;
  std::error_code code;
  fs::create_directories(options_.folder, code);
  if (code)
    errors_.push_back(base::error_in(options_.folder, fmt::format("cannot make the folder: {}", code.message())));
}

bool TestWriter::write(const litmus::LitmusTest& test) {
  constexpr std::size_t kMostErrors = 20;
  if (!options_.folder.empty() && !errors_.empty() && count_ == 0) return false;
  if (options_.list) {
    const std::optional<std::string> cycle = gen::info_of(test, "Cycle");
    print_output(cycle ? fmt::format("{}: {}\n", test.name, *cycle) : test.name + "\n");
    ++count_;
    return true;
  }
  const Dialect dialect = options_.dialect.value_or(gen::dialect_of(test.arch));
  base::Result<std::string> text = litmus::print(test, dialect);
  if (!text) {
    errors_.insert(errors_.end(), text.errors().begin(), text.errors().end());
    return errors_.size() < kMostErrors;
  }
  if (!options_.folder.empty()) {
    write_file(test, *text, dialect);
  } else if (options_.json) {
    write_json(test, *text, dialect);
  } else {
    print_output(count_ == 0 ? *text : "\n" + *text);
  }
  ++count_;
  show_progress();
  return errors_.size() < kMostErrors;
}

void TestWriter::write_file(const litmus::LitmusTest& test, const std::string& text, Dialect dialect) {
  std::string name = test.name;
  std::replace(name.begin(), name.end(), '/', '_');
  if (!names_.insert(name).second) {
    errors_.push_back(base::error(fmt::format("another test is called '{}' too; not written", name)));
    return;
  }
  const std::string file = name + (dialect == Dialect::json ? ".json" : ".litmus");
  // Not through base::write_file(), which waits for the disk: there may be many thousand. The index comes last, so what
  // it lists is complete.
  const std::string path = (fs::path(options_.folder) / file).string();
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) errors_.push_back(base::error_in(path, "cannot write the file"));
  index_ += file + "\n";
}

void TestWriter::write_json(const litmus::LitmusTest& test, const std::string& text, Dialect dialect) {
  Json object = {{"test", test.name},
                 {"hash", litmus::hash_of(test).hex()},
                 {"identity", gen::canonical_hash(test).hex()},
                 {"dialect", litmus::to_string(dialect)}};
  for (const auto& [key, value] : test.info) object["info"][key] = value;
  object["text"] = text;
  print_output((count_ == 0 ? "[\n" : ",\n") + object.dump(2, ' ', false, Json::error_handler_t::replace));
}

void TestWriter::show_progress() {
  if (shows_progress_ && count_ % 1000 == 0) print_error(fmt::format("\r{} tests", count_));
}

base::Diagnostics TestWriter::finish() {
  if (options_.json && options_.folder.empty()) print_output(count_ == 0 ? "[]\n" : "\n]\n");
  if (!options_.folder.empty() && count_ > 0) {
    base::Status status = base::write_file((fs::path(options_.folder) / "@all").string(), index_);
    if (!status) errors_.insert(errors_.end(), status.errors().begin(), status.errors().end());
    if (shows_progress_ && count_ >= 1000) print_error("\n");
    print_output(fmt::format("{} tests in {}\n", count_, options_.folder));
  }
  return std::move(errors_);
}

}  // namespace weakspot::cli
