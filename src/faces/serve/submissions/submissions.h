// SPDX-License-Identifier: MIT
// The store of submissions as the server needs it, so that tests can substitute another one. One thread uses it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/submission_store.h"

namespace weakspot::serve {

class Submissions {
 public:
  virtual ~Submissions() = default;

  // Same meaning as in store::SubmissionStore.
  virtual base::Result<std::vector<store::SubmissionAnswer>> submit(std::span<const store::Submission> submissions) = 0;
  virtual base::Status reject(const std::string& document, const std::string& reason) = 0;
  virtual base::Result<bool> remove(const std::string& token) = 0;
  virtual base::Result<std::vector<store::ShownRow>> shown(const store::ShownFilter& filter) = 0;
  virtual base::Result<store::SubmissionCounts> count() = 0;
};

}  // namespace weakspot::serve
