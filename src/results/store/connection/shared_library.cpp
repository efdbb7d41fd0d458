// SPDX-License-Identifier: MIT
#include "store/connection/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace weakspot::store {

SharedLibrary::SharedLibrary(const char* name) : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

void* SharedLibrary::address_of(const char* name) {
  void* address = handle_ == nullptr ? nullptr : dlsym(handle_, name);
  if (address == nullptr && missing_.empty()) missing_ = name;
  return address;
}

base::Status SharedLibrary::found(const char* purpose) const {
  using enum base::ErrorKind;
  if (handle_ == nullptr) {
    return base::error(fmt::format("{} needs {}, which cannot be opened: is it installed?", purpose, name_),
                       environment);
  }
  if (!missing_.empty()) {
    return base::error(fmt::format("{} needs a newer {}: it has no {}", purpose, name_, missing_), environment);
  }
  return base::ok_status();
}

}  // namespace weakspot::store
