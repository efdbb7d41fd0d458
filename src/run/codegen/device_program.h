// SPDX-License-Identifier: MIT
// A program for a device: code, the buffers it works on, and the order of its kernels. A device knows nothing about
// litmus tests; the code that laid out the buffers decodes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::codegen {

// `mixed` is PTX for the threads of a test on a GPU and machine code for those on a CPU.
enum class Target : std::uint8_t { ptx, spirv, opencl, wgsl, cpu, mixed };

enum class CpuIsa : std::uint8_t { aarch64, x86_64 };

// The machine this program was compiled for.
#if defined(__x86_64__)
inline constexpr CpuIsa kNativeIsa = CpuIsa::x86_64;
#else
inline constexpr CpuIsa kNativeIsa = CpuIsa::aarch64;
#endif

// The features of a CPU that generated code depends on.
struct CpuFeatures {
  CpuIsa isa = kNativeIsa;
  bool lse = false;   // AArch64: atomic read-modify-write instructions
  bool rcpc = false;  // AArch64: LDAPR
};

struct CpuProgram;    // cpu_program.h
struct CpuKernels;    // cpu_kernel.h
struct MixedProgram;  // mixed_program.h

// The translation of a test's accesses to OpenCL C. Devices with all the C11 atomics of OpenCL 2.0 that tests need use
// them. NVIDIA's devices get the same PTX instructions as Target::ptx. Other devices get the atomic functions of OpenCL
// 1.2, which are relaxed and have device scope, with mem_fence for order.
enum class OpenclMapping : std::uint8_t { c11, legacy, inline_ptx };
std::string_view to_string(OpenclMapping mapping);  // for reports

struct OpenclLimits {
  OpenclMapping mapping = OpenclMapping::c11;
  // c11: support beyond relaxed accesses and acquire and release fences within a workgroup.
  bool acquire_release = true;
  bool seq_cst = true;
  bool device_scope = true;
  bool all_devices_scope = false;
  bool atomics64 = true;
  bool subgroups = false;  // their barrier and their scope
};

// The features and limits of a device that generated code depends on.
struct TargetLimits {
  std::uint32_t subgroup_size = 32;
  std::uint32_t max_workgroup_size = 1024;
  std::uint32_t max_shared_bytes = 48 * 1024;
  std::uint32_t max_cluster = 1;  // workgroups per cluster; 1: no clusters
  std::uint32_t named_barriers =
      15;                       // for part of a workgroup; 0: barriers need all its threads, in uniform control flow
  std::uint32_t ptx_arch = 70;  // NVIDIA's compute capability, times ten
  // The total number of rounds of all loops of a thread before the device leaves them; 0: no bound.
  std::uint32_t loop_rounds = 0;
  // A CPU and a GPU together: whether read-modify-writes of both are atomic with each other in pinned memory.
  bool host_atomics = true;
  OpenclLimits opencl;
  CpuFeatures cpu;
};

struct Entry {
  std::string name;
  std::uint32_t workgroup_size = 1;
  std::uint32_t shared_bytes = 0;
  std::vector<std::uint32_t> buffers;  // the ones it uses, by number: a device may limit how many are bound at once
  bool inspected = false;              // the device keeps the machine code, for LoadedProgram::machine_code()
  // PTX that sees the program's `viewed` buffer in another way as well: through a texture of 32-bit words, which is
  // the argument after the buffers, or as its constant memory, which is then that buffer.
  bool texture = false;
  bool constant = false;
  // A program of this entry alone, in the form of the whole; empty: only the whole is known.
  std::string text;
  std::vector<std::uint32_t> words;
};

// The name and the size of the constant memory of an entry, and the most words that a texture has.
inline constexpr const char* kConstantMemory = "constant_memory";
inline constexpr std::uint32_t kConstantWords = 1u << 14;
inline constexpr std::uint32_t kTextureWords = 1u << 27;

// A line of a program's text, from 1, that is code of an instruction of the test.
struct CodeLine {
  std::uint32_t line = 0;
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  // of the thread
  friend bool operator==(const CodeLine&, const CodeLine&) = default;
};

// Code with its entry points. Every entry takes the same arguments: one pointer per buffer, in the order of
// `buffers`.
struct DeviceProgram {
  Target target = Target::ptx;
  std::string text;                               // PTX, OpenCL C, WGSL; for a CPU a listing for people
  std::vector<CodeLine> lines;                    // of PTX, OpenCL C and WGSL
  std::vector<std::uint32_t> words;               // SPIR-V
  std::shared_ptr<const CpuProgram> cpu;          // for tests on a CPU
  std::shared_ptr<const CpuKernels> cpu_kernels;  // for anything else on a CPU
  std::shared_ptr<const MixedProgram> mixed;      // for a CPU and a GPU together; `cpu` is then the CPU's part
  std::vector<Entry> entries;
  std::vector<std::string> buffers;  // names, for messages
  std::uint32_t viewed = 0;          // a buffer: see Entry::texture
  std::string mapping;               // the translation of accesses, if there is a choice
};

// The size and initial content of a buffer, and whether it is read back.
struct BufferSetup {
  std::uint64_t words = 0;             // of 32 bits
  std::vector<std::uint32_t> content;  // the first words, written once per run
  bool zero_first = false;             // the rest is zeroed once per run
  bool zero_each_round = false;        // the whole buffer is zeroed before every round
  bool read_back = false;
};

struct Pass {
  std::uint32_t entry = 0;
  std::uint32_t workgroups = 1;
  // The workgroups wait for each other, within bounds: a device launches them together or refuses. A device that
  // time-shares its processors may accept more than it can run at once.
  bool all_resident = false;
  // A dependent launch of the pass before it: it may begin as soon as that one allows it (PTX's griddepcontrol).
  bool dependent = false;
};

// A run repeats `rounds` times: zero the buffers that ask for it, set the round's word, run the passes in order.
struct Launch {
  std::vector<BufferSetup> buffers;  // in the order of DeviceProgram::buffers
  std::vector<Pass> passes;
  std::uint32_t rounds = 1;
  // Two words of buffer `control`: the number of the round, from 0, and a word that the device sets to 1 at the
  // deadline so that kernels end early.
  std::uint32_t control = 0;
  std::uint32_t round_word = 0;
  std::uint32_t stop_word = 1;

  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const BufferSetup& buffer : buffers) sum += buffer.words * 4;
    return sum;
  }
};

}  // namespace weakspot::codegen
