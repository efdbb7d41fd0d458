// SPDX-License-Identifier: MIT
// Pictures of executions in files: one file per test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "model/picture.h"

namespace weakspot::workbench {

enum class PictureFormat : std::uint8_t { svg, png, dot };

// By the end of the name, ".svg", ".png" or ".dot".
base::Result<PictureFormat> picture_format(const std::string& file);

struct PicturePath {
  PictureFormat format = PictureFormat::svg;
  std::string path;  // a file for one picture, or a folder: one that exists, or a name that ends in '/'
};

class PictureFiles {
 public:
  // In folders a picture is called after its test, and after its model as well if there are several.
  PictureFiles(std::vector<PicturePath> paths, bool several_models);

  bool any() const { return !paths_.empty(); }
  // Whether some path is a file, in which a picture is expected.
  bool one_expected() const;
  // Makes the folders that do not exist. A second picture for one file, and a second one of the same name, is an error.
  base::Status write(const model::Picture& picture);

 private:
  base::Result<std::string> place(const PicturePath& path, const model::Picture& picture);

  std::vector<PicturePath> paths_;
  bool several_models_;
  std::unordered_set<std::string> written_;
};

}  // namespace weakspot::workbench
