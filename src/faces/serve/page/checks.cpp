// SPDX-License-Identifier: MIT
#include "serve/page/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/source.h"
#include "json/json_fields.h"
#include "system/temporary_folder.h"

namespace weakspot::serve {
namespace {

namespace fs = std::filesystem;
using base::JsonValue;

constexpr std::size_t kMostFiles = 256;
constexpr std::size_t kLongestName = 160;  // Triton's are long
constexpr const char* kSeconds = "20";

// Neither a path nor an option, nor a file that settings are read from.
bool is_file_name(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '+';
  });
  return plain && !name.empty() && name.size() <= kLongestName && name[0] != '.' && name[0] != '-' &&
         name != "weakspot.toml";
}

void read_file(const JsonValue& value, base::Mistakes& mistakes, CheckOrder& order) {
  base::JsonFields fields(value, mistakes, "a file");
  if (!fields.valid()) return;
  CheckOrder::File file{fields.text("name"), fields.text("text")};
  fields.done();
  if (!is_file_name(file.name)) fields.mistake(value.find("name"), "'name': expected a file's name, such as sum.cu");
  order.files.push_back(std::move(file));
}

// Other files beside it are its headers. A folder without one holds PTX.
bool is_program(std::string_view name) {
  return name.ends_with(".cu") || name.ends_with(".cpp") || name.ends_with(".hip");
}

// `text` without the folder that only this run knows.
std::string without(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

bool write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.flush().good();
}

}  // namespace

base::Result<CheckOrder> read_check(const std::string& body) {
  const base::Source source("request", body);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  if (!value) return mistakes.take();
  base::JsonFields fields(*value, mistakes, "a check");
  if (!fields.valid()) return mistakes.take();
  CheckOrder order;
  for (const JsonValue& file : fields.list("files")) read_file(file, mistakes, order);
  order.prove = fields.truth("prove");
  order.launch = fields.string("launch").value_or("");
  order.condition = fields.string("assert").value_or("");
  fields.done();
  std::set<std::string> names;
  for (const CheckOrder::File& file : order.files) names.insert(file.name);
  const JsonValue* files = value->find("files");
  if (names.size() != order.files.size()) fields.mistake(files, "'files': two have one name");
  if (order.files.empty() || order.files.size() > kMostFiles || (order.prove && order.files.size() > 1)) {
    fields.mistake(files, order.prove ? "'files': expected one to prove" : "'files': expected 1 to 256");
  }
  if (mistakes.any()) return mistakes.take();
  return order;
}

base::Result<JsonValue> check(const CheckOrder& order, const AskProgram& ask) {
  const base::TemporaryFolder folder;
  const fs::path files = folder.path() / "checked";
  std::error_code code;
  bool written = !folder.path().empty() && fs::create_directory(files, code);
  for (const CheckOrder::File& file : order.files) written = written && write(files / file.name, file.text);
  if (!written) return base::error("the files could not be written to this machine's folder for temporary files");

  std::vector<std::string> words = {order.prove ? "prove" : "race", "--json", "--seconds", kSeconds};
  if (!order.prove) words.insert(words.end(), {"--allow-incomplete", "--project", "none"});
  if (!order.launch.empty()) words.push_back("--launch=" + order.launch);
  if (!order.condition.empty()) words.push_back("--assert=" + order.condition);
  for (const CheckOrder::File& file : order.files) {
    if (order.files.size() == 1 || is_program(file.name)) words.push_back((files / file.name).string());
  }
  if (!words.back().starts_with(files.string())) words.push_back(files.string());
  const std::string prefix = files.string() + "/";
  base::Result<std::string> answer = ask(words);
  if (!answer) return base::error(without(base::messages(answer.errors()), prefix));
  return base::read_json_text(base::Source("report", without(*std::move(answer), prefix)));
}

}  // namespace weakspot::serve
