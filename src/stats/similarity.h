// How much devices resemble each other by what they show (Levine et al., ISSTA 2023, section 5.2): the cosine of the
// angle between their counts, which looks at proportions and not at how fast a device is.
#pragma once

#include <span>

#include "stats/matrix.h"

namespace weakspot::stats {

// In [-1, 1]; 0 if one of them is all zeros.
double cosine(std::span<const double> a, std::span<const double> b);

// Of all pairs of rows. The diagonal is 1, also of a row of zeros: it resembles nothing but itself.
Matrix cosine_similarities(const Matrix& rows);

}  // namespace weakspot::stats
