#include "model/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace weakspot::model {
namespace {

namespace fs = std::filesystem;

// The order of the listing; others follow by name.
constexpr std::string_view kOrder[] = {"sc",     "tso", "rmo",    "sc-per-loc", "rel-acq", "c11",
                                       "opencl", "ptx", "vulkan", "webgpu",     "aarch64", "ptx-2015"};

std::size_t rank(const std::string& name) {
  return static_cast<std::size_t>(std::find(std::begin(kOrder), std::end(kOrder), name) - std::begin(kOrder));
}

base::Result<base::Source> read_source(const fs::path& path) {
  base::Result<std::string> text = base::read_file(path.string());
  if (!text) return text.errors();
  return base::Source(path.string(), std::move(*text));
}

IncludeLoader loader(std::vector<fs::path> folders) {
  return [folders = std::move(folders)](std::string_view name) -> base::Result<base::Source> {
    for (const fs::path& folder : folders) {
      std::error_code code;
      const fs::path candidate = folder / name;
      if (fs::is_regular_file(candidate, code)) return read_source(candidate);
    }
    return base::error(fmt::format("there is no file '{}' to include", name));
  };
}

}  // namespace

base::Result<std::vector<ModelEntry>> list_models() {
  const fs::path folder = base::data_directory("models");
  if (folder.empty()) return base::error("the program's folder 'models' is missing");
  base::Result<std::vector<std::string>> paths = base::files_under(folder.string(), ".cat");
  if (!paths) return paths.errors();
  std::vector<ModelEntry> entries;
  for (const std::string& path : *paths) {
    const std::string name = fs::path(path).stem().string();
    base::Result<Model> model = load_model(name);
    if (!model) return model.errors();
    entries.push_back({name, model->name(), model->description(), path});
  }
  std::sort(entries.begin(), entries.end(), [](const ModelEntry& a, const ModelEntry& b) {
    return std::pair(rank(a.name), a.name) < std::pair(rank(b.name), b.name);
  });
  return entries;
}

base::Result<Model> load_model(const std::string& name, const std::vector<std::string>& include_folders) {
  const fs::path own = base::data_directory("models");
  const bool is_path = name.ends_with(".cat") || name.find('/') != std::string::npos;
  fs::path path = name;
  if (!is_path) {
    path = own / (name + ".cat");
    std::error_code code;
    if (!fs::is_regular_file(path, code)) {
      return base::error(fmt::format("there is no model '{}'; 'weakspot models' lists them", name));
    }
  }
  base::Result<base::Source> source = read_source(path);
  if (!source) return source.errors();
  std::vector<fs::path> folders(include_folders.begin(), include_folders.end());
  folders.push_back(path.parent_path());
  folders.push_back(own);
  return Model::compile(*source, loader(std::move(folders)));
}

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
  }
  return "rel-acq";
}

}  // namespace weakspot::model
