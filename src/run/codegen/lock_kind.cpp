// SPDX-License-Identifier: MIT
#include "codegen/lock_kind.h"

#include "base/names.h"

namespace weakspot::codegen {
namespace {

constexpr base::Named<LockKind> kKindNames[] = {
    {"no-lock", LockKind::none},
    {"tas", LockKind::test_and_set},
    {"ttas", LockKind::test_test_and_set},
    {"cas", LockKind::compare_and_swap},
    {"exchange", LockKind::exchange},
    {"ticket", LockKind::ticket},
    {"mcs", LockKind::mcs},
    {"prefix-sum", LockKind::prefix_sum},
    {"deque", LockKind::deque},
};

constexpr base::Named<LockFences> kFenceNames[] = {
    {"full", LockFences::full},
    {"acquire", LockFences::acquire},
    {"release", LockFences::release},
    {"none", LockFences::none},
};

}  // namespace

std::string_view to_string(LockKind kind) { return base::name_of(kKindNames, kind); }
std::optional<LockKind> lock_kind_named(std::string_view name) { return base::value_of(kKindNames, name); }
std::string_view to_string(LockFences fences) { return base::name_of(kFenceNames, fences); }

}  // namespace weakspot::codegen
