// SPDX-License-Identifier: MIT
// What a picture shows of an execution.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/execution/frame.h"
#include "model/judge.h"
#include "model/picture.h"
#include "model/picture/arrows.h"
#include "model/picture/columns.h"
#include "model/picture/telling.h"
#include "model/reason.h"
#include "model/reason/event_texts.h"

namespace weakspot::model {
namespace {

using picture::Arrows;
using picture::Emphasis;

class Choice {
 public:
  Choice(const Witness& witness, const Model& model, const Emphasis& emphasis, const Limits& limits)
      : witness_(witness),
        frame_(witness.frame),
        texts_(witness.frame),
        arrows_(picture::arrows_of(witness, model, emphasis, limits)) {
    place_threads();
    place_initial_writes();
    add_arrows();
    for (EventId event : emphasis.reason.events) emphasise(event);
    if (emphasis.race) {
      emphasise(emphasis.race->first);
      emphasise(emphasis.race->second);
    }
  }

  void tell_story() {
    const auto story = picture::tell(witness_);
    for (std::size_t step = 0; story && step < story->size(); ++step) {
      const picture::Told& told = (*story)[step];
      picture_.steps.push_back({index_.at(told.event), picture::told_words(witness_, *story, step), told.remarkable()});
    }
  }

  Picture take() && { return std::move(picture_); }

 private:
  void emphasise(EventId event) {
    if (const auto found = index_.find(event); found != index_.end()) picture_.events[found->second].loud = true;
  }

  void place_threads() {
    std::vector<std::uint32_t> agents(frame_.test->threads.size());
    for (const Event& event : frame_.events) {
      if (event.thread) agents[event.thread->index] = std::max(agents[event.thread->index], event.agent);
    }
    picture::Columns columns = picture::columns_of(*frame_.test, agents);
    picture_.scopes = std::move(columns.scopes);
    for (std::size_t i = 0; i < columns.threads.size(); ++i) {
      const picture::Column& column = columns.threads[i];
      column_[column] = i;
      picture_.columns.push_back(column.agent == 0 ? fmt::format("P{}", column.thread)
                                                   : fmt::format("P{}.{}", column.thread, column.agent));
    }
    std::vector<std::size_t> rows(columns.threads.size(), 0);
    for (EventId event = 0; event < frame_.size(); ++event) {
      const Event& e = frame_.events[event];
      if (!e.thread || e.kind == EventKind::branch) continue;
      PictureEvent shown;
      shown.letter = event_letter(frame_, event);
      shown.effect = texts_.effect(event, witness_.values);
      // The write of a read-modify-write stands below the read, which has the instruction.
      const bool second_half = e.rmw && e.kind == EventKind::write && event > 0 &&
                               frame_.events[event - 1].same_agent(e) &&
                               frame_.events[event - 1].instruction == e.instruction;
      if (!second_half) shown.instruction = texts_.instruction(event);
      shown.column = column_of(e);
      shown.row = rows[shown.column]++;
      picture_.rows = std::max(picture_.rows, rows[shown.column]);
      add_event(event, std::move(shown));
    }
  }

  // Above the first thread that an arrow leads to, or the nearest one that has no initial write there.
  void place_initial_writes() {
    std::vector<std::size_t> taken(picture_.columns.size(), 0);
    for (EventId event = 0; event < frame_.size(); ++event) {
      if (frame_.events[event].kind != EventKind::init) continue;
      const auto used = std::find_if(arrows_.begin(), arrows_.end(),
                                     [&](const auto& arrow) { return arrow.from == event || arrow.to == event; });
      if (used == arrows_.end()) continue;
      const Event& other = frame_.events[used->from == event ? used->to : used->from];
      const std::size_t wanted = other.thread ? column_of(other) : 0;
      std::size_t best = wanted;
      for (std::size_t column = 0; column < taken.size(); ++column) {
        auto cost = [&](std::size_t c) { return std::pair(taken[c], c > wanted ? c - wanted : wanted - c); };
        if (cost(column) < cost(best)) best = column;
      }
      PictureEvent shown;
      shown.letter = event_letter(frame_, event);
      shown.effect = litmus::value_text(*frame_.test, witness_.values[event]);
      shown.column = best;
      shown.row = taken[best]++;
      shown.initial = true;
      picture_.initial_rows = std::max(picture_.initial_rows, taken[best]);
      add_event(event, std::move(shown));
    }
  }

  std::size_t column_of(const Event& event) const { return column_.at({event.thread->index, event.agent}); }

  void add_event(EventId event, PictureEvent&& shown) {
    index_[event] = picture_.events.size();
    picture_.events.push_back(std::move(shown));
  }

  void add_arrows() {
    for (const picture::Arrow& arrow : arrows_) {
      picture_.arrows.push_back({index_.at(arrow.from), index_.at(arrow.to), arrow.label, arrow.tone, arrow.both_ways});
    }
    std::vector<PictureArrow> loud;
    auto is_loud = [](const PictureArrow& arrow) { return arrow.tone == PictureArrow::Tone::loud; };
    std::copy_if(picture_.arrows.begin(), picture_.arrows.end(), std::back_inserter(loud), is_loud);
    std::erase_if(picture_.arrows, is_loud);
    picture_.arrows.insert(picture_.arrows.end(), loud.begin(), loud.end());
  }

  const Witness& witness_;
  const Frame& frame_;
  EventTexts texts_;
  Arrows arrows_;
  Picture picture_;
  std::map<picture::Column, std::size_t> column_;
  std::map<EventId, std::size_t> index_;  // shown events only
};

Emphasis emphasis_of(const Verdict& verdict, const Witness& witness, const Model& model, const Limits& limits) {
  Emphasis emphasis;
  if (!verdict.witness) {
    emphasis.reason = find_reason(witness, model, limits);
  } else if (!verdict.flags.empty()) {
    const Reason flag = find_flag_reason(witness, model, limits);
    if (!flag.steps.empty()) emphasis.race = {flag.steps.front().from, flag.steps.back().to};
  }
  return emphasis;
}

std::string remark_on(const Emphasis& emphasis, const Frame& frame) {
  const Reason& reason = emphasis.reason;
  if (!reason.unfinished.empty()) return fmt::format("the failed check was not found ({})", reason.unfinished);
  if (!reason.check.empty()) return fmt::format("check '{}' fails", reason.check);
  if (!emphasis.race) return {};
  return fmt::format("nothing orders {} and {}", event_letter(frame, emphasis.race->first),
                     event_letter(frame, emphasis.race->second));
}

}  // namespace

std::optional<Picture> picture_of(const Verdict& verdict, const Model& model, std::string_view model_name,
                                  const Limits& limits) {
  const Witness* witness = verdict.witness          ? &*verdict.witness
                           : verdict.counterexample ? &*verdict.counterexample
                                                    : nullptr;
  if (witness == nullptr) return std::nullopt;
  const Emphasis emphasis = emphasis_of(verdict, *witness, model, limits);
  Choice choice(*witness, model, emphasis, limits);
  if (verdict.witness) choice.tell_story();
  Picture picture = std::move(choice).take();
  picture.test = witness->frame.test->name;
  picture.model = model_name;
  picture.verdict = to_string(verdict.reach);
  for (const std::string& flag : verdict.flags) picture.verdict += fmt::format(", {}", flag);
  picture.remarks.push_back(litmus::outcome_text(*witness->frame.test, witness->outcome));
  if (const std::string remark = remark_on(emphasis, witness->frame); !remark.empty()) {
    picture.remarks.push_back(remark);
  }
  return picture;
}

}  // namespace weakspot::model
