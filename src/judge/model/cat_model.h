// SPDX-License-Identifier: MIT
// A memory model written in cat, type-checked and compiled to a list of operations on relations.
//
// Operations that depend on the frame alone are done once per frame, those that depend on rf or co once per candidate.
// A check is monotone if its relation only grows when rf and co grow: when it fails on a partial candidate, it fails on
// every completion, so the enumeration can stop early.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "model/check.h"
#include "model/include_loader.h"
#include "model/properties.h"

namespace weakspot::model {

// Immutable: copies are cheap and share the compiled form, and threads may use one model together.
class Model {
 public:
  // Reads, type-checks and compiles. Mistakes carry the file and place they are in. `source` and `include` need not
  // outlive the call. `variants` are the names that `if variant` finds set.
  static base::Result<Model> compile(const base::Source& source, const IncludeLoader& include = {},
                                     const std::vector<std::string>& variants = {});

  const ModelProperties& properties() const;
  const std::string& name() const;           // the quoted string at the top, or the file's name
  const std::string& description() const;    // the first comment, for listings
  bool partial_coherence() const;            // whether co may leave writes of a location unordered (PTX, Vulkan)
  const std::vector<Check>& checks() const;  // in the order of the text
  // Mistakes in definitions that no check uses: the model works without them.
  const base::Diagnostics& warnings() const;

  struct Program;  // the compiled form, private to the module
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

}  // namespace weakspot::model
