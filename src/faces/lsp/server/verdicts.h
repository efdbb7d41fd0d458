// SPDX-License-Identifier: MIT
// The models' verdicts on the tests of open documents: judged by the worker, remembered by test and model.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "litmus/test.h"
#include "lsp/server/worker.h"
#include "model/judge.h"
#include "model/model_shelf.h"

namespace weakspot::lsp {

using SharedTest = std::shared_ptr<const litmus::LitmusTest>;

struct KnownVerdict {
  enum class State : std::uint8_t { pending, allowed, forbidden, unknown, not_modelled, failed };
  std::string model;
  State state = State::pending;
  std::string note;  // why it is unknown, not modelled or failed; flags
};

struct VerdictOptions {
  std::vector<std::string> models;                // names or paths; none: all that the program has
  std::chrono::milliseconds time{1000};           // for each verdict
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes
};

// Used on one thread; only the jobs that it adds run on the worker's.
class Verdicts {
 public:
  Verdicts(Worker& worker, VerdictOptions options);

  // Loads the models in the background.
  void prepare();
  // Empty until they are listed.
  const std::vector<std::string>& models() const { return *models_; }

  // Asks for the verdicts that are not known. The ticket stops it.
  void want(const SharedTest& test, const Ticket& ticket);
  void want(const SharedTest& test, const std::string& model, const Ticket& ticket);
  // By model, in the order of models(); pending where nothing is known.
  std::vector<KnownVerdict> of(const litmus::LitmusTest& test) const;
  std::optional<KnownVerdict> of(const litmus::LitmusTest& test, const std::string& model) const;
  bool complete(const litmus::LitmusTest& test) const;

  // For other jobs: models that are read once. On the worker's thread only.
  const std::shared_ptr<model::ModelShelf>& shelf() const { return shelf_; }
  // A verdict with its execution; on the worker's thread only.
  static model::JudgeOptions options_for(const VerdictOptions& options, const std::atomic<bool>& stop);
  const VerdictOptions& options() const { return options_; }

 private:
  using Key = std::pair<std::string, std::string>;  // a test's hash, a model
  static std::string key_of(const litmus::LitmusTest& test);

  Worker& worker_;
  VerdictOptions options_;
  std::shared_ptr<model::ModelShelf> shelf_;
  std::shared_ptr<std::vector<std::string>> models_;
  // Results of finished jobs. Shared with the jobs, which may outlive this object.
  struct Memory {
    std::map<Key, KnownVerdict> known;
    std::map<Key, Ticket> asked;  // and not answered; may have been stopped
  };
  std::shared_ptr<Memory> memory_;
};

std::string_view to_string(KnownVerdict::State state);

// The verdicts in Markdown, grouped by verdict.
std::string verdict_table(const litmus::LitmusTest& test, const std::vector<KnownVerdict>& verdicts);

}  // namespace weakspot::lsp
