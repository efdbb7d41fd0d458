// SPDX-License-Identifier: MIT
#include "serve/page_marks.h"

#include <fmt/format.h>

namespace weakspot::serve {

std::string with_mark(std::string page, std::string_view name, std::string_view address) {
  constexpr std::string_view kHead = "<head>";
  const std::size_t at = page.find(kHead);
  if (at == std::string::npos) return page;
  return page.insert(at + kHead.size(), fmt::format("<meta name=\"{}\" content=\"{}\">", name, address));
}

}  // namespace weakspot::serve
