// SPDX-License-Identifier: MIT
#include "questions/fences.h"

#include <algorithm>

namespace weakspot::questions {
namespace {

// The stronger forms of a test.
class StrongerTests : public Changeable {
 public:
  StrongerTests(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options)
      : test_(test),
        flags_(options.flags),
        judge_(model),
        places_(places_to_strengthen(test, model, options.barriers)) {}

  std::size_t place_count() const override { return places_.size(); }
  std::size_t alternative_count(std::size_t place) const override { return places_[place].alternatives.size(); }
  std::size_t cost(const Change& change) const override { return at(change).cost; }
  bool at_most_as_strong(const Change& a, const Change& b) const override {
    return questions::at_most_as_strong(at(a), at(b));
  }
  bool is_alone(std::size_t place) const override { return places_[place].alone; }

  Judgement judge(const Changes& changes, const model::Limits& left) override {
    const model::Verdict verdict =
        judge_.judge(with(changes), {.limits = left, .condition_only = !flags_, .flags = flags_});
    if (!flags_) return {verdict.reach, verdict.reason};
    return {!verdict.flags.empty() ? Reach::allowed
            : verdict.complete     ? Reach::forbidden
                                   : Reach::unknown,
            verdict.reason};
  }

  litmus::LitmusTest with(const Changes& changes) const { return strengthened(test_, places_, changes); }
  std::vector<Place> take_places() { return std::move(places_); }

 private:
  const Alternative& at(const Change& change) const { return places_[change.place].alternatives[change.alternative]; }

  const litmus::LitmusTest& test_;
  const bool flags_;
  model::BatchJudge judge_;
  std::vector<Place> places_;
};

Fences search(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options) {
  StrongerTests tests(test, model, options);
  SearchResult result = search_changes(tests, {.places = options.places,
                                               .most = options.tests,
                                               .quick = options.quick,
                                               .known = options.known,
                                               .limits = options.limits});
  Fences fences;
  fences.reach = result.reach;
  fences.reason = std::move(result.reason);
  fences.judged = result.judged;
  fences.complete = result.complete;
  for (FoundChanges& found : result.found) {
    litmus::LitmusTest with = tests.with(found.changes);
    fences.ways.push_back({std::move(found), std::move(with)});
  }
  fences.places = tests.take_places();
  return fences;
}

}  // namespace

Fences find_fences(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options) {
  Fences found = search(test, model, options);
  const bool flags =
      std::any_of(model.checks().begin(), model.checks().end(), [](const auto& one) { return one.flag; });
  if (found.reach != Reach::forbidden || !flags || options.flags || options.quick) return found;
  FencesOptions of_flags = options;
  of_flags.flags = true;
  Fences without_flag = search(test, model, of_flags);
  if (without_flag.reach != Reach::allowed) return found;
  without_flag.reach = Reach::forbidden;
  without_flag.avoids_flag = true;
  without_flag.judged += found.judged;
  return without_flag;
}

}  // namespace weakspot::questions
