#include "cli/judging.h"

#include <fmt/format.h>

#include "base/file.h"
#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

// Threads that run whole, one after the other: no two threads communicate both ways, not even by way of others.
constexpr const char* kSequentialName = "whole threads";
constexpr const char* kSequential = R"cat("Whole threads"
include "sc.cat"
let across = (rf | co | fr | barrier) & ext
acyclic across; (int | id) as whole
)cat";

base::Result<base::Source> own_file(std::string_view name) {
  const std::string path = (base::data_directory("models") / name).string();
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return base::Source(path, *std::move(text));
}

// A filter hides final states from the question of a test. A device shows them all the same, so all are asked for.
litmus::LitmusTest without_filter(litmus::LitmusTest test) {
  if (!test.filter) return test;
  const std::vector<litmus::Observable> observed = test.observed();
  test.filter.reset();
  test.also_observed = observed;
  return test;
}

}  // namespace

base::Result<const model::Model*> Judging::load(const std::string& name) {
  auto found = models_.find(name);
  if (found == models_.end()) {
    base::Result<model::Model> loaded = name == kSequentialName
                                            ? model::Model::compile(base::Source(name, kSequential), own_file)
                                            : model::load_model(name);
    if (!loaded) return loaded.errors();
    found = models_.emplace(name, *std::move(loaded)).first;
  }
  return &found->second;
}

stats::Reachable Judging::ask(const litmus::LitmusTest& test, const model::Model& model, std::string& remark) const {
  model::JudgeOptions options;
  options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds_ * 1000));
  model::Verdict verdict = model::judge(test, model, options);
  stats::Reachable reachable{std::move(verdict.outcomes), verdict.complete};
  if (remark.empty()) remark = verdict.reason;
  // What the model calls a mistake of the test (a data race) may end in any way.
  if (!verdict.flags.empty()) {
    reachable.complete = false;
    remark = fmt::format("the model raises '{}': any outcome may be allowed", verdict.flags.front());
  }
  return reachable;
}

base::Result<stats::Expected> Judging::expected(const litmus::LitmusTest& original) {
  const std::string name = model_.empty() ? model::default_model(original.arch) : model_;
  const std::string key = litmus::hash_of(original).hex() + name;
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  const base::Result<const model::Model*> allows = load(name), sc = load("sc"), sequential = load(kSequentialName);
  for (const auto* loaded : {&allows, &sc, &sequential}) {
    if (!loaded->ok()) return loaded->errors();
  }
  const litmus::LitmusTest test = without_filter(original);
  stats::Expected expected;
  expected.model = name;
  expected.allowed = ask(test, **allows, expected.remark);
  expected.consistent = ask(test, **sc, expected.remark);
  expected.sequential = ask(test, **sequential, expected.remark);
  return answers_.emplace(key, std::move(expected)).first->second;
}

}  // namespace weakspot::cli
