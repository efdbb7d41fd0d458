// SPDX-License-Identifier: MIT
// A reason as lines of text: the check, one line for each step, and then what the model's text says about the names in
// them. Two blanks separate a step from its words.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/execution/frame.h"
#include "model/reason.h"
#include "model/reason/event_texts.h"

namespace weakspot::model {

class ReasonText {
 public:
  // Both must outlive it.
  ReasonText(const Witness& witness, const Reason& reason) : witness_(witness), reason_(reason) {}

  std::string text();

 private:
  std::string head();
  std::string ending() const;
  std::string glossary() const;
  void append(const ReasonStep& step, std::size_t indent);
  void line(std::size_t indent, const std::string& left, const std::string& right);
  std::string arrow(const ReasonStep& step) const;
  std::string remarks(const ReasonStep& step);
  void note(const std::string& name, const std::string& words);
  std::string letter(EventId event) const { return event_letter(witness_.frame, event); }

  const Witness& witness_;
  const Reason& reason_;
  std::string text_;
  std::set<std::string> said_;                                 // remarks, which are not repeated
  std::vector<std::pair<std::string, std::string>> glossary_;  // names and their words, in the order of their use
};

}  // namespace weakspot::model
