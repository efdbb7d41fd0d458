// The models that come with the program, and models from files.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "model/cat_model.h"

namespace weakspot::model {

struct ModelEntry {
  std::string name;         // what load_model() takes: the file's name without .cat
  std::string title;        // the quoted string at the top of the file
  std::string description;  // its first comment
  std::string path;
};

// The models in the program's data directory (base/file.h), in the order a reader would want them: general ones from
// the strongest to the weakest, then those of the dialects.
base::Result<std::vector<ModelEntry>> list_models();

// A model by name, or by path if `name` ends in .cat or has a '/'. Included files are looked for in `include_folders`,
// then beside the file, then in the program's data directory. Text that is not in a file goes to Model::compile().
base::Result<Model> load_model(const std::string& name, const std::vector<std::string>& include_folders = {});

// The model a test of this architecture is judged by when none is named.
std::string default_model(litmus::Arch arch);

}  // namespace weakspot::model
