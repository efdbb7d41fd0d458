// SPDX-License-Identifier: MIT
// The functions that compiled kernels call. Each is told the site; the rest of what it needs is in the context of the
// current thread. The numbers that our CUDA headers pass are those of weakspot/hook_numbers.h.
#pragma once

#include <weakspot/hook_numbers.h>

#include <cstdint>
#include <string>
#include <vector>

#include "race/entry.h"

namespace weakspot::race_jit {

using namespace __ws_hook;

inline race::SiteId site_id(std::uint32_t site) { return static_cast<race::SiteId>(site); }

// The reductions of weakspot_barrier_reduce over the values of all threads: __syncthreads_count, _and, _or.
enum BarrierReduction : int { kCountTrue, kAllTrue, kAnyTrue };

// `flags` of weakspot_access.
enum AccessFlags : std::uint32_t {
  kWrite = 1,       // else a read
  kVolatile = 2,    // strong, orders nothing
  kHasValue = 4,    // `value` holds what is written
  kAtomicRead = 8,  // part of an atomic instruction: strong
  kUpdate = 16,
  kAcquire = 32,
  kRelease = 64,
  kCounted = 128,   // the code has counted it
  kHasBytes = 256,  // `value` is the address of what is written
};

// What weakspot_tmem_product multiplies: .kind of tcgen05.mma.
enum TensorKind : std::uint32_t { kTensorHalf, kTensorTf32, kTensorFloat8, kTensorInteger };

// Name and address of every function compiled code may call.
struct HookSymbol {
  const char* name;
  void* address;
};
std::vector<HookSymbol> hook_symbols();

// Makes the change of an AtomicOp, and returns what was there.
std::uint64_t apply_atomic(void* address, int operation, unsigned size, std::uint64_t operand, std::uint64_t compare);
// Whether the current thread may access the memory there; if not, it is noted. `end` says how to wait for the end of an
// asynchronous operation.
bool is_valid_access(const void* address, std::uint64_t size, bool write, std::uint32_t site,
                     const char* end = nullptr);

inline constexpr std::uint32_t kAllLanes = ~0u;

// By its number. The scope of a cluster is that of the block where clusters are single blocks, and that of the device
// where there is one cluster.
race::Scope scope_here(int scope);

extern "C" {
// The context of the current thread.
struct ThreadContext* weakspot_context();
// Checks an access of `size` bytes and gives the address to use: the same, or scratch memory if it is invalid.
void* weakspot_access(void* address, std::uint64_t size, std::uint32_t flags, std::uint32_t site, std::uint64_t value);
// The same for a plain access of one or two bytes, aligned to its size.
void* weakspot_part(void* address, std::uint64_t size, std::uint32_t flags, std::uint32_t site, std::uint64_t value);
std::uint64_t weakspot_atomic(void* address, int operation, int size, int scope, int order, std::uint64_t operand,
                              std::uint64_t compare, std::uint32_t site);
void weakspot_barrier(std::uint32_t site);
int weakspot_barrier_reduce(int kind, int value, std::uint32_t site);
// Threads wait for each other, which orders no memory: what fences have released, later fences acquire.
void weakspot_bare_barrier(std::uint32_t site);
// `order`: a FenceNumber, plus a FencedMemory.
void weakspot_fence(int scope, int order, std::uint32_t site);
void weakspot_syncwarp(std::uint32_t mask, std::uint32_t site);
std::uint64_t weakspot_shuffle(std::uint32_t mask, int mode, std::uint64_t value, int lane, int width,
                               std::uint32_t site);
std::uint32_t weakspot_vote(std::uint32_t mask, int operation, std::uint64_t value, std::uint32_t site);
// What the lanes of a wave that meet at the site do together: `kind` is a WaveKind.
std::uint64_t weakspot_wave(int kind, std::uint64_t value, std::uint32_t lane, std::uint32_t site);
// A product of matrices by a wave: `shape` is WaveProduct::packed(), and the thread's own elements are behind the
// pointers.
void weakspot_wave_product(std::uint32_t shape, const void* a, const void* b, const void* c, void* d,
                           std::uint32_t site);
// A data-parallel primitive of AMD: the value of the lane that `control` names, or `old`.
std::uint64_t weakspot_wave_move(std::uint64_t old, std::uint64_t value, std::uint32_t control, std::uint32_t rows,
                                 std::uint32_t banks, std::uint32_t zero_outside, std::uint32_t site);
std::uint32_t weakspot_activemask(std::uint32_t site);
int weakspot_printf(const char* format, const void* arguments, std::uint32_t site);
void weakspot_assert(const char* message, const char* file, std::uint32_t line, const char* function,
                     std::uint64_t char_size, std::uint32_t site);
void weakspot_trap(std::uint32_t site);
// `effect` is a race::Effect.
void weakspot_not_modelled(const char* what, std::uint32_t effect, std::uint32_t site);
void* weakspot_malloc(std::uint64_t size, std::uint32_t site);
void weakspot_free(void* pointer, std::uint32_t site);
}

}  // namespace weakspot::race_jit
