// SPDX-License-Identifier: MIT
#include "workbench/locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/nearest.h"
#include "litmus/instruction.h"
#include "workbench/devices.h"
#include "workbench/experiment/platform_form.h"
#include "workbench/inputs.h"
#include "workbench/results/writable.h"

namespace weakspot::workbench {
namespace {

using campaign::AssumptionRun;
using campaign::LockRow;
using codegen::LockFences;
using codegen::LockKind;
using litmus::LitmusTest;

base::Result<std::vector<LockKind>> kinds_named(const std::vector<std::string>& names) {
  if (names.empty()) return std::vector<LockKind>(std::begin(codegen::kLockKinds), std::end(codegen::kLockKinds));
  std::vector<std::string> known;
  for (const LockKind kind : codegen::kLockKinds) known.emplace_back(to_string(kind));
  std::vector<LockKind> kinds;
  for (const std::string& name : names) {
    const std::optional<LockKind> kind = codegen::lock_kind_named(name);
    if (!kind) {
      std::string list;
      for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
      return base::error(
          fmt::format("unknown lock '{}'; expected one of {}{}", name, list, base::did_you_mean(name, known)));
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

std::vector<LockFences> fences_of(LockKind kind) {
  if (kind == LockKind::none) return {LockFences::none};
  return {std::begin(codegen::kLockFences), std::end(codegen::kLockFences)};
}

// The tests of corpus/assumptions that have the same accesses: P0 releases, P1 acquires.
std::vector<std::string> idioms_of(LockKind kind) {
  switch (kind) {
    case LockKind::none:
      return {};
    case LockKind::test_and_set:
    case LockKind::exchange:
      return {"exch-sl"};
    case LockKind::compare_and_swap:
      return {"cas-sl"};
    case LockKind::deque:
      return {"dlb-mp", "dlb-lb"};
    default:
      return {"mp"};
  }
}

void drop_fences(litmus::Thread& thread) {
  std::erase_if(thread.instructions, [](const litmus::Instruction& instruction) {
    return std::holds_alternative<litmus::Fence>(instruction.operation);
  });
}

// The test with the fences that the lock has.
base::Result<LitmusTest> explaining_test(const std::string& idiom, LockFences fences) {
  const std::string name = fences == LockFences::none ? idiom : idiom + "+membar.gls";
  TestInputs inputs = load_tests({"assumptions/" + name});
  if (!inputs.errors.empty()) return inputs.errors;
  LitmusTest test = std::move(inputs.tests.front().test);
  if (fences == LockFences::none || fences == LockFences::full) return test;
  // In dlb-lb the thief's fence stands before its release, and the owner's behind its acquire.
  const bool owner_acquires = idiom == "dlb-lb";
  const bool keeps_first = (fences == LockFences::release) != owner_acquires;
  drop_fences(test.threads.at(keeps_first ? 1 : 0));
  test.name = idiom + (keeps_first ? "+membar.gl+po" : "+po+membar.gl");
  test.expectations.clear();
  return test;
}

bool is_finding(const LockRow& row) { return row.fences == LockFences::full && row.counts.failed_runs != 0; }

// Runs the tests that explain the failed locks, each once.
class Explainer {
 public:
  Explainer(const backend::DeviceInfo& device, const LocksRequest& request, campaign::Executor& executor,
            RunWatch& watch)
      : device_(device), executor_(executor), watch_(watch) {
    asked_.seconds = request.seconds;
    asked_.stop = request.stop;
  }

  base::Status explain(LockRow& row) {
    for (const std::string& idiom : idioms_of(row.kind)) {
      const base::Result<AssumptionRun> run = measured(idiom, row.fences);
      if (!run) return run.errors();
      if (!row.explained_by || run->rate() > row.explained_by->rate()) row.explained_by = *run;
    }
    return base::ok_status();
  }

 private:
  base::Result<AssumptionRun> measured(const std::string& idiom, LockFences fences) {
    const base::Result<LitmusTest> test = explaining_test(idiom, fences);
    if (!test) return test.errors();
    if (const auto known = known_.find(test->name); known != known_.end()) return known->second;
    Ending ending = Ending::fine;  // not used: the test's result is the business of 'assumptions'
    const auto runs = judge_and_run({platform_form(*test, device_)}, device_, asked_, executor_, watch_, ending);
    if (!runs) return runs.errors();
    return known_.emplace(test->name, runs->front()).first->second;
  }

  const backend::DeviceInfo& device_;
  campaign::Executor& executor_;
  RunWatch& watch_;
  AssumptionsRequest asked_;
  std::map<std::string, AssumptionRun> known_;
};

}  // namespace

base::Result<TableResult<campaign::LockTable>> locks(const LocksRequest& request, campaign::LockBench& bench,
                                                     campaign::Executor& executor, RunWatch& watch,
                                                     const std::function<void(const LockRow&)>& measured) {
  if (const base::Status writable = can_write(request.html); !writable) return writable.errors();
  const base::Result<std::vector<LockKind>> kinds = kinds_named(request.locks);
  if (!kinds) return kinds.errors();
  const base::Result<backend::DeviceInfo> device = find_one_device(request.device);
  if (!device) return device.errors();
  TableResult<campaign::LockTable> result;
  result.table.device = device->id;
  result.table.device_name = device->name;
  result.table.driver = device->driver;
  for (const LockKind kind : *kinds) {
    for (const LockFences fences : fences_of(kind)) {
      if (watch.cancelled()) break;
      campaign::LockRequest asked;
      asked.kind = kind;
      asked.fences = fences;
      asked.seconds = request.seconds;
      asked.contenders = request.contenders;
      asked.sections = request.sections;
      asked.stop = request.stop;
      result.table.rows.push_back(bench.measure(device->id, asked));
      measured(result.table.rows.back());
    }
  }
  Explainer explainer(*device, request, executor, watch);
  for (LockRow& row : result.table.rows) {
    if (row.counts.failed_runs == 0 || watch.cancelled()) continue;
    if (const base::Status explained = explainer.explain(row); !explained) return explained.errors();
  }
  for (const LockRow& row : result.table.rows) {
    if (is_finding(row)) result.ending = Ending::finding;
    if (row.failed && result.ending == Ending::fine) result.ending = Ending::failed;
  }
  if (watch.cancelled() && result.ending == Ending::fine) result.ending = Ending::cancelled;
  if (request.html.empty()) return result;
  const base::Status written = base::write_file(request.html, to_html(result.table));
  if (!written) {
    add_problems(base::of_kind(base::ErrorKind::environment, written.errors()), result.problems, result.ending);
  }
  return result;
}

base::Result<std::vector<codegen::DeviceProgram>> emit_locks(const std::vector<std::string>& names,
                                                             codegen::Target target) {
  const base::Result<std::vector<LockKind>> kinds = kinds_named(names);
  if (!kinds) return kinds.errors();
  std::vector<codegen::DeviceProgram> programs;
  for (const LockKind kind : *kinds) {
    const bool fenced = kind != LockKind::none && target != codegen::Target::wgsl;
    const auto made = codegen::LockProgram::compile(kind, fenced ? LockFences::full : LockFences::none, target, {});
    if (!made) return made.errors();
    programs.push_back(made->program());
  }
  return programs;
}

}  // namespace weakspot::workbench
