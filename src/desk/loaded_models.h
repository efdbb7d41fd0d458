// SPDX-License-Identifier: MIT
// Models by name or path, each read once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/library.h"

namespace weakspot::desk {

class LoadedModels {
 public:
  explicit LoadedModels(std::vector<std::string> include_folders, std::string bell = {})
      : include_folders_(std::move(include_folders)), bell_(std::move(bell)) {}

  base::Result<const model::Model*> get(const std::string& name) {
    auto found = models_.find(name);
    if (found == models_.end()) {
      const base::Result<model::Model> loaded = model::load_model(name, include_folders_, bell_);
      if (!loaded) return loaded.errors();
      found = models_.emplace(name, *loaded).first;
    }
    return &found->second;
  }

 private:
  std::vector<std::string> include_folders_;
  std::string bell_;
  std::map<std::string, model::Model, std::less<>> models_;
};

}  // namespace weakspot::desk
