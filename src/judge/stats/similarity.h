// SPDX-License-Identifier: MIT
// The similarity of devices (Levine et al., ISSTA 2023, section 5.2): the cosine of the angle between their counts,
// which depends on proportions and not on a device's speed.
#pragma once

#include <span>

#include "stats/matrix.h"

namespace weakspot::stats {

// In [-1, 1]; 0 if one of them is all zeros.
double cosine(std::span<const double> a, std::span<const double> b);

// For all pairs of rows. The diagonal is 1, even for a row of zeros.
Matrix cosine_similarities(const Matrix& rows);

}  // namespace weakspot::stats
