// SPDX-License-Identifier: MIT
// The buffers that the addresses of a kernel lie in, and how the kernel uses each: for languages without pointers,
// where an access names its buffer. Also which of its variables a kernel reads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

class BufferMap {
 public:
  explicit BufferMap(const Kernel& kernel);

  // The buffer of an address; nothing for other numbers. A variable belongs to the one buffer whose addresses are
  // assigned to it.
  std::optional<std::uint32_t> buffer_of(const Expr& expr) const;

 private:
  bool learn(const Body& body);

  std::vector<std::optional<std::uint32_t>> variables_;
};

// The word of its buffer that an address means, in 32 bits. The address is a buffer plus multiples of 4.
Expr word_index(const Expr& address);

struct MemoryUse {
  bool used = false;
  bool written = false;
  bool atomic = false;  // some access is not plain
};

struct KernelUse {
  std::vector<MemoryUse> buffers;
  MemoryUse shared;
};

KernelUse memory_use(const Kernel& kernel, std::size_t buffers);
std::vector<std::uint32_t> used_buffers(const Kernel& kernel, std::size_t buffers);

// True if the kernel loads through the proxy.
bool loads_through(const Kernel& kernel, litmus::Proxy proxy);

// True for each variable that a statement reads. Asynchronous steps do not count: only PTX has them.
std::vector<bool> read_variables(const Kernel& kernel);

}  // namespace weakspot::codegen
