// SPDX-License-Identifier: MIT
// Both sides of the pipe between us and a process that measures locks. A request is one line of JSON, and so is its
// answer.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>

#include "base/source.h"
#include "campaign/lock_table.h"
#include "system/child.h"

namespace weakspot::campaign {
namespace {

using base::Child;
using base::JsonValue;

// Beyond the time asked for: opening a device, compiling, a launch that runs into its deadline.
constexpr auto kPatienceWithAChild = std::chrono::seconds(60);

std::string request_line(const std::string& device, const LockRequest& request) {
  JsonValue object = base::json_object();
  object.add("device", device);
  object.add("lock", to_string(request.kind));
  object.add("fences", to_string(request.fences));
  object.add("seconds", request.seconds);
  object.add("contenders", request.contenders);
  object.add("sections", request.sections);
  return base::json_compact(object);
}

std::string row_line(const LockRow& row) {
  JsonValue object = base::json_object();
  object.add("contenders", row.contenders);
  object.add("sections", row.sections);
  object.add("runs", row.counts.runs);
  object.add("unfinished", row.counts.unfinished);
  object.add("failed_runs", row.counts.failed_runs);
  object.add("lost", row.counts.lost_updates);
  object.add("entered", row.counts.sections);
  object.add("seconds", row.seconds);
  object.add("problem", row.problem);
  object.add("failed", row.failed);
  return base::json_compact(object);
}

std::uint32_t small_number(const JsonValue& object, std::string_view key) {
  return static_cast<std::uint32_t>(object.at(key).whole().value_or(0));
}

LockRow row_from(const JsonValue& object, LockRow row) {
  row.contenders = small_number(object, "contenders");
  row.sections = small_number(object, "sections");
  row.counts.runs = object.at("runs").whole().value_or(0);
  row.counts.unfinished = object.at("unfinished").whole().value_or(0);
  row.counts.failed_runs = object.at("failed_runs").whole().value_or(0);
  row.counts.lost_updates = object.at("lost").whole().value_or(0);
  row.counts.sections = object.at("entered").whole().value_or(0);
  row.seconds = object.at("seconds").real().value_or(0);
  row.problem = object.at("problem").text();
  row.failed = object.at("failed").truth();
  return row;
}

class InProcessLocks final : public LockBench {
 public:
  LockRow measure(const std::string& id, const LockRequest& request) override {
    if (!device_ || id_ != id) {
      auto opened = backend::open_device(id);
      if (!opened) {
        LockRow row{.kind = request.kind, .fences = request.fences};
        row.problem = base::messages(opened.errors());
        row.failed = true;
        return row;
      }
      device_ = *std::move(opened);
      id_ = id;
    }
    return measure_lock(*device_, request);
  }

 private:
  std::string id_;
  std::unique_ptr<backend::Device> device_;
};

class IsolatedLocks final : public LockBench {
 public:
  explicit IsolatedLocks(std::vector<std::string> worker) : worker_(std::move(worker)) {}

  LockRow measure(const std::string& device, const LockRequest& request) override {
    LockRow row{.kind = request.kind, .fences = request.fences};
    if (!child_) {
      base::Result<Child> started = Child::start(worker_);
      if (!started) return failed(row, base::messages(started.errors()));
      child_.emplace(*std::move(started));
    }
    const auto limit =
        Child::Clock::now() + kPatienceWithAChild +
        std::chrono::duration_cast<Child::Clock::duration>(std::chrono::duration<double>(request.seconds));
    std::string line;
    const bool sent = child_->send(request_line(device, request));
    const Child::Received received = sent ? child_->receive(line, limit) : Child::Received::ended;
    if (received == Child::Received::timeout) {
      child_.reset();
      return failed(row, "the device did not answer");
    }
    if (received == Child::Received::ended) {
      const std::string how = child_->end(std::chrono::seconds(2)).text();
      child_.reset();
      return failed(row, "the device process " + how);
    }
    const base::Result<JsonValue> answer = base::read_json_text(base::Source("worker", line));
    return answer ? row_from(*answer, row) : failed(row, "the device process sent an invalid answer");
  }

 private:
  static LockRow failed(LockRow row, std::string problem) {
    row.problem = std::move(problem);
    row.failed = true;
    return row;
  }

  std::vector<std::string> worker_;
  std::optional<Child> child_;
};

std::optional<codegen::LockFences> fences_named(std::string_view name) {
  for (const codegen::LockFences fences : codegen::kLockFences) {
    if (to_string(fences) == name) return fences;
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<LockBench> in_process_locks() { return std::make_unique<InProcessLocks>(); }

std::unique_ptr<LockBench> isolated_locks(std::vector<std::string> worker) {
  return std::make_unique<IsolatedLocks>(std::move(worker));
}

int serve_locks() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Drivers print to standard output.
  const int kept = ::dup(STDOUT_FILENO);
  if (kept < 0) return 3;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(::fdopen(kept, "w"), &std::fclose);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  if (!out) return 3;
  InProcessLocks locks;
  for (std::string line; std::getline(std::cin, line);) {
    const base::Result<JsonValue> asked = base::read_json_text(base::Source("request", line));
    if (!asked) return 2;
    const auto kind = codegen::lock_kind_named(asked->at("lock").text());
    const auto fences = fences_named(asked->at("fences").text());
    if (!kind || !fences) return 2;
    LockRequest request;
    request.kind = *kind;
    request.fences = *fences;
    request.seconds = asked->at("seconds").real().value_or(0);
    request.contenders = small_number(*asked, "contenders");
    request.sections = small_number(*asked, "sections");
    fmt::print(out.get(), "{}\n", row_line(locks.measure(asked->at("device").text(), request)));
    std::fflush(out.get());
  }
  return 0;
}

}  // namespace weakspot::campaign
