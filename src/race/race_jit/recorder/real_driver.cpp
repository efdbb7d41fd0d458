// SPDX-License-Identifier: MIT
#include "race_jit/recorder/real_driver.h"

#include <dlfcn.h>

namespace weakspot::race_jit::recorder {

Dlsym real_dlsym() {
#if defined(__x86_64__)
  constexpr const char* kFirstVersion = "GLIBC_2.2.5";
#else
  constexpr const char* kFirstVersion = "GLIBC_2.17";
#endif
  static const auto found = [&] {
    void* function = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (function == nullptr) function = dlvsym(RTLD_NEXT, "dlsym", kFirstVersion);
    return reinterpret_cast<Dlsym>(function);
  }();
  return found;
}

void* driver_function(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return driver == nullptr || real_dlsym() == nullptr ? nullptr : real_dlsym()(driver, name);
}

}  // namespace weakspot::race_jit::recorder
