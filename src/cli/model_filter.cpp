#include "cli/model_filter.h"

#include <algorithm>

#include "model/judge.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

model::Verdict::Reach reach(const model::Model& model, const litmus::LitmusTest& test) {
  model::JudgeOptions options;
  options.condition_only = true;
  options.limits.time = std::chrono::seconds(10);
  return model::judge(test, model, options).reach;
}

base::Status load_all(const std::vector<std::string>& names, std::vector<model::Model>& models) {
  for (const std::string& name : names) {
    base::Result<model::Model> model = model::load_model(name);
    if (!model) return model.errors();
    models.push_back(std::move(*model));
  }
  return base::ok_status();
}

}  // namespace

bool forbids(const model::Model& model, const litmus::LitmusTest& test) {
  return reach(model, test) == model::Verdict::Reach::forbidden;
}

bool allows(const model::Model& model, const litmus::LitmusTest& test) {
  return reach(model, test) == model::Verdict::Reach::allowed;
}

void ModelFilter::add_options(Command& command) {
  command.add_option("--forbidden-by", forbidden_by_, "keep only tests that these models forbid")->delimiter(',');
  command.add_option("--allowed-by", allowed_by_, "keep only tests that these models allow")->delimiter(',');
}

base::Status ModelFilter::load() {
  base::Status status = load_all(forbidden_by_, forbidding_);
  return status ? load_all(allowed_by_, allowing_) : status;
}

bool ModelFilter::keeps(const litmus::LitmusTest& test) const {
  return std::all_of(forbidding_.begin(), forbidding_.end(),
                     [&](const model::Model& model) { return forbids(model, test); }) &&
         std::all_of(allowing_.begin(), allowing_.end(),
                     [&](const model::Model& model) { return allows(model, test); });
}

}  // namespace weakspot::cli
