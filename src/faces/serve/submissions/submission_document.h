// SPDX-License-Identifier: MIT
// What a page or a person sends in, as JSON. It is hostile until every field was looked at: types, sizes, ranges, known
// tests, counts that add up. docs/server.md describes the form, docs/schemas/submission.schema.json its fields.
#pragma once

#include <string>

#include "base/result.h"
#include "serve/known_tests.h"
#include "store/submission_store.h"

namespace weakspot::serve {

// All mistakes at once. The submission has no token and no device yet; its document is the body as it came.
base::Result<store::Submission> read_submission(const std::string& body, const KnownTests& known);

}  // namespace weakspot::serve
