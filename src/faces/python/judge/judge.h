// SPDX-License-Identifier: MIT
// The part of the Python interface for loops: tests as objects, and verdicts without a detour over text. Everything
// else goes through the core (core/answer.h) as JSON.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/judge.h"

namespace weakspot::python {

// An error that Python raises; the text has the excerpt with its caret.
struct Mistake {
  std::string text;
};

// Every test of a text; throws Mistake.
std::vector<litmus::LitmusTest> read_text(const std::string& text, const std::string& file);
std::vector<litmus::LitmusTest> read_path(const std::string& path);
// The tests of the carried corpus that a name means: a test, or a folder.
std::vector<litmus::LitmusTest> find_named(const std::string& name);
// The tests that a person means by words: the text of tests, else a file, else a name of the corpus.
std::vector<litmus::LitmusTest> tests_of(const std::string& words);
// The test in a dialect; empty: its own.
std::string text_of(const litmus::LitmusTest& test, const std::string& dialect);
std::string hash_text(const litmus::LitmusTest& test);

// A verdict as plain data.
struct Answer {
  std::string verdict, condition, reason;  // the words of `check --json`, or "refused" with the reason alone
  std::vector<std::string> observed;       // "1:r0", "x"
  std::vector<litmus::Outcome> outcomes;
  std::vector<bool> satisfying;  // by outcome: whether the proposition holds
  std::vector<std::string> flags;
  std::uint64_t executions = 0;
  double seconds = 0;
};

struct Effort {
  double seconds = 10;                              // 0: no limit
  std::uint64_t memory = std::uint64_t{512} << 20;  // bytes; 0: no limit
  std::uint32_t unroll = 3;
  bool condition_only = false;
};

// A model that is read once. Threads that share one wait for each other.
class Judge {
 public:
  explicit Judge(const std::string& model);  // a name or a path; throws Mistake

  const std::string& model() const { return name_; }
  // Refused if the model has no meaning for a part of the test.
  Answer check(const litmus::LitmusTest& test, const Effort& effort);

 private:
  std::string name_;
  std::mutex one_at_a_time_;
  std::optional<model::BatchJudge> judge_;
};

}  // namespace weakspot::python
