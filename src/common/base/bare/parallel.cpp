// SPDX-License-Identifier: MIT
#include "base/parallel.h"

namespace weakspot::base {

void in_parallel(unsigned count, const std::function<void(unsigned)>& work) {
  for (unsigned i = 0; i < count; ++i) work(i);
}

}  // namespace weakspot::base
