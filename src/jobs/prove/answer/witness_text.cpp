// SPDX-License-Identifier: MIT
#include "prove/answer/witness_text.h"

#include <fmt/format.h>

namespace weakspot::prove {

std::string thread_name(const ProofThread& thread) {
  return fmt::format("thread {} of block {}", thread.number, thread.block);
}

std::string line_name(const race::Place& place, const std::string& file) {
  return place.file == file || place.file.empty() ? fmt::format("{}", place.line)
                                                  : fmt::format("{}:{}", place.file, place.line);
}

namespace {

std::string trimmed(std::string line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  line = begin == std::string::npos ? "" : line.substr(begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
  return line;
}

std::string step_text(const ProofStep& step, const std::string& file) {
  std::string text = step.text;
  if (step.initial) text += ", as before the launch";
  if (step.from) text += fmt::format(", of line {}", line_name(*step.from, file));
  return text;
}

}  // namespace

std::string witness_text(const ProofProperty& property, const std::string& file, const race::LineReader& lines) {
  constexpr std::size_t kQuote = 28;
  std::string text;
  for (const ProofThread& thread : property.witness) {
    if (thread.steps.empty()) continue;
    text += fmt::format("    {}\n", thread_name(thread));
    for (const ProofStep& step : thread.steps) {
      std::string quoted = step.place.line == 0 ? "" : trimmed(lines(step.place.file, step.place.line).value_or(""));
      if (quoted.size() > kQuote) quoted = quoted.substr(0, kQuote - 3) + "...";
      text +=
          fmt::format("      {:>4}  {:<{}}  {}\n", line_name(step.place, file), quoted, kQuote, step_text(step, file));
    }
  }
  return text;
}

base::JsonValue place_json(const race::Place& place) {
  return base::json_object({{"file", place.file}, {"line", place.line}, {"column", place.column}});
}

base::JsonValue witness_json(const std::vector<ProofThread>& threads) {
  std::vector<base::JsonValue> all;
  for (const ProofThread& thread : threads) {
    std::vector<base::JsonValue> steps;
    for (const ProofStep& step : thread.steps) {
      base::JsonValue one = base::json_object({{"place", place_json(step.place)}, {"text", step.text}});
      if (step.from) one.add("from", place_json(*step.from));
      one.add("initial", step.initial);
      steps.push_back(std::move(one));
    }
    all.push_back(base::json_object(
        {{"block", thread.block}, {"thread", thread.number}, {"steps", base::json_array(std::move(steps))}}));
  }
  return base::json_array(std::move(all));
}

}  // namespace weakspot::prove
