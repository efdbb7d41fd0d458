// SPDX-License-Identifier: MIT
// A submission from a page or a person, as JSON. It is hostile until every field was checked: types, sizes, ranges,
// known tests, counts that add up. docs/server.md describes the form, docs/schemas/submission.schema.json its fields.
#pragma once

#include <string>

#include "base/result.h"
#include "serve/submissions/known_tests.h"
#include "store/submission_store.h"

namespace weakspot::serve {

// All mistakes at once. The submission has no token and no device yet; its document is the body as it came.
base::Result<store::Submission> read_submission(const std::string& body, const KnownTests& known);

}  // namespace weakspot::serve
