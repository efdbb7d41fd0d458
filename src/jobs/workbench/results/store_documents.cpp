// SPDX-License-Identifier: MIT
#include "workbench/store_documents.h"

#include <utility>

#include "base/file.h"
#include "base/source.h"
#include "campaign/record_json.h"
#include "campaign/score.h"
#include "campaign/suite_rates.h"
#include "json/json.h"
#include "race/report.h"

namespace weakspot::workbench {
namespace {

using base::JsonValue;
using store::RecordKind;

std::string_view first_line_of(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view without_blanks_at_the_end(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// The members that a document has only if it is of this kind.
struct KindMark {
  RecordKind kind;
  const char *first, *second;
};
constexpr KindMark kMarks[] = {
    {RecordKind::tune, "strategy", "budget"},
    {RecordKind::score, "mutation_score", "mutators"},
    {RecordKind::conform, "verdict", "devices"},
    {RecordKind::race, "kernels", "findings"},
};

bool has(const JsonValue& value, const KindMark& mark) {
  return value.find(mark.first) != nullptr && value.find(mark.second) != nullptr;
}

// A journal's first line is a value of its own, and so is a record.
std::optional<JsonValue> value_of_line(const std::string& file, std::string_view line) {
  const base::Result<JsonValue> value = base::read_json_text(base::Source(file, std::string(line)));
  return value ? std::optional(*value) : std::nullopt;
}

bool begins_journal(const std::optional<JsonValue>& line) {
  return line && line->find("evaluation") != nullptr && line->find("hashes") != nullptr;
}

bool begins_records(const std::optional<JsonValue>& line) {
  return line && line->find("outcomes") != nullptr && line->find("hash") != nullptr;
}

// The text of a member, or of the only item of an array of texts.
std::string text_member(const JsonValue& value, const char* name) { return value.at(name).text(); }

std::string only_test(const JsonValue& tests) {
  if (tests.items().size() != 1) return "";
  const JsonValue& test = tests.at(std::size_t{0});
  return test.is(JsonValue::Kind::string) ? test.text() : text_member(test, "test");
}

store::Record described(RecordKind kind, const JsonValue& value) {
  // A report on conformance has a part for each device.
  const JsonValue& devices = value.at("devices");
  const JsonValue& about = devices.items().size() == 1 ? devices.at(std::size_t{0}) : value;
  store::Record record{.kind = kind};
  record.test = only_test(about.at("tests"));
  record.device = text_member(about, "device");
  record.device_class = device_class_of(record.device);
  record.model = text_member(about, "model");
  record.time = text_member(about, "started");
  return record;
}

// Checks that the readers of such a document would accept it.
base::Status check_document(RecordKind kind, const base::Source& source) {
  if (kind == RecordKind::score) {
    const base::Result<campaign::Score> score = campaign::score_from_json(source);
    return score ? base::ok_status() : base::Status(score.errors());
  }
  if (kind == RecordKind::tune_journal) {
    const base::Result<campaign::JournalRates> rates = campaign::read_journal_rates(source);
    return rates ? base::ok_status() : base::Status(rates.errors());
  }
  return base::ok_status();
}

base::Result<FileRecords> run_records_of(const base::Source& file) {
  const base::Result<std::vector<campaign::RunRecord>> records = campaign::read_records(file);
  if (!records) return records.errors();
  const std::string_view text = file.text();
  FileRecords result;
  std::size_t begin = 0;
  for (const campaign::RunRecord& record : *records) {  // one for each line
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (record.status == campaign::RunState::running) {
      ++result.running;
    } else {
      store::Record stored = stored_form(record);
      // A line may be longer than its record, which was rewritten in place.
      stored.document = without_blanks_at_the_end(text.substr(begin, end - begin));
      result.records.push_back(std::move(stored));
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::string device_class_of(const std::string& device) { return device.substr(0, device.find(':')); }

store::Record stored_form(const campaign::RunRecord& record) {
  return {.kind = RecordKind::run,
          .test = record.test,
          .test_hash = record.hash,
          .device = record.device,
          .device_class = device_class_of(record.device),
          .environment = codegen::to_text(record.environment),
          .model = record.model,
          .time = record.started,
          .campaign = "",
          .document = campaign::to_json(record)};
}

base::Result<store::Record> stored_form(const std::string& file, std::string document) {
  const base::Source source(file, document);
  const std::optional<JsonValue> line = value_of_line(file, first_line_of(document));
  std::optional<store::Record> record;
  if (begins_journal(line)) {
    record = described(RecordKind::tune_journal, *line);
  } else {
    const base::Result<JsonValue> value = base::read_json_text(source);
    if (!value) return value.errors();
    for (const KindMark& mark : kMarks) {
      if (!record && has(*value, mark)) record = described(mark.kind, *value);
    }
  }
  if (!record) {
    return base::error_in(file,
                          "not a form that a store keeps: expected records of runs, a journal or result of 'tune', a "
                          "score, or a report of 'conform' or 'race'");
  }
  if (base::Status fine = check_document(record->kind, source); !fine) return fine.errors();
  record->document = std::move(document);
  return *std::move(record);
}

base::Result<FileRecords> records_of_file(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  if (begins_records(value_of_line(path, first_line_of(*text)))) {
    return run_records_of(base::Source(path, *std::move(text)));
  }
  base::Result<store::Record> record = stored_form(path, *std::move(text));
  if (!record) return record.errors();
  return FileRecords{{*std::move(record)}, 0};
}

}  // namespace weakspot::workbench
