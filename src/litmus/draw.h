// A test as people draw it: one column per thread, inside boxes for the workgroups (and what else the scope tree
// says), with the initial state above and the question below.
#pragma once

#include <string>

#include "litmus/test.h"

namespace weakspot::litmus {

struct DrawOptions {
  bool ascii = false;  // boxes of + - | instead of line-drawing characters
};

std::string draw(const LitmusTest& test, const DrawOptions& options = {});

}  // namespace weakspot::litmus
