// SPDX-License-Identifier: MIT
// A prepared finding as a folder: a capture with the modules of all forms, and a list of the forms.
#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "base/names.h"
#include "base/source.h"
#include "confirm/confirm.h"
#include "confirm/folder/words.h"
#include "json/json_fields.h"

namespace weakspot::confirm {
namespace {

using base::json_object;
using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kPreparedVersion = 1;
constexpr std::uint64_t kLargestPreparedList = std::uint64_t{16} << 20;
constexpr std::size_t kMostForms = 16;
constexpr std::uint64_t kMostDelay = 10'000'000'000;

std::vector<unsigned> lines_in(JsonFields& fields, std::string_view key) {
  std::vector<unsigned> lines;
  for (const JsonValue& line : fields.list(key)) {
    lines.push_back(static_cast<unsigned>(line.whole().value_or(0) & 0xffffffffu));
  }
  return lines;
}

JsonValue lines_list(const std::vector<unsigned>& lines) {
  JsonValue list = base::json_array();
  for (const unsigned line : lines) list.push_back(line);
  return list;
}

Site read_site(const JsonValue& value, base::Mistakes& mistakes) {
  JsonFields fields(value, mistakes, "a site");
  Site site;
  site.place.file = fields.text("file");
  site.place.line = static_cast<unsigned>(fields.whole("line", 0xffffffffu));
  site.place.column = static_cast<unsigned>(fields.whole("column", 0xffffffffu));
  site.act = fields.text("act");
  site.lines = lines_in(fields, "ptx_lines");
  site.no_delay = fields.one_of("no_delay", kNoDelayWords).value_or(NoDelay::none);
  fields.done();
  return site;
}

}  // namespace

base::Status write_prepared(const Prepared& prepared, const std::string& folder) {
  const Subject& subject = prepared.subject;
  JsonValue sites = base::json_array(), forms = base::json_array();
  for (const Site& site : subject.sites) {
    sites.push_back(json_object({{"file", site.place.file},
                                 {"line", site.place.line},
                                 {"column", site.place.column},
                                 {"act", site.act},
                                 {"ptx_lines", lines_list(site.lines)},
                                 {"no_delay", base::name_of(kNoDelayWords, site.no_delay)}}));
  }
  for (const Form& form : prepared.forms) {
    forms.push_back(
        json_object({{"kind", base::name_of(kFormWords, form.kind)}, {"site", form.site}, {"module", form.module}}));
  }
  const JsonValue list = json_object({{"format", kPreparedVersion},
                                      {"class", subject.finding_class},
                                      {"message", subject.message},
                                      {"kernel", subject.kernel},
                                      {"launch", subject.launch},
                                      {"same_value", subject.same_value},
                                      {"sites", std::move(sites)},
                                      {"repair", subject.repair},
                                      {"repair_lines", lines_list(subject.repair_lines)},
                                      {"no_repair", base::name_of(kNoRepairWords, subject.no_repair)},
                                      {"repair_checked", subject.repair_checked},
                                      {"only_reason", subject.only_reason},
                                      {"delay_ns", prepared.delay},
                                      {"forms", std::move(forms)}});
  std::vector<capture::CaptureFile> files = capture::files_of(prepared.capture);
  files.push_back({kPreparedFile, base::json_lines(list)});
  return capture::write_files(files, folder);
}

base::Result<Prepared> read_prepared(const std::string& folder) {
  const std::string file = (std::filesystem::path(folder) / kPreparedFile).string();
  const base::Result<std::string> text = capture::read_file_of(folder, kPreparedFile, kLargestPreparedList);
  if (!text) return base::error_in(file, text.errors().front().message);
  base::Result<capture::Capture> capture = capture::read_capture(folder);
  if (!capture) return capture.errors();
  const base::Source source(file, *text);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> list = base::read_json_text(mistakes);
  if (!list) return mistakes.take();
  JsonFields fields(*list, mistakes, "a prepared finding");
  if (!fields.valid() || !fields.format(kPreparedVersion)) return mistakes.take();
  Prepared prepared;
  prepared.capture = *std::move(capture);
  Subject& subject = prepared.subject;
  subject.finding_class = fields.text("class");
  subject.message = fields.text("message");
  subject.kernel = fields.text("kernel");
  subject.launch = fields.text("launch");
  subject.same_value = fields.flag("same_value");
  const std::vector<JsonValue>& sites = fields.list("sites");
  if (sites.size() == 2) {
    for (std::size_t i = 0; i < 2; ++i) subject.sites[i] = read_site(sites[i], mistakes);
  } else {
    fields.unexpected("sites", "two of them");
  }
  subject.repair = fields.text("repair");
  subject.repair_lines = lines_in(fields, "repair_lines");
  subject.no_repair = fields.one_of("no_repair", kNoRepairWords).value_or(NoRepair::no_fix);
  subject.repair_checked = fields.flag("repair_checked");
  subject.only_reason = fields.flag("only_reason");
  prepared.delay = fields.whole("delay_ns", kMostDelay);
  const std::vector<JsonValue>& forms = fields.list("forms");
  if (forms.empty() || forms.size() > kMostForms) fields.unexpected("forms", fmt::format("1 to {}", kMostForms));
  for (const JsonValue& value : forms) {
    JsonFields one(value, mistakes, "a form");
    Form form;
    form.kind = one.one_of("kind", kFormWords).value_or(FormKind::original);
    form.site = static_cast<unsigned>(one.whole("site", 1));
    form.module = one.whole("module", 0xffffffffu);
    if (form.module >= prepared.capture.modules.size()) one.unexpected("module", "a number of the list 'modules'");
    one.done();
    prepared.forms.push_back(form);
  }
  fields.done();
  if (mistakes.any()) return mistakes.take();
  if (prepared.forms.front().kind != FormKind::original) {
    return base::error_in(file, "the first form must be the original");
  }
  return prepared;
}

}  // namespace weakspot::confirm
