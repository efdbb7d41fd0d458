// SPDX-License-Identifier: MIT
// Compiled kernels that several programs of a device share. The kernels of one test differ from environment to
// environment in what runs the test, and seldom in what prepares memory and counts outcomes.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/result.h"

namespace weakspot::backend {

// A kernel lives as long as a program has it. Any thread may ask; a kernel that two ask for is made once.
template <typename Kernel>
class SharedKernels {
 public:
  using Made = base::Result<std::shared_ptr<Kernel>>;

  // The kernel of this code, or what make(), a function that returns Made, gives for it.
  template <typename Make>
  Made get(const std::string& code, Make&& make) {
    const std::shared_ptr<Slot> slot = slot_of(code);
    const std::lock_guard<std::mutex> lock(slot->mutex);
    if (std::shared_ptr<Kernel> known = slot->kernel.lock()) return known;
    Made made = make();
    if (made) slot->kernel = *made;
    return made;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::weak_ptr<Kernel> kernel;
  };

  static constexpr std::size_t kSweepFrom = 512;

  std::shared_ptr<Slot> slot_of(const std::string& code) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (slots_.size() >= sweep_at_) {
      // A slot that nobody else holds and whose kernel is gone.
      std::erase_if(slots_,
                    [](const auto& entry) { return entry.second.use_count() == 1 && entry.second->kernel.expired(); });
      sweep_at_ = kSweepFrom + 2 * slots_.size();
    }
    std::shared_ptr<Slot>& slot = slots_[code];
    if (!slot) slot = std::make_shared<Slot>();
    return slot;
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Slot>> slots_;
  std::size_t sweep_at_ = kSweepFrom;
};

}  // namespace weakspot::backend
