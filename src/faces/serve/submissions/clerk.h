// SPDX-License-Identifier: MIT
// The one thread that uses the store. Whoever wants something of it leaves a job; submissions that wait together are
// stored in one transaction, which costs as much as one of them alone: the disk is asked once.
#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include "serve/answer/job_queue.h"
#include "serve/submissions/submissions.h"

namespace weakspot::serve {

class Clerk {
 public:
  // Called in the clerk's thread, when the store has answered.
  using Stored = std::function<void(const base::Result<store::SubmissionAnswer>&)>;
  using Job = std::function<void(Submissions&)>;

  // Does what is left to do before it ends.
  explicit Clerk(Submissions& submissions) : submissions_(submissions) {}

  // False if too much is waiting already.
  bool submit(store::Submission submission, Stored stored);
  bool ask(Job job);

 private:
  void store_filed();

  Submissions& submissions_;
  std::mutex mutex_;
  std::deque<store::Submission> filed_;
  std::deque<Stored> stored_;  // for each of them
  JobQueue jobs_;              // last: its jobs use the others
};

}  // namespace weakspot::serve
