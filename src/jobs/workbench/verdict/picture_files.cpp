// SPDX-License-Identifier: MIT
#include "workbench/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffixes[] = {".svg", ".png", ".dot"};

bool is_folder(const std::string& path) {
  std::error_code code;
  return path.ends_with('/') || fs::is_directory(path, code);
}

std::string drawn(const model::Picture& picture, PictureFormat format) {
  switch (format) {
    case PictureFormat::png:
      return model::png_picture(picture);
    case PictureFormat::dot:
      return model::dot_picture(picture);
    default:
      return model::svg_picture(picture);
  }
}

}  // namespace

base::Result<PictureFormat> picture_format(const std::string& file) {
  for (PictureFormat format : {PictureFormat::svg, PictureFormat::png, PictureFormat::dot}) {
    if (file.ends_with(kSuffixes[static_cast<std::size_t>(format)])) return format;
  }
  return base::error(
      fmt::format("cannot tell what kind of picture '{}' is; expected a name that ends in .svg, .png or .dot", file));
}

PictureFiles::PictureFiles(std::vector<PicturePath> paths, bool several_models)
    : paths_(std::move(paths)), several_models_(several_models) {}

bool PictureFiles::one_expected() const {
  return std::any_of(paths_.begin(), paths_.end(), [](const PicturePath& path) { return !is_folder(path.path); });
}

base::Result<std::string> PictureFiles::place(const PicturePath& path, const model::Picture& picture) {
  if (!is_folder(path.path)) {
    if (!written_.insert(path.path).second) {
      return base::error(
          fmt::format("{} by {} is not drawn: '{}' has room for one picture; expected a folder, such as "
                      "'pictures/', for several",
                      picture.test, picture.model, path.path));
    }
    return path.path;
  }
  std::error_code code;
  fs::create_directories(path.path, code);
  if (code) return base::error_in(path.path, fmt::format("cannot create the folder: {}", code.message()));
  std::string stem = several_models_ ? fmt::format("{}-{}", picture.test, picture.model) : picture.test;
  std::replace(stem.begin(), stem.end(), '/', '_');
  std::string file =
      (fs::path(path.path) / (stem + std::string(kSuffixes[static_cast<std::size_t>(path.format)]))).string();
  if (!written_.insert(file).second) {
    return base::error(fmt::format("not drawn: another test is also called '{}'", picture.test));
  }
  return file;
}

base::Status PictureFiles::write(const model::Picture& picture) {
  base::Diagnostics errors;
  for (const PicturePath& path : paths_) {
    const base::Result<std::string> file = place(path, picture);
    const base::Status status = file ? base::write_file(*file, drawn(picture, path.format)) : file.errors();
    errors.insert(errors.end(), status.errors().begin(), status.errors().end());
  }
  if (!errors.empty()) return errors;
  return base::ok_status();
}

}  // namespace weakspot::workbench
