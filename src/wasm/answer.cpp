// SPDX-License-Identifier: MIT
#include "wasm/answer.h"

#include <fmt/format.h>

#include "base/diagnostic_json.h"
#include "base/nearest.h"
#include "wasm/fields.h"
#include "wasm/operations.h"

namespace weakspot::wasm {
namespace {

std::vector<Operation> all_operations() {
  std::vector<Operation> all;
  for (std::span<const Operation> some : {test_operations(), verdict_operations(), making_operations(),
                                          environment_operations(), run_operations(), program_operations()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Reply run(State& state, const std::string& text) {
  const base::Source source("request", text);
  base::Mistakes mistakes(source);
  const std::optional<base::JsonValue> request = base::read_json_text(mistakes);
  if (!request) return mistakes.take();
  base::JsonFields fields(*request, mistakes, "a request");
  const std::string name = fields.text("do");
  if (mistakes.any()) return mistakes.take();
  static const std::vector<Operation> operations = all_operations();
  std::vector<std::string> names;
  for (const Operation& operation : operations) {
    if (operation.name == name) return operation.run(state, fields);
    names.emplace_back(operation.name);
  }
  return base::error(fmt::format("the core cannot do '{}'{}", name, base::did_you_mean(name, names)));
}

}  // namespace

Core::Core() : state_(std::make_unique<State>()) {}
Core::~Core() = default;

std::string Core::answer(const std::string& request) {
  Reply reply = run(*state_, request);
  base::JsonValue json;
  if (reply) {
    json["ok"] = *std::move(reply);
  } else {
    json["errors"] = errors_json(reply.errors());
  }
  return base::json_compact(json);
}

}  // namespace weakspot::wasm
