// SPDX-License-Identifier: MIT
// Tells tests whether they run under a sanitizer, where exhaustive ones take samples.
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

// The step from one case to the next in exhaustive tests.
inline constexpr std::size_t kSampleStep = kIsSanitized ? 7 : 1;

}  // namespace weakspot::tests
