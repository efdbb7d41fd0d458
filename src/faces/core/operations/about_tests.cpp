// SPDX-License-Identifier: MIT
// Reading tests, writing them in other dialects, and the tests and dialects there are.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/build_info.h"
#include "base/sort.h"
#include "base/source.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"
#include "litmus/draw.h"
#include "litmus/text.h"
#include "questions/corpus.h"
#include "questions/model_choice.h"
#include "questions/test_json.h"

namespace weakspot::core {
namespace {

using Json = base::JsonValue;

struct CorpusFile {
  std::string_view folder, name, text;
};

std::vector<CorpusFile> corpus_files() {
  std::vector<CorpusFile> files;
  for (const base::PackedTexts::Text& text : questions::packed_corpus().all()) {
    const std::size_t slash = text.name.rfind('/');
    files.push_back({text.name.substr(0, slash), text.name.substr(slash + 1), text.text});
  }
  return files;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Json columns_json(const litmus::LitmusTest& test) {
  Json columns = base::json_array();
  for (const std::vector<std::string>& lines : litmus::instruction_texts(test)) columns.push_back(lines);
  return columns;
}

// The test in the JSON dialect, as a value.
Json test_json(const litmus::LitmusTest& test) {
  const base::Result<std::string> text = litmus::print(test, litmus::Dialect::json);
  if (!text) return nullptr;
  const base::Result<Json> value = base::read_json_text(base::Source("test", *text));
  return value ? *value : Json(nullptr);
}

std::vector<litmus::Dialect> wanted_dialects(JsonFields& fields) {
  const std::vector<std::string> names = texts_field(fields, "to");
  if (names == std::vector<std::string>{"all"}) return {std::begin(litmus::kDialects), std::end(litmus::kDialects)};
  std::vector<litmus::Dialect> dialects;
  for (const std::string& name : names) {
    if (const std::optional<litmus::Dialect> dialect = litmus::dialect_named(name)) {
      dialects.push_back(*dialect);
    } else {
      fields.unexpected("to", "names of dialects, or all");
    }
  }
  return dialects;
}

}  // namespace

Reply version(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  return base::json_object({{"version", base::kVersion}, {"revision", base::kRevision}});
}

Reply dialects(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  Json array = base::json_array();
  for (const litmus::Dialect dialect : litmus::kDialects) array.push_back(litmus::to_string(dialect));
  return array;
}

Reply corpus(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  std::vector<CorpusFile> files = corpus_files();
  base::sort(files, [](const CorpusFile& a, const CorpusFile& b) {
    return std::pair(a.folder, a.name) < std::pair(b.folder, b.name);
  });
  std::map<std::string_view, int> uses;
  for (const CorpusFile& file : files) ++uses[file.name];
  Json array = base::json_array();
  for (const CorpusFile& file : files) {
    const std::string name(file.name), folder(file.folder);
    const auto tests = litmus::read_tests(base::Source(name, std::string(file.text)));
    if (!tests) return tests.errors();
    array.push_back(base::json_object({{"test", uses[file.name] > 1 ? fmt::format("{}/{}", folder, name) : name},
                                       {"folder", folder},
                                       {"description", on_one_line(tests->front().description)},
                                       {"text", file.text}}));
  }
  return array;
}

Reply read(State&, JsonFields& fields) {
  const base::Source source = source_field(fields);
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  Json array = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    Json json = questions::description_json(test, source.name());
    json["dialect"] = litmus::to_string(litmus::dialect_of(test.arch));
    json["model"] = questions::judging_model(test, nullptr, "");
    json["drawing"] = litmus::draw(test);
    json["columns"] = columns_json(test);
    json["initially"] = litmus::initial_state_text(test);
    json["json"] = test_json(test);
    array.push_back(std::move(json));
  }
  return array;
}

Reply convert(State&, JsonFields& fields) {
  const base::Source source = source_field(fields);
  const std::vector<litmus::Dialect> dialects = wanted_dialects(fields);
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  Json converted = base::json_array(), left_out = base::json_array();
  for (const litmus::LitmusTest& test : *tests) {
    for (const litmus::Dialect dialect : dialects) {
      if (const base::Result<std::string> text = litmus::print(test, dialect)) {
        converted.push_back(questions::converted_json(test, source.name(), dialect, *text));
      } else {
        left_out.push_back(base::json_object(
            {{"test", test.name}, {"dialect", litmus::to_string(dialect)}, {"reason", text.errors().front().message}}));
      }
    }
  }
  return base::json_object({{"tests", std::move(converted)}, {"left_out", std::move(left_out)}});
}

}  // namespace weakspot::core
