// SPDX-License-Identifier: MIT
// Whether the tests run under a sanitizer, where exhaustive ones take samples. For tests.
#pragma once

#include <cstddef>

namespace weakspot::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

// Of many cases, the step from one to the next that is tried.
inline constexpr std::size_t kSampleStep = kIsSanitized ? 7 : 1;

}  // namespace weakspot::tests
