// SPDX-License-Identifier: MIT
// From the words of a cat file to its syntax tree. Every mistake is reported, up to a limit; reading continues at the
// next statement.
//
// Operators, from the loosest: |, ++ (to the right), ;, \ (to the left), &, * between sets, ~, and behind an operand
// + * ? ^-1. A `*` is a product if an operand follows, else a closure.
#pragma once

#include "base/diagnostic.h"
#include "model/cat/cat_ast.h"

namespace weakspot::model::cat {

// The tree refers to `source`, which must outlive it. It must not be used if mistakes were appended.
File parse(const base::Source& source, base::Diagnostics& mistakes);

}  // namespace weakspot::model::cat
