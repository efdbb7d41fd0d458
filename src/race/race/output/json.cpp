// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "json/invocation_json.h"
#include "json/json_fields.h"
#include "race/classes.h"
#include "race/finding/fact_words.h"
#include "race/output/place_json.h"
#include "race/report.h"

namespace weakspot::race {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;
using base::Mistakes;

// An optional member.
std::uint64_t whole_or(JsonFields& fields, std::string_view key, std::uint64_t otherwise) {
  return fields.has(key) ? fields.whole(key, kAnyNumber) : otherwise;
}

JsonValue evidence_json(const BarrierEvidence& evidence) {
  return json_object({{"runs", evidence.runs},
                      {"instances", evidence.instances},
                      {"threads", evidence.threads},
                      {"confirmed_runs", evidence.confirmed},
                      {"same_memory", evidence.compared},
                      {"together", places_json(evidence.together)},
                      {"instead", places_json(evidence.instead)}});
}

BarrierEvidence read_evidence(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the evidence");
  BarrierEvidence evidence;
  evidence.runs = whole_or(fields, "runs", 0);
  evidence.instances = whole_or(fields, "instances", 0);
  evidence.threads = whole_or(fields, "threads", 0);
  evidence.confirmed = whole_or(fields, "confirmed_runs", 0);
  evidence.compared = whole_or(fields, "same_memory", 0);
  evidence.together = places_in(fields, "together");
  evidence.instead = places_in(fields, "instead");
  return evidence;
}

JsonValue repair_json(const Repair& repair) {
  JsonValue gaps = json_array();
  for (const Gap& gap : repair.gaps) {
    gaps.push_back(json_object({{"file", gap.file}, {"line", gap.line}, {"after", gap.after}}));
  }
  return json_object({{"what", repair_text(repair)}, {"gaps", std::move(gaps)}});
}

Repair read_repair(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the repair");
  Repair repair;
  const std::string what = fields.text("what");
  for (const JsonValue& one : fields.list("gaps")) {
    JsonFields gap(one, mistakes, "a gap");
    repair.gaps.push_back({gap.text("file"), word_in(gap, "line"), gap.flag("after")});
  }
  std::sort(repair.gaps.begin(), repair.gaps.end());
  if (const std::optional<RepairKind> known = base::value_of(kRepairWords, what)) {
    repair.kind = *known;
  } else if (repair.gaps.empty()) {
    repair.kind = RepairKind::relation;
    repair.relation = what;
  } else {
    fields.unexpected("what", base::list_names(kRepairWords));
  }
  return repair;
}

JsonValue fixes_json(const std::vector<Fix>& fixes) {
  JsonValue array = json_array();
  for (const Fix& fix : fixes) {
    JsonValue places = json_array();
    for (const FixPlace& place : fix.places) {
      JsonValue one = json_object({{"file", place.gap.file}, {"line", place.gap.line}, {"after", place.gap.after}});
      if (place.role != FixRole::none) one["role"] = base::name_of(kRoleWords, place.role);
      if (place.about.line != 0) one["about"] = place_json(place.about);
      places.push_back(std::move(one));
    }
    JsonValue json = json_object({{"kind", base::name_of(kFixWords, fix.kind)},
                                  {"certain", fix.certain},
                                  {"code", fix_code(fix)},
                                  {"places", std::move(places)}});
    if (fix.scope) json["scope"] = base::name_of(kScopeWords, *fix.scope);
    if (!fix.detail.empty()) json["detail"] = fix.detail;
    if (fix.pairs != 1) json["pairs"] = fix.pairs;
    array.push_back(std::move(json));
  }
  return array;
}

Fix read_fix(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a fix");
  Fix fix;
  fix.kind = needed_word(fields, "kind", kFixWords);
  fix.certain = fields.flag("certain");
  for (const JsonValue& one : fields.list("places")) {
    JsonFields entry(one, mistakes, "a place of a fix");
    FixPlace place{{entry.text("file"), word_in(entry, "line"), entry.flag("after")}, FixRole::none, {}};
    if (entry.has("role")) place.role = needed_word(entry, "role", kRoleWords);
    if (const JsonValue* about = entry.take("about")) {
      JsonFields at(*about, mistakes, "a place");
      place.about = place_in(at);
    }
    fix.places.push_back(std::move(place));
  }
  if (fields.has("scope")) fix.scope = fields.one_of("scope", kScopeWords);
  fix.detail = text_or_none(fields, "detail");
  fix.pairs = whole_or(fields, "pairs", 1);
  return fix;
}

constexpr std::string_view kPossible = "possible-";

// The word has the prefix if and only if the class is U1.
FindingKind read_kind(JsonFields& fields, ClassId finding_class) {
  std::string_view word = fields.string("kind", true).value_or("");
  const bool possible = word.starts_with(kPossible);
  if (possible) word.remove_prefix(kPossible.size());
  const std::optional<FindingKind> kind = base::value_of(kKindWords, word);
  if (fields.has("kind") && (!kind || possible != (finding_class == ClassId::u1))) {
    fields.unexpected("kind", fmt::format("{}{}", finding_class == ClassId::u1 ? "'possible-' and " : "",
                                          base::list_names(kKindWords)));
  }
  return kind.value_or(FindingKind::race);
}

std::optional<Actor> read_actor_of(JsonFields& fields) {
  const std::string text = text_or_none(fields, "label");
  if (text.empty()) return std::nullopt;
  std::optional<Actor> actor = read_actor(text);
  if (!actor) fields.unexpected("label", "who does what, as in 'write by threadIdx=3 blockIdx=0'");
  return actor;
}

JsonValue finding_json(const Finding& finding) {
  JsonValue json;
  json["class"] = class_of(finding.finding_class).id;
  json["kind"] = kind_text(finding);
  json["severity"] = severity_text(finding.severity);
  json["message"] = finding.message;
  if (finding.supposes_blocks) json["supposes_blocks"] = true;
  json["file"] = finding.place.file;
  json["line"] = finding.place.line;
  json["column"] = finding.place.column;
  json["function"] = finding.function;
  json["label"] = label_text(finding);
  if (!finding.called_from.empty()) json["called_from"] = places_json(finding.called_from);
  add_origin(json, finding.origin);
  if (finding.other) {
    json["other"] = place_json(*finding.other);
    json["other"]["function"] = finding.other_function;
    json["other"]["label"] = other_label_text(finding);
    add_origin(json["other"], finding.other_origin);
  } else {
    json["other"] = nullptr;
  }
  json["space"] = space_word(finding.space);
  json["variable"] = variable_text(finding.variable);
  if (finding.allocated) {
    json["allocated"] = place_json(finding.allocated->place);
    json["allocated"]["variable"] = variable_text(finding.allocated->variable);
  }
  json["kernel"] = finding.kernel;
  json["launch"] = finding.launch;
  json["why"] = finding.why;
  json["fix"] = has_fix(finding) ? advice_text(finding) : "";
  if (!finding.fixes.empty() && !has_fix(finding)) json["hint"] = advice_text(finding);
  if (!finding.fixes.empty()) json["fixes"] = fixes_json(finding.fixes);
  json["count"] = finding.count;
  json["replay"] = finding.replay;
  if (!finding.reason.empty()) json["reason"] = finding.reason;
  if (!finding.architectures.empty()) json["architectures"] = finding.architectures;
  if (finding.repair) json["repair"] = repair_json(*finding.repair);
  if (!finding.also.empty()) {
    json["also"] = json_array();
    for (const Finding& other : finding.also) json["also"].push_back(finding_json(other));
  }
  if (finding.evidence) json["evidence"] = evidence_json(*finding.evidence);
  if (finding.witness) json["witness"] = to_json(*finding.witness);
  if (finding.distilled) json["distilled"] = to_json(*finding.distilled);
  if (finding.stale) json["stale"] = to_json(*finding.stale);
  return json;
}

Finding read_finding(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a finding");
  Finding finding;
  const std::string id = text_or_none(fields, "class");
  const FindingClass* known = find_class(id);
  if (known == nullptr) {
    fields.mistake(fields.take("class"), fmt::format("unknown class '{}'", base::clipped(id)));
    return finding;
  }
  classify(finding, known->number);
  if (fields.has("severity")) finding.severity = fields.one_of("severity", kSeverityWords).value_or(known->severity);
  finding.kind = read_kind(fields, known->number);
  finding.message = text_or_none(fields, "message");
  finding.supposes_blocks = fields.truth("supposes_blocks");
  finding.place = place_in(fields);
  finding.function = text_or_none(fields, "function");
  // The label of a redundant barrier follows from its evidence.
  if (finding.kind != FindingKind::redundant_barrier) finding.actor = read_actor_of(fields);
  finding.called_from = places_in(fields, "called_from");
  finding.origin = origin_in(fields);
  if (const JsonValue* evidence = fields.take("evidence")) finding.evidence = read_evidence(*evidence, mistakes);
  if (const JsonValue* other = fields.take("other"); other != nullptr && other->is(JsonValue::Kind::object)) {
    JsonFields place(*other, mistakes, "the other place");
    finding.other = place_in(place);
    finding.other_function = text_or_none(place, "function");
    finding.other_actor = read_actor_of(place);
    finding.other_origin = origin_in(place);
  }
  if (!text_or_none(fields, "space").empty()) finding.space = fields.one_of("space", kSpaceWords);
  finding.variable = read_variable(text_or_none(fields, "variable"));
  if (const JsonValue* memory = fields.take("allocated")) {
    JsonFields allocated(*memory, mistakes, "the memory");
    finding.allocated = Allocated{read_variable(text_or_none(allocated, "variable")), place_in(allocated)};
  }
  finding.kernel = text_or_none(fields, "kernel");
  finding.launch = text_or_none(fields, "launch");
  finding.why = text_or_none(fields, "why");
  if (fields.has("fixes")) {
    for (const JsonValue& fix : fields.list("fixes")) finding.fixes.push_back(read_fix(fix, mistakes));
  }
  finding.count = whole_or(fields, "count", 1);
  finding.replay = text_or_none(fields, "replay");
  finding.reason = text_or_none(fields, "reason");
  if (fields.has("architectures")) finding.architectures = fields.texts("architectures");
  if (const JsonValue* repair = fields.take("repair")) finding.repair = read_repair(*repair, mistakes);
  if (fields.has("also")) {
    for (const JsonValue& other : fields.list("also")) finding.also.push_back(read_finding(other, mistakes));
  }
  if (const JsonValue* witness = fields.take("witness")) finding.witness = read_witness(*witness, mistakes);
  if (const JsonValue* tests = fields.take("distilled")) finding.distilled = read_distilled(*tests, mistakes);
  if (const JsonValue* stale = fields.take("stale")) finding.stale = read_stale_story(*stale, mistakes);
  return finding;
}

JsonValue findings_json(const std::vector<Finding>& findings) {
  JsonValue array = json_array();
  for (const Finding& finding : findings) array.push_back(finding_json(finding));
  return array;
}

SearchReport read_search(const JsonValue& json, Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "the search");
  SearchReport search;
  search.runs = fields.whole("runs", kAnyNumber);
  search.unjudged = fields.whole("unjudged", kAnyNumber);
  search.branches = fields.whole("branches", kAnyNumber);
  search.branches_reached = fields.whole("branches_reached", kAnyNumber);
  search.pairs = fields.whole("pairs", kAnyNumber);
  search.seconds = fields.real("seconds", 0, kAnyTime);
  return search;
}

void add_members(JsonValue& json, const Report& report) {
  JsonValue kernels = json_array();
  for (const KernelReport& kernel : report.kernels) {
    kernels.push_back(json_object({{"name", kernel.name},
                                   {"file", kernel.place.file},
                                   {"line", kernel.place.line},
                                   {"launches", kernel.launches},
                                   {"threads", kernel.threads},
                                   {"branches", kernel.branches},
                                   {"branches_reached", kernel.branches_reached}}));
  }
  JsonValue not_modelled = json_array(), not_exercised = json_array();
  for (const NotModelled& operation : report.not_modelled) {
    JsonValue entry = place_json(operation.place);
    entry.add("what", operation.what);
    entry.add("effect", base::name_of(kEffectWords, operation.effect));
    entry.add("reached", operation.reached);
    not_modelled.push_back(std::move(entry));
  }
  for (const NotExercised& kernel : report.not_exercised) {
    JsonValue entry = place_json(kernel.place);
    entry.add("kernel", kernel.kernel);
    entry.add("reason", kernel.reason);
    not_exercised.push_back(std::move(entry));
  }
  JsonValue code = json_object(
      {{"kernels", report.code.kernels}, {"lines", report.code.lines}, {"lines_reached", report.code.lines_reached}});
  json.add("kernels", std::move(kernels));
  json.add("code", std::move(code));
  json.add("findings", findings_json(report.findings));
  json.add("suppressed", findings_json(report.suppressed));
  json.add("verdict", verdict_word(verdict(report)));
  json.add("not_modelled", std::move(not_modelled));
  json.add("not_exercised", std::move(not_exercised));
  json.add("output", report.output);
  json.add("accesses", report.accesses);
  json.add("compile_seconds", report.compile_seconds);
  json.add("run_seconds", report.run_seconds);
  json.add("program_exit", report.program_exit);
  if (report.fidelity) json.add("executed", to_json(*report.fidelity));
  if (report.search) {
    json.add("search", json_object({{"runs", report.search->runs},
                                    {"unjudged", report.search->unjudged},
                                    {"branches", report.search->branches},
                                    {"branches_reached", report.search->branches_reached},
                                    {"pairs", report.search->pairs},
                                    {"seconds", report.search->seconds}}));
  }
  if (report.mutants) json.add("mutants", to_json(*report.mutants));
  if (report.weak) json.add("weak", to_json(*report.weak));
  if (!report.incomplete.empty()) json.add("incomplete", report.incomplete);
  if (report.front != FrontUsed::clang) json.add("front", base::name_of(kFrontUsedWords, report.front));
  if (!report.architectures.empty()) json.add("architectures", report.architectures);
  if (!report.files.empty()) {
    JsonValue files = json_array();
    for (const FileVerdict& one : report.files) {
      JsonValue file = json_object({{"file", one.file}, {"verdict", verdict_word(one.verdict)}});
      if (one.front != FrontUsed::clang) file.add("front", base::name_of(kFrontUsedWords, one.front));
      files.push_back(std::move(file));
    }
    json.add("files", std::move(files));
  }
}

}  // namespace

std::string to_json(const Report& report) {
  JsonValue json = json_object({});
  add_members(json, report);
  return base::json_indented(json);
}

std::string to_json_with_command(const Report& report) {
  JsonValue json = json_object({});
  base::add_invocation(json);
  add_members(json, report);
  return base::json_indented(json);
}

base::Result<Report> report_from_json(const std::string& text) {
  const base::Source source("report", text);
  Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  if (!json) return mistakes.take();
  JsonFields fields(*json, mistakes, "the report");
  Report report;
  for (const JsonValue& one : fields.list("kernels")) {
    JsonFields kernel(one, mistakes, "a kernel");
    KernelReport read;
    read.name = kernel.text("name");
    read.place = place_in(kernel);
    read.launches = kernel.whole("launches", kAnyNumber);
    read.threads = kernel.whole("threads", kAnyNumber);
    read.branches = kernel.whole("branches", kAnyNumber);
    read.branches_reached = kernel.whole("branches_reached", kAnyNumber);
    report.kernels.push_back(std::move(read));
  }
  if (const JsonValue* one = fields.take("code")) {
    JsonFields code(*one, mistakes, "the code");
    report.code.kernels = code.whole("kernels", kAnyNumber);
    report.code.lines = code.whole("lines", kAnyNumber);
    report.code.lines_reached = code.whole("lines_reached", kAnyNumber);
  }
  for (const JsonValue& one : fields.list("findings")) report.findings.push_back(read_finding(one, mistakes));
  for (const JsonValue& one : fields.list("suppressed")) report.suppressed.push_back(read_finding(one, mistakes));
  fields.take("verdict");  // follows from the rest
  for (const char* header : {"program", "date", "command"}) fields.take(header);
  for (const JsonValue& one : fields.list("not_modelled")) {
    JsonFields entry(one, mistakes, "something not modelled");
    NotModelled operation;
    operation.what = entry.text("what");
    operation.place = place_in(entry);
    operation.effect = needed_word(entry, "effect", kEffectWords);
    operation.reached = entry.flag("reached");
    report.not_modelled.push_back(std::move(operation));
  }
  for (const JsonValue& one : fields.list("not_exercised")) {
    JsonFields entry(one, mistakes, "a kernel that was not exercised");
    NotExercised kernel;
    kernel.kernel = entry.text("kernel");
    kernel.place = place_in(entry);
    kernel.reason = entry.text("reason");
    report.not_exercised.push_back(std::move(kernel));
  }
  report.output = fields.text("output");
  report.accesses = fields.whole("accesses", kAnyNumber);
  report.compile_seconds = fields.real("compile_seconds", 0, kAnyTime);
  report.run_seconds = fields.real("run_seconds", 0, kAnyTime);
  report.program_exit = static_cast<int>(fields.number("program_exit", true).value_or(0));
  report.incomplete = text_or_none(fields, "incomplete");
  if (fields.has("front")) report.front = needed_word(fields, "front", kFrontUsedWords);
  if (fields.has("architectures")) report.architectures = fields.texts("architectures");
  if (fields.has("files")) {
    for (const JsonValue& one : fields.list("files")) {
      JsonFields entry(one, mistakes, "a file");
      FileVerdict& file = report.files.emplace_back();
      file.file = entry.text("file");
      file.verdict = needed_word(entry, "verdict", kVerdictWords);
      if (entry.has("front")) file.front = needed_word(entry, "front", kFrontUsedWords);
    }
  }
  if (const JsonValue* executed = fields.take("executed")) report.fidelity = read_fidelity(*executed, mistakes);
  if (const JsonValue* search = fields.take("search")) report.search = read_search(*search, mistakes);
  if (const JsonValue* mutants = fields.take("mutants")) report.mutants = read_mutants(*mutants, mistakes);
  if (const JsonValue* weak = fields.take("weak")) report.weak = read_weak(*weak, mistakes);
  if (mistakes.any()) return mistakes.take();
  return report;
}

}  // namespace weakspot::race
