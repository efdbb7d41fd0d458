// SPDX-License-Identifier: MIT
// The corpus in pages that an agent can read: about 20,000 characters at most.
#pragma once

#include "base/result.h"
#include "json/json.h"

namespace weakspot::mcp {

// The part of the corpus that the arguments of the tool `corpus` ask for. `corpus` is the core's answer. The result has
// `tests`, their number in all pages as `total`, and `next`, the offset of the next page, if there is one.
base::Result<base::JsonValue> corpus_page(const base::JsonValue& corpus, const base::JsonValue& arguments);

}  // namespace weakspot::mcp
