// SPDX-License-Identifier: MIT
// The contract with scripts: which command prints what form, and the schema of each form.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/check.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/packed_texts.h"
#include "base/source.h"
#include "cli/command/commands.h"
#include "json/json.h"

namespace weakspot::cli {
namespace {

constexpr unsigned char kPackedSchemas[] = {
#include "cli/embedded_schemas.inc"
};

using Schema = base::PackedTexts::Text;

const base::PackedTexts& schemas() {
  static const base::PackedTexts kTexts(kPackedSchemas);
  return kTexts;
}

// A command with the options that make it print or write JSON, and the schema; or why it has none.
struct Form {
  std::string_view command, options, schema, reason;
};
constexpr Form kForms[] = {
    {"list", "--json", "list", ""},
    {"show", "--json", "show", ""},
    {"convert", "--json", "convert", ""},
    {"convert", "--to json", "test", ""},
    {"check", "--json", "check", ""},
    {"check", "--progress P --json", "check-progress", ""},
    {"fences", "--json", "fences", ""},
    {"models", "--json", "models", ""},
    {"models compare", "--json", "models-compare", ""},
    {"gen", "--json", "tests", ""},
    {"mutate", "--json", "tests", ""},
    {"suite", "NAME --json", "tests", ""},
    {"suite", "--json", "suites", ""},
    {"suite", "NAME --rates FILE", "suite", ""},
    {"compile-check", "--json", "compile-check", ""},
    {"run", "--json", "run", ""},
    {"run", "--out FILE", "record", ""},
    {"devices", "--json", "devices", ""},
    {"tune", "--json", "tune", ""},
    {"tune", "--out FILE", "tune-journal", ""},
    {"score", "--json", "score", ""},
    {"conform", "--json", "conform", ""},
    {"conform", "--save-suite FILE", "suite", ""},
    {"assumptions", "--json", "assumptions", ""},
    {"locks", "--json", "locks", ""},
    {"replay", "--json", "replay", ""},
    {"report", "--json", "run", ""},
    {"compare", "--json", "compare", ""},
    {"analyze", "--json", "analyze", ""},
    {"store info", "--json", "store", ""},
    {"store import", "--json", "store-import", ""},
    {"store export", "", "", "prints documents as they were stored, each in its own form"},
    {"store merge", "--json", "store-merge", ""},
    {"store submissions", "--json", "store-submissions", ""},
    {"store verify", "--json", "store-verify", ""},
    {"store vacuum", "--json", "store-vacuum", ""},
    {"emit", "--json", "emit", ""},
    {"optcheck", "--json", "optcheck", ""},
    {"page", "", "", "writes or serves a page"},
    {"mcp", "", "", "speaks the Model Context Protocol"},
    {"serve", "", "", "answers over HTTP, in the forms runs, work and submission"},
    {"campaign init", "--json", "campaign-init", ""},
    {"campaign status", "--json", "campaign-status", ""},
    {"campaign pause", "--json", "campaign-pause", ""},
    {"campaign resume", "--json", "campaign-pause", ""},
    {"campaign pardon", "--json", "campaign-pardon", ""},
    {"campaign export", "", "record", ""},
    {"campaign report", "--json", "campaign-report", ""},
    {"agent", "--json", "agent", ""},
    {"launch slurm", "", "", "prints a script, or what sbatch says"},
    {"lsp", "", "", "speaks the Language Server Protocol"},
    {"schema", "--json", "schema", ""},
    {"race", "--json", "race", ""},
    {"prove", "--json", "prove", ""},
    {"capture", "", "capture", ""},
    {"confirm", "--json", "confirm", ""},
    {"completion", "", "", "prints a script for a shell"},
    {"version", "", "", "prints text for people"},
    {"help", "", "", "prints text for people"},
};

std::uint64_t version_of(std::string_view name) {
  const std::optional<std::string_view> schema = schemas().named(name);
  WEAKSPOT_CHECK(schema.has_value());
  const base::Result<base::JsonValue> json =
      base::read_json_text(base::Source(std::string(name), std::string(*schema)));
  WEAKSPOT_CHECK(json.ok());
  return json->at("x-version").whole().value_or(0);
}

base::JsonValue forms_json() {
  base::JsonValue list = base::json_array();
  for (const Form& form : kForms) {
    base::JsonValue object = base::json_object({{"command", form.command}});
    if (form.schema.empty()) {
      object["reason"] = form.reason;
    } else {
      object["options"] = form.options;
      object["schema"] = form.schema;
      object["version"] = version_of(form.schema);
    }
    list.push_back(std::move(object));
  }
  return list;
}

std::string forms_text() {
  std::string text;
  for (const Form& form : kForms) {
    if (form.schema.empty()) continue;
    const std::string words = fmt::format("{} {}", form.command, form.options);
    text += fmt::format("{:<36} {} {}\n", words, form.schema, version_of(form.schema));
  }
  return text;
}

struct SchemaCommand {
  std::vector<std::string> words;
  std::string folder;
  bool json = false;

  int run() const {
    if (!folder.empty()) {
      const base::Status written = write_all();
      return written ? kFine : fail(written.errors());
    }
    if (words.empty()) {
      print_output(json ? json_text(forms_json()) : forms_text());
      return kFine;
    }
    if (const auto schema = schemas().named(fmt::format("{}", fmt::join(words, "-")))) return print(*schema);
    const std::string command = fmt::format("{}", fmt::join(words, " "));
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& one) { return one.command == command; });
    if (form == std::end(kForms)) return fail({base::error(unknown(command))});
    if (form->schema.empty()) {
      return fail({base::error(fmt::format("'weakspot {}' has no schema: it {}", command, form->reason))});
    }
    return print(schemas().named(form->schema).value());
  }

 private:
  // Schemas refer to each other by the names of their files.
  base::Status write_all() const {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code) return base::error_in(folder, fmt::format("cannot create the folder: {}", code.message()));
    for (const Schema& schema : schemas().all()) {
      const std::filesystem::path path = std::filesystem::path(folder) / fmt::format("{}.schema.json", schema.name);
      if (const base::Status written = base::write_file(path.string(), std::string(schema.text)); !written) {
        return written;
      }
    }
    return base::ok_status();
  }

  static int print(std::string_view schema) {
    print_output(std::string(schema));
    return kFine;
  }

  static std::string unknown(const std::string& word) {
    std::vector<std::string> known;
    for (const Schema& schema : schemas().all()) known.emplace_back(schema.name);
    for (const Form& form : kForms) known.emplace_back(form.command);
    return fmt::format("there is no schema or command '{}'{}", word, base::did_you_mean(word, known));
  }
};

}  // namespace

void add_schema(Command& app, int& exit_code) {
  auto options = std::make_shared<SchemaCommand>();
  Command* command = app.add_subcommand("schema", "Print the JSON Schema of what a command prints, or list all");
  command->add_option("NAME ...", options->words,
                      "a schema, or a command such as 'models compare' (default: list commands with their schemas)");
  command->add_option("--out FOLDER", options->folder, "write all schemas as files there, which refer to each other");
  command->add_flag("--json", options->json, "print the list as an array");
  command->footer(
      "A schema has a version, which changes when fields are removed or change their\n"
      "meaning; docs/json.md says what scripts can rely on.\n\n"
      "Examples:\n  weakspot schema\n  weakspot schema check");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
