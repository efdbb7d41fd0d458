// SPDX-License-Identifier: MIT
// A reason as lines of text: the check, and one line for each step, with two blanks between the step and its words.
#pragma once

#include <set>
#include <string>

#include "model/reason.h"

namespace weakspot::model {

class ReasonText {
 public:
  // Both must outlive it.
  ReasonText(const Witness& witness, const Reason& reason) : witness_(witness), reason_(reason) {}

  std::string text();

 private:
  std::string head() const;
  std::string ending() const;
  void append(const ReasonStep& step, std::size_t indent);
  void line(std::size_t indent, const std::string& left, const std::string& right);
  std::string letter(EventId event) const { return event_letter(witness_.frame, event); }

  const Witness& witness_;
  const Reason& reason_;
  std::string text_;
  std::set<std::string> said_;  // the model's words, which are not repeated
};

}  // namespace weakspot::model
