// SPDX-License-Identifier: MIT
#include "serve/clerk.h"

#include <algorithm>

namespace weakspot::serve {
namespace {

constexpr std::size_t kMostWaiting = 2000;
constexpr std::ptrdiff_t kMostTogether = 200;

}  // namespace

Clerk::Clerk(Submissions& submissions) : submissions_(submissions), thread_([this] { work(); }) {}

Clerk::~Clerk() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool Clerk::submit(store::Submission submission, Stored stored) {
  return add(Filed{std::move(submission), std::move(stored)});
}

bool Clerk::ask(Job job) { return add(std::move(job)); }

bool Clerk::add(Entry entry) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(entry));
  }
  changed_.notify_one();
  return true;
}

void Clerk::work() {
  while (true) {
    std::deque<Entry> taken;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      taken.swap(waiting_);
    }
    const auto is_job = [](const Entry& entry) { return std::holds_alternative<Job>(entry); };
    for (auto at = taken.begin(); at != taken.end();) {
      if (is_job(*at)) {
        std::get<Job> (*at)(submissions_);
        ++at;
        continue;
      }
      const auto end = std::find_if(at, at + std::min(kMostTogether, taken.end() - at), is_job);
      store_all(at, end);
      at = end;
    }
  }
}

void Clerk::store_all(std::deque<Entry>::iterator begin, std::deque<Entry>::iterator end) {
  std::vector<store::Submission> submissions;
  for (auto at = begin; at != end; ++at) submissions.push_back(std::move(std::get<Filed>(*at).submission));
  const base::Result<std::vector<store::SubmissionAnswer>> answers = submissions_.submit(submissions);
  std::size_t index = 0;
  for (auto at = begin; at != end; ++at, ++index) {
    const Stored& stored = std::get<Filed>(*at).stored;
    if (answers) {
      stored((*answers)[index]);
    } else {
      stored(answers.errors());
    }
  }
}

}  // namespace weakspot::serve
