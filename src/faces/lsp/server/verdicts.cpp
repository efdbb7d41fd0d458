// SPDX-License-Identifier: MIT
#include "lsp/server/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/library.h"
#include "questions/ask_models.h"

namespace weakspot::lsp {
namespace {

using State = KnownVerdict::State;

// More than that are forgotten together.
constexpr std::size_t kMostRemembered = 20'000;

State state_of(model::Verdict::Reach reach) {
  switch (reach) {
    case model::Verdict::Reach::allowed:
      return State::allowed;
    case model::Verdict::Reach::forbidden:
      return State::forbidden;
    case model::Verdict::Reach::unknown:
      break;
  }
  return State::unknown;
}

KnownVerdict judge_once(model::ModelShelf& shelf, const litmus::LitmusTest& test, const std::string& model,
                        const model::JudgeOptions& options) {
  KnownVerdict known{model, State::unknown, {}};
  const base::Status asked = questions::ask_models(
      shelf, test, {model}, nullptr,
      [&](const questions::TestAndModel& one) {
        const model::Verdict verdict = one.judge.judge(test, options);
        known.state = state_of(verdict.reach);
        known.note = verdict.flags.empty() ? verdict.reason : fmt::format("flag {}", fmt::join(verdict.flags, ", "));
      },
      [&](const std::string&, const model::ForeignWord& word) {
        known.state = State::not_modelled;
        known.note = word.why();
      });
  if (!asked) {
    known.state = State::failed;
    known.note = base::messages(asked.errors());
  }
  return known;
}

std::string table_row(State state, const std::vector<KnownVerdict>& verdicts) {
  std::string cells;
  for (const KnownVerdict& verdict : verdicts) {
    if (verdict.state != state) continue;
    if (!cells.empty()) cells += ", ";
    cells += verdict.note.empty() ? verdict.model : fmt::format("{} ({})", verdict.model, verdict.note);
  }
  return cells.empty() ? cells : fmt::format("| **{}** | {} |\n", to_string(state), cells);
}

}  // namespace

std::string_view to_string(State state) {
  switch (state) {
    case State::pending:
      return "still judging";
    case State::allowed:
      return "allowed";
    case State::forbidden:
      return "forbidden";
    case State::unknown:
      return "unknown";
    case State::not_modelled:
      return "not modelled";
    case State::failed:
      return "failed";
  }
  return "";
}

Verdicts::Verdicts(Worker& worker, VerdictOptions options)
    : worker_(worker),
      options_(std::move(options)),
      shelf_(std::make_shared<model::ModelShelf>()),
      models_(std::make_shared<std::vector<std::string>>(options_.models)),
      memory_(std::make_shared<Memory>()) {}

model::JudgeOptions Verdicts::options_for(const VerdictOptions& options, const std::atomic<bool>& stop) {
  model::JudgeOptions judge;
  judge.limits.time = options.time;
  judge.limits.memory = options.memory;
  judge.limits.stop = &stop;
  return judge;
}

void Verdicts::prepare() {
  const auto load = [this](const std::string& name) {
    worker_.add(
        [shelf = shelf_, name](const std::atomic<bool>&) -> Worker::Afterwards {
          static_cast<void>(shelf->get(name));  // a wrong name is reported where it is used
          return {};
        },
        new_ticket());
  };
  if (!options_.models.empty()) {
    for (const std::string& name : options_.models) load(name);
    return;
  }
  worker_.add(
      [models = models_](const std::atomic<bool>&) -> Worker::Afterwards {
        std::vector<std::string> names;
        if (const auto entries = model::list_models(); entries) {
          for (const model::ModelEntry& entry : *entries) names.push_back(entry.name);
        }
        return [models, names] { *models = names; };
      },
      new_ticket(), Worker::Urgency::next);
  for (const std::string_view name : model::built_in_models()) load(std::string(name));
}

std::string Verdicts::key_of(const litmus::LitmusTest& test) { return litmus::hash_of(test).hex(); }

void Verdicts::want(const SharedTest& test, const Ticket& ticket) {
  // The last one that is added runs first.
  std::for_each(models_->rbegin(), models_->rend(), [&](const std::string& name) { want(test, name, ticket); });
}

void Verdicts::want(const SharedTest& test, const std::string& model, const Ticket& ticket) {
  const Key key{key_of(*test), model};
  if (memory_->known.contains(key)) return;
  if (const auto asked = memory_->asked.find(key); asked != memory_->asked.end() && !asked->second->load()) return;
  if (memory_->known.size() > kMostRemembered) memory_->known.clear();
  memory_->asked[key] = ticket;
  worker_.add(
      [shelf = shelf_, memory = memory_, options = options_, test, key](const std::atomic<bool>& stop) {
        const KnownVerdict known = judge_once(*shelf, *test, key.second, options_for(options, stop));
        const bool stopped = stop.load();
        return Worker::Afterwards([memory, key, known, stopped] {
          memory->asked.erase(key);
          if (!stopped) memory->known[key] = known;
        });
      },
      ticket, Worker::Urgency::next);
}

std::vector<KnownVerdict> Verdicts::of(const litmus::LitmusTest& test) const {
  const std::string hash = key_of(test);
  std::vector<KnownVerdict> verdicts;
  for (const std::string& name : *models_) {
    const auto found = memory_->known.find(Key{hash, name});
    verdicts.push_back(found == memory_->known.end() ? KnownVerdict{name, State::pending, {}} : found->second);
  }
  return verdicts;
}

std::optional<KnownVerdict> Verdicts::of(const litmus::LitmusTest& test, const std::string& model) const {
  const auto found = memory_->known.find(Key{key_of(test), model});
  if (found == memory_->known.end()) return std::nullopt;
  return found->second;
}

bool Verdicts::complete(const litmus::LitmusTest& test) const {
  if (models_->empty()) return false;
  const std::string hash = key_of(test);
  for (const std::string& name : *models_) {
    if (!memory_->known.contains(Key{hash, name})) return false;
  }
  return true;
}

std::string verdict_table(const litmus::LitmusTest& test, const std::vector<KnownVerdict>& verdicts) {
  std::string text = fmt::format("**{}**: `{}`\n\n", test.name, litmus::condition_line(test));
  if (!test.description.empty()) text += test.description + "\n\n";
  std::string rows;
  for (const State state :
       {State::forbidden, State::allowed, State::unknown, State::not_modelled, State::failed, State::pending}) {
    rows += table_row(state, verdicts);
  }
  if (rows.empty()) return text + "The models are being read.\n";
  return text + "| the outcome is | by |\n|---|---|\n" + rows;
}

}  // namespace weakspot::lsp
