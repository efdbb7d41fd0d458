// SPDX-License-Identifier: MIT
// A library of the system that is opened when it is first needed: the program starts on machines that do not have it.
#pragma once

#include <string>

#include "base/result.h"

namespace weakspot::store {

class SharedLibrary {
 public:
  // By its name as dlopen() takes it. The library stays loaded.
  explicit SharedLibrary(const char* name);

  // Sets the pointer to the function of this name.
  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(address_of(name));
  }

  // Fails if the library or one of the functions looked for is missing; `purpose` is what needs it.
  base::Status found(const char* purpose) const;

 private:
  void* address_of(const char* name);

  const char* name_;
  void* handle_;
  std::string missing_;  // the first function that was not found
};

}  // namespace weakspot::store
