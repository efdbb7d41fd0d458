// SPDX-License-Identifier: MIT
// The text of a search: one `key = value` per line, '#' starts a comment. docs/cycles.md lists the keys.
#pragma once

#include <string>

#include "base/result.h"
#include "base/span.h"
#include "gen/search.h"

namespace weakspot::gen {

// The configuration, or every mistake in the text. Keys that the text leaves out are as in `defaults`.
base::Result<SearchConfig> parse_config(const base::Source& source, const SearchConfig& defaults = {});

// The text that parse_config() reads back as this configuration.
std::string to_string(const SearchConfig& config);

// The list of edges as the key `edges` has them: separated by blanks, '*' for any direction or either of s and d.
base::Result<std::vector<Edge>> parse_edges(const base::Source& source, base::Span span);

}  // namespace weakspot::gen
