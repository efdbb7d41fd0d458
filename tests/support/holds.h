// SPDX-License-Identifier: MIT
// Checks a property more, or less, than RapidCheck's 100 times.
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

#include "support/too_large.h"

namespace weakspot::tests {

struct Tried {
  int cases = 0;    // cases that the property was checked for
  int skipped = 0;  // because they would have taken too long
  bool failed = false;
};

// Checks the property that many times, a tenth of it under a sanitizer, where a case takes twenty times as long. A
// max_success in RC_PARAMS wins. Cases that throw TooLarge are skipped.
template <typename Property>
Tried holds(int cases, const Property& property) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(WEAKSPOT_CLANG_SANITIZES)
  cases = cases / 10 + 1;
#endif
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  const char* given = std::getenv("RC_PARAMS");
  if (given == nullptr || std::string_view(given).find("max_success") == std::string_view::npos) {
    params.maxSuccess = cases;
  }
  Tried tried;
  const auto once = [&] {
    try {
      property();
      ++tried.cases;
    } catch (const TooLarge&) {
      ++tried.skipped;
      RC_DISCARD("too large");
    }
  };
  const auto result = rc::detail::checkTestable(once, rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  tried.failed = !result.template is<rc::detail::SuccessResult>();
  EXPECT_FALSE(tried.failed) << text.str();
  return tried;
}

}  // namespace weakspot::tests
