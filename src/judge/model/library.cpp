// SPDX-License-Identifier: MIT
#include "model/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/file.h"
#include "base/nearest.h"
#include "base/packed_texts.h"
#include "base/sort.h"
#include "base/source.h"

namespace weakspot::model {
namespace {

namespace fs = std::filesystem;

// The models as they were when the program was built.
constexpr unsigned char kPackedModels[] = {
#include "model/embedded_models.inc"
};

const base::PackedTexts& built_in() {
  static const base::PackedTexts kTexts(kPackedModels);
  return kTexts;
}

// The order of the listing; others follow by name.
constexpr std::string_view kOrder[] = {"sc",      "tso",        "rmo",     "sc-per-loc",  "rel-acq",
                                       "c11",     "c11-2011",   "cpp20",   "opencl",      "opencl-repaired",
                                       "ptx",     "ptx-strong", "ptx-tso", "ptx-aarch64", "vulkan",
                                       "webgpu",  "amdgpu",     "aarch64", "riscv",       "linux-kernel",
                                       "ptx-2015"};

// Other names by which models are known.
struct Alias {
  std::string_view name, model;
};
constexpr Alias kAliases[] = {{"rc11", "c11"}, {"linux", "linux-kernel"}};

// Other readings of a model's text, by the names of cat's variants: "ptx:proxy-practice".
constexpr std::string_view kReadings[] = {"proxy-practice", "fence-anywhere", "wait-anywhere", "mutual-scopes",
                                          "tensor-practice"};

std::string without_alias(const std::string& name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return std::string(alias.model);
  }
  return name;
}

std::size_t rank(const std::string& name) {
  return static_cast<std::size_t>(std::find(std::begin(kOrder), std::end(kOrder), name) - std::begin(kOrder));
}

base::Result<base::Source> read_source(const fs::path& path) {
  base::Result<std::string> text = base::read_file(path.string());
  if (!text) return text.errors();
  return base::Source(path.string(), std::move(*text));
}

// "sc.cat" among the models of the program: from its folder, so that an edited file counts, or else built in.
std::optional<base::Result<base::Source>> own_source(std::string_view file) {
  const fs::path folder = base::data_directory("models");
  if (!folder.empty() && base::is_file(folder / file)) return read_source(folder / file);
  const std::optional<std::string_view> text =
      file.ends_with(".cat") ? built_in_text(file.substr(0, file.size() - 4)) : std::nullopt;
  if (!folder.empty() || !text) return std::nullopt;
  return base::Source(fmt::format("models/{}", file), std::string(*text));
}

IncludeLoader loader(std::vector<fs::path> folders) {
  return [folders = std::move(folders)](std::string_view name) -> base::Result<base::Source> {
    for (const fs::path& folder : folders) {
      const fs::path candidate = folder / name;
      if (base::is_file(candidate)) return read_source(candidate);
    }
    if (auto own = own_source(name)) return std::move(*own);
    return base::error(fmt::format("there is no file '{}' to include", name));
  };
}

base::Result<std::vector<std::string>> own_names() {
  std::vector<std::string> names;
  const fs::path folder = base::data_directory("models");
  if (folder.empty()) {
    for (std::string_view name : built_in_models()) names.emplace_back(name);
    return names;
  }
  base::Result<std::vector<std::string>> paths = base::files_under(folder.string(), ".cat");
  if (!paths) return paths.errors();
  for (const std::string& path : *paths) names.push_back(fs::path(path).stem().string());
  return names;
}

}  // namespace

base::Result<std::vector<ModelEntry>> list_models() {
  base::Result<std::vector<std::string>> names = own_names();
  if (!names) return names.errors();
  std::vector<ModelEntry> entries;
  for (const std::string& name : *names) {
    base::Result<Model> model = load_model(name);
    if (!model) return model.errors();
    if (model->properties().unlisted) continue;
    entries.push_back({name, model->name(), model->description(), model->properties().family});
  }
  base::sort(entries, [](const ModelEntry& a, const ModelEntry& b) {
    return std::pair(rank(a.name), a.name) < std::pair(rank(b.name), b.name);
  });
  return entries;
}

namespace {

base::Diagnostic no_model(const std::string& name) {
  std::vector<std::string> names;
  if (const base::Result<std::vector<ModelEntry>> entries = list_models(); entries) {
    for (const ModelEntry& entry : *entries) names.push_back(entry.name);
  }
  const std::string meant = base::did_you_mean(name, names);
  return base::error(
      fmt::format("there is no model '{}'{}", name, meant.empty() ? "; 'weakspot models' lists them" : meant));
}

}  // namespace

namespace {

// Variants of herd7 that change what its events are, in the form that ours have: the Linux kernel's operations carry
// their annotations (its model asks for this).
const std::vector<std::string> kVariants = {"lkmmv2"};

// Both files included by a text of ours, so that mistakes are reported in the file they are in.
base::Result<Model> load_with_bell(const std::string& name, std::vector<fs::path> folders, const std::string& bell) {
  const bool file = name.ends_with(".cat") || name.find('/') != std::string::npos;
  for (const std::string& path : {file ? name : bell, bell}) {
    if (base::Result<base::Source> source = read_source(path); !source) return source.errors();
    folders.push_back(fs::path(path).parent_path());
  }
  const std::string model = file ? base::absolute_path(name).string() : name + ".cat";
  // Under a name of its own: a model does not include itself.
  const base::Source both(fmt::format("{} with {}", name, bell),
                          fmt::format("\"{}\"\ninclude \"{}\"\ninclude \"{}\"\n", fs::path(name).stem().string(),
                                      base::absolute_path(bell).string(), model));
  return Model::compile(both, loader(std::move(folders)), kVariants);
}

}  // namespace

base::Result<Model> load_model(const std::string& name, const std::vector<std::string>& include_folders,
                               const std::string& bell) {
  std::vector<fs::path> folders(include_folders.begin(), include_folders.end());
  if (!bell.empty()) return load_with_bell(name, std::move(folders), bell);
  if (name.ends_with(".cat") || name.find('/') != std::string::npos) {
    base::Result<base::Source> source = read_source(name);
    if (!source) return source.errors();
    folders.push_back(fs::path(name).parent_path());
    return Model::compile(*source, loader(std::move(folders)), kVariants);
  }
  const std::size_t colon = std::min(name.find(':'), name.size());
  std::vector<std::string> variants;
  if (colon < name.size()) variants.push_back(name.substr(colon + 1));
  const bool known = variants.empty() ||
                     std::find(std::begin(kReadings), std::end(kReadings), variants.front()) != std::end(kReadings);
  std::optional<base::Result<base::Source>> source = own_source(without_alias(name.substr(0, colon)) + ".cat");
  if (!source || !known) return no_model(name);
  if (!*source) return source->errors();
  return Model::compile(**source, loader(std::move(folders)), variants);
}

std::vector<std::string_view> built_in_models() {
  std::vector<std::string_view> names;
  for (const base::PackedTexts::Text& model : built_in().all()) names.push_back(model.name);
  return names;
}

std::optional<std::string_view> built_in_text(std::string_view name) { return built_in().named(name); }

std::string default_model(litmus::Arch arch) {
  switch (arch) {
    case litmus::Arch::generic:
      return "rel-acq";
    case litmus::Arch::ptx2015:
      return "ptx-2015";
    case litmus::Arch::ptx:
      return "ptx";
    case litmus::Arch::vulkan:
      return "vulkan";
    case litmus::Arch::opencl:
      return "opencl";
    case litmus::Arch::c11:
      return "c11";
    case litmus::Arch::aarch64:
      return "aarch64";
    case litmus::Arch::x86_64:
      return "tso";
    case litmus::Arch::riscv:
      return "riscv";
    case litmus::Arch::linux_kernel:
      return "linux-kernel";
  }
  return "rel-acq";
}

}  // namespace weakspot::model
