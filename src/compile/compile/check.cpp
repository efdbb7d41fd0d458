// SPDX-License-Identifier: MIT
#include "compile/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "base/plural.h"
#include "compile/compare/outcomes.h"
#include "compile/compare/smaller.h"
#include "compile/compare/weaker.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;
using litmus::OutcomeSet;

// The outcomes of the compiled test as the source test writes them.
OutcomeSet as_source(const TestSource& source, const CompiledTest& compiled, const OutcomeSet& outcomes) {
  OutcomeSet translated;
  for (const litmus::Outcome& outcome : outcomes) {
    translated.insert(translated_outcome(source.test, compiled.places, outcome));
  }
  return translated;
}

bool includes(const OutcomeSet& all, const OutcomeSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Counterexample counterexample(const TestSource& source, const CompiledTest& compiled, const litmus::Outcome& outcome) {
  Counterexample found{source.test, compiled.test, outcome_text(source.test, outcome)};
  ask_for(found.source, outcome);
  ask_for_translated(found.compiled, compiled.places, outcome);
  return found;
}

std::size_t size_of(const LitmusTest& test) {
  std::size_t size = 0;
  for (const litmus::Thread& thread : test.threads) size += thread.instructions.size();
  return size;
}

}  // namespace

std::string_view to_string(CompileVerdict verdict) {
  constexpr std::string_view kWords[] = {"sound", "stronger", "unsound", "error"};
  return kWords[static_cast<std::size_t>(verdict)];
}

Checker::Checker(const CheckOptions& options) : options_(options), answers_(options.judging) {
  for (const std::string& command : options.compilers) compilers_.emplace_back(command, options.compiling);
}

base::Result<std::unique_ptr<Checker>> Checker::make(const CheckOptions& options) {
  std::unique_ptr<Checker> checker(new Checker(options));
  std::vector<std::string> names = {options.models.c, options.models.scoped_c, options.models.opencl,
                                    options.models.wgsl};
  for (const auto& [machine, name] : options.models.machines) names.push_back(name);
  for (const std::string& name : names) {
    if (const base::Status loaded = checker->answers_.load(name); !loaded) return loaded.errors();
  }
  return checker;
}

// ---- many tests ----

void Checker::compile(const std::vector<Work>& work) {
  for (std::size_t compiler = 0; compiler < compilers_.size(); ++compiler) {
    std::vector<const ThreadSource*> functions;
    for (const Work& one : work) {
      if (!one.source->ok()) continue;
      const std::vector<ThreadSource>& threads = (*one.source)->threads;
      for (std::size_t i = 0; i < threads.size(); ++i) {
        if (compiler_of(i, one.rotation) == compiler) functions.push_back(&threads[i]);
      }
    }
    compilers_[compiler].compile(functions);
  }
}

std::vector<Checked> Checker::check(const std::vector<LitmusTest>& tests) {
  std::vector<base::Result<TestSource>> sources(tests.size(), base::error("not looked at"));
  std::atomic<std::size_t> next{0};
  base::in_parallel(options_.threads, [&](unsigned) {
    for (std::size_t i = next++; i < tests.size(); i = next++) sources[i] = source_of(tests[i], options_.language);
  });
  std::vector<Work> work;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    for (std::size_t rotation = 0; rotation < compilers_.size(); ++rotation) {
      work.push_back({&tests[i], rotation, &sources[i]});
    }
  }
  compile(work);
  std::vector<Checked> results(work.size());
  next = 0;
  base::in_parallel(options_.threads, [&](unsigned) {
    for (std::size_t i = next++; i < work.size(); i = next++) results[i] = check(work[i], true);
  });
  return results;
}

// ---- one test ----

Checked Checker::check(const Work& work, bool look_for_weaker) {
  Checked checked;
  checked.test = *work.test;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, std::min(work.test->threads.size(), compilers_.size())); ++i) {
    checked.compiler += (i > 0 ? " | " : "") + compilers_[compiler_of(i, work.rotation)].command();
  }
  if (!work.source->ok()) {
    checked.failure = Failure::test;
    checked.reason = base::messages(work.source->errors());
    return checked;
  }
  const TestSource& source = **work.source;
  std::vector<const MachineFunction*> functions;
  for (std::size_t i = 0; i < source.threads.size(); ++i) {
    functions.push_back(&compilers_[compiler_of(i, work.rotation)].code_of(source.threads[i]));
  }
  for (const MachineFunction* function : functions) {
    if (function->error.empty()) continue;
    checked.failure = Failure::compiler;
    checked.reason = function->error;
    return checked;
  }
  const base::Result<CompiledTest> compiled = read_back(source.test, functions);
  if (!compiled) {
    checked.failure = Failure::code;
    checked.reason = base::messages(compiled.errors());
    return checked;
  }
  const Machine machine = functions.front()->machine;
  checked.machine = to_string(machine);
  checked.source_model = options_.models.of(source.threads.front().language);
  checked.machine_model = options_.models.machines.at(machine);
  checked.compiled = compiled->test;
  compare(source, *compiled, machine, checked, look_for_weaker);
  return checked;
}

void Checker::compare(const TestSource& source, const CompiledTest& compiled, Machine machine, Checked& checked,
                      bool look_for_weaker) {
  const ModelAnswer promised = answers_.ask(source.test, checked.source_model);
  if (promised.race) {
    checked.failure = Failure::test;
    checked.reason = fmt::format("the test has a data race: {} gives it no meaning", checked.source_model);
    return;
  }
  if (!promised.complete) {
    checked.failure = Failure::model;
    checked.reason = fmt::format("{} has no answer: {}", checked.source_model, promised.remark);
    return;
  }
  const ModelAnswer kept = answers_.ask(compiled.test, checked.machine_model);
  const OutcomeSet allowed = own_outcomes(source.test, promised.outcomes);
  const OutcomeSet shown = as_source(source, compiled, kept.outcomes);
  checked.source_outcomes = allowed.size();
  checked.compiled_outcomes = shown.size();
  for (const litmus::Outcome& outcome : shown) {
    if (allowed.contains(outcome)) continue;
    checked.verdict = CompileVerdict::unsound;
    checked.found = counterexample(source, compiled, outcome);
    checked.reason = checked.machine_model == checked.source_model
                         ? fmt::format("{} allows {} for the code and forbids it for the test", checked.source_model,
                                       checked.found->outcome)
                         : fmt::format("{} allows {}, which {} does not", checked.machine_model, checked.found->outcome,
                                       checked.source_model);
    return;
  }
  if (kept.race && is_spirv(machine)) {
    checked.verdict = CompileVerdict::unsound;
    checked.found = Counterexample{source.test, compiled.test, "a data race"};
    checked.reason = fmt::format("the compiled test has a data race: {} gives it no meaning", checked.machine_model);
    return;
  }
  if (!kept.complete) {
    checked.failure = Failure::model;
    checked.reason = fmt::format("{} has no answer: {}", checked.machine_model, kept.remark);
    return;
  }
  checked.verdict = CompileVerdict::sound;
  if (!look_for_weaker || shown.size() == allowed.size()) return;
  const std::string weaker = weaker_instruction(source, compiled, checked.machine_model, allowed, shown.size());
  if (weaker.empty()) return;
  checked.verdict = CompileVerdict::stronger;
  checked.reason = fmt::format("stronger than needed: {} ({} of {})", weaker, shown.size(),
                               base::counted(allowed.size(), "outcome"));
}

std::string Checker::weaker_instruction(const TestSource& source, const CompiledTest& compiled,
                                        const std::string& model, const OutcomeSet& allowed, std::size_t shown) {
  for (const Weaker& weaker : weaker_tests(compiled.test)) {
    const ModelAnswer answer = answers_.ask(weaker.test, model);
    if (!answer.complete) continue;
    CompiledTest changed{weaker.test, {}};
    changed.places = compiled.places;
    const OutcomeSet outcomes = as_source(source, changed, answer.outcomes);
    if (outcomes.size() > shown && includes(allowed, outcomes)) return weaker_text(compiled.test, weaker);
  }
  return {};
}

// ---- the smallest test ----

void Checker::minimise(Checked& checked) {
  if (checked.verdict != CompileVerdict::unsound || !checked.found) return;
  // Each round tries every test that lacks a thread or an instruction of the smallest unsound one so far.
  checked.minimal = checked.found;
  std::size_t rotation = 0;
  for (std::size_t i = 0; i < compilers_.size(); ++i) {
    if (checked.compiler.starts_with(compilers_[i].command())) rotation = i;
  }
  LitmusTest smallest = checked.found->source;
  for (bool progress = true; progress;) {
    progress = false;
    const std::vector<LitmusTest> tests = smaller_tests(smallest);
    std::vector<base::Result<TestSource>> sources;
    sources.reserve(tests.size());
    for (const LitmusTest& test : tests) sources.push_back(source_of(test, options_.language));
    std::vector<Work> work;
    for (std::size_t i = 0; i < tests.size(); ++i) work.push_back({&tests[i], rotation, &sources[i]});
    compile(work);
    for (const Work& one : work) {
      const Checked again = check(one, false);
      if (again.verdict != CompileVerdict::unsound || size_of(*one.test) >= size_of(smallest)) continue;
      smallest = *one.test;
      checked.minimal = again.found;
      progress = true;
      break;
    }
  }
}

std::vector<std::string> Checker::warnings() const {
  std::vector<std::string> all;
  for (const Compiler& compiler : compilers_) {
    for (const std::string& warning : compiler.warnings()) {
      all.push_back(fmt::format("{}: {}", compiler.command(), warning));
    }
  }
  return all;
}

std::size_t Checker::compiler_calls() const {
  std::size_t calls = 0;
  for (const Compiler& compiler : compilers_) calls += compiler.calls();
  return calls;
}

}  // namespace weakspot::compile
