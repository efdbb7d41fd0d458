// SPDX-License-Identifier: MIT
#include "race_jit/machine/fibre.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#if defined(WEAKSPOT_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kSlabStacks = 64;

// Below each stack. A multiple of every page size in use, and a page more: stacks an even number of pages apart would
// share a few sets of the cache of address translations, and every switch would miss it.
std::size_t guard_size() {
  constexpr std::size_t kLeast = 64 * 1024;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page < kLeast ? kLeast + page : page;
}

}  // namespace

#if defined(__aarch64__)
asm(R"(
    .text
    .p2align 4
    .global weakspot_switch_stack
    .type weakspot_switch_stack, %function
weakspot_switch_stack:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size weakspot_switch_stack, . - weakspot_switch_stack

    .p2align 4
    .global weakspot_stack_start
    .hidden weakspot_stack_start
    .type weakspot_stack_start, %function
weakspot_stack_start:
    mov x0, x20
    mov x29, #0
    mov x30, #0
    br x19
    .size weakspot_stack_start, . - weakspot_stack_start
)");
extern "C" void weakspot_stack_start() asm("weakspot_stack_start");

void* prepare_stack(char* top, void (*entry)(void*), void* argument) {
  auto* frame = reinterpret_cast<std::uint64_t*>(top - 160);
  std::memset(frame, 0, 160);
  frame[0] = reinterpret_cast<std::uint64_t>(entry);
  frame[1] = reinterpret_cast<std::uint64_t>(argument);
  frame[11] = reinterpret_cast<std::uint64_t>(&weakspot_stack_start);
  return frame;
}
#elif defined(__x86_64__)
asm(R"(
    .text
    .p2align 4
    .global weakspot_switch_stack
    .type weakspot_switch_stack, @function
weakspot_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size weakspot_switch_stack, . - weakspot_switch_stack

    .p2align 4
    .global weakspot_stack_start
    .hidden weakspot_stack_start
    .type weakspot_stack_start, @function
weakspot_stack_start:
    movq %r13, %rdi
    xorl %ebp, %ebp
    jmpq *%r12
    .size weakspot_stack_start, . - weakspot_stack_start
)");
extern "C" void weakspot_stack_start() asm("weakspot_stack_start");

void* prepare_stack(char* top, void (*entry)(void*), void* argument) {
  auto* frame = reinterpret_cast<std::uint64_t*>(top - 64);
  std::memset(frame, 0, 64);
  frame[2] = reinterpret_cast<std::uint64_t>(argument);  // r13
  frame[3] = reinterpret_cast<std::uint64_t>(entry);     // r12
  frame[6] = reinterpret_cast<std::uint64_t>(&weakspot_stack_start);
  return frame;
}
#else
#error "stacks are switched on AArch64 and x86-64 only"
#endif

#if defined(WEAKSPOT_ADDRESS_SANITIZER)
void forget_frames(const StackBounds& stack) { __asan_unpoison_memory_region(stack.begin, stack.size); }

StackBounds own_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* begin = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  return {static_cast<char*>(begin), size};
}
#else
void forget_frames(const StackBounds&) {}
StackBounds own_stack() { return {}; }
#endif

StackPool::~StackPool() {
  for (const Slab& slab : slabs_) {
    forget_frames({slab.begin, slab.bytes});
    munmap(slab.begin, slab.bytes);
  }
}

char* StackPool::take() {
  if (free_.empty()) {
    const std::size_t guard = guard_size();
    const std::size_t stride = size_ + guard;
    const std::size_t bytes = stride * kSlabStacks;
    void* memory = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    char* begin = static_cast<char*>(memory);
    for (std::size_t i = kSlabStacks; i-- > 0;) {
      char* stack = begin + i * stride + guard;
      if (mprotect(stack, size_, PROT_READ | PROT_WRITE) != 0) continue;
      // Tops at one distance from each other would all fall into the same few sets of the cache.
      free_.push_back(stack + size_ - i * 256 % 16384);
    }
    slabs_.push_back({begin, bytes});
    if (free_.empty()) return nullptr;
  }
  char* top = free_.back();
  free_.pop_back();
  if constexpr (kAddressSanitizer) forget_frames(bounds(top));
  return top;
}

StackBounds StackPool::bounds(const char* top) const {
  const std::size_t guard = guard_size();
  const std::size_t stride = size_ + guard;
  for (const Slab& slab : slabs_) {
    if (top <= slab.begin || top > slab.begin + slab.bytes) continue;
    const auto number = static_cast<std::size_t>(top - 1 - slab.begin) / stride;
    return {slab.begin + number * stride + guard, size_};
  }
  return {};
}

bool StackPool::owns(const void* address) const {
  const char* at = static_cast<const char*>(address);
  for (const Slab& slab : slabs_) {
    if (at >= slab.begin && at < slab.begin + slab.bytes) return true;
  }
  return false;
}

}  // namespace weakspot::race_jit
