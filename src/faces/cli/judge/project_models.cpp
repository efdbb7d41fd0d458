// SPDX-License-Identifier: MIT
#include "cli/judge/project_models.h"

#include <filesystem>

#include "base/mistakes.h"
#include "json/json_fields.h"
#include "model/library.h"
#include "project/project_file.h"

namespace weakspot::cli {
namespace {

// A path begins in the folder of the project file.
std::string model_from_here(const std::string& name, const std::filesystem::path& folder) {
  if (name.find('/') == std::string::npos && !name.ends_with(".cat")) return name;
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::string path = (folder / name).lexically_normal().lexically_proximate(here).string();
  return path;
}

}  // namespace

base::Result<std::vector<std::string>> project_models(const std::string& choice) {
  std::vector<std::string> models;
  const base::Result<std::optional<project::ProjectFile>> opened = project::open_project_file(choice);
  if (!opened) return opened.errors();
  const base::JsonValue* table = *opened ? (*opened)->table("check") : nullptr;
  if (table == nullptr) return models;
  const project::ProjectFile& file = **opened;
  base::Mistakes mistakes(file.source);
  base::JsonFields fields(*table, mistakes, "[check]");
  const base::JsonValue* list = fields.take("models", base::JsonValue::Kind::array);
  for (const base::JsonValue& item : list != nullptr ? list->items() : std::vector<base::JsonValue>{}) {
    if (!item.is(base::JsonValue::Kind::string)) {
      mistakes.add(item.span(), "expected the name of a model, or the path of a .cat file");
      continue;
    }
    const std::string name = model_from_here(item.text(), file.folder);
    if (const base::Result<model::Model> loaded = model::load_model(name); loaded) {
      models.push_back(name);
    } else {
      mistakes.add(item.span(), loaded.errors().front().message);
    }
  }
  fields.done();
  if (mistakes.any()) return mistakes.take();
  return models;
}

}  // namespace weakspot::cli
