// SPDX-License-Identifier: MIT
// Runs requests: on an open device, in this process, or in a child process that may crash or hang.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/device.h"
#include "campaign/run_record.h"

namespace weakspot::campaign {

// Hears about the progress of a run, on the thread that runs it.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // The part of a job of many runs that is done, from 0 to 1.
  virtual void advanced(double /*part*/) {}
  // The part of the job that each of the coming runs is, where they are alike.
  virtual void will_run(double /*part_each*/) {}
  // The program is compiled and loaded; now it runs.
  virtual void started(const RunRecord& /*so_far*/) {}
  // After each launch; a few times per second unless the device is slow.
  virtual void progress(const RunRecord& /*so_far*/) {}
  // Asked after each launch. True ends the run with the results so far.
  virtual bool cancelled() { return false; }
};

// Launches until the request is fulfilled. The rounds of a launch are chosen so that preparing, starting and reading
// results take a small part of the time, and the observer is called a few times per second. Every way it can end is a
// record.
RunRecord run_on(backend::Device& device, const RunRequest& request, RunObserver& observer);

// Runs requests one after the other on the devices that they name.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual RunRecord execute(const RunRequest& request, RunObserver& observer) = 0;
  // Compiles the programs of these requests, all for one device; does not wait if another process compiles.
  virtual void prepare(std::span<const RunRequest> /*requests*/) {}
  // Announces the request that should follow the next call of execute(); the device may begin with it ahead of time. If
  // another request follows, the announced one still runs and its results are thrown away.
  virtual void expect(const RunRequest& /*next*/) {}
  // Checks whether the code of programs that ran is the test, for requests with `code_later`, all for one device. An
  // entry is empty if the device's process has ended, so that nothing is known.
  virtual std::vector<std::optional<CheckedCode>> codes(std::span<const RunRequest> requests) {
    return std::vector<std::optional<CheckedCode>>(requests.size());
  }
};

// Runs in this process: a crash or a hang of a driver is ours.
std::unique_ptr<Executor> in_process_executor(backend::OpenOptions options = {});

// Each device runs in a child process of its own, started when first needed and again after it died. `worker` is a
// command that only calls serve_requests(). If a child dies, or does not answer within seconds of the request's
// deadline, the record is `lost` and keeps the results that the child had reported. A device that cannot be opened is
// tried once more after the other children were ended, which may use the same card.
std::unique_ptr<Executor> isolated_executor(std::vector<std::string> worker);

// The child's side: reads requests from standard input and answers on standard output until the input ends. Other
// output to standard output (drivers print there) goes to standard error.
int serve_requests(backend::OpenOptions options = {});

}  // namespace weakspot::campaign
