// SPDX-License-Identifier: MIT
#include "compile/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;

// The functions of C11 and OpenCL in terms of builtins, so that no header of the target is needed.
constexpr std::string_view kPrelude = R"(typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned int uint;
typedef int atomic_int;
typedef unsigned int atomic_uint;
#define _Atomic(type) type
#define memory_order_relaxed __ATOMIC_RELAXED
#define memory_order_consume __ATOMIC_CONSUME
#define memory_order_acquire __ATOMIC_ACQUIRE
#define memory_order_release __ATOMIC_RELEASE
#define memory_order_acq_rel __ATOMIC_ACQ_REL
#define memory_order_seq_cst __ATOMIC_SEQ_CST
)";

constexpr std::string_view kC = R"(#define atomic_load_explicit(at, order) __atomic_load_n(at, order)
#define atomic_store_explicit(at, value, order) __atomic_store_n(at, value, order)
#define atomic_exchange_explicit(at, value, order) __atomic_exchange_n(at, value, order)
#define atomic_fetch_add_explicit(at, value, order) __atomic_fetch_add(at, value, order)
#define atomic_fetch_sub_explicit(at, value, order) __atomic_fetch_sub(at, value, order)
#define atomic_fetch_and_explicit(at, value, order) __atomic_fetch_and(at, value, order)
#define atomic_fetch_or_explicit(at, value, order) __atomic_fetch_or(at, value, order)
#define atomic_fetch_xor_explicit(at, value, order) __atomic_fetch_xor(at, value, order)
#define atomic_compare_exchange_strong_explicit(at, old, value, order, failure) \
  __atomic_compare_exchange_n(at, old, value, 0, order, failure)
#define atomic_compare_exchange_weak_explicit(at, old, value, order, failure) \
  __atomic_compare_exchange_n(at, old, value, 1, order, failure)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
)";

// A scope that is left out is the device.
constexpr std::string_view kScopedC = R"(#define memory_scope_work_item __MEMORY_SCOPE_SINGLE
#define memory_scope_sub_group __MEMORY_SCOPE_WVFRNT
#define memory_scope_work_group __MEMORY_SCOPE_WRKGRP
#define memory_scope_device __MEMORY_SCOPE_DEVICE
#define memory_scope_all_svm_devices __MEMORY_SCOPE_SYSTEM
#define WS_2(name, at, order, scope, ...) name(at, order, scope)
#define WS_3(name, at, value, order, scope, ...) name(at, value, order, scope)
#define WS_CAS(weak, at, old, value, order, failure, scope, ...) \
  __scoped_atomic_compare_exchange_n(at, old, value, weak, order, failure, scope)
#define atomic_load_explicit(...) WS_2(__scoped_atomic_load_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_store_explicit(...) WS_3(__scoped_atomic_store_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_exchange_explicit(...) WS_3(__scoped_atomic_exchange_n, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_add_explicit(...) WS_3(__scoped_atomic_fetch_add, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_sub_explicit(...) WS_3(__scoped_atomic_fetch_sub, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_and_explicit(...) WS_3(__scoped_atomic_fetch_and, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_or_explicit(...) WS_3(__scoped_atomic_fetch_or, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_xor_explicit(...) WS_3(__scoped_atomic_fetch_xor, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_min_explicit(...) WS_3(__scoped_atomic_fetch_min, __VA_ARGS__, memory_scope_device, 0)
#define atomic_fetch_max_explicit(...) WS_3(__scoped_atomic_fetch_max, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_strong_explicit(...) WS_CAS(0, __VA_ARGS__, memory_scope_device, 0)
#define atomic_compare_exchange_weak_explicit(...) WS_CAS(1, __VA_ARGS__, memory_scope_device, 0)
#define atomic_work_item_fence(flags, order, scope) __scoped_atomic_thread_fence(order, scope)
)";

// ---- what has no counterpart in a function ----

bool has_barrier(const LitmusTest& test) {
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      if (std::holds_alternative<litmus::Barrier>(instruction.operation)) return true;
    }
  }
  return false;
}

std::string refusal(const LitmusTest& test) {
  if (has_barrier(test)) return "the test uses a barrier, which a function of C does not have";
  for (const litmus::Location& location : test.locations) {
    if (location.is_array()) return "the test uses an array";
    if (location.initial.base) return "a location of the test holds an address";
    if (location.space != litmus::Space::none && location.space != litmus::Space::global) {
      return "the test uses shared memory";
    }
  }
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Register& reg : thread.registers) {
      if (reg.initial != litmus::Value{})
        return fmt::format("register '{}' of the test has an initial value", reg.name);
    }
  }
  return {};
}

// ---- the parts of a printed test ----

// The lines of each function of the text, the head first, without the closing brace.
std::vector<std::vector<std::string>> functions_in(const std::string& text) {
  std::vector<std::vector<std::string>> functions;
  bool inside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (inside && line == "}") {
      inside = false;
    } else if (inside) {
      functions.back().push_back(line);
    } else if (line.size() > 1 && line[0] == 'P' && line[1] >= '0' && line[1] <= '9' && line.ends_with(") {")) {
      functions.push_back({line});
      inside = true;
    }
  }
  return functions;
}

// "P0 (atomic_int* ws_x, int* ws_y) {": the parameters as arrays.
void declare_parameters(const std::string& head, std::map<std::string, std::string>& declarations) {
  const std::size_t open = head.find('(');
  std::string rest = head.substr(open + 1, head.rfind(')') - open - 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::string parameter = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
    const std::size_t star = parameter.find("* ");
    const std::string name = parameter.substr(star + 2);
    std::string type = parameter.substr(0, star);
    if (type.starts_with("global ")) type = type.substr(7);
    declarations[name] = fmt::format("extern {} {}[];", type, name);
  }
}

// "  int r0;", a declaration without a value: in a test, registers start at zero.
bool declares_only(const std::string& line) {
  return line.ends_with(';') && line.find_first_of("=({:") == std::string::npos && line.starts_with("  ") &&
         !line.starts_with("  goto ") && std::count(line.begin() + 2, line.end(), ' ') >= 1;
}

std::string_view c_type_of(litmus::Type type) { return litmus::size_in_bytes(type) == 8 ? "int64_t" : "int"; }

// "  int r0 = ...;", a declaration with a value.
bool declares_with_value(const std::string& line) {
  const std::size_t equals = line.find(" = ");
  if (equals == std::string::npos || !line.starts_with("  ") || line[2] == ' ' || line[2] == '*') return false;
  return std::count(line.begin() + 2, line.begin() + static_cast<std::ptrdiff_t>(equals), ' ') == 1;
}

// A jump forward may skip a declaration: then all of them come first, with the value that registers start with.
void declare_first(std::vector<std::string>& lines) {
  const bool jumps = std::any_of(lines.begin(), lines.end(),
                                 [](const std::string& line) { return line.find("goto ") != std::string::npos; });
  std::vector<std::string> first;
  for (std::string& line : lines) {
    if (declares_only(line)) line.insert(line.size() - 1, " = 0");
    if (!jumps || !declares_with_value(line)) continue;
    const std::size_t equals = line.find(" = ");
    first.push_back(line.substr(0, equals) + " = 0;");
    line = "  " + line.substr(line.find(' ', 2) + 1);
  }
  lines.insert(lines.begin(), first.begin(), first.end());
}

ThreadSource thread_source(const LitmusTest& test, std::uint32_t thread, const std::vector<std::string>& lines,
                           Language language) {
  ThreadSource source;
  source.language = language;
  declare_parameters(lines.front(), source.declarations);
  std::vector<std::string> statements(lines.begin() + 1, lines.end());
  declare_first(statements);
  for (const std::string& line : statements) source.body += line + "\n";
  for (const litmus::Observable& observable : test.observed()) {
    const auto* reg = std::get_if<litmus::ObservedRegister>(&observable);
    if (reg == nullptr || reg->thread.index != thread) continue;
    const litmus::Register& observed = test[*reg];
    const std::string name = std::string(kResultPrefix) + observed.name;
    source.declarations[name] = fmt::format("extern {} {};", c_type_of(observed.type), name);
    source.body += fmt::format("  {} = {};\n", name, observed.name);
  }
  return source;
}

}  // namespace

base::Result<TestSource> source_of(const LitmusTest& test) {
  Language language = Language::c;
  base::Result<LitmusTest> adapted = litmus::adapt(test, litmus::Dialect::c11);
  if (!adapted) {
    language = Language::scoped_c;
    base::Result<LitmusTest> scoped = litmus::adapt(test, litmus::Dialect::opencl);
    if (!scoped) return adapted.errors();
    adapted = std::move(scoped);
  }
  if (const std::string why = refusal(*adapted); !why.empty()) return base::error(why);
  TestSource source{*adapted, {}};
  LitmusTest renamed = std::move(*adapted);
  for (litmus::Location& location : renamed.locations) location.name.insert(0, kLocationPrefix);
  const base::Result<std::string> text =
      litmus::print(renamed, language == Language::c ? litmus::Dialect::c11 : litmus::Dialect::opencl);
  if (!text) return text.errors();
  const std::vector<std::vector<std::string>> functions = functions_in(*text);
  WEAKSPOT_CHECK(functions.size() == source.test.threads.size());
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    source.threads.push_back(thread_source(source.test, i, functions[i], language));
  }
  return source;
}

std::string function_name(std::size_t index) { return fmt::format("wsfunction{}", index); }

bool can_share_file(const ThreadSource& one, const ThreadSource& other) {
  if (one.language != other.language) return false;
  return std::all_of(one.declarations.begin(), one.declarations.end(), [&](const auto& entry) {
    const auto found = other.declarations.find(entry.first);
    return found == other.declarations.end() || found->second == entry.second;
  });
}

std::string file_text(const std::vector<const ThreadSource*>& functions) {
  std::string text(kPrelude);
  if (!functions.empty()) text += functions.front()->language == Language::c ? kC : kScopedC;
  std::map<std::string, std::string> declarations;
  for (const ThreadSource* function : functions) {
    declarations.insert(function->declarations.begin(), function->declarations.end());
  }
  for (const auto& [name, declaration] : declarations) text += declaration + "\n";
  for (std::size_t i = 0; i < functions.size(); ++i) {
    text += fmt::format("void {}(void) {{\n{}}}\n", function_name(i), functions[i]->body);
  }
  return text;
}

}  // namespace weakspot::compile
