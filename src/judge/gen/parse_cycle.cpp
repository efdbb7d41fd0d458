// SPDX-License-Identifier: MIT
#include "gen/parse_cycle.h"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <vector>

#include "base/source.h"
#include "gen/shape/check_cycle.h"

namespace weakspot::gen {
namespace {

using litmus::Space;

struct Word {
  std::string_view text;
  base::Span span;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size();) {
    if (blank(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !blank(text[end])) ++end;
    words.push_back({text.substr(i, end - i), {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)}});
    i = end;
  }
  return words;
}

}  // namespace

base::Result<Cycle> parse_cycle(const base::Source& source) {
  Cycle cycle;
  std::vector<base::Span> spans;
  base::Diagnostics errors;
  Annotation event;  // the event before the next edge
  auto mistake = [&](base::Span span, std::string message) {
    errors.push_back(base::error_at(source, span, std::move(message)));
  };
  for (const Word& word : words_of(source.text())) {
    if (const auto edge = parse_edge(word.text)) {
      cycle.steps.push_back({event, *edge});
      spans.push_back(word.span);
      event = Annotation{};
    } else if (!is_annotation(word.text)) {
      mistake(word.span, fmt::format("'{}' is neither an edge, such as Rfe, PodWR, Fence.sc.devdWR or DpAddrdR, nor an "
                                     "annotation, such as Acq, Rel.wg or Shared",
                                     word.text));
    } else if (!add_annotation(word.text, event)) {
      mistake(word.span, fmt::format("'{}' contradicts another annotation of this event", word.text));
    }
  }
  if (cycle.steps.empty() && errors.empty()) {
    return base::error_in(source.name(), "this text contains no cycle; expected edges such as 'Rfe PodRR Fre PodWW'");
  }
  if (event != Annotation{} && !cycle.steps.empty()) {
    // An annotation after the last edge is of the first event.
    Annotation& first = cycle.steps.front().event;
    const std::string text = to_string(event);
    bool fits = text.empty() || add_annotation(text, first);
    if (event.space != Space::none) fits = add_annotation(litmus::to_string(event.space), first) && fits;
    if (!fits) mistake(spans.back(), "the annotation after the last edge contradicts that of the first event");
  }
  if (!errors.empty()) return errors;
  for (const CycleMistake& wrong : check(cycle)) mistake(spans[wrong.step], wrong.message);
  if (!errors.empty()) return errors;
  return cycle;
}

base::Result<Cycle> parse_cycle(std::string_view text) { return parse_cycle(base::Source("cycle", std::string(text))); }

}  // namespace weakspot::gen
