// SPDX-License-Identifier: MIT
#include "compile/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "compile/write/prelude.h"
#include "compile/write/wgsl.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;

// ---- what has no counterpart in a function ----

bool is_c(Language language) { return language == Language::c || language == Language::scoped_c; }

template <typename Operation>
bool has(const LitmusTest& test, auto&& matches) {
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      const auto* operation = std::get_if<Operation>(&instruction.operation);
      if (operation != nullptr && matches(*operation)) return true;
    }
  }
  return false;
}

bool has_order(const LitmusTest& test) {
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      const litmus::Access* access = litmus::access_of(instruction);
      if (access == nullptr) continue;
      if (litmus::is_acquire(access->order) || litmus::is_release(access->order)) return true;
    }
  }
  return false;
}

std::string refusal(const LitmusTest& test, Language language) {
  if (is_c(language) && has<litmus::Barrier>(test, [](const auto&) { return true; })) {
    return "the test uses a barrier, which a function of C does not have";
  }
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
  if (language != Language::cuda_fences) return {};
  if (has_order(test)) return "the test has an access that acquires or releases, and cuda-fences has fences only";
  if (has<litmus::Rmw>(test, [](const litmus::Rmw& rmw) { return rmw.op == litmus::RmwOp::cas; })) {
    return "the test has a compare-exchange, which cuda-fences does not have";
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
void declare_parameters(const std::string& head, ThreadSource& source) {
  const std::size_t open = head.find('(');
  std::string rest = head.substr(open + 1, head.rfind(')') - open - 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(", ");
    const std::string parameter = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
    const std::size_t star = parameter.find("* ");
    const std::string name = parameter.substr(star + 2);
    std::string type = parameter.substr(0, star);
    constexpr std::string_view kGlobal = "global ";
    if (const std::size_t at = type.find(kGlobal); at != std::string::npos) type.erase(at, kGlobal.size());
    source.declarations[name] =
        fmt::format("{}{} {}[{}];", head_of_variables(source.language), type, name, is_c(source.language) ? "" : "1");
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
  declare_parameters(lines.front(), source);
  std::vector<std::string> statements(lines.begin() + 1, lines.end());
  declare_first(statements);
  for (const std::string& line : statements) source.body += line + "\n";
  for (const litmus::Observable& observable : test.observed()) {
    const auto* reg = std::get_if<litmus::ObservedRegister>(&observable);
    if (reg == nullptr || reg->thread.index != thread) continue;
    const litmus::Register& observed = test[*reg];
    const std::string name = std::string(kResultPrefix) + observed.name;
    source.declarations[name] = fmt::format("{}{} {};", head_of_variables(language), c_type_of(observed.type), name);
    source.body += fmt::format("  {} = {};\n", name, observed.name);
  }
  return source;
}

// Makes barriers that do not name the memory they order into barriers of all memory.
LitmusTest with_whole_barriers(LitmusTest test) {
  for (litmus::Thread& thread : test.threads) {
    for (litmus::Instruction& instruction : thread.instructions) {
      auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation);
      if (barrier != nullptr && barrier->semantics.empty()) {
        barrier->semantics = {litmus::Space::global, litmus::Space::shared};
      }
    }
  }
  return test;
}

// The test in C, or in OpenCL's face of it.
base::Result<LitmusTest> adapted_to(const LitmusTest& test, Language& language) {
  if (!is_c(language)) return litmus::adapt(with_whole_barriers(test), litmus::Dialect::opencl);
  base::Result<LitmusTest> adapted = litmus::adapt(test, litmus::Dialect::c11);
  if (adapted) return adapted;
  language = Language::scoped_c;
  base::Result<LitmusTest> scoped = litmus::adapt(test, litmus::Dialect::opencl);
  return scoped ? scoped : adapted;
}

base::Result<TestSource> wgsl_source(const LitmusTest& test) {
  if (const std::string why = refusal(test, Language::wgsl); !why.empty()) return base::error(why);
  for (const litmus::Placement& place : test.scope_tree().placements) {
    if (place.device != 0) return base::error("the test has several devices, and a program of WGSL runs on one");
  }
  TestSource source{test, {}};
  for (std::uint32_t i = 0; i < test.threads.size(); ++i) {
    base::Result<ThreadSource> thread = wgsl_thread(test, litmus::ThreadId{i});
    if (!thread) return thread.errors();
    source.threads.push_back(std::move(*thread));
  }
  return source;
}

}  // namespace

base::Result<TestSource> source_of(const LitmusTest& test, Language language) {
  if (language == Language::wgsl) return wgsl_source(test);
  base::Result<LitmusTest> adapted = adapted_to(test, language);
  if (!adapted) return adapted.errors();
  if (const std::string why = refusal(*adapted, language); !why.empty()) return base::error(why);
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

std::vector<std::string> symbols_of(const std::vector<const ThreadSource*>& functions) {
  std::set<std::string> names;
  for (const ThreadSource* function : functions) {
    for (const auto& [name, declaration] : function->declarations) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string file_text(const std::vector<const ThreadSource*>& functions) {
  const Language language = functions.empty() ? Language::c : functions.front()->language;
  std::string text = prelude_of(language);
  std::map<std::string, std::string> declarations;
  for (const ThreadSource* function : functions) {
    declarations.insert(function->declarations.begin(), function->declarations.end());
  }
  std::size_t binding = 0;
  for (const auto& [name, declaration] : declarations) {
    if (language == Language::wgsl) text += fmt::format("@group(0) @binding({}) ", binding++);
    text += declaration + "\n";
  }
  const std::string_view parameters = language == Language::wgsl ? "()" : "(void)";
  for (std::size_t i = 0; i < functions.size(); ++i) {
    text +=
        fmt::format("{}{}{} {{\n{}}}\n", head_of_functions(language), function_name(i), parameters, functions[i]->body);
  }
  return text;
}

}  // namespace weakspot::compile
