// SPDX-License-Identifier: MIT
// What a served page gets on its way: a policy, and a mark that says which server is behind it.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::serve {

inline constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// The page with <meta name="NAME" content="ADDRESS"> in its head.
std::string with_mark(std::string page, std::string_view name, std::string_view address);

}  // namespace weakspot::serve
