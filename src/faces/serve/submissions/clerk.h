// SPDX-License-Identifier: MIT
// The one thread that uses the store. Whoever wants something of it leaves a job; submissions that wait together are
// stored in one transaction, which costs as much as one of them alone: the disk is asked once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>

#include "serve/submissions.h"

namespace weakspot::serve {

class Clerk {
 public:
  // Called in the clerk's thread, when the store has answered.
  using Stored = std::function<void(const base::Result<store::SubmissionAnswer>&)>;
  using Job = std::function<void(Submissions&)>;

  explicit Clerk(Submissions& submissions);
  // Does what is left to do first.
  ~Clerk();
  Clerk(const Clerk&) = delete;
  Clerk& operator=(const Clerk&) = delete;

  // False if too much is waiting already.
  bool submit(store::Submission submission, Stored stored);
  bool ask(Job job);

 private:
  struct Filed {
    store::Submission submission;
    Stored stored;
  };
  using Entry = std::variant<Filed, Job>;

  bool add(Entry entry);
  void work();
  using Place = std::deque<Entry>::iterator;
  void store_all(const Place& begin, const Place& end);

  Submissions& submissions_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace weakspot::serve
