// SPDX-License-Identifier: MIT
// The text that people read before they send something.
#pragma once

#include <string_view>

namespace weakspot::serve {

inline constexpr std::string_view kLicence = "CC0-1.0";
inline constexpr std::string_view kConsent =
    "What you send is exactly the text shown, and nothing else: no name, no e-mail, no address and no name of your "
    "browser is stored unless it stands in that text. Counts like these can tell models of GPUs apart. Rows are "
    "published only where at least five devices share them, without forbidden outcomes until a person has looked at "
    "them. You give the data to everybody under CC0 1.0. With the deletion token you can delete it at any time; "
    "without it, nobody can tell which submission is yours.";

}  // namespace weakspot::serve
