// SPDX-License-Identifier: MIT
// What a function of a compiler's library does to memory when it is called with certain arguments: atomic operations
// may be functions, to which their orders are arguments.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "optcheck/host/values.h"

namespace weakspot::optcheck {

struct CalleeEvent {
  Event event;
  std::string text;
  bool loop = false;              // tried again until it succeeds
  std::vector<Register> address;  // of the caller: the registers of arguments that the address comes from
  std::vector<Register> data;     // the same for what is stored
};

// The accesses and fences in the order of execution; accesses to frames are left out. `arguments` are the values before
// the call. Fails if the way through the function depends on anything but the arguments.
base::Result<std::vector<CalleeEvent>> follow_call(const ObjectCode& object, const std::string& callee,
                                                   const HostValues& arguments);

}  // namespace weakspot::optcheck
