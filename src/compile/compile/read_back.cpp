// SPDX-License-Identifier: MIT
#include "compile/read_back.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "compile/read/thread_text.h"
#include "litmus/dialect.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;

// The first lines of a test: SPIR-V is read as the canonical form.
std::string head_of(Machine machine, const std::string& name) {
  switch (machine) {
    case Machine::aarch64:
      return fmt::format("AArch64 {}\n", name);
    case Machine::x86_64:
      return fmt::format("X86_64 {}\n", name);
    case Machine::ptx:
      return fmt::format("PTX {}\n", name);
    case Machine::spirv_opencl:
      return fmt::format("weakspot {}\nArch=opencl\n", name);
    case Machine::spirv_vulkan:
      break;
  }
  return fmt::format("weakspot {}\nArch=vulkan\n", name);
}

ThreadText read_thread(const MachineFunction& function) {
  switch (function.machine) {
    case Machine::aarch64:
      return read_aarch64(function);
    case Machine::x86_64:
      return read_x86_64(function);
    case Machine::ptx:
      return read_ptx(function);
    case Machine::spirv_opencl:
    case Machine::spirv_vulkan:
      break;
  }
  return read_spirv(function);
}

// The placement of a thread in the form of the PTX dialect, which stands behind the thread's name.
std::string placement_of(const LitmusTest& source, std::size_t thread) {
  const litmus::Placement place = source.scope_tree().placements[thread];
  return fmt::format("@cta {},gpu {}", place.workgroup, place.device);
}

std::string initial_state(const LitmusTest& source, const std::vector<ThreadText>& threads, Machine machine) {
  const std::string_view wide_type = is_spirv(machine) ? "s64 " : "int64_t ";
  std::string text = "{";
  for (const litmus::Location& location : source.locations) {
    const bool wide = litmus::size_in_bytes(location.type) == 8;
    text += fmt::format(" {}{} = {};", wide ? wide_type : "", location.name, location.initial.number);
  }
  for (std::size_t i = 0; i < threads.size(); ++i) {
    for (const auto& [reg, location] : threads[i].addresses) text += fmt::format(" {}:{} = {};", i, reg, location);
  }
  return text + " }\n";
}

std::string columns(const LitmusTest& source, const std::vector<ThreadText>& threads, Machine machine) {
  std::string text;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    text += fmt::format("{} P{}{}", i > 0 ? " |" : "", i, machine == Machine::ptx ? placement_of(source, i) : "");
    rows = std::max(rows, threads[i].cells.size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      text += fmt::format("{} {}", i > 0 ? " |" : "", row < threads[i].cells.size() ? threads[i].cells[row] : "");
    }
    text += " ;\n";
  }
  return text;
}

// The name of each observable of the source in the compiled test; an error if the code does not have it.
base::Result<std::vector<std::string>> observed_names(const LitmusTest& source,
                                                      const std::vector<ThreadText>& threads) {
  std::vector<std::string> names;
  for (const litmus::Observable& observable : source.observed()) {
    if (const auto* reg = std::get_if<litmus::ObservedRegister>(&observable)) {
      const std::string& name = source[*reg].name;
      const auto& results = threads[reg->thread.index].results;
      const auto found = results.find(name);
      if (found == results.end())
        return base::error(fmt::format("the code of P{} does not store '{}'", reg->thread.index, name));
      names.push_back(fmt::format("{}:{}", reg->thread.index, found->second));
    } else {
      names.push_back(source.name_of(observable));
    }
  }
  return names;
}

std::string question(const std::vector<std::string>& observed, const std::vector<ThreadText>& threads) {
  std::string filter;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    for (const std::string& reg : threads[i].zeros) {
      filter += fmt::format("{}{}:{}=0", filter.empty() ? "" : " /\\ ", i, reg);
    }
  }
  std::string text = filter.empty() ? "" : fmt::format("filter ({})\n", filter);
  if (!observed.empty()) text += fmt::format("locations [{};]\n", fmt::join(observed, "; "));
  return text + "exists (true)\n";
}

}  // namespace

base::Result<CompiledTest> read_back(const LitmusTest& source, const std::vector<const MachineFunction*>& functions) {
  std::vector<ThreadText> threads;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (!functions[i]->error.empty()) return base::error(functions[i]->error);
    if (functions[i]->machine != functions[0]->machine) {
      return base::error("the compilers are for different machines");
    }
    threads.push_back(read_thread(*functions[i]));
    if (!threads.back().error.empty()) {
      return base::error(fmt::format("the code of P{} is not understood: {}", i, threads.back().error));
    }
  }
  const Machine machine = functions[0]->machine;
  const base::Result<std::vector<std::string>> observed = observed_names(source, threads);
  if (!observed) return observed.errors();
  const base::Source text("compiled", head_of(machine, source.name) + initial_state(source, threads, machine) +
                                          columns(source, threads, machine) + question(*observed, threads));
  const base::Result<std::vector<LitmusTest>> tests = litmus::read_tests(text);
  if (!tests) {
    const base::Diagnostic& first = tests.errors().front();
    return base::error(fmt::format("the code is not understood: {}{}", first.message,
                                   first.excerpt.empty() ? "" : fmt::format(" in '{}'", first.excerpt)));
  }
  CompiledTest result{tests->front(), {}};
  if (is_spirv(machine)) result.test.scopes = source.scopes;
  const std::vector<litmus::Observable> all = result.test.observed();
  for (const std::string& name : *observed) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return result.test.name_of(one) == name; });
    if (found == all.end()) return base::error(fmt::format("the code does not have '{}'", name));
    result.places.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return result;
}

}  // namespace weakspot::compile
