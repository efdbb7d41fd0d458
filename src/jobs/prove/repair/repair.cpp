// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "base/sort.h"
#include "prove/fences.h"
#include "prove/repair/places.h"
#include "prove/repair/trials.h"
#include "questions/change_search.h"

namespace weakspot::prove {
namespace {

using questions::Change;
using questions::Changes;
using Reach = model::Verdict::Reach;

// Places of a source as something to search. Going up, no change is the source as written, and each form is stronger.
// Going down, no change is the weakest form of each place, and the strongest alternative the written one.
class SourceForms : public questions::Changeable {
 public:
  SourceForms(Trials& trials, const std::string& text, std::vector<SourcePlace> places, bool down)
      : trials_(trials), text_(text), places_(std::move(places)), down_(down) {}

  std::size_t place_count() const override { return places_.size(); }
  std::size_t alternative_count(std::size_t place) const override {
    return places_[place].forms.all.size() - (down_ ? 1 : 0);
  }
  std::size_t cost(const Change& change) const override { return form(change).cost(); }
  bool at_most_as_strong(const Change& a, const Change& b) const override {
    return prove::at_most_as_strong(form(a), form(b));
  }
  Judgement judge(const Changes& changes, const model::Limits&) override {
    const Trial& trial = trials_.of(text(changes, Layout::same_lines));
    return {trial.answer == ProofAnswer::proved     ? Reach::forbidden
            : trial.answer == ProofAnswer::violated ? Reach::allowed
                                                    : Reach::unknown,
            trial.reason};
  }

  std::string text(const Changes& changes, Layout layout) const {
    std::vector<TextEdit> edits;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Form* form = form_of(i, changes);
      if (form == nullptr) continue;
      for (TextEdit& edit : edits_for(text_, places_[i], *form, layout)) edits.push_back(std::move(edit));
    }
    return edited(text_, std::move(edits));
  }

  std::vector<SourceChange> told(const Changes& changes) const {
    std::vector<SourceChange> all;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Form* form = form_of(i, changes);
      if (form == nullptr) continue;
      const SourcePlace& place = places_[i];
      const bool gap = place.kind == SourcePlace::Kind::gap;
      const std::string there = text_.substr(place.begin, place.end - place.begin);
      all.push_back(
          {place.line, gap ? "" : there, form->text, gap ? there : "", place.side == SourcePlace::Side::behind});
    }
    base::sort(all, [](const auto& a, const auto& b) { return a.line < b.line; });
    return all;
  }

 private:
  const Form& form(const Change& change) const {
    return places_[change.place].forms.all[change.alternative + (down_ ? 1 : 0)];
  }
  // Null: as written.
  const Form* form_of(std::size_t place, const Changes& changes) const {
    const auto found =
        std::find_if(changes.begin(), changes.end(), [&](const Change& change) { return change.place == place; });
    const Forms& forms = places_[place].forms;
    if (found == changes.end()) return down_ ? &forms.all.front() : nullptr;
    const Form& own = form(*found);
    return down_ && &own == &forms.all[forms.written] ? nullptr : &own;
  }

  Trials& trials_;
  const std::string& text_;
  const std::vector<SourcePlace> places_;
  const bool down_;
};

class FenceFinder {
 public:
  FenceFinder(const residual::Residual& residual, const Proof& proof, const FencesRequest& request)
      : request_(request),
        proof_(proof),
        // Advice must not rest on one compiler's choice, unless the source itself does.
        trials_(request, !proof.fences_in_front),
        places_(source_places(residual, request.file, request.text, request.proof.of_ptx)) {}

  ProofFences run() {
    found_.answer = proof_.answer;
    found_.elsewhere = places_.elsewhere;
    if (proof_.answer == ProofAnswer::unknown) {
      end("the launch is neither proved nor violated");
    } else if (proof_.answer == ProofAnswer::proved) {
      for (const SourcePlace& place : places_.present) look_at(place);
      const bool spare = std::any_of(found_.present.begin(), found_.present.end(), [](const PresentWord& word) {
        return word.answer == PresentWord::Answer::weaker || word.answer == PresentWord::Answer::too_many;
      });
      // Where each of them is needed as it is, so are all together.
      if (spare) search(places_.present, true);
    } else {
      search(places_.stronger, false);
    }
    found_.judged = trials_.count();
    return std::move(found_);
  }

 private:
  void end(const std::string& reason) {
    if (!found_.complete) return;
    found_.complete = false;
    found_.reason = reason;
  }

  // One word of the source by itself: the weakest form of it that leaves the launch proved.
  void look_at(const SourcePlace& place) {
    PresentWord word;
    word.place = {request_.file, place.line, 0};
    word.text = request_.text.substr(place.begin, place.end - place.begin);
    const SourceForms forms(trials_, request_.text, {place}, true);
    word.answer = PresentWord::Answer::needed;
    for (std::size_t form = 0; form < place.forms.written; ++form) {
      const Changes changes = form == 0 ? Changes{} : Changes{{0, form - 1}};
      const Trial& trial = trials_.of(forms.text(changes, Layout::same_lines));
      if (trial.answer == ProofAnswer::unknown) {
        word.answer = PresentWord::Answer::unknown;
        word.reason = trial.reason;
        end("answers of changed sources are unknown: " + trial.reason);
        break;
      }
      if (trial.answer == ProofAnswer::proved) {
        word.answer = form == 0 ? PresentWord::Answer::too_many : PresentWord::Answer::weaker;
        if (place.forms.all[form].text.empty()) break;
        word.answer = PresentWord::Answer::weaker;
        word.instead = place.forms.all[form].text;
        break;
      }
      // The weakest form that is refuted shows what the word is for.
      if (word.failure) continue;
      word.without = place.forms.all[form].text;
      word.failure = trial.failure;
    }
    found_.present.push_back(std::move(word));
  }

  void search(const std::vector<SourcePlace>& places, bool down) {
    SourceForms forms(trials_, request_.text, places, down);
    model::Limits limits = request_.limits;
    if (const auto left = trials_.left()) limits.time = std::max(*left, std::chrono::milliseconds(1));
    questions::SearchResult result =
        questions::search_changes(forms, {.places = std::numeric_limits<std::size_t>::max(),
                                          .most = 0,
                                          .halves = true,
                                          .known = !down,
                                          .limits = limits});
    if (!result.complete) end(result.reason);
    if (down && result.reach == Reach::forbidden) {
      add(forms, {}, true);
      return;
    }
    for (const questions::FoundChanges& found : result.found) {
      const bool minimal = std::all_of(found.weaker.begin(), found.weaker.end(),
                                       [](const auto& weaker) { return weaker.reach == Reach::allowed; });
      add(forms, found.changes, minimal && result.complete);
    }
    if (result.found.empty() && !result.sufficient.empty()) add(forms, result.sufficient, false);
  }

  // The text that a person gets is proved as well.
  void add(const SourceForms& forms, const Changes& changes, bool weakest) {
    const std::string better = forms.text(changes, Layout::own_lines);
    if (better == request_.text) return;
    const Trial& trial = trials_.of(better);
    if (trial.answer != ProofAnswer::proved) {
      end("a patch could not be proved: " + trial.reason);
      return;
    }
    found_.repairs.push_back({forms.told(changes), weakest, unified_diff(request_.file, request_.text, better)});
  }

  const FencesRequest& request_;
  const Proof& proof_;
  Trials trials_;
  const SourcePlaces places_;
  ProofFences found_;
};

}  // namespace

std::string_view to_string(PresentWord::Answer answer) {
  switch (answer) {
    case PresentWord::Answer::needed:
      return "needed";
    case PresentWord::Answer::weaker:
      return "weaker";
    case PresentWord::Answer::too_many:
      return "too many";
    case PresentWord::Answer::unknown:
      return "unknown";
  }
  return "";
}

ProofFences find_proof_fences(const residual::Residual& residual, const Proof& proof, const FencesRequest& request) {
  return FenceFinder(residual, proof, request).run();
}

}  // namespace weakspot::prove
