// Runs one request: on a device at hand, in this process, or in a child process that may crash or hang.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/device.h"
#include "campaign/run_record.h"

namespace weakspot::campaign {

// Told how a run goes on. Its calls come from the thread that runs it.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  // The program is on the device; what follows is running.
  virtual void started(const RunRecord& /*so_far*/) {}
  // After each launch; a few times per second unless the device is slow.
  virtual void progress(const RunRecord& /*so_far*/) {}
  // Asked after each launch. True: end with what there is.
  virtual bool cancelled() { return false; }
};

// Launches until the request is fulfilled. The rounds of a launch are chosen so that preparing, starting and reading
// results take a small part of the time, and that the observer hears of the run a few times per second. Every way it
// can end is a record.
RunRecord run_on(backend::Device& device, const RunRequest& request, RunObserver& observer);

// Runs requests one after the other on whatever devices they name.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual RunRecord execute(const RunRequest& request, RunObserver& observer) = 0;
  // Compiles what these requests, all for one device, will need; does not wait for it where another process does it.
  virtual void prepare(std::span<const RunRequest> /*requests*/) {}
};

// In this process: what crashes there crashes us, and a hang is ours.
std::unique_ptr<Executor> in_process_executor();

// Each device in a child process of its own, started when first needed and again after it died. `worker` is the command
// that does serve_requests() and nothing else. A child that dies, or does not end some seconds after the request's
// deadline, gives a record with state `lost` that says so and keeps the results that the child had reported. A device
// that cannot be opened is tried once more without the children of the others, which may be the same card.
std::unique_ptr<Executor> isolated_executor(std::vector<std::string> worker);

// The child's side: reads requests from standard input and answers on standard output until the input ends. Whatever
// else writes to standard output (drivers do) goes to standard error.
int serve_requests();

}  // namespace weakspot::campaign
