// SPDX-License-Identifier: MIT
#include "prove/proof_text.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "prove/answer/witness_text.h"
#include "race/replay.h"

namespace weakspot::prove {
namespace {

std::string left_out_text(const Proof& proof) {
  std::string text;
  for (const LeftOutThreads& one : proof.left_out) {
    const std::string count = base::counted(one.count, "thread");
    text +=
        one.like
            ? fmt::format("  left out: {} that only {} and {} what {} does\n", count, one.count == 1 ? "reads" : "read",
                          one.count == 1 ? "does" : "do", thread_name(proof.actors[*one.like]))
            : fmt::format("  left out: {} that {} no memory with others\n", count, one.count == 1 ? "shares" : "share");
  }
  return text;
}

}  // namespace

std::string to_text(const Proof& proof, const std::string& file, const race::LineReader& lines) {
  const std::string what =
      proof.kernel.empty() ? "" : fmt::format("{}, {}, ", proof.kernel, race::launch_text(proof.launch));
  std::string text = fmt::format("{:<9} {}: {}model {}\n", to_string(proof.answer), file, what, proof.model);
  if (!proof.reason.empty()) text += fmt::format("  {}\n", proof.reason);
  bool waits = false;
  for (const ProofProperty& property : proof.properties) {
    // Obligations of the proof itself are told where they are not met.
    const bool silent = property.kind == ProofProperty::Kind::followed || property.kind == ProofProperty::Kind::valid;
    if (silent && property.answer == ProofAnswer::proved) continue;
    waits = waits || !property.story.empty();
    text += fmt::format("  {:<9} {}", to_string(property.answer), property.what);
    if (property.place && property.place->line > 0) text += fmt::format(", line {}", line_name(*property.place, file));
    if (!property.reason.empty()) text += fmt::format("\n              {}", property.reason);
    text += '\n';
    text += witness_text(property, file, lines);
    for (const std::string& line : property.story) text += fmt::format("    {}\n", line);
  }
  for (const std::string& argument : proof.arguments) text += fmt::format("  with {}\n", argument);
  if (!proof.actors.empty()) text += fmt::format("  judged: {}\n", base::counted(proof.actors.size(), "thread"));
  for (std::size_t i = 0; waits && i < proof.actors.size(); ++i) {
    text += fmt::format("    P{} is {}\n", i, thread_name(proof.actors[i]));
  }
  text += left_out_text(proof);
  if (proof.answer == ProofAnswer::proved) text += fmt::format("  holds for {}\n", proof.holds_for);
  return text;
}

base::JsonValue proof_json(const Proof& proof, const std::string& file) {
  std::vector<base::JsonValue> properties, left_out;
  for (const ProofProperty& property : proof.properties) {
    base::JsonValue one = base::json_object(
        {{"kind", to_string(property.kind)}, {"what", property.what}, {"verdict", to_string(property.answer)}});
    if (property.place) one.add("place", place_json(*property.place));
    if (!property.reason.empty()) one.add("reason", property.reason);
    if (!property.witness.empty()) one.add("witness", witness_json(property.witness));
    if (!property.story.empty()) one.add("story", property.story);
    one.add("seconds", property.seconds);
    properties.push_back(std::move(one));
  }
  for (const LeftOutThreads& one : proof.left_out) {
    base::JsonValue item = base::json_object({{"count", one.count}});
    if (one.like) item.add("like", *one.like);
    left_out.push_back(std::move(item));
  }
  const bool evaluated = !proof.kernel.empty();
  base::JsonValue json = base::json_object({{"verdict", to_string(proof.answer)},
                                            {"file", file},
                                            {"kernel", proof.kernel},
                                            {"launch", evaluated ? race::launch_text(proof.launch) : ""},
                                            {"arguments", proof.arguments},
                                            {"model", proof.model},
                                            {"properties", base::json_array(std::move(properties))},
                                            {"actors", witness_json(proof.actors)},
                                            {"left_out", base::json_array(std::move(left_out))}});
  json.add("holds_for", proof.holds_for);
  if (!proof.reason.empty()) json.add("reason", proof.reason);
  if (!proof.test_text.empty()) json.add("test", proof.test_text);
  return json;
}

}  // namespace weakspot::prove
