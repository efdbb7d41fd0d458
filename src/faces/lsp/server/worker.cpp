// SPDX-License-Identifier: MIT
#include "lsp/server/worker.h"

#include <exception>
#include <utility>

namespace weakspot::lsp {
namespace {

// A job that runs out of memory must not end the server; whoever waits for it has a deadline.
Worker::Afterwards run_one(const Worker::Job& job, const std::atomic<bool>& stop) {
  try {
    return job(stop);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

Worker::Worker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
    if (current_) current_->store(true);
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::add(Job job, Ticket ticket, Urgency urgency) {
  {
    const std::lock_guard lock(mutex_);
    Entry entry{std::move(job), std::move(ticket)};
    if (urgency == Urgency::next) {
      waiting_.push_front(std::move(entry));
    } else {
      waiting_.push_back(std::move(entry));
    }
  }
  changed_.notify_all();
}

void Worker::collect() {
  std::vector<Afterwards> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  for (const Afterwards& afterwards : done) afterwards();
}

bool Worker::idle() {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !current_ && done_.empty();
}

void Worker::wait_for_jobs() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty() && !current_; });
}

void Worker::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    Entry entry = std::move(waiting_.front());
    waiting_.pop_front();
    if (!entry.ticket->load()) {
      current_ = entry.ticket;
      lock.unlock();
      Afterwards afterwards = run_one(entry.job, *entry.ticket);
      entry.job = {};  // releases the job's objects here, not under the lock
      lock.lock();
      current_.reset();
      if (afterwards) done_.push_back(std::move(afterwards));
    }
    lock.unlock();
    changed_.notify_all();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace weakspot::lsp
