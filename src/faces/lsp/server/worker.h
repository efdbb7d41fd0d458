// SPDX-License-Identifier: MIT
// A thread for long work, so that the thread that answers an editor never waits for a model.
//
// A job runs on the worker's thread and leaves something to do on the owner's: that is where all state is. A job whose
// ticket is stopped before it begins never runs; one that is running sees the flag and ends soon.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weakspot::lsp {

// Shared by those who may stop a job.
using Ticket = std::shared_ptr<std::atomic<bool>>;
inline Ticket new_ticket() { return std::make_shared<std::atomic<bool>>(false); }

class Worker {
 public:
  using Afterwards = std::function<void()>;
  using Job = std::function<Afterwards(const std::atomic<bool>& stop)>;

  // `wake` is called on the worker's thread whenever there is something to collect; may be empty.
  explicit Worker(std::function<void()> wake = {});
  // Stops the current job and leaves out the others.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Urgency : std::uint8_t { background, next };  // behind all others, or before them
  void add(Job job, Ticket ticket, Urgency urgency = Urgency::background);
  // Does what finished jobs have left, on the caller's thread.
  void collect();
  // No job is waiting or running, and nothing is left to collect.
  bool idle();
  // Waits until no job is waiting or running.
  void wait_for_jobs();

 private:
  struct Entry {
    Job job;
    Ticket ticket;
  };
  void run();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  std::vector<Afterwards> done_;
  Ticket current_;  // ticket of the running job
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace weakspot::lsp
