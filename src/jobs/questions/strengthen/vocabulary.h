// SPDX-License-Identifier: MIT
// The stronger words of each dialect, as far as a test and a model can tell them apart.
#pragma once

#include <set>
#include <vector>

#include "litmus/fence.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "questions/dependency.h"

namespace weakspot::questions {

// A fence that is told by what it keeps in order, not by an order.
struct CpuFence {
  litmus::Fence fence;
  Kept kept = 0;
};

// The orders, fences and scopes that a dialect offers.
struct Vocabulary {
  std::vector<litmus::Order> loads, stores, updates, fences;
  std::vector<CpuFence> cpu_fences;
  std::vector<litmus::Scope> scopes{litmus::Scope::device};
  std::set<litmus::Proxy> proxies;  // proxies whose fences the test may need
  bool storage_classes = false;
  bool barriers = false;  // barriers of a workgroup, and the test can take one more
};

Vocabulary vocabulary(const litmus::LitmusTest& test, const model::Model& model);

}  // namespace weakspot::questions
