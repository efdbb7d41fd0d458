// SPDX-License-Identifier: MIT
// Handles of drivers, released once.
#pragma once

#include <utility>

namespace weakspot::backend {

// `Release` is called with the handle unless that is Handle{}.
template <typename Handle, typename Release>
class Owned {
 public:
  Owned() = default;
  Owned(Handle handle, Release release) : handle_(handle), release_(release) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})), release_(other.release_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{}) release_(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_{};
  Release release_{};
};

// Releases by one of the functions in a driver's table.
template <typename Driver, auto Function>
struct ReleaseBy {
  const Driver* driver = nullptr;

  template <typename Handle>
  void operator()(Handle handle) const {
    (driver->*Function)(handle);
  }
};

}  // namespace weakspot::backend
