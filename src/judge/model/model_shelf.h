// SPDX-License-Identifier: MIT
// Models by name or path, each read once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/judge.h"

namespace weakspot::model {

// For one thread, as the judges on it are.
class ModelShelf {
 public:
  // Takes the same arguments as load_model().
  explicit ModelShelf(std::vector<std::string> include_folders = {}, std::string bell = {})
      : include_folders_(std::move(include_folders)), bell_(std::move(bell)) {}

  // Stays where it is until put() replaces it. A model that cannot be read is tried again at the next call.
  base::Result<BatchJudge*> get(const std::string& name);
  // A model of the user's own, under a name that get() then knows.
  void put(const std::string& name, const Model& model);

 private:
  std::vector<std::string> include_folders_;
  std::string bell_;
  std::map<std::string, BatchJudge> judges_;
};

}  // namespace weakspot::model
