// SPDX-License-Identifier: MIT
// A thread that does one job after the other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace weakspot::serve {

class JobQueue {
 public:
  using Job = std::function<void()>;

  explicit JobQueue(std::size_t most_waiting = 2000) : most_waiting_(most_waiting), thread_([this] { work(); }) {}
  // Does what is left to do first.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  // False if too much is waiting already.
  bool add(Job job);

 private:
  void work();

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace weakspot::serve
