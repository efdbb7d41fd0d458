// SPDX-License-Identifier: MIT
// Switching between stacks: a thread of a kernel is a function on a stack of its own, entered and left in some
// ten instructions. AArch64 and x86-64.
//
// The address sanitizer keeps a map of the stack that runs, so it is told of every switch, and of stacks whose
// functions were left without returning. In other builds that part costs nothing.
#pragma once

#include <cstddef>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define WEAKSPOT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEAKSPOT_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(WEAKSPOT_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

namespace weakspot::race_jit {

#if defined(WEAKSPOT_ADDRESS_SANITIZER)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

struct StackBounds {
  char* begin = nullptr;
  std::size_t size = 0;
};

// Saves the callee-saved registers on this stack, its pointer in *from, and continues at `to`.
extern "C" void weakspot_switch_stack(void** from, void* to);

// The same, with the bounds of the stack that `to` is on, which only the sanitizer needs. `for_good`: nobody comes
// back.
inline void switch_stack(void** from, void* to, [[maybe_unused]] const StackBounds& target,
                         [[maybe_unused]] bool for_good = false) {
#if defined(WEAKSPOT_ADDRESS_SANITIZER)
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_stack, target.begin, target.size);
  weakspot_switch_stack(from, to);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#else
  weakspot_switch_stack(from, to);
#endif
}

// To be called first on a stack of prepare_stack() that switch_stack() entered.
inline void enter_stack() {
#if defined(WEAKSPOT_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

// The functions that ran on this stack have been left by jumps: the sanitizer forgets their variables.
void forget_frames(const StackBounds& stack);

// The stack that the calling thread of this process was started on; empty without the sanitizer.
StackBounds own_stack();

// A stack pointer which, switched to, calls entry(argument) on the stack that ends at `top`; entry must not return.
void* prepare_stack(char* top, void (*entry)(void*), void* argument);

// Stacks of one size, each above a page that faults, reused from launch to launch.
class StackPool {
 public:
  explicit StackPool(std::size_t size = 128 * 1024) : size_(size) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // The end of a stack, or null when there is no memory.
  char* take();
  void give_back(char* top) { free_.push_back(top); }
  // Whether the address lies in a stack or its guard page.
  bool owns(const void* address) const;
  // The bounds of the stack that ends at `top`.
  StackBounds bounds(const char* top) const;

 private:
  struct Slab {
    char* begin;
    std::size_t bytes;
  };
  std::size_t size_;
  std::vector<Slab> slabs_;
  std::vector<char*> free_;
};

}  // namespace weakspot::race_jit
