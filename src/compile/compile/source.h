// SPDX-License-Identifier: MIT
// The program text that a compiler is given for a test: one function for each thread.
//
// Locations are external arrays, so that a compiler knows that they are different objects but nothing of their values,
// and what a thread observes is stored to external variables of its own when it ends: no access can be left out.
// Functions of several tests go into one file. Threads with the same text are the same function.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/thread_source.h"
#include "litmus/test.h"

namespace weakspot::compile {

struct TestSource {
  // The test in the form that the language can hold: registers may have other names and another order. Judge this one.
  litmus::LitmusTest test;
  std::vector<ThreadSource> threads;
};

// Fails if the language cannot express the test; the message says why. `c` is C, or scoped_c if the test has scopes.
base::Result<TestSource> source_of(const litmus::LitmusTest& test, Language language = Language::c);

// The name of function `index` of a file.
std::string function_name(std::size_t index);

// A whole file. Functions of one file agree in their language and declarations (see can_share_file()).
std::string file_text(const std::vector<const ThreadSource*>& functions);
// The names that a file declares; in WGSL each is the binding of its place.
std::vector<std::string> symbols_of(const std::vector<const ThreadSource*>& functions);
bool can_share_file(const ThreadSource& one, const ThreadSource& other);

}  // namespace weakspot::compile
