// SPDX-License-Identifier: MIT
// What the runs showed, as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/printable.h"
#include "confirm/confirm.h"
#include "confirm/folder/words.h"
#include "json/invocation_json.h"

namespace weakspot::confirm {
namespace {

using base::json_object;
using base::JsonValue;

// "read at line 6"; of two lines of different files with the file.
std::string site_text(const Subject& subject, unsigned number) {
  const Site& site = subject.sites[number & 1];
  const std::string act = site.act.substr(0, site.act.find(" by "));
  const Site& other = subject.sites[1 - (number & 1)];
  const bool one_file = site.place.file == other.place.file;
  // One line has both: they are told apart by their threads.
  const std::string by = site.act.substr(std::min(site.act.find(" by "), site.act.size()));
  if (one_file && site.place.line == other.place.line) return fmt::format("{}{}", act, by);
  if (one_file) return fmt::format("{} at line {}", act, site.place.line);
  return fmt::format("{} at {}:{}", act, site.place.file, site.place.line);
}

std::uint64_t count_of(const FormRuns& form, OutcomeKind kind) {
  std::uint64_t count = 0;
  for (const auto& [outcome, times] : form.outcomes) count += outcome.kind == kind ? times : 0;
  return count;
}

std::uint64_t count_different(const Confirmation& confirmation, const FormRuns& form) {
  std::uint64_t count = 0;
  for (const auto& [outcome, times] : form.outcomes) count += differs(confirmation, outcome) ? times : 0;
  return count;
}

std::string no_delay_text(const Subject& subject, unsigned site) {
  const std::string place = site_text(subject, site);
  if (subject.sites[site].no_delay == NoDelay::not_in_ptx) {
    return fmt::format("the {} is not in the PTX under its line: it is not delayed", place);
  }
  return fmt::format("the {} is one of another launch: it is not delayed", place);
}

std::string no_repair_text(const Subject& subject) {
  switch (subject.no_repair) {
    case NoRepair::none:
      return {};
    case NoRepair::no_fix:
      return "there is no repaired form: the finding names no barrier or fence to put in";
    case NoRepair::no_place:
      return "there is no repaired form: the place of the fix is not in the PTX";
    case NoRepair::still_found:
      return "there is no repaired form: weakspot race finds as much where the fix was put";
    case NoRepair::not_in_ptx:
      return "weakspot race finds nothing in this PTX: the compiler left the race out";
  }
  return {};
}

// What runs that are all the same leave open.
std::string_view not_seen_text(const Subject& subject) {
  if (subject.no_repair == NoRepair::not_in_ptx) return "This PTX has no race to show; other compilers may keep it";
  return "The race is still one: another device, compiler or input may show it";
}

// Sentences, each for a line or more.
std::string verdict_text(const Confirmation& confirmation) {
  std::uint64_t runs = 0, different = 0, all = 0;
  for (const FormRuns& form : confirmation.forms) {
    all += form.runs();
    if (form.form.kind == FormKind::repaired || form.form.kind == FormKind::repaired_delayed) continue;
    runs += form.runs();
    different += count_different(confirmation, form);
  }
  switch (confirmation.because) {
    case Because::differs_unrepaired:
      return fmt::format("confirmed: {} of {} runs end differently than all runs of the repaired kernel", different,
                         runs);
    case Because::differs_delayed:
      return fmt::format(
          "confirmed: {} of {} runs end differently; only the delay differs, so the result depends on the order of "
          "the threads",
          different, runs);
    case Because::varies:
      return fmt::format(
          "confirmed: {} of {} runs end differently than most runs of the kernel as it is. It has no atomics and no "
          "other race, so that nothing else can make them differ",
          different, runs);
    case Because::all_same:
      return fmt::format("not seen: all {} runs end in the same way on this device. {}", all,
                         not_seen_text(confirmation.subject));
    case Because::same_value:
      return "no run can differ: both threads write the same value with this input";
    case Because::repair_varies:
      return "not known: the repaired kernel has several results too. The repair is not enough, or the kernel's "
             "results differ for another reason, such as the order of float atomics";
    case Because::original_varies:
      return "not known: the kernel has several results as it is, and there is no repaired form that says whether "
             "this race is the reason";
    case Because::no_result:
      return "not known: the form to compare with fails, or does not come to its end";
    case Because::not_run:
      return "not known: not every form was run";
  }
  return {};
}

std::string outcome_text(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::failed ? outcome.name : std::string("did not end");
}

// Lines of at most 80 columns, the following ones indented by `others`.
std::string wrapped(const std::string& text, std::size_t first, std::size_t others) {
  constexpr std::size_t kColumns = 80;
  std::string lines(first, ' ');
  std::size_t column = first;
  bool begins = true;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, end - from);
    if (!begins && column + 1 + word.size() > kColumns) {
      lines += "\n" + std::string(others, ' ');
      column = others;
      begins = true;
    }
    lines += begins ? word : " " + word;
    column += word.size() + (begins ? 0 : 1);
    begins = false;
    from = end + 1;
  }
  return lines + "\n";
}

std::string module_file(const Form& form) { return fmt::format("module-{}.ptx", form.module); }

// A row of the table; a long name stands in a line of its own.
std::string row(const std::string& name, const std::string& runs, const std::string& different,
                const std::string& ptx) {
  constexpr std::size_t kName = 46;
  const bool alone = name.size() > kName;
  return (alone ? wrapped(name, 2, 4) : std::string()) +
         fmt::format("  {:<46} {:>8} {:>8}  {}\n", alone ? "" : name, runs, different, ptx);
}

}  // namespace

std::string form_text(const Subject& subject, const Form& form) {
  const std::string site = site_text(subject, form.site);
  switch (form.kind) {
    case FormKind::original:
      return "as it is";
    case FormKind::delayed:
      return fmt::format("{} delayed", site);
    case FormKind::repaired:
      return "repaired";
    case FormKind::repaired_delayed:
      return fmt::format("repaired, {} delayed", site);
  }
  return {};
}

std::string to_text(const Confirmation& confirmation, const std::string& folder) {
  const Subject& subject = confirmation.subject;
  const Site& site = subject.sites[0];
  std::string text = wrapped(
      fmt::format("{}:{}: {} {}", site.place.file, site.place.line, subject.finding_class, subject.message), 0, 2);
  text += wrapped(fmt::format("in {} with {}{}{}", subject.kernel, subject.launch,
                              confirmation.device.empty() ? "" : " on ", confirmation.device),
                  2, 2);
  if (!confirmation.forms.empty()) text += row("form", "runs", "differ", "PTX");
  for (const FormRuns& form : confirmation.forms) {
    if (!form.refusal.empty()) {
      text += wrapped(fmt::format("{}: {}", form_text(subject, form.form), form.refusal), 2, 4);
      continue;
    }
    text +=
        row(form_text(subject, form.form), fmt::to_string(form.runs()),
            confirmation.expected ? fmt::to_string(count_different(confirmation, form)) : "-", module_file(form.form));
    for (const auto& [outcome, count] : form.outcomes) {
      if (outcome.kind != OutcomeKind::memory)
        text += fmt::format("    {} of them: {}\n", count, outcome_text(outcome));
    }
  }
  if (!confirmation.forms.empty()) {
    for (unsigned i = 0; i < 2; ++i) {
      if (subject.sites[i].no_delay != NoDelay::none) text += wrapped(no_delay_text(subject, i), 2, 4);
    }
    if (subject.no_repair != NoRepair::none) {
      text += wrapped(no_repair_text(subject), 2, 4);
    } else {
      std::string words = subject.repair;
      std::replace(words.begin(), words.end(), '\n', ' ');
      std::erase(words, '\t');
      text +=
          wrapped(fmt::format("repair: {} before line {} of the PTX{}", words, fmt::join(subject.repair_lines, " and "),
                              subject.repair_checked ? ", checked by weakspot race" : ", not checked"),
                  2, 4);
    }
  }
  for (const Difference& one : confirmation.differences) {
    text += fmt::format("  {}, word {}: {:#x} instead of {:#x}\n", one.buffer, one.word, one.found, one.expected);
  }
  if (confirmation.different_words > confirmation.differences.size()) {
    text += fmt::format("  and {} more words\n", confirmation.different_words - confirmation.differences.size());
  }
  if (!confirmation.forms.empty()) text += fmt::format("  again: weakspot confirm {}\n", folder);
  return base::printable(text + wrapped(verdict_text(confirmation), 0, 2));
}

JsonValue to_json(const Confirmation& confirmation, const std::string& folder) {
  const Subject& subject = confirmation.subject;
  JsonValue sites = base::json_array(), forms = base::json_array(), differences = base::json_array();
  for (const Site& site : subject.sites) {
    JsonValue lines = base::json_array();
    for (const unsigned line : site.lines) lines.push_back(line);
    JsonValue one = json_object(
        {{"file", site.place.file}, {"line", site.place.line}, {"act", site.act}, {"ptx_lines", std::move(lines)}});
    if (site.no_delay != NoDelay::none) one.add("no_delay", base::name_of(kNoDelayWords, site.no_delay));
    sites.push_back(std::move(one));
  }
  for (const FormRuns& form : confirmation.forms) {
    JsonValue outcomes = base::json_array();
    for (const auto& [outcome, count] : form.outcomes) {
      outcomes.push_back(json_object({{"kind", base::name_of(kOutcomeWords, outcome.kind)},
                                      {"name", outcome.name},
                                      {"count", count},
                                      {"differs", differs(confirmation, outcome)}}));
    }
    JsonValue one = json_object({{"kind", base::name_of(kFormWords, form.form.kind)},
                                 {"ptx", fmt::format("{}/{}", folder, module_file(form.form))},
                                 {"runs", form.runs()},
                                 {"did_not_end", count_of(form, OutcomeKind::not_ended)},
                                 {"outcomes", std::move(outcomes)}});
    const bool delayed = form.form.kind == FormKind::delayed || form.form.kind == FormKind::repaired_delayed;
    if (delayed) one.add("site", form.form.site);
    if (confirmation.expected) one.add("differ", count_different(confirmation, form));
    if (!form.refusal.empty()) one.add("refusal", form.refusal);
    forms.push_back(std::move(one));
  }
  for (const Difference& one : confirmation.differences) {
    differences.push_back(
        json_object({{"buffer", one.buffer}, {"word", one.word}, {"expected", one.expected}, {"found", one.found}}));
  }
  JsonValue json = json_object({{"class", subject.finding_class},
                                {"message", subject.message},
                                {"kernel", subject.kernel},
                                {"launch", subject.launch},
                                {"sites", std::move(sites)},
                                {"repair", subject.repair},
                                {"repair_checked", subject.repair_checked},
                                {"device", confirmation.device},
                                {"folder", folder},
                                {"forms", std::move(forms)},
                                {"differences", std::move(differences)},
                                {"different_words", confirmation.different_words},
                                {"verdict", base::name_of(kVerdictWords, confirmation.verdict)},
                                {"because", base::name_of(kBecauseWords, confirmation.because)}});
  if (subject.no_repair != NoRepair::none) json.add("no_repair", base::name_of(kNoRepairWords, subject.no_repair));
  return json;
}

}  // namespace weakspot::confirm
