// SPDX-License-Identifier: MIT
#include "workbench/left_out.h"

#include <algorithm>

namespace weakspot::workbench {

void LeftOut::add(const std::string& test, const base::Diagnostics& why) {
  if (count_++ == 0) first_ = why;
  const base::Diagnostic& first = why.front();
  const std::string& text = first.refusal ? first.refusal->reason : first.message;
  const auto known =
      std::find_if(reasons_.begin(), reasons_.end(), [&](const Reason& reason) { return reason.text == text; });
  (known == reasons_.end() ? reasons_.emplace_back(Reason{text, {}}) : *known).tests.push_back(test);
}

std::vector<LeftOut::Reason> LeftOut::reasons() const {
  std::vector<const Reason*> order;
  order.reserve(reasons_.size());
  for (const Reason& reason : reasons_) order.push_back(&reason);
  // The one met first comes first among equals.
  std::sort(order.begin(), order.end(), [](const Reason* a, const Reason* b) {
    return a->tests.size() != b->tests.size() ? a->tests.size() > b->tests.size() : a < b;
  });
  std::vector<Reason> sorted;
  sorted.reserve(order.size());
  for (const Reason* reason : order) sorted.push_back(*reason);
  return sorted;
}

}  // namespace weakspot::workbench
