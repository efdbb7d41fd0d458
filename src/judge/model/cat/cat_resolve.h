// SPDX-License-Identifier: MIT
// Puts the files of a model together and finds out what every name in them refers to. cat is lexically scoped, so this
// is settled before anything is evaluated: a reference is a predefined name, a definition at the top of some file, or a
// number of definitions outwards among the local ones.
//
// An undefined name is not a mistake yet: definitions that are never used, `show` and `try` may mention one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "model/cat/cat_ast.h"
#include "model/include_loader.h"

namespace weakspot::model::cat {

struct Global {
  std::string name;
  Place place;
  bool shipped = false;  // from the standard library
  std::string words;     // the comment before its definition, for explanations
};

struct Resolved {
  std::vector<std::unique_ptr<base::Source>> sources;
  std::vector<std::unique_ptr<File>> files;
  std::vector<const Statement*> statements;  // all files in order; includes and conditions are resolved
  std::vector<Global> globals;               // by slot
  std::string header_arch;                   // from the main file
  std::string header_name;
  std::string first_comment;
  ModelProperties properties;          // from all files together
  bool computes_dependencies = false;  // some file says `catdep`
};

bool holds(const VariantCondition& condition, const std::vector<std::string>& variants);

base::Result<Resolved> resolve(const base::Source& source, const IncludeLoader& include,
                               const std::vector<std::string>& variants);

}  // namespace weakspot::model::cat
