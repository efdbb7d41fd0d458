// SPDX-License-Identifier: MIT
#include "optcheck/optcheck.h"

#include <fmt/format.h>

#include "codegen/cpu_program.h"
#include "litmus/dialect.h"
#include "optcheck/compare/match.h"
#include "optcheck/cpu/expect_cpu.h"
#include "optcheck/cpu/read_cpu.h"
#include "optcheck/gpu/check_sass.h"
#include "optcheck/gpu/disassembler.h"

namespace weakspot::optcheck {
namespace {

using backend::CodeForm;

CodeCheck unknown(std::string reason) { return {CodeVerdict::unknown, std::move(reason), {}}; }

// Adds the thread to the check; false at the first difference.
bool add_thread(const litmus::LitmusTest& test, std::size_t thread, const ExpectedThread& expected,
                const MachineThread& machine, CodeCheck& check) {
  if (expected.events.size() > kMostEvents) {
    check = unknown(fmt::format("P{} has more than {} accesses", thread, kMostEvents));
    return false;
  }
  if (const std::optional<Difference> found = compare(test, expected, machine)) {
    check.verdict = CodeVerdict::changed;
    check.reason = fmt::format("P{}: ", thread);
    if (found->instruction) {
      check.reason += fmt::format("'{}': ", litmus::instruction_texts(test)[thread][*found->instruction]);
    }
    check.reason += found->what;
    if (!found->code.empty()) check.reason += fmt::format(": '{}' at {:#x}", found->code, found->at);
    return false;
  }
  for (std::size_t i = 0; i < expected.events.size(); ++i) {
    check.pairings.push_back({static_cast<std::uint32_t>(thread),
                              static_cast<std::uint32_t>(expected.events[i].instruction), machine.events[i].text,
                              machine.events[i].at});
  }
  return true;
}

CodeCheck check_cpu(const codegen::TestProgram& program, const backend::MachineCode& code) {
  const litmus::LitmusTest& test = program.asked();
  const codegen::CpuProgram& cpu = *program.program().cpu;
  const codegen::CpuIsa isa = code.form == CodeForm::aarch64 ? codegen::CpuIsa::aarch64 : codegen::CpuIsa::x86_64;
  CodeCheck check;
  check.verdict = CodeVerdict::matched;
  for (std::size_t thread = 0; thread < test.threads.size(); ++thread) {
    CpuPlaces places;
    places.locations = &cpu.locations;
    if (!cpu.roles[thread].rows.empty()) places.columns = named_locations(test.threads[thread]);
    const base::Result<MachineThread> machine = read_cpu(isa, code.functions.at(thread), places);
    if (!machine) return unknown(fmt::format("P{}: {}", thread, machine.errors().front().message));
    if (!add_thread(test, thread, expect_cpu(test, thread, isa, places), *machine, check)) break;
  }
  return check;
}

CodeCheck check_cubin(const codegen::TestProgram& program, const backend::MachineCode& code,
                      const Disassembler::Listed& listing) {
  const base::Result<std::vector<LineRow>> lines = read_line_table(code.image, code.entry);
  if (!lines) return unknown(base::messages(lines.errors()));
  if (!listing) return unknown(base::messages(listing.errors()));
  return check_sass(program.asked(), {code.source, listing->get(), &*lines});
}

}  // namespace

std::vector<CodeCheck> check_codes(std::span<const CodeToCheck> codes) {
  std::vector<CodeCheck> checks(codes.size());
  std::vector<KernelCode> kernels;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const backend::MachineCode& code = *codes[i].code;
    if (codes[i].program->is_asynchronous()) {
      checks[i] = unknown("asynchronous operations are not compared with machine code");
      continue;
    }
    if (codes[i].program->has_views()) {
      checks[i] = unknown("loads through textures and constant memory are not compared with machine code");
      continue;
    }
    switch (code.form) {
      case CodeForm::aarch64:
      case CodeForm::x86_64:
        checks[i] = check_cpu(*codes[i].program, code);
        break;
      case CodeForm::cubin:
        kernels.push_back({code.image, code.entry, code.arch});
        places.push_back(i);
        break;
      case CodeForm::none:
        checks[i] = unknown(code.reason);
    }
  }
  if (kernels.empty()) return checks;
  const std::vector<Disassembler::Listed> listings = installed_disassembler().list(kernels);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const CodeToCheck& one = codes[places[k]];
    checks[places[k]] = check_cubin(*one.program, *one.code, listings[k]);
  }
  return checks;
}

CodeCheck check_code(const codegen::TestProgram& program, const backend::MachineCode& code) {
  const CodeToCheck one{&program, &code};
  return check_codes({&one, 1}).front();
}

}  // namespace weakspot::optcheck
