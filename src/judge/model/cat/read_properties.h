// SPDX-License-Identifier: MIT
// Reads the comment that declares a model's properties.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"
#include "model/properties.h"

namespace weakspot::model::cat {

// True if the inside of a comment is a declaration of properties, or an attempt at one.
bool declares_properties(std::string_view comment);

// `span` is the inside of such a comment. Reports the first mistake in it.
void read_properties(const base::Source& source, base::Span span, ModelProperties& properties,
                     base::Diagnostics& mistakes);

}  // namespace weakspot::model::cat
