// SPDX-License-Identifier: MIT
// One pair of functions per dialect: `adapt_X` turns a test into one that the dialect can hold, or says why it cannot;
// `print_X` writes an adapted test. Internal to the module; the doors are adapt() and print().
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "litmus/text.h"

namespace weakspot::litmus {

base::Result<LitmusTest> adapt_ptx2015(const LitmusTest& test);
base::Result<LitmusTest> adapt_ptx(const LitmusTest& test);
base::Result<LitmusTest> adapt_vulkan(const LitmusTest& test);
base::Result<LitmusTest> adapt_opencl(const LitmusTest& test);
base::Result<LitmusTest> adapt_c11(const LitmusTest& test);
base::Result<LitmusTest> adapt_aarch64(const LitmusTest& test);
base::Result<LitmusTest> adapt_x86_64(const LitmusTest& test);
base::Result<LitmusTest> adapt_riscv(const LitmusTest& test);
base::Result<LitmusTest> adapt_linux(const LitmusTest& test);

std::string print_canonical(const LitmusTest& test);
std::string print_ptx2015(const LitmusTest& test);
std::string print_ptx(const LitmusTest& test);
std::string print_vulkan(const LitmusTest& test);
std::string print_opencl(const LitmusTest& test);
std::string print_c11(const LitmusTest& test);
std::string print_aarch64(const LitmusTest& test);
std::string print_x86_64(const LitmusTest& test, bool target_last = true);
std::string print_riscv(const LitmusTest& test);
std::string print_linux(const LitmusTest& test);
std::string print_json(const LitmusTest& test);

// ---- shared by the dialects ----

// Refuses: "MP cannot be written as x86-64: REASON".
base::Diagnostic cannot_express(const LitmusTest& test, std::string_view dialect, std::string_view reason);

// `ARCH name`, the description as quoted lines, expectations and info as Key=value lines. `arch_line` adds `Arch=...`
// unless the test is generic.
std::string header_text(const LitmusTest& test, std::string_view arch_word, bool arch_line = false);

// Rows of cells, one column per thread, aligned: " a | b ;\n". Columns may differ in length.
std::string table_text(const std::vector<std::vector<std::string>>& columns);

// The declaration of an array in the initial state, without its type: `x[2]` or `x[2] = {0, 1}`.
std::string array_text(const LitmusTest& test, LocationId first);
// The text of the filter, the locations and the condition.
std::string condition_text(const LitmusTest& test);
// The scope tree in the canonical form, with its keyword; empty if the test has none. Ends in a newline.
std::string scope_tree_text(const LitmusTest& test);

// Names that need no declaration to be read back: the locations that the program mentions, and the registers that the
// thread's instructions name.
std::set<LocationId> mentioned_locations(const LitmusTest& test);
std::set<RegisterId> used_registers(const Thread& thread);

// Whether make_scope_tree() would make the same nodes if the text left out the level. Never true for workgroups.
bool is_implied_level(const ScopeTree& tree, Scope level);

// Replaces each guarded instruction by a branch around it, for dialects without predicates. Labels are fresh.
void guards_to_branches(LitmusTest& test);

// Names labels as published PTX and Vulkan tests do: LC, the thread's number, and a number in the thread.
void rename_labels(LitmusTest& test);

// Gives each register of each thread the name `name(thread, index, register)` returns (they must differ).
void rename_registers(LitmusTest& test, const std::function<std::string(ThreadId, RegisterId, const Register&)>& name);

}  // namespace weakspot::litmus
