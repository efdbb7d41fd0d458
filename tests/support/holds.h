// SPDX-License-Identifier: MIT
// Properties that are checked more, or less, than RapidCheck's 100 times.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEAKSPOT_CLANG_SANITIZES
#endif
#endif

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

namespace weakspot::tests {

// Checks the property that many times, a tenth of it under a sanitizer, where a case takes twenty times as long. A
// max_success in RC_PARAMS wins. Whether it always held, which is also expected.
template <typename Property>
bool holds(int cases, Property&& property) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(WEAKSPOT_CLANG_SANITIZES)
  cases = cases / 10 + 1;
#endif
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  const char* given = std::getenv("RC_PARAMS");
  if (given == nullptr || std::string_view(given).find("max_success") == std::string_view::npos) {
    params.maxSuccess = cases;
  }
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  const bool always = result.template is<rc::detail::SuccessResult>();
  EXPECT_TRUE(always) << text.str();
  return always;
}

}  // namespace weakspot::tests
