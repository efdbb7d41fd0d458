// SPDX-License-Identifier: MIT
#include "workbench/left_out.h"

#include <algorithm>

namespace weakspot::workbench {
namespace {

// The printers say "MP cannot be written as C11: C11 has no ...".
std::string reason_in(const std::string& message, const std::string& test) {
  const std::size_t colon = message.find(": ");
  return message.starts_with(test + " cannot be written as ") && colon != std::string::npos ? message.substr(colon + 2)
                                                                                            : message;
}

}  // namespace

void LeftOut::add(const std::string& test, const base::Diagnostics& why) {
  if (count_++ == 0) first_ = why;
  const std::string text = why.empty() ? std::string() : reason_in(why.front().message, test);
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
