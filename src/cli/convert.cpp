#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "litmus/dialect.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using litmus::Dialect;

struct Converted {
  const TestInput* input;
  std::string text;
};

struct Convert {
  std::vector<std::string> files;
  std::string dialect_name;
  std::string folder;
  bool json = false;

  int run() const {
    const std::optional<Dialect> dialect = litmus::dialect_named(dialect_name);
    if (!dialect) {
      print_error(fmt::format("error: unknown dialect '{}'; expected {}\n", dialect_name, dialect_list()));
      return kBadInput;
    }
    const TestInputs inputs = load_tests(files);
    base::Diagnostics errors = inputs.errors;
    std::vector<Converted> converted;
    for (const TestInput& input : inputs.tests) {
      base::Result<std::string> text = litmus::print(input.test, *dialect);
      if (text) {
        converted.push_back({&input, std::move(*text)});
      } else {
        errors.insert(errors.end(), text.errors().begin(), text.errors().end());
      }
    }
    if (!folder.empty()) {
      write_folder(converted, *dialect, errors);
    } else if (json) {
      print_output(json_text(as_json(converted)));
    } else {
      print_output(as_text(converted, *dialect));
    }
    print_error(base::render(errors));
    return errors.empty() ? kFine : kBadInput;
  }

  static std::string dialect_list() {
    std::string names;
    for (Dialect dialect : litmus::kDialects)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(dialect));
    return names;
  }

 private:
  static std::string as_text(const std::vector<Converted>& converted, Dialect dialect) {
    std::string text;
    if (dialect == Dialect::json && converted.size() != 1) {
      // Several tests in one JSON text are an array.
      for (const Converted& one : converted) {
        text += text.empty() ? "[\n" : ",\n";
        text += one.text.substr(0, one.text.find_last_not_of('\n') + 1);
      }
      return converted.empty() ? "" : text + "\n]\n";
    }
    for (const Converted& one : converted) {
      if (!text.empty()) text += "\n";
      text += one.text;
    }
    return text;
  }

  Json as_json(const std::vector<Converted>& converted) const {
    Json array = Json::array();
    for (const Converted& one : converted) {
      array.push_back({{"test", one.input->test.name},
                       {"hash", litmus::hash_of(one.input->test).hex()},
                       {"file", one.input->file},
                       {"dialect", dialect_name},
                       {"text", one.text}});
    }
    return array;
  }

  // One file per test and an index.
  void write_folder(const std::vector<Converted>& converted, Dialect dialect, base::Diagnostics& errors) const {
    auto write = [&](const std::string& path, const std::string& text) {
      base::Status status = base::write_file(path, text);
      if (!status) errors.insert(errors.end(), status.errors().begin(), status.errors().end());
    };
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code) {
      errors.push_back(base::error_in(folder, fmt::format("cannot make the folder: {}", code.message())));
      return;
    }
    std::string index;
    std::set<std::string> names;
    for (const Converted& one : converted) {
      std::string name = one.input->test.name;
      std::replace(name.begin(), name.end(), '/', '_');
      if (!names.insert(name).second) {
        errors.push_back(
            base::error_in(one.input->file, fmt::format("another test is called '{}' too; not written", name)));
        continue;
      }
      const std::string file = name + (dialect == Dialect::json ? ".json" : ".litmus");
      write((std::filesystem::path(folder) / file).string(), one.text);
      index += file + "\n";
    }
    write((std::filesystem::path(folder) / "@all").string(), index);
  }
};

}  // namespace

void add_convert(Command& app, int& exit_code) {
  auto options = std::make_shared<Convert>();
  Command* command = app.add_subcommand("convert", "Write tests in another dialect, or say what it cannot express");
  command->add_option("FILE", options->files, "files, folders, @indexes, '-', or tests of the corpus by name")
      ->required();
  command->add_option("--to", options->dialect_name, "the dialect: " + Convert::dialect_list())->required();
  command->add_option("--out", options->folder, "write one file per test and an @all index into this folder");
  command->add_flag("--json", options->json, "print an array of {test, hash, file, dialect, text}");
  command->footer("Examples:\n  weakspot convert --to ptx MP\n  weakspot convert --to aarch64 classic --out arm-tests");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
