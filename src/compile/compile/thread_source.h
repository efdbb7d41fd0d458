// SPDX-License-Identifier: MIT
// The languages that tests are written in for compilers, and a function of one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::compile {

// c: C with the __atomic builtins of GCC and clang, which C11's functions are made of.
// scoped_c: the same with clang's __scoped_atomic builtins, for tests that have scopes.
// opencl: OpenCL C 2.0's functions.
// cuda: cuda::atomic_ref and cuda::atomic_thread_fence of libcu++.
// cuda_builtins: nvcc's __nv_atomic functions.
// cuda_fences: volatile accesses, atomicAdd and the like, and __threadfence.
// wgsl: WebGPU's shading language.
enum class Language : std::uint8_t { c, scoped_c, opencl, cuda, cuda_builtins, cuda_fences, wgsl };

std::string_view to_string(Language language);  // c opencl cuda cuda-builtins cuda-fences wgsl; scoped_c is c
std::optional<Language> language_named(std::string_view name);
std::string language_names();                     // "c, opencl, ... or wgsl"
std::string_view file_suffix(Language language);  // ".c"

// The prefixes of the symbols of locations and of observed registers.
inline constexpr std::string_view kLocationPrefix = "ws_";
inline constexpr std::string_view kResultPrefix = "wsout_";

struct ThreadSource {
  Language language = Language::c;
  std::map<std::string, std::string> declarations;  // by the name that they declare
  std::string body;                                 // between the braces, with newlines

  friend auto operator<=>(const ThreadSource&, const ThreadSource&) = default;
};

}  // namespace weakspot::compile
