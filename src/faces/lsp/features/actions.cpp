// SPDX-License-Identifier: MIT
#include "lsp/features/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/source.h"
#include "lsp/features/litmus_scan.h"
#include "lsp/protocol/uri.h"
#include "model/foreign_words.h"
#include "model/picture.h"
#include "questions/fences.h"
#include "questions/model_choice.h"
#include "questions/test_verdict.h"

namespace weakspot::lsp {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
  return result;
}

bool has_comments(std::string_view text) {
  const std::vector<LitmusToken> tokens = scan_litmus(text);
  return std::any_of(tokens.begin(), tokens.end(),
                     [](const LitmusToken& token) { return token.kind == LitmusToken::Kind::comment; });
}

// A new row of the program with a fence in the instruction's column, inserted before the instruction's row. None if the
// row does not end on its line, or if the cell holds something before the instruction. The new row is a copy of the
// line with all but its bars blanked, so that the columns stay aligned.
std::optional<SpanEdit> row_before(std::string_view text, base::Span instruction, const std::string& fence) {
  const std::size_t end_before =
      instruction.begin == 0 ? std::string_view::npos : text.rfind('\n', instruction.begin - 1);
  const std::size_t begin = end_before == std::string_view::npos ? 0 : end_before + 1;
  const std::string_view line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const std::size_t at = instruction.begin - begin;
  const std::size_t bar = line.substr(0, at).find_last_of("|;");
  const std::size_t cell = bar == std::string_view::npos ? 0 : bar + 1;
  const std::size_t last = line.find(';');
  if (last == std::string_view::npos || last < at) return std::nullopt;
  if (line.substr(cell, at - cell).find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  std::string row(line.substr(0, last + 1));
  std::replace_if(row.begin(), row.end(), [](char c) { return c != '|' && c != ';'; }, ' ');
  const std::size_t width = line.find_first_of("|;", at) - at;
  row.replace(at, width, fmt::format("{:<{}}", fence + " ", width));
  const auto place = static_cast<std::uint32_t>(begin);
  return SpanEdit{{place, place}, row + "\n"};
}

std::optional<SpanEdit> edit_of(std::string_view text, const litmus::LitmusTest& test, const questions::Place& place,
                                const questions::Change& change, const questions::ChangeTexts& words) {
  if (!place.also.empty() || words.is_dependency(change)) return std::nullopt;
  const base::Span span = test[place.thread].instructions[place.instruction].span;
  if (span.begin >= span.end || span.end > text.size()) return std::nullopt;
  if (place.gap) return row_before(text, span, words.after(change));
  // An instruction that reads differently from its text cannot be edited in place.
  const std::string_view written = text.substr(span.begin, span.end - span.begin);
  if (without_blanks(written) != without_blanks(words.before(change))) return std::nullopt;
  return SpanEdit{span, words.after(change)};
}

// Whether the edited text reads back as the test that is meant.
bool leads_to(const litmus::LitmusTest& meant, std::string text, std::vector<SpanEdit> edits, base::Span extent) {
  std::sort(edits.begin(), edits.end(),
            [](const SpanEdit& a, const SpanEdit& b) { return a.span.begin > b.span.begin; });
  std::size_t end = extent.end;
  for (const SpanEdit& edit : edits) {
    const std::size_t length = edit.span.end - edit.span.begin;
    text.replace(edit.span.begin, length, edit.text);
    end += edit.text.size() - length;
  }
  const auto read = litmus::read_tests(base::Source("edited", text.substr(extent.begin, end - extent.begin)));
  return read && read->size() == 1 && litmus::hash_of(read->front()) == litmus::hash_of(meant);
}

// Edits of single instructions and new rows that make up the way; none if the way needs more than that.
std::optional<std::vector<SpanEdit>> edits_in_place(const std::string& text, const TestInText& found,
                                                    const questions::Fences& fences, const questions::Way& way) {
  const questions::ChangeTexts words(*found.test, fences.places);
  std::vector<SpanEdit> edits;
  for (const questions::Change& change : way.changes) {
    std::optional<SpanEdit> edit = edit_of(text, *found.test, fences.places[change.place], change, words);
    if (!edit) return std::nullopt;
    edits.push_back(*std::move(edit));
  }
  if (!leads_to(way.test, text, edits, found.extent)) return std::nullopt;
  return edits;
}

base::Result<std::vector<SpanEdit>> printed_anew(const std::string& text, const TestInText& found,
                                                 const litmus::LitmusTest& stronger) {
  const base::Span extent = found.extent;
  const std::string_view old = std::string_view(text).substr(extent.begin, extent.end - extent.begin);
  if (has_comments(old)) {
    return base::error(fmt::format("{} has comments, which a printed test does not have", stronger.name));
  }
  base::Result<std::string> printed = litmus::print(stronger, found.dialect);
  if (!printed) return printed.errors();
  printed->erase(printed->find_last_not_of('\n') + 1);
  const std::size_t last = old.find_last_not_of(" \t\r\n");
  const auto end = static_cast<std::uint32_t>(extent.begin + (last == std::string_view::npos ? 0 : last + 1));
  return std::vector<SpanEdit>{{{extent.begin, end}, *std::move(printed)}};
}

// Searches for all ways; if that ends early without a single one, searches again for the quick ones only.
questions::Fences search_fences(const litmus::LitmusTest& test, const model::Model& model,
                                const model::Limits& limits) {
  constexpr std::size_t kMostTests = 2000;
  questions::FencesOptions options;
  options.limits = limits;
  options.tests = kMostTests;
  questions::Fences fences = questions::find_fences(test, model, options);
  const bool in_vain = fences.reach == model::Verdict::Reach::allowed && fences.ways.empty() && !fences.complete;
  if (!in_vain || (limits.stop != nullptr && limits.stop->load())) return fences;
  options.quick = true;
  return questions::find_fences(test, model, options);
}

std::string way_problem(const litmus::LitmusTest& test, const std::string& model, const questions::Fences& fences) {
  switch (fences.reach) {
    case model::Verdict::Reach::forbidden:
      return fmt::format("{} forbids the outcome of {} already", model, test.name);
    case model::Verdict::Reach::unknown:
      return fmt::format("what {} says of {} is unknown: {}", model, test.name, fences.reason);
    case model::Verdict::Reach::allowed:
      break;
  }
  return fences.complete ? "no stronger instructions were found that forbid the outcome"
                         : fmt::format("nothing was found in time: {}", fences.reason);
}

}  // namespace

std::string action_model(const litmus::LitmusTest& test) {
  const bool foreign = test.arch == litmus::Arch::riscv || test.arch == litmus::Arch::linux_kernel;
  return foreign ? std::string() : questions::judging_model(test, nullptr, "");
}

base::Result<Strengthening> make_forbidden(const std::string& text, const TestInText& found, const model::Model& model,
                                           const model::Limits& limits) {
  const litmus::LitmusTest& test = *found.test;
  if (const auto foreign = model::foreign_word(model, test)) return base::error(foreign->why());
  const questions::Fences fences = search_fences(test, model, limits);
  if (fences.ways.empty()) return base::error(way_problem(test, model.name(), fences));
  Strengthening result;
  const questions::Way* chosen = &fences.ways.front();
  for (const questions::Way& way : fences.ways) {
    std::optional<std::vector<SpanEdit>> edits = edits_in_place(text, found, fences, way);
    if (!edits) continue;
    chosen = &way;
    result.edits = *std::move(edits);
    break;
  }
  if (result.edits.empty()) {
    base::Result<std::vector<SpanEdit>> edits = printed_anew(text, found, chosen->test);
    if (!edits) return edits.errors();
    result.edits = *std::move(edits);
  }
  const questions::ChangeTexts words(test, fences.places);
  for (const questions::Change& change : chosen->changes) result.changes.push_back(words(change));
  return result;
}

base::Result<Json> show_execution(const litmus::LitmusTest& test, model::ModelShelf& shelf, const std::string& model,
                                  const model::JudgeOptions& options) {
  model::JudgeOptions explained = options;
  explained.explain = true;
  Json shown = base::json_object({{"test", test.name}, {"model", model}});
  base::Diagnostics refused;
  const base::Status asked = questions::ask_models(
      shelf, test, {model}, nullptr,
      [&](const questions::TestAndModel& one) {
        const questions::TestVerdict judged = questions::judge(one, "", explained);
        shown["verdict"] = to_string(judged.verdict.reach);
        if (!judged.verdict.reason.empty()) shown["reason"] = judged.verdict.reason;
        shown["explanation"] = questions::explanation(judged, options.limits);
        const auto picture = model::picture_of(judged.verdict, judged.model, judged.model_name, options.limits);
        if (!picture) return;
        shown["text"] = model::text_picture(*picture);
        shown["svg"] = model::svg_picture(*picture);
      },
      [&](const std::string&, const model::ForeignWord& word) { refused.push_back(base::error(word.why())); });
  if (!asked) return asked.errors();
  if (!refused.empty()) return refused;
  return shown;
}

std::vector<Conversion> conversions(const TestInText& found) {
  std::vector<Conversion> result;
  for (const litmus::Dialect dialect : litmus::kDialects) {
    if (dialect == found.dialect) continue;
    if (base::Result<std::string> text = litmus::print(*found.test, dialect)) result.push_back({dialect, *text});
  }
  return result;
}

Json new_file_edit(const std::string& path, const litmus::LitmusTest& test, const Conversion& conversion) {
  std::string name = test.name;
  std::replace(name.begin(), name.end(), '/', '_');
  const bool json = conversion.dialect == litmus::Dialect::json;
  const std::string file = json ? name + ".json" : fmt::format("{}.{}.litmus", name, to_string(conversion.dialect));
  const std::string uri = uri_of((std::filesystem::path(path).parent_path() / file).string());
  // Without options: the edit fails rather than overwrite a file.
  Json create = base::json_object({{"kind", "create"}, {"uri", uri}});
  Json edit = base::json_object({{"textDocument", base::json_object({{"uri", uri}, {"version", nullptr}})},
                                 {"edits", base::json_array({text_edit({}, conversion.text)})}});
  return base::json_object({{"documentChanges", base::json_array({std::move(create), std::move(edit)})}});
}

Json document_edit(const std::string& uri, std::int64_t version, bool versioned, std::vector<Json> edits) {
  if (!versioned) {
    Json changes = base::json_object();
    changes.add(uri, Json(std::move(edits)));
    return base::json_object({{"changes", std::move(changes)}});
  }
  Json document = base::json_object(
      {{"textDocument", base::json_object({{"uri", uri}, {"version", version}})}, {"edits", Json(std::move(edits))}});
  return base::json_object({{"documentChanges", base::json_array({std::move(document)})}});
}

}  // namespace weakspot::lsp
