// SPDX-License-Identifier: MIT
#include "prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "litmus/dialect.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/progress.h"
#include "prove/answer/questions.h"
#include "prove/translate/fence_side.h"
#include "prove/translate/translation.h"

namespace weakspot::prove {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = ProofProperty::Kind;
using Reach = model::Verdict::Reach;

class Prover {
 public:
  Prover(const residual::Residual& residual, const ProofRequest& request, Translation translation,
         const ProofModels& models)
      : residual_(residual), request_(request), translation_(std::move(translation)), models_(models) {}

  base::Result<Proof> run() {
    proof_.kernel = residual_.kernel;
    proof_.model = request_.model;
    proof_.launch = residual_.launch;
    proof_.holds_for = fmt::format("this launch, {}{}",
                                   request_.of_ptx ? "of the instructions of the PTX text"
                                                   : "of the accesses and dependencies as the source has them",
                                   request_.progress == model::Progress::fair ? ", all blocks running" : "");
    proof_.arguments = residual_.arguments;
    proof_.left_out = translation_.left_out;
    for (const std::size_t actor : translation_.actors) {
      proof_.actors.push_back({residual_.threads[actor].block, residual_.threads[actor].number, {}});
    }
    if (!translation_.problem.empty()) {
      proof_.reason = translation_.problem;
      return std::move(proof_);
    }
    proof_.test_text = translation_.text;
    questions_ = 3 + translation_.stops.size() + translation_.failed.size();
    all_good_ = never(everything_bad());
    ask_race();
    look_at_barriers();
    if (!enough()) ask_stops();
    if (!enough()) ask_conditions();
    if (!enough()) ask_end();
    if (base::Status kept = keep_test(); !kept) return kept.errors();
    conclude();
    return std::move(proof_);
  }

 private:
  // An equal part of the time that is left.
  model::Limits limits() {
    model::Limits limits = request_.limits;
    const auto parts = static_cast<std::int64_t>(std::max<std::size_t>(questions_, 1));
    if (questions_ > 0) --questions_;
    if (limits.time.count() == 0) return limits;
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    limits.time = std::max((limits.time - used) / parts, std::chrono::milliseconds(1));
    return limits;
  }

  std::string everything_bad() const {
    std::string bad;
    for (const std::vector<std::string>* list : {&translation_.stopped, &translation_.failed}) {
      for (const std::string& one : *list) {
        if (one.empty()) continue;
        bad += (bad.empty() ? "" : " \\/ ") + one;
      }
    }
    return bad;
  }

  // All at once: mostly nothing of it can happen.
  bool never(const std::string& proposition) {
    if (proposition.empty()) return true;
    const base::Result<litmus::LitmusTest> test = asked(translation_, proposition);
    return test &&
           model::judge(*test, models_.plain, {.limits = limits(), .condition_only = true, .flags = false}).reach ==
               Reach::forbidden;
  }

  bool enough() const {
    return request_.first_failure &&
           std::any_of(proof_.properties.begin(), proof_.properties.end(),
                       [](const ProofProperty& one) { return one.answer == ProofAnswer::violated; });
  }

  // Whether some execution satisfies the proposition: then the property is violated, or for a stop of another kind than
  // an assertion, not known.
  void ask(ProofProperty property, const model::Model& model, const std::string& proposition, bool races,
           ProofAnswer if_reached) {
    if (!races && all_good_) {
      property.answer = ProofAnswer::proved;
      proof_.properties.push_back(std::move(property));
      return;
    }
    const base::Result<litmus::LitmusTest> test = asked(translation_, proposition);
    if (!test) {
      property.reason = test.errors().front().message;
      proof_.properties.push_back(std::move(property));
      return;
    }
    const model::Verdict verdict = model::judge(
        *test, model, {.limits = limits(), .condition_only = true, .flags = false, .races = races, .explain = true});
    property.seconds = verdict.seconds;
    if (verdict.reach == Reach::forbidden) {
      property.answer = ProofAnswer::proved;
    } else if (verdict.reach == Reach::unknown) {
      property.reason = verdict.reason.empty() ? "the model could not tell" : verdict.reason;
    } else {
      property.answer = if_reached;
      if (verdict.witness != nullptr) property.witness = told(residual_, translation_, *test, *verdict.witness);
    }
    proof_.properties.push_back(std::move(property));
  }

  void ask_race() {
    if (!models_.racy) return;
    ask({.kind = Kind::race, .what = "no data race"}, *models_.racy, "true", true, ProofAnswer::violated);
  }

  // A barrier waits for all threads of the block. The judge lets it wait for those that have it in their code.
  void look_at_barriers() {
    std::map<std::uint64_t, std::optional<residual::Waits>> by_block;
    bool any = false, even = true;
    for (const residual::Thread& thread : residual_.threads) {
      any = any || std::any_of(thread.code.begin(), thread.code.end(),
                               [](const residual::Instruction& one) { return one.kind == residual::Kind::barrier; });
      const std::optional<residual::Waits> waits = residual::waits_of(thread);
      const auto known = by_block.try_emplace(thread.block, waits).first;
      even = even && waits && known->second && waits->block == known->second->block;
    }
    if (!any) return;
    ProofProperty property{.kind = Kind::valid, .what = "all threads of a block come to its barriers equally often"};
    property.answer = even ? ProofAnswer::proved : ProofAnswer::unknown;
    if (!even) property.reason = "the code of some thread has fewer of them, or it depends on what others write";
    proof_.properties.push_back(std::move(property));
  }

  void ask_stops() {
    using Stop = residual::Stop::Kind;
    for (std::size_t i = 0; i < translation_.stops.size(); ++i) {
      const residual::Stop& stop = translation_.stops[i];
      if (translation_.stopped[i].empty()) continue;
      ProofProperty property;
      property.place = residual_.places[stop.place];
      const bool asserts = stop.kind == Stop::assertion || stop.kind == Stop::trap;
      property.kind = asserts ? Kind::assertion : stop.kind == Stop::invalid ? Kind::valid : Kind::followed;
      property.what = stop.kind == Stop::assertion ? fmt::format("assert({})", stop.what)
                      : stop.kind == Stop::trap    ? "never __trap()"
                      : stop.kind == Stop::invalid ? fmt::format("never {}", stop.what)
                                                   : fmt::format("never {}, which is not followed", stop.what);
      const ProofAnswer reached = property.kind == Kind::followed ? ProofAnswer::unknown : ProofAnswer::violated;
      ask(std::move(property), models_.plain, translation_.stopped[i], false, reached);
    }
  }

  void ask_conditions() {
    for (std::size_t i = 0; i < request_.conditions.size(); ++i) {
      ask({.kind = Kind::condition, .what = request_.conditions[i].text()}, models_.plain, translation_.failed[i],
          false, ProofAnswer::violated);
    }
  }

  void ask_end() {
    ProofProperty property{.kind = Kind::ends,
                           .what = fmt::format("every thread ends ({})", model::to_string(request_.progress))};
    const bool missing = std::any_of(translation_.left_out.begin(), translation_.left_out.end(),
                                     [](const LeftOutThreads& one) { return one.like.has_value(); });
    if (missing && request_.progress != model::Progress::fair && request_.progress != model::Progress::obe) {
      property.reason = "threads were left out, and which of them are scheduled matters";
      proof_.properties.push_back(std::move(property));
      return;
    }
    const model::ProgressVerdict verdict = model::ends(translation_.test, models_.plain, request_.progress, limits());
    property.seconds = verdict.seconds;
    using Answer = model::ProgressVerdict::Answer;
    property.answer = verdict.answer == Answer::ends      ? ProofAnswer::proved
                      : verdict.answer == Answer::endless ? ProofAnswer::violated
                                                          : ProofAnswer::unknown;
    property.reason = verdict.reason;
    property.story = verdict.story;
    ends_ = verdict.answer == Answer::ends;
    proof_.properties.push_back(std::move(property));
  }

  // The test that is kept asks for everything that must not happen.
  base::Status keep_test() {
    const std::string bad = everything_bad();
    base::Result<litmus::LitmusTest> test = asked(translation_, bad.empty() ? "false" : bad);
    if (!test) return test.errors();
    proof_.test = *std::move(test);
    return base::ok_status();
  }

  bool unknown(Kind kind) const {
    return std::any_of(proof_.properties.begin(), proof_.properties.end(), [&](const ProofProperty& property) {
      return property.kind == kind && property.answer == ProofAnswer::unknown;
    });
  }

  void conclude() {
    auto any = [&](ProofAnswer answer) {
      return std::any_of(proof_.properties.begin(), proof_.properties.end(),
                         [&](const ProofProperty& property) { return property.answer == answer; });
    };
    // What comes behind a thread that waits for ever, or that is not followed, was not looked at.
    const bool followed = !unknown(Kind::followed), met = !unknown(Kind::valid);
    for (ProofProperty& property : proof_.properties) {
      if ((ends_ && followed && met) || property.answer != ProofAnswer::proved) continue;
      property.answer = ProofAnswer::unknown;
      property.reason = fmt::format("so far as {}, which is not proved", !ends_      ? "executions end"
                                                                         : !followed ? "all threads are followed"
                                                                                     : "nothing undefined happens");
    }
    proof_.answer = any(ProofAnswer::violated)  ? ProofAnswer::violated
                    : any(ProofAnswer::unknown) ? ProofAnswer::unknown
                                                : ProofAnswer::proved;
  }

  const Clock::time_point start_ = Clock::now();
  const residual::Residual& residual_;
  const ProofRequest& request_;
  const Translation translation_;
  const ProofModels& models_;
  bool ends_ = false, all_good_ = false;
  std::size_t questions_ = 0;  // that are still to be asked
  Proof proof_;
};

// The names that are no location of the launch, each at its first mention.
base::Diagnostics not_found(const residual::Residual& residual, const ProofRequest& request,
                            const std::vector<Assertion>& assertions) {
  base::Diagnostics missing;
  for (const residual::Named& named : residual.named) {
    if (named.problem.empty()) continue;
    auto means = [&](const AssertionPart& part) {
      return part.kind == AssertionPart::Kind::name && part.name.name == named.asked.name &&
             part.name.index == named.asked.index;
    };
    for (std::size_t i = 0; i < assertions.size(); ++i) {
      const auto part = std::find_if(assertions[i].begin(), assertions[i].end(), means);
      if (part == assertions[i].end()) continue;
      missing.push_back(base::error_at(*request.conditions[i].source, part->span, named.problem));
      break;
    }
  }
  return missing;
}

}  // namespace

std::string_view to_string(ProofAnswer answer) {
  return answer == ProofAnswer::proved ? "proved" : answer == ProofAnswer::violated ? "violated" : "unknown";
}

std::string_view to_string(ProofProperty::Kind kind) {
  switch (kind) {
    case Kind::race:
      return "race";
    case Kind::assertion:
      return "assertion";
    case Kind::condition:
      return "condition";
    case Kind::valid:
      return "valid";
    case Kind::followed:
      return "followed";
    case Kind::ends:
      return "ends";
  }
  return "";
}

namespace {

constexpr std::string_view kInFront =
    ", with the fence of each seq_cst access in front of it, which CUDA's headers do and C++ does not promise";
constexpr std::string_view kBehind = "if the fence of each seq_cst access stands behind it, as C++ allows";

base::Result<Proof> prove_residual(const residual::Residual& residual, const std::vector<Assertion>& assertions,
                                   const ProofRequest& request, const ProofModels& models) {
  base::Result<Translation> translation = translate(residual, assertions, request);
  if (!translation) return translation.errors();
  if (translation->problem.empty()) {
    if (const auto word = model::foreign_word(models.plain, translation->test)) {
      return base::error(word->why());
    }
  }
  return Prover(residual, request, *std::move(translation), models).run();
}

}  // namespace

Proof not_evaluated(const ProofRequest& request, const std::string& reason) {
  Proof proof;
  proof.reason = reason;
  proof.model = request.model;
  return proof;
}

base::Result<Proof> prove(const residual::Residual& residual, const ProofRequest& request) {
  base::Result<ProofModels> models = load_proof_models(request.model);
  if (!models) return models.errors();
  std::vector<Assertion> assertions;
  for (const Condition& condition : request.conditions) {
    base::Result<Assertion> read = read_assertion(condition);
    if (!read) return read.errors();
    assertions.push_back(*std::move(read));
  }
  if (base::Diagnostics missing = not_found(residual, request, assertions); !missing.empty()) return missing;
  const auto start = Clock::now();
  base::Result<Proof> proof = prove_residual(residual, assertions, request, *models);
  if (!proof || proof->answer != ProofAnswer::proved || request.of_ptx) return proof;
  const std::optional<residual::Residual> other = with_fences_behind(residual);
  if (!other) return proof;
  ProofRequest again = request;
  again.first_failure = true;
  if (request.limits.time.count() > 0) {
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    again.limits.time = std::max(request.limits.time - used, std::chrono::milliseconds(1));
  }
  base::Result<Proof> behind = prove_residual(*other, assertions, again, *models);
  if (!behind) return behind;
  if (behind->answer == ProofAnswer::proved) return proof;
  if (request.either_side) {
    for (ProofProperty& property : behind->properties) {
      if (property.answer == ProofAnswer::violated) property.reason = kBehind;
    }
    return behind;
  }
  proof->fences_in_front = true;
  proof->holds_for += kInFront;
  return proof;
}

}  // namespace weakspot::prove
