// Keeps the tests that models judge as asked: --forbidden-by and --allowed-by of the commands that make tests. Both
// together keep the tests that tell two models apart.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "litmus/test.h"
#include "model/cat_model.h"

namespace weakspot::cli {

class ModelFilter {
 public:
  void add_options(Command& command);
  // Loads the models that were named.
  base::Status load();

  bool active() const { return !forbidden_by_.empty() || !allowed_by_.empty(); }
  // A test that cannot be judged in time is kept by neither.
  bool keeps(const litmus::LitmusTest& test) const;

 private:
  std::vector<std::string> forbidden_by_, allowed_by_;
  std::vector<model::Model> forbidding_, allowing_;
};

// Whether the model is certain that the condition cannot be reached.
bool forbids(const model::Model& model, const litmus::LitmusTest& test);
bool allows(const model::Model& model, const litmus::LitmusTest& test);

}  // namespace weakspot::cli
