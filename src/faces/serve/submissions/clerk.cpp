// SPDX-License-Identifier: MIT
#include "serve/submissions/clerk.h"

#include <algorithm>

namespace weakspot::serve {
namespace {

constexpr std::size_t kMostTogether = 200;

template <typename T>
std::vector<T> take_front(std::deque<T>& from, std::size_t count) {
  const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<T> taken(std::make_move_iterator(from.begin()), std::make_move_iterator(end));
  from.erase(from.begin(), end);
  return taken;
}

}  // namespace

// Each submission leaves a job. The first one stores all that are filed by then, and the others may find nothing left.
bool Clerk::submit(store::Submission submission, Stored stored) {
  const std::lock_guard lock(mutex_);
  if (!jobs_.add([this] { store_filed(); })) return false;
  filed_.push_back(std::move(submission));
  stored_.push_back(std::move(stored));
  return true;
}

bool Clerk::ask(Job job) {
  return jobs_.add([this, job = std::move(job)] { job(submissions_); });
}

void Clerk::store_filed() {
  std::vector<store::Submission> submissions;
  std::vector<Stored> stored;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t count = std::min(kMostTogether, filed_.size());
    submissions = take_front(filed_, count);
    stored = take_front(stored_, count);
  }
  if (submissions.empty()) return;
  base::Result<std::vector<store::SubmissionAnswer>> answers = submissions_.submit(submissions);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (answers) {
      stored[i]((*answers)[i]);
    } else {
      stored[i](answers.errors());
    }
  }
}

}  // namespace weakspot::serve
