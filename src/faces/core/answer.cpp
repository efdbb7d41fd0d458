// SPDX-License-Identifier: MIT
#include "core/answer.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/source.h"
#include "core/operations/operations.h"
#include "json/diagnostic_json.h"

namespace weakspot::core {
namespace {

// By the field `do` of a request.
constexpr base::Named<Operation*> kOperations[] = {
    {"version", version},
    {"dialects", dialects},
    {"corpus", corpus},
    {"read", read},
    {"convert", convert},
    {"models", models},
    {"model", model},
    {"check", check},
    {"fences", fences},
    {"mutators", mutators},
    {"mutate", mutate},
    {"gen", generate},
    {"suites", suites},
    {"suite", suite},
    {"environments", environments},
    {"environment", environment},
    {"draw_environments", draw_environments},
    {"emit", emit},
    {"classify", classify_outcomes},
    {"statistics", statistics},
    {"compile", compile},
    {"plan", plan},
    {"decode", decode},
    {"release", release},
};

}  // namespace

Core::Core() : state_(std::make_unique<State>()) {}
Core::~Core() = default;

base::Result<base::JsonValue> Core::answer(const base::JsonValue& request, const base::Source& source) {
  base::Mistakes mistakes(source);
  base::JsonFields fields(request, mistakes, "a request");
  const std::string name = fields.text("do");
  if (mistakes.any()) return mistakes.take();
  std::vector<std::string> names;
  for (const auto& [word, run] : kOperations) {
    if (word == name) return run(*state_, fields);
    names.emplace_back(word);
  }
  return base::error(fmt::format("the core cannot do '{}'{}", name, base::did_you_mean(name, names)));
}

std::string Core::answer_text(const std::string& text) {
  const base::Source source("request", text);
  const base::Result<base::JsonValue> request = base::read_json_text(source);
  base::Result<base::JsonValue> reply = request ? answer(*request, source) : request.errors();
  return base::json_compact(reply ? base::json_object({{"ok", *std::move(reply)}})
                                  : base::json_object({{"errors", errors_json(reply.errors())}}));
}

}  // namespace weakspot::core
