// SPDX-License-Identifier: MIT
#include "model/model_shelf.h"

#include "model/library.h"

namespace weakspot::model {

base::Result<BatchJudge*> ModelShelf::get(const std::string& name) {
  auto found = judges_.find(name);
  if (found == judges_.end()) {
    const base::Result<Model> loaded = load_model(name, include_folders_, bell_);
    if (!loaded) return loaded.errors();
    found = judges_.emplace(name, *loaded).first;
  }
  return &found->second;
}

void ModelShelf::put(const std::string& name, const Model& model) {
  judges_.erase(name);
  judges_.emplace(name, model);
}

}  // namespace weakspot::model
