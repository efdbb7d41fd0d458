// SPDX-License-Identifier: MIT
// Pages of docs, for tests that hold them to the program.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/file.h"

namespace weakspot::tests {

// The text of a page, "models.md".
inline std::string page_of_docs(const char* name) {
  base::Result<std::string> text = base::read_file((base::data_directory("docs") / name).string());
  EXPECT_TRUE(text.ok()) << base::render(text.errors());
  return text ? std::move(*text) : std::string();
}

}  // namespace weakspot::tests
