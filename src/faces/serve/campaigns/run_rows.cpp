// SPDX-License-Identifier: MIT
#include "serve/campaigns/run_rows.h"

#include <fmt/format.h>

#include <charconv>

#include "campaign/record_json.h"
#include "http/message.h"
#include "serve/answer/csv_cell.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;
using stats::OutcomeClass;

constexpr OutcomeClass kShownClasses[] = {OutcomeClass::sequential, OutcomeClass::interleaved, OutcomeClass::weak,
                                          OutcomeClass::forbidden, OutcomeClass::unknown};

template <typename Number>
bool read_whole(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string* text_field(store::RecordFilter& filter, std::string_view name) {
  const std::pair<std::string_view, std::string*> kFields[] = {
      {"campaign", &filter.campaign},  {"test", &filter.test},   {"device", &filter.device},
      {"class", &filter.device_class}, {"model", &filter.model}, {"environment", &filter.environment},
      {"since", &filter.since},        {"until", &filter.until},
  };
  for (const auto& [key, field] : kFields) {
    if (key == name) return field;
  }
  return nullptr;
}

// A record that cannot be read any more has no counts.
campaign::RunRecord record_of(const store::StoredRecord& stored) {
  base::Result<campaign::RunRecord> record = campaign::record_from_json(stored.record.document);
  return record ? *std::move(record) : campaign::RunRecord();
}

JsonValue row_json(const store::StoredRecord& stored) {
  const campaign::RunRecord record = record_of(stored);
  JsonValue row = base::json_object({{"id", stored.id},
                                     {"campaign", stored.record.campaign},
                                     {"test", stored.record.test},
                                     {"hash", stored.record.test_hash},
                                     {"device", stored.record.device},
                                     {"device_name", record.device_name},
                                     {"class", stored.record.device_class},
                                     {"model", stored.record.model},
                                     {"environment", stored.record.environment},
                                     {"time", stored.record.time},
                                     {"status", to_string(record.status)},
                                     {"seed", record.seed},
                                     {"instances", record.instances},
                                     {"seconds", record.seconds}});
  for (const OutcomeClass one : kShownClasses) row.add(to_string(one), record.count(one));
  return row;
}

}  // namespace

base::Result<RunQuestion> read_run_question(std::string_view query) {
  const std::optional<http::Headers> parameters = http::query_parameters(query);
  if (!parameters) return base::error("the query is not of the form name=value&name=value");
  RunQuestion question;
  question.filter.kind = store::RecordKind::run;
  for (const auto& [name, value] : *parameters) {
    if (name == "after" || name == "most") {
      const bool fine = name == "after" ? read_whole(value, question.after) : read_whole(value, question.most);
      if (!fine || question.after < 0) return base::error(fmt::format("'{}': expected a whole number", name));
      continue;
    }
    std::string* field = text_field(question.filter, name);
    if (field == nullptr) {
      return base::error(
          "expected campaign=, test=, device=, class=, model=, environment=, since=, until=, after= or most= in the "
          "query");
    }
    if (!field->empty()) return base::error(fmt::format("duplicate parameter '{}'", name));
    if (value.empty()) return base::error(fmt::format("'{}': expected a value", name));
    if ((name == "since" || name == "until") && !store::is_record_time(value)) {
      return base::error(fmt::format("'{}': {}", name, store::kRecordTimes));
    }
    *field = value;
  }
  return question;
}

JsonValue run_rows_json(const std::vector<store::StoredRecord>& records, bool more) {
  JsonValue rows = base::json_array();
  for (const store::StoredRecord& record : records) rows.push_back(row_json(record));
  return base::json_object({{"rows", std::move(rows)}, {"next", more ? JsonValue(records.back().id) : JsonValue()}});
}

std::string run_rows_csv(const std::vector<store::StoredRecord>& records) {
  std::string text =
      "id,campaign,test,hash,device,device_name,class,model,environment,time,status,seed,instances,seconds,sequential,"
      "interleaved,weak,forbidden,unknown\n";
  for (const store::StoredRecord& record : records) {
    const JsonValue row = row_json(record);
    std::string line;
    for (const base::JsonMember& member : row.members()) {
      if (!line.empty()) line += ',';
      line +=
          member.value.is(JsonValue::Kind::string) ? csv_cell(member.value.text()) : base::json_compact(member.value);
    }
    text += line + '\n';
  }
  return text;
}

std::string run_lines(const std::vector<store::StoredRecord>& records) {
  std::string text;
  for (const store::StoredRecord& record : records) text += record.record.document + '\n';
  return text;
}

}  // namespace weakspot::serve
