// Switching between stacks: a thread of a kernel is a function on a stack of its own, entered and left in some
// ten instructions. AArch64 and x86-64.
#pragma once

#include <cstddef>
#include <vector>

namespace weakspot::race_jit {

// Saves the callee-saved registers on this stack, its pointer in *from, and continues at `to`.
extern "C" void weakspot_switch_stack(void** from, void* to);

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
