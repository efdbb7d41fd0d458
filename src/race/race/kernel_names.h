// SPDX-License-Identifier: MIT
// Matches a person's name for a kernel, and says what to do if no kernel has that name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race {

// Whether `wanted` stands for the kernel `name`, "ns::sum<float, 64u>". Blanks and the suffixes of numbers do not
// matter; template arguments and namespaces may be left out.
bool names_kernel(std::string_view wanted, const std::string& name);

// "the file has no kernel 'sun'; did you mean 'sum'? It has max and sum"
std::string no_such_kernel(const std::string& wanted, std::vector<std::string> names,
                           const std::vector<std::string>& templates = {});

}  // namespace weakspot::race
