// SPDX-License-Identifier: MIT
// The program text that a compiler is given for a test: one function for each thread.
//
// Locations are external arrays, so that a compiler knows that they are different objects but nothing of their values,
// and what a thread observes is stored to external variables of its own when it ends: no access can be left out.
// Functions of several tests go into one file. Threads with the same text are the same function.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"

namespace weakspot::compile {

// c: C with the __atomic builtins of GCC and clang, which C11's functions are made of; scoped_c: with clang's
// __scoped_atomic builtins, for tests that have scopes.
enum class Language : std::uint8_t { c, scoped_c };

// The prefixes of the symbols of locations and of observed registers.
inline constexpr std::string_view kLocationPrefix = "ws_";
inline constexpr std::string_view kResultPrefix = "wsout_";

struct ThreadSource {
  Language language = Language::c;
  std::map<std::string, std::string> declarations;  // by the name that they declare
  std::string body;                                 // between the braces, with newlines

  friend auto operator<=>(const ThreadSource&, const ThreadSource&) = default;
};

struct TestSource {
  // As the language can hold it: registers may have other names, and their order may differ. Judge this one.
  litmus::LitmusTest test;
  std::vector<ThreadSource> threads;
};

// Fails if neither language can express the test; the message says why.
base::Result<TestSource> source_of(const litmus::LitmusTest& test);

// The name of function `index` of a file.
std::string function_name(std::size_t index);

// A whole file. Functions of one file agree in their language and declarations (see can_share_file()).
std::string file_text(const std::vector<const ThreadSource*>& functions);
bool can_share_file(const ThreadSource& one, const ThreadSource& other);

}  // namespace weakspot::compile
