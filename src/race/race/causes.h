// SPDX-License-Identifier: MIT
// Findings with one cause are one finding.
//
// One missing barrier shows at every pair of lines that it should separate, and one kernel template shows it in every
// instance. Findings are put together if they are of one class and one kernel, and one change repairs all of them: a
// barrier at a place that all of them have among their gaps, or inputs that keep a relation. Findings at the same two
// places in the source, that differ in the memory alone, are also put together, and so are all writes of a tensor map
// that one copy goes by without the fences for it. If in doubt, they are kept apart.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "race/report.h"

namespace weakspot::race {

// Whether a copy uses a tensor map without the fences for it.
bool is_about_map(const Finding& finding);

// The first of each group stands for it and has the others in `also`.
std::vector<Finding> one_per_cause(std::vector<Finding> findings);

// The finding and those that it stands for, each alone.
std::vector<Finding> apart(Finding finding);
// The reverse: all of them have one cause.
Finding together(std::vector<Finding> findings);

// Whether the kernel, "sum<float>", is that of the finding or of one that it stands for.
bool concerns_kernel(const Finding& finding, const std::string& kernel);

// Moves what fits to `to`. Findings that stand for others may fit in part.
void move_fitting(std::vector<Finding>& from, std::vector<Finding>& to,
                  const std::function<bool(const Finding&)>& fits);

// One fix for findings that the repair, which has gaps, is for.
Fix common_fix(const Repair& repair, const std::vector<Finding>& findings);

// The change that repairs both of two findings about the same lines; none if there is none that is known to.
std::optional<Repair> common_repair(const std::optional<Repair>& a, const std::optional<Repair>& b);

// The findings that this one stands for besides itself, each once: "lines 12 and 17", "lines 9 and 17 of b[0]".
std::vector<std::string> also_names(const Finding& finding);

}  // namespace weakspot::race
