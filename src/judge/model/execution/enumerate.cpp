// SPDX-License-Identifier: MIT
#include "model/execution/enumerate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "model/execution/barriers.h"
#include "model/execution/coherence.h"
#include "model/execution/final_state.h"
#include "model/execution/frame_values.h"
#include "model/execution/frames.h"
#include "model/execution/path_filter.h"
#include "model/execution/question.h"
#include "model/execution/search_budget.h"

namespace weakspot::model {
namespace {

// A visitor's cut() costs about as much as a candidate. It is called on a partial candidate only if it may save more
// than one, and pairs are probed only if they are few compared to what is left to enumerate.
constexpr double kProbesPayOff = 1.5;    // with rf complete: orders left, per probe
constexpr double kLookAheadPayOff = 16;  // with rf partial
// Comparing threads costs about as much as a few candidates.
constexpr double kSymmetryPaysOff = 200;
constexpr double kLinksPayOff = 4;  // orders of the pieces of writes
// While writes are being ordered, pairs are probed again only after this many decisions: one decision rules out little.
constexpr std::size_t kProbeEvery = 6;
// Enumerations that share a test split each frame into at least this many subtrees: below its first reads or, where
// the reads give too few, below this many decisions on the order of writes.
constexpr double kSharedParts = 64;
constexpr std::size_t kSharedOrderDepth = 6;
constexpr std::size_t kMostLateness = 10'000;
// Per thread. A test with more has too many executions to look at.
constexpr std::size_t kMostPaths = 10'000;
// The most events of one execution. Operations on more take seconds each.
constexpr std::size_t kMostEvents = 10'000;

// The candidates of one frame.
class FrameSearch {
 public:
  FrameSearch(Layouts& layouts, const Layout& layout, Budget& budget, Share& share, CandidateVisitor& visitor,
              EnumerateResult& result)
      : layouts_(layouts),
        layout_(layout),
        budget_(budget),
        share_(share),
        visitor_(visitor),
        result_(result),
        final_(layout),
        values_(layout, final_.registers()),
        coherence_(layout, budget.options.partial_coherence),
        rf_(layout.frame.size()) {}

  void run() {
    if (values_.consistent() && list_sources() && visitor_.frame(layout_.frame) && link_pieces() && require_orders()) {
      find_symmetry();
      if (!look_ahead()) return note_nonsense();
      plan_sharing();
      choose_source(0);
    }
    note_nonsense();
  }

 private:
  void note_nonsense() {
    if (!values_.met_nonsense()) return;
    result_.complete = false;
    if (result_.reason.empty()) {
      result_.reason = "some execution computes with an address, or with a part of one, in a way that has no meaning";
    }
  }

  struct Read {
    EventId event;
    std::vector<EventId> sources;
  };

  bool cut() { return visitor_.cut(rf_, coherence_.order()); }

  // Bytes of the relations of the frame and of the open choices.
  std::size_t held() const {
    static constexpr std::size_t kRelationsOfFrame = 12;
    return (kRelationsOfFrame + coherence_.held()) * rf_.word_count() * sizeof(std::uint64_t);
  }

  // ---- reads-from ----

  // Most frames of a test with branches fail here: some read must return a value that nobody writes.
  bool list_sources() {
    reads_.reserve(layout_.frame.size() - layout_.initial_writes());
    for (EventId event = 0; event < layout_.frame.size(); ++event) {
      if (layout_.frame.events[event].kind != EventKind::read) continue;
      if (budget_.spent(result_)) return false;
      const EventId cell = layout_.cell[event];
      Read& read = reads_.emplace_back(Read{event, {}});
      auto add = [&](EventId write) {
        if (!values_.contradicts(event, write)) read.sources.push_back(write);
      };
      read.sources.reserve(1 + layout_.cells[cell].size());
      add(cell);
      for (EventId write : layout_.cells[cell]) add(write);
      if (read.sources.empty()) return false;
    }
    return true;
  }

  // Nearly every model wants the pieces of two writes ordered in the same way in all cells that they share. If this one
  // does, finding it out once saves trying all other ways. False if the time is over.
  bool link_pieces() {
    if (layout_.pieces.empty() || coherence_.size().completions <= kLinksPayOff) return true;
    for (const auto& [a, b] : coherence_.pairs()) {
      for (EventId c = a + 1; c < layout_.end_of_pieces(layout_.operation_of(a)); ++c) {
        if (budget_.spent(result_)) return false;
        if (const std::optional<EventId> d = piece_in(layout_.cell[c], layout_.operation_of(b))) {
          forbid_if_cut({a, b}, {*d, c});
          forbid_if_cut({b, a}, {c, *d});
        }
      }
    }
    return true;
  }

  std::optional<EventId> piece_in(EventId cell, EventId operation) const {
    for (EventId piece = layout_.first_piece(operation); piece < layout_.end_of_pieces(operation); ++piece) {
      if (layout_.cell[piece] == cell) return piece;
    }
    return std::nullopt;
  }

  void forbid_if_cut(const Coherence::Pair& one, const Coherence::Pair& other) {
    coherence_.save();
    const bool impossible =
        coherence_.order(one.first, one.second) && coherence_.order(other.first, other.second) && cut();
    coherence_.discard();
    if (impossible) coherence_.forbid_together(one, other);
  }

  // Orders the choices so that contradictions show early. False if some read has no source left.
  bool look_ahead() {
    double choices = 1;
    std::size_t pairs = 0;
    for (const Read& read : reads_) {
      choices *= static_cast<double>(read.sources.size());
      pairs += read.sources.size();
    }
    // Synchronising reads are chosen first, because what the others may read depends on them; among pieces, those that
    // have little to choose from.
    auto rank = [&](const Read& read) {
      const bool plain = layout_.frame.events[read.event].order == litmus::Order::plain;
      return std::pair(plain, std::pair(layout_.frame.pieces ? read.sources.size() : 0, read.event));
    };
    std::sort(reads_.begin(), reads_.end(), [&](const Read& a, const Read& b) { return rank(a) < rank(b); });
    if (choices * coherence_.size().completions > kLookAheadPayOff * static_cast<double>(pairs)) drop_sources();
    // The number of completions below each level of the search, if nothing is cut.
    below_.assign(reads_.size() + 1, 1);
    for (std::size_t i = reads_.size(); i-- > 0;) {
      below_[i] = below_[i + 1] * static_cast<double>(reads_[i].sources.size());
    }
    return std::none_of(reads_.begin(), reads_.end(), [](const Read& read) { return read.sources.empty(); });
  }

  // ---- equal threads ----

  // Picks one of the candidates that differ only in which of some equal threads is which.
  void find_symmetry() {
    const bool plain = !layout_.frame.pieces && layout_.frame.ends.empty();
    if (!budget_.options.equal_threads || !plain) return;
    double candidates = coherence_.size().completions;
    for (const Read& read : reads_) candidates *= static_cast<double>(read.sources.size());
    if (candidates < kSymmetryPaysOff) return;
    symmetry_.emplace(layout_, final_, values_, budget_.options.ask_interest);
    coherence_.save();
    std::erase_if(symmetry_->groups(), [&](const Symmetry::Group& group) { return !order_threads(group); });
    if (symmetry_->groups().empty()) {
      symmetry_.reset();
      coherence_.discard();
    }
  }

  // Orders the threads by one of their writes, if every candidate orders those.
  bool order_threads(const Symmetry::Group& group) {
    auto write = [&](std::size_t i, std::uint32_t position) { return symmetry_->event(group.threads[i], position); };
    const std::size_t count = group.threads.size();
    for (std::uint32_t position : group.writes) {
      bool ordered = true;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < i; ++k) ordered = ordered && must_order(write(k, position), write(i, position));
      }
      if (!ordered) continue;
      for (std::size_t i = 1; i < count; ++i) {
        // The threads are equal, so that nothing can be known about the order of their writes.
        WEAKSPOT_CHECK(coherence_.order(write(i - 1, position), write(i, position)));
      }
      return true;
    }
    return false;
  }

  bool must_order(EventId a, EventId b) {
    if (!budget_.options.partial_coherence) return true;
    coherence_.save();
    const bool may_not = coherence_.separate(a, b);
    coherence_.discard();
    return !may_not && !coherence_.decided({a, b});
  }

  // Sources that the visitor rules out whatever else is chosen.
  void drop_sources() {
    for (Read& read : reads_) {
      std::erase_if(read.sources, [&](EventId write) {
        if (budget_.spent(result_)) return false;
        rf_.insert(write, read.event);
        const bool impossible = cut();
        rf_.erase(write, read.event);
        return impossible;
      });
    }
  }

  void choose_source(std::size_t depth) {
    if (budget_.spent(result_)) return;
    if (depth == share_sources_ && share_orders_ == 0) return share_from(depth);
    choose_source_here(depth);
  }

  void choose_source_here(std::size_t depth) {
    if (depth == reads_.size()) {
      // Most models rule out reads that depend on each other in a cycle, and there may be many values to try.
      if (values_.first_unknown() && cut()) return;
      return settle_values();
    }
    const Read& read = reads_[depth];
    for (EventId write : read.sources) {
      const bool counts = is_count(read.event, write);
      if (counts && is_changed(write)) continue;
      const std::size_t mark = values_.mark();
      rf_.insert(write, read.event);
      if (counts) coherence_.save();
      const bool possible = !counts || coherence_.order(write, own_write(read.event));
      if (possible && values_.read_from(read.event, write) && !hopeless(depth + 1)) go_on(depth + 1);
      if (counts) coherence_.discard();
      rf_.erase(write, read.event);
      values_.undo(mark);
      if (budget_.stopped) return;
    }
  }

  // Changes of an mbarrier are atomic in every model that knows them: each state is changed once, and what changes it
  // comes after it. Initialising it again is not such a change.
  bool is_count(EventId read, EventId write) const {
    const std::vector<Event>& events = layout_.frame.events;
    return events[read].counts() && (events[write].kind == EventKind::init || events[write].counts());
  }

  bool is_changed(EventId state) const {
    return std::any_of(reads_.begin(), reads_.end(), [&](const Read& read) {
      return rf_.has(state, read.event) && layout_.frame.events[read.event].counts();
    });
  }

  // A read-modify-write is two events in a row.
  static EventId own_write(EventId read) { return read + 1; }

  bool hopeless(std::size_t depth) {
    if (budget_.options.ask_interest && !visitor_.interesting(final_.so_far(values_))) return true;
    return (below_[depth] > 1 || coherence_.size().undecided > 0) && cut();
  }

  // Goes to the next level. Where it pays off, first finds what the choices so far say about coherence.
  void go_on(std::size_t depth) {
    const Coherence::Size size = coherence_.size();
    if (depth == reads_.size() || size.undecided == 0 ||
        below_[depth] * size.completions < kLookAheadPayOff * static_cast<double>(size.undecided)) {
      return choose_source(depth);
    }
    coherence_.save();
    if (require_orders() && probe_orders()) choose_source(depth);
    coherence_.discard();
  }

  // ---- values that depend on themselves ----

  void settle_values() {
    const std::optional<EventId> unknown = values_.first_unknown();
    if (!unknown) return order_writes();
    if (layouts_.domain().overflowed()) {
      return budget_.stop(result_, "too many possible values for reads that depend on each other in a cycle");
    }
    cycle_.clear();
    for (const Read& read : reads_) {
      const EventId operation = layout_.operation_of(read.event);
      if (!values_.known(operation)) cycle_.push_back(operation);
    }
    suppose_values(*unknown);
  }

  void suppose_values(EventId unknown) {
    if (budget_.spent(result_)) return;
    for (const litmus::Value& value : possible_values(unknown)) {
      const std::size_t mark = values_.mark();
      if (values_.suppose(unknown, value)) {
        const std::optional<EventId> next = values_.first_unknown();
        if (next) {
          suppose_values(*next);
        } else if (is_justified()) {
          order_writes();
        }
      }
      values_.undo(mark);
      if (budget_.stopped) return;
    }
  }

  // The values of a read in a cycle: those the program can make, and those the test asks for.
  std::vector<litmus::Value> possible_values(EventId read) {
    const litmus::Type type = layout_.frame.events[layout_.first_piece(read)].type;
    std::vector<litmus::Value> values = layouts_.domain().readable(layout_.extent(read), type);
    for (const litmus::Value& number : numbers_asked_for(*layout_.frame.test)) values.push_back(wrap(number, type));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  // Whether every value in the cycle is possible, not only those that were supposed.
  bool is_justified() {
    return std::all_of(cycle_.begin(), cycle_.end(), [&](EventId read) {
      const std::vector<litmus::Value> possible = possible_values(read);
      return std::binary_search(possible.begin(), possible.end(), values_.value(read));
    });
  }

  // ---- coherence ----

  void order_writes() {
    if (budget_.options.ask_interest && !visitor_.interesting(final_.so_far(values_))) return;
    if (!final_.take_registers(values_)) return;
    coherence_.save();
    if (require_orders()) order_next(0);
    coherence_.discard();
  }

  // For models with partial orders: finds the pairs of writes that the visitor wants ordered, and their direction.
  // False if no order is left.
  bool require_orders() {
    if (!budget_.options.partial_coherence || !coherence_.first_undecided()) return true;
    // The order so far may be all that is wanted.
    if (!visitor_.lacks(rf_, coherence_.order())) return true;
    most_ = coherence_.order();
    for (const std::vector<Coherence::Pair>* pairs : {&coherence_.pairs(), &coherence_.chained()}) {
      for (const auto& [a, b] : *pairs) {
        most_.insert(a, b);
        most_.insert(b, a);
      }
    }
    for (const auto& [a, b] : coherence_.pairs()) {
      if (budget_.spent(result_)) return false;
      if (!coherence_.decided({a, b}) && !require_order(a, b)) return false;
    }
    return true;
  }

  // most_ holds every pair of writes both ways, before the call and after it.
  // If a check lacks a pair although most_ is above every completion, it lacks it in all of them. So a and b must be
  // ordered if it fails without both directions, and a must come first if it fails without that one.
  bool require_order(EventId a, EventId b) {
    most_.erase(a, b);
    most_.erase(b, a);
    const bool ordered = visitor_.lacks(rf_, most_);
    most_.insert(b, a);
    const bool forward = ordered && visitor_.lacks(rf_, most_);
    most_.insert(a, b);
    most_.erase(b, a);
    const bool backward = ordered && visitor_.lacks(rf_, most_);
    most_.insert(b, a);
    if (!ordered) return true;
    if ((forward && backward) || !coherence_.require(a, b)) return false;
    if (forward) return coherence_.order(a, b);
    return !backward || coherence_.order(b, a);
  }

  // Tries each undecided pair both ways and excludes those that are cut. False if no order is left.
  bool probe_orders() {
    for (const auto& [a, b] : coherence_.pairs()) {
      if (budget_.spent(result_)) return false;
      if (coherence_.decided({a, b})) continue;
      for (const auto& [before, after] : {Coherence::Pair{a, b}, Coherence::Pair{b, a}}) {
        if (coherence_.decided({a, b})) break;
        coherence_.save();
        const bool impossible = !coherence_.order(before, after) || cut();
        coherence_.discard();
        if (impossible && !coherence_.exclude(before, after)) return false;
      }
    }
    return true;
  }

  void order_next(std::size_t depth) {
    budget_.open = held();
    if (budget_.spent(result_)) return;
    const Coherence::Size size = coherence_.size();
    if (size.undecided > 0 && size.completions > kProbesPayOff * 2 * static_cast<double>(size.undecided)) {
      if (depth % kProbeEvery == 0 && !probe_orders()) return;
      if (depth > 0 && cut()) return;
    }
    const std::optional<Coherence::Pair> pair = coherence_.first_undecided();
    if (share_orders_ > 0 && (depth == share_orders_ || (!pair && depth < share_orders_))) {
      if (!share_.claim()) return;
      split(depth, pair);
      return share_.take();
    }
    split(depth, pair);
  }

  void split(std::size_t depth, const std::optional<Coherence::Pair>& pair) {
    if (!pair) return show();
    const auto [a, b] = *pair;
    auto attempt = [&](auto decide) {
      if (budget_.stopped) return;
      coherence_.save();
      if (decide()) order_next(depth + 1);
      coherence_.discard();
    };
    attempt([&] { return coherence_.order(a, b); });
    attempt([&] { return coherence_.order(b, a); });
    if (budget_.options.partial_coherence) attempt([&] { return coherence_.separate(a, b); });
  }

  void show() {
    if (budget_.spent(result_)) return;
    ++result_.candidates;
    const Candidate candidate{&layout_.frame, &rf_, &coherence_.order(), &values_.values()};
    const std::span<const litmus::Outcome> outcomes = final_.outcomes(values_, coherence_, budget_.allowance);
    if (budget_.allowance.used_up()) return;
    const bool more =
        symmetry_ ? visitor_.candidates(candidate, outcomes, *symmetry_) : visitor_.candidate(candidate, outcomes);
    if (!more) budget_.stopped = true;
  }

  // ---- sharing ----

  // Splits the search below the first reads that give enough parts, or else below the first orders.
  void plan_sharing() {
    share_sources_ = reads_.size() + 1;
    share_orders_ = 0;
    if (share_.next == nullptr) return;
    double parts = 1;
    for (share_sources_ = 0; share_sources_ < reads_.size() && parts < kSharedParts; ++share_sources_) {
      parts *= static_cast<double>(reads_[share_sources_].sources.size());
    }
    if (parts < kSharedParts) share_orders_ = kSharedOrderDepth;
  }

  void share_from(std::size_t depth) {
    if (!share_.claim()) return;
    choose_source_here(depth);
    share_.take();
  }

  Layouts& layouts_;
  const Layout& layout_;
  Budget& budget_;
  Share& share_;
  CandidateVisitor& visitor_;
  EnumerateResult& result_;
  FinalState final_;
  FrameValues values_;
  Coherence coherence_;
  Relation rf_;
  Relation most_;  // scratch
  std::vector<Read> reads_;
  std::vector<double> below_;
  std::optional<Symmetry> symmetry_;
  std::vector<EventId> cycle_;  // reads, as operations, whose values depend on themselves or on such values
  std::size_t share_sources_ = 0;
  std::size_t share_orders_ = 0;
};

// The bytes of a frame with its orders of writes. Small frames need not be counted.
std::size_t frame_bytes(std::size_t events) {
  static constexpr std::size_t kRelations = 20;
  return events * kernels::words_for(events) * kRelations * sizeof(std::uint64_t) +
         events * events / 2 * sizeof(Coherence::Pair);
}

// Visits the frame once for each choice of who is late at its barriers: for nearly all tests, once.
template <typename Visit>
void for_each_lateness(Layout& layout, EnumerateResult& result, Allowance& allowance, const Visit& visit) {
  const bool has_barriers = std::any_of(layout.frame.events.begin(), layout.frame.events.end(),
                                        [](const Event& event) { return event.kind == EventKind::barrier; });
  if (!has_barriers) return visit();
  const Barriers barriers(layout.frame);
  if (layout.frame.ends.empty() && barriers.wait_forever()) {
    if (result.reason.empty()) result.reason = "some barrier waits for more threads than reach it";
    return;
  }
  const std::vector<std::vector<EventId>> choices = barriers.late(kMostLateness, allowance);
  if (choices.size() == kMostLateness) {
    result.complete = false;
    result.reason = "too many ways for threads to be late at a barrier";
  }
  for (const std::vector<EventId>& late : choices) {
    for (EventId barrier : late) layout.frame.events[barrier].late = true;
    visit();
    for (EventId barrier : late) layout.frame.events[barrier].late = false;
  }
}

bool is_wanted(const Layouts& layouts, const EnumerateOptions& options, const std::vector<std::size_t>& choice) {
  if (!options.endings) return true;
  std::vector<Ending> endings;
  for (std::size_t t = 0; t < choice.size(); ++t) {
    endings.push_back(layouts.settled()[t][choice[t]].path->ending);
  }
  return options.endings(endings);
}

}  // namespace

EnumerateResult enumerate(const litmus::LitmusTest& test, const EnumerateOptions& options, CandidateVisitor& visitor) {
  EnumerateResult result;
  Allowance own(options.limits);
  Allowance& allowance = options.allowance == nullptr ? own : *options.allowance;
  Budget budget(options, allowance, visitor);
  Share share(options.share);
  const PathOptions path_options{.unroll = options.limits.unroll,
                                 .races = options.races,
                                 .unfinished = options.endings != nullptr,
                                 .stops = options.stops,
                                 .paths = kMostPaths,
                                 .allowance = &allowance};
  Layouts layouts(test, path_options, allowance);
  result.bounded = layouts.bounded();
  budget.paths = layouts.held();
  budget.look(result);
  std::optional<PathFilter> filter;
  if (layouts.branches()) filter.emplace(layouts.test(), layouts.settled(), allowance);
  // Counts through the choices of a path per thread, the last thread fastest.
  std::vector<std::size_t> choice(test.threads.size());
  bool more = true;
  for (std::size_t t = 0; t < choice.size(); ++t) more = more && layouts.paths_of(t) > 0;
  while (more && !budget.spent(result)) {
    if (is_wanted(layouts, options, choice) && (!filter || filter->admits(choice))) {
      const std::size_t events = layouts.events_of(choice) + test.locations.size();
      if (events > kMostEvents) {
        budget.stop(result, fmt::format("some execution has more than {} events", kMostEvents));
        break;
      }
      budget.weigh(events);
      if (!allowance.holds(frame_bytes(events))) break;
      Layout layout = layouts.build(choice);
      for_each_lateness(layout, result, allowance,
                        [&] { FrameSearch(layouts, layout, budget, share, visitor, result).run(); });
    }
    std::size_t thread = choice.size();
    while (thread > 0 && ++choice[thread - 1] == layouts.paths_of(thread - 1)) choice[--thread] = 0;
    more = thread > 0;
  }
  if (allowance.used_up()) budget.stop(result, allowance.reason());
  if (!layouts.trouble().empty()) {
    result.complete = false;
    if (result.reason.empty()) result.reason = layouts.trouble();
  }
  return result;
}

}  // namespace weakspot::model
