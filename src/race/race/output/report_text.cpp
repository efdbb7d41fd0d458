// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"
#include "base/printable.h"
#include "race/causes.h"
#include "race/classes.h"
#include "race/finding/fact_words.h"

namespace weakspot::race {

std::string_view front_word(Front front) { return base::name_of(kFrontWords, front); }

std::optional<Front> parse_front(std::string_view word) {
  for (const auto& [known, front] : kFrontWords) {
    if (word == known) return front;
  }
  return std::nullopt;
}

std::string_view severity_text(Severity severity) { return base::name_of(kSeverityWords, severity); }

std::string allocated_text(const Allocated& memory) {
  return fmt::format("{}{}allocated at {}:{}", variable_text(memory.variable), memory.variable.empty() ? "" : ", ",
                     memory.place.file, memory.place.line);
}

std::string kind_text(const Finding& finding) {
  return fmt::format("{}{}", finding.finding_class == ClassId::u1 ? "possible-" : "", kind_word(finding.kind));
}

std::string label_text(const Finding& finding) {
  if (finding.kind == FindingKind::redundant_barrier && finding.evidence) {
    return fmt::format("{}, at most {} threads", base::counted(finding.evidence->instances, "instance"),
                       finding.evidence->threads);
  }
  return finding.actor ? actor_text(*finding.actor) : "";
}

std::string other_label_text(const Finding& finding) {
  return finding.other_actor ? actor_text(*finding.other_actor) : "";
}

std::string place_text(const Place& place) { return fmt::format("{}:{}:{}", place.file, place.line, place.column); }

std::vector<InnerPlace> inner_places(const PtxOrigin& origin, const Place& named) {
  std::vector<InnerPlace> places;
  if (origin.library.line != 0) places.push_back({"inside", origin.library});
  const Place& text = origin.instruction;
  if (text.line != 0 && (text.file != named.file || text.line != named.line)) places.push_back({"PTX", text});
  return places;
}

namespace {

std::string inner_text(const PtxOrigin& origin, const Place& named) {
  std::string text;
  for (const InnerPlace& inner : inner_places(origin, named)) {
    text += fmt::format("         {} {}\n", inner.words, place_text(inner.place));
  }
  return text;
}

// The line with a caret below and what happens there.
std::string excerpt(const Place& place, const std::string& label, const LineReader& line_of) {
  std::optional<std::string> line = line_of(place.file, place.line);
  if (!line) return fmt::format("  {}\n", label);
  if (line->ends_with('\r')) line->pop_back();
  // Columns of clang count bytes.
  const std::string before =
      base::printable(std::string_view(*line).substr(0, place.column - std::min(place.column, 1u)));
  return fmt::format("{:6} | {}\n       | {}^ {}\n", place.line, base::printable(*line), base::blanks_under(before),
                     label);
}

// The litmus tests of a finding.
std::string distilled_text(const Distilled& tests) {
  std::string text;
  if (!tests.test.empty()) text += fmt::format("  test: {}: {} by {}\n", tests.test, tests.verdict, tests.model);
  if (!tests.repaired.empty()) {
    text += fmt::format("  repaired: {}: {} by {}\n", tests.repaired, tests.repaired_verdict, tests.model);
    for (const std::string& change : tests.repair) text += fmt::format("    {}\n", change);
  }
  if (tests.disagrees) return text + fmt::format("  DISAGREEMENT of detector and model: {}\n", tests.problem);
  if (!tests.problem.empty()) text += fmt::format("  not distilled: {}\n", tests.problem);
  return text;
}

constexpr std::size_t kWidth = 80;

// The other pairs of lines that the same change repairs.
std::string also_text(const Finding& finding) {
  const std::vector<std::string> names = also_names(finding);
  std::string text, line = "  also:";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string word = " " + names[i] + (i + 1 < names.size() ? "," : "");
    if (i > 0 && line.size() + word.size() > kWidth) text += std::exchange(line, "       ") + "\n";
    line += word;
  }
  return names.empty() ? "" : text + line + "\n";
}

}  // namespace

std::string architectures_text(const Finding& finding) {
  std::string text;
  for (std::size_t i = 0; i < finding.architectures.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < finding.architectures.size() ? ", " : " and ") + finding.architectures[i];
  }
  return text;
}

std::string to_text(const Finding& finding, const LineReader& line_of) {
  std::string text = fmt::format("{}: {}: {} {}: {}\n", place_text(finding.place), severity_text(finding.severity),
                                 class_of(finding.finding_class).id, kind_text(finding), finding.message);
  text += excerpt(finding.place, label_text(finding), line_of) + inner_text(finding.origin, finding.place);
  for (const Place& caller : finding.called_from) text += fmt::format("         called from {}\n", place_text(caller));
  if (finding.other) {
    if (finding.other->file != finding.place.file) text += fmt::format("  {}\n", place_text(*finding.other));
    text +=
        excerpt(*finding.other, other_label_text(finding), line_of) + inner_text(finding.other_origin, *finding.other);
  }
  text += also_text(finding);
  if (finding.allocated) text += fmt::format("  memory: {}\n", allocated_text(*finding.allocated));
  if (!finding.why.empty()) text += fmt::format("  why: {}\n", finding.why);
  if (!finding.fixes.empty())
    text += fmt::format("  {}: {}\n", has_fix(finding) ? "fix" : "hint", advice_text(finding));
  if (!finding.kernel.empty()) {
    text += fmt::format("  in {} with {}", finding.kernel, finding.launch);
    if (finding.count > 1) text += fmt::format(", {} times", finding.count);
    text += "\n";
  }
  if (!finding.architectures.empty()) text += fmt::format("  only for {}\n", architectures_text(finding));
  if (!finding.replay.empty()) text += fmt::format("  replay: {}\n", finding.replay);
  if (finding.distilled) text += distilled_text(*finding.distilled);
  return text;
}

namespace {

std::string severities_text(const Report& report) {
  std::uint64_t counts[3] = {0, 0, 0};
  for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.severity)];
  return fmt::format("{}, {}, {}", base::counted(counts[0], "error"), base::counted(counts[1], "warning"),
                     base::counted(counts[2], "hint"));
}

std::string search_text(const Report& report) {
  const SearchReport& search = *report.search;
  std::string text = fmt::format("searched: {}, {} of {} reached, {}", base::counted(search.runs, "run"),
                                 search.branches_reached, base::counted(search.branches, "branch", "branches"),
                                 base::counted(search.pairs, "conflicting pair"));
  if (search.unjudged > 0) text += fmt::format(", {} not judged", base::counted(search.unjudged, "run"));
  return text;
}

}  // namespace

bool has_faults(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity != Severity::hint; });
}

namespace {

bool ran_unmodelled(const Report& report) {
  return std::any_of(report.not_modelled.begin(), report.not_modelled.end(),
                     [](const NotModelled& operation) { return operation.reached; });
}

}  // namespace

bool is_incomplete(const Report& report) {
  return !report.incomplete.empty() || !report.not_exercised.empty() || ran_unmodelled(report);
}

RaceVerdict verdict(const Report& report) {
  if (has_faults(report)) return RaceVerdict::found;
  if (!is_incomplete(report)) return RaceVerdict::clean;
  const bool followed = report.incomplete.empty() && !ran_unmodelled(report);
  return followed ? RaceVerdict::not_exercised : RaceVerdict::incomplete;
}

std::string_view verdict_word(std::optional<RaceVerdict> verdict) { return base::name_of(kVerdictWords, verdict); }

namespace {

std::string with_place(const std::string& what, const Place& place) {
  return place.file.empty() ? what : fmt::format("{} at {}:{}", what, place.file, place.line);
}

}  // namespace

std::string not_modelled_text(const NotModelled& operation) {
  return fmt::format("{}: {}", with_place(operation.what, operation.place), effect_text(operation.effect));
}

std::string not_modelled_line(const NotModelled& operation) {
  if (operation.reached) return "not modelled: " + not_modelled_text(operation);
  return fmt::format("not reached: {}, which is not modelled", with_place(operation.what, operation.place));
}

std::string not_exercised_line(const NotExercised& kernel) {
  return fmt::format("not exercised: {}: {}", with_place("kernel " + kernel.kernel, kernel.place), kernel.reason);
}

std::string summary(const Report& report, const std::string& file) {
  std::uint64_t launches = 0, threads = 0;
  for (const KernelReport& kernel : report.kernels) {
    launches += kernel.launches;
    threads += kernel.threads;
  }
  std::string text =
      fmt::format("{}: {}{}", verdict_word(verdict(report)), file.empty() ? "" : file + ": ", severities_text(report));
  if (!report.suppressed.empty()) text += fmt::format(", {} suppressed", report.suppressed.size());
  const std::uint64_t ran = report.kernels.size(), kernels = std::max(report.code.kernels, ran);
  text +=
      fmt::format(" in {}{}, {}, {}", ran < kernels ? fmt::format("{} of ", ran) : "", base::counted(kernels, "kernel"),
                  base::counted(launches, "launch", "launches"), base::counted(threads, "thread"));
  if (report.code.lines_reached < report.code.lines) {
    text += fmt::format(", {} of {} reached", report.code.lines_reached, base::counted(report.code.lines, "line"));
  }
  const auto missing =
      static_cast<std::uint64_t>(std::count_if(report.not_modelled.begin(), report.not_modelled.end(),
                                               [](const NotModelled& operation) { return operation.reached; }));
  if (missing > 0) text += fmt::format("; {} not modelled", base::counted(missing, "operation"));
  if (const std::uint64_t idle = report.not_exercised.size(); idle > 0) {
    text += fmt::format("{} {} not exercised", missing > 0 ? "," : ";", base::counted(idle, "kernel"));
  }
  return text;
}

namespace {

// One line for each reason; a single kernel is named with its place.
std::string not_exercised_lines(const std::vector<NotExercised>& kernels) {
  std::string text;
  std::vector<std::string> said;
  for (const NotExercised& first : kernels) {
    if (std::find(said.begin(), said.end(), first.reason) != said.end()) continue;
    said.push_back(first.reason);
    std::string names;
    std::uint64_t count = 0;
    for (const NotExercised& kernel : kernels) {
      if (kernel.reason != first.reason) continue;
      names += (count++ == 0 ? "" : ", ") + kernel.kernel;
    }
    text += count == 1 ? not_exercised_line(first) + "\n"
                       : fmt::format("not exercised: kernels {}: {}\n", names, first.reason);
  }
  return text;
}

}  // namespace

std::string to_text(const Report& report, const LineReader& line_of, const std::string& file) {
  std::string text;
  for (const Finding& finding : report.findings) text += to_text(finding, line_of) + "\n";
  for (const NotModelled& operation : report.not_modelled) text += not_modelled_line(operation) + "\n";
  text += not_exercised_lines(report.not_exercised);
  if (report.front == FrontUsed::nvcc) text += "device part: compiled by nvcc\n";
  if (report.front == FrontUsed::nvcc_instead) text += "device part: compiled by nvcc, since clang could not\n";
  if (report.architectures.size() > 1) {
    text += fmt::format("architectures: {}\n", fmt::join(report.architectures, ", "));
  }
  if (report.search) text += search_text(report) + "\n";
  if (!report.incomplete.empty()) text += fmt::format("not complete: {}\n", report.incomplete);
  if (report.mutants) text += to_text(*report.mutants);
  if (report.weak) text += weak_text(*report.weak) + "\n";
  if (report.fidelity) text += fidelity_line(*report.fidelity) + "\n";
  return text + summary(report, file) + "\n";
}

std::string total(const Report& merged) {
  std::string text;
  for (const auto& [word, verdict] : kVerdictWords) {
    const auto count = std::count_if(merged.files.begin(), merged.files.end(),
                                     [&](const FileVerdict& file) { return file.verdict == verdict; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return fmt::format("total: {} in {}; {}", text, base::counted(merged.files.size(), "file"), severities_text(merged));
}

}  // namespace weakspot::race
