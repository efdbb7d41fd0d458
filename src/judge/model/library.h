// SPDX-License-Identifier: MIT
// The models that come with the program, and models from files.
//
// The program's own models are files in its folder models/. Where that folder is missing, as in a program that only
// links the library, the copies made when the library was built are used.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/vocabulary.h"
#include "model/cat_model.h"
#include "model/properties.h"

namespace weakspot::model {

struct ModelEntry {
  std::string name;         // the argument of load_model(): the file's name without .cat
  std::string title;        // the quoted string at the top of the file
  std::string description;  // its first comment
  Family family = Family::general;
};

// The models in the program's data directory (base/file.h) or, where there is none, the built-in ones. In the order a
// reader would want them: general ones from the strongest to the weakest, then those of the dialects.
base::Result<std::vector<ModelEntry>> list_models();

// A model by name ("rc11" is another name of c11), or by path if `name` ends in .cat or has a '/'. Included files are
// looked for in `include_folders`, then beside the file, then among the program's own. Text that is not in a file goes
// to Model::compile(). What a `bell` file defines is there for the model as if its text came first.
base::Result<Model> load_model(const std::string& name, const std::vector<std::string>& include_folders = {},
                               const std::string& bell = "");

// The names and texts of the built-in copies, which are always there.
std::vector<std::string_view> built_in_models();
std::optional<std::string_view> built_in_text(std::string_view name);

// The model a test of this architecture is judged by when none is named.
std::string default_model(litmus::Arch arch);

}  // namespace weakspot::model
