// SPDX-License-Identifier: MIT
// Paths as the protocol writes them: file:///home/me/my%20test.litmus.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::lsp {

// Empty if the URI does not name a file of this machine.
std::string path_of(std::string_view uri);
// The URI of an absolute path.
std::string uri_of(std::string_view path);

}  // namespace weakspot::lsp
