// SPDX-License-Identifier: MIT
// The words of facts in files.
#pragma once

#include "base/names.h"
#include "confirm/confirm.h"

namespace weakspot::confirm {

inline constexpr base::Named<FormKind> kFormWords[] = {
    {"original", FormKind::original},
    {"delayed", FormKind::delayed},
    {"repaired", FormKind::repaired},
    {"repaired-delayed", FormKind::repaired_delayed},
};
inline constexpr base::Named<NoDelay> kNoDelayWords[] = {
    {"", NoDelay::none}, {"not-in-ptx", NoDelay::not_in_ptx}, {"other-launch", NoDelay::other_launch}};
inline constexpr base::Named<NoRepair> kNoRepairWords[] = {
    {"", NoRepair::none},
    {"no-fix", NoRepair::no_fix},
    {"no-place", NoRepair::no_place},
    {"still-found", NoRepair::still_found},
    {"not-in-ptx", NoRepair::not_in_ptx},
};
inline constexpr base::Named<OutcomeKind> kOutcomeWords[] = {
    {"memory", OutcomeKind::memory}, {"failed", OutcomeKind::failed}, {"not-ended", OutcomeKind::not_ended}};
inline constexpr base::Named<Verdict> kVerdictWords[] = {
    {"confirmed", Verdict::confirmed}, {"same", Verdict::same}, {"unknown", Verdict::unknown}};
inline constexpr base::Named<Because> kBecauseWords[] = {
    {"differs-unrepaired", Because::differs_unrepaired},
    {"differs-delayed", Because::differs_delayed},
    {"varies", Because::varies},
    {"all-same", Because::all_same},
    {"same-value", Because::same_value},
    {"repair-varies", Because::repair_varies},
    {"original-varies", Because::original_varies},
    {"no-result", Because::no_result},
    {"not-run", Because::not_run},
};

}  // namespace weakspot::confirm
