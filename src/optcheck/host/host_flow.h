// SPDX-License-Identifier: MIT
// The dependencies of accesses in compiled code. Values may pass through memory and through registers that are not
// followed, so there are two answers: what depends for certain, and what may depend.
#pragma once

#include <vector>

#include "optcheck/host/host_access.h"

namespace weakspot::optcheck {

struct HostDependences {
  std::vector<Dependence> certain, possible;  // by access
};

// The dependences between the accesses of a thread, in one copy of its code.
HostDependences host_dependences(codegen::CpuIsa isa, const ObjectFunction& function,
                                 const std::vector<HostAccess>& accesses);

}  // namespace weakspot::optcheck
