// The enumeration against the brute-force oracle and against an interpreter of interleavings, on random tests.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <thread>

#include "litmus/dialect.h"
#include "model/brute_force.h"
#include "model/enumerate.h"
#include "model/interleavings.h"

namespace weakspot::model {
namespace {

// ---- random tests, as text ----

rc::Gen<std::string> one_of(std::vector<std::string> words) { return rc::gen::elementOf(std::move(words)); }

struct Features {
  std::size_t threads = 3;
  std::size_t instructions = 3;  // per thread, at most
  std::size_t writes = 4;        // in all, at most
  std::size_t reads = 5;
  bool control = true;
};

std::string random_instruction(const Features& features, std::size_t thread, std::size_t index) {
  const std::string location = *one_of({"x", "x", "y"});
  const std::string reg = *one_of({"r0", "r1"});
  const std::string other = *one_of({"r0", "r1"});
  const std::string constant = *one_of({"1", "2"});
  const int kinds = features.control ? 16 : 11;
  switch (*rc::gen::resize(100, rc::gen::inRange(0, kinds))) {
    case 0:
    case 1:
    case 2:
      return fmt::format("ld {}, {}", reg, location);
    case 3:
    case 4:
    case 5:
      return fmt::format("st {}, {}", location, constant);
    case 6:
      return fmt::format("st {}, {}", location, reg);
    case 7:
      return fmt::format("atom.{} {}, {}, {}", *one_of({"add", "exch", "inc", "max"}), reg, location,
                         *one_of({constant, other}));
    case 8:
      return *one_of({"fence.sc", "membar.wg", "membar"});
    case 9:
      return fmt::format("{} {}, {}, {}", *one_of({"xor", "add"}), reg, other, *one_of({reg, "1"}));
    case 10:
      return fmt::format("xor r2, {}, {} ; st {}+r2, {}", reg, reg, location, constant);
    case 11:
      return fmt::format("atom.cas{} {}, {}, {}, {}", *one_of({"", ".weak"}), reg, location, *one_of({"0", "1", other}),
                         constant);
    case 12:
      return fmt::format("@{}{} st {}, {}", *one_of({"", "!"}), reg, location, constant);
    case 13:
      return fmt::format("{} {}, {}, L{}{} ; st {}, {} ; L{}{}:", *one_of({"beq", "bne"}), reg, *one_of({"0", other}),
                         thread, index, location, constant, thread, index);
    case 14:
      return fmt::format("ld.ex {}, {} ; st.ex r3, {}, {}", reg, location, location, constant);
    default:
      return fmt::format("@{} ld {}, {}", other, reg, location);
  }
}

bool mentions(const std::string& line, const char* word) { return line.find(word) != std::string::npos; }

litmus::LitmusTest random_test(const Features& features) {
  std::size_t writes = 0;
  std::size_t reads = 0;
  // Not scaled by rapidcheck's size: tests of one instruction say little.
  const std::size_t threads = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(2, features.threads + 1));
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    std::vector<std::string>& column = columns.emplace_back();
    const std::size_t count = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(1, features.instructions + 1));
    for (std::size_t i = 0; i < count; ++i) {
      std::string line = random_instruction(features, t, i);
      writes += mentions(line, "st ") || mentions(line, "st.ex") || mentions(line, "atom");
      reads += mentions(line, "ld") || mentions(line, "atom");
      if (writes > features.writes || reads > features.reads) break;
      for (std::size_t at = line.find(" ; "); at != std::string::npos; at = line.find(" ; ")) {
        column.push_back(line.substr(0, at));
        line = line.substr(at + 3);
      }
      column.push_back(line);
    }
    rows = std::max(rows, column.size());
  }
  std::string text = fmt::format("weakspot random\n{{ x = {}; y }}\n", *one_of({"0", "0", "2"}));
  for (std::size_t t = 0; t < threads; ++t) text += fmt::format("{} P{}", t == 0 ? "" : " |", t);
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads; ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", row < columns[t].size() ? columns[t][row] : "");
    }
    text += " ;\n";
  }
  if (threads > 1) {
    text += "scopes";
    if (*rc::gen::arbitrary<bool>()) {
      text += " (wg P0 P1)";
      for (std::size_t t = 2; t < threads; ++t) text += fmt::format(" (wg P{})", t);
    } else {
      for (std::size_t t = 0; t < threads; ++t) text += fmt::format(" (wg P{})", t);
    }
    text += "\n";
  }
  std::string observed = "x; y;";
  for (std::size_t t = 0; t < threads; ++t) {
    std::string column;
    for (const std::string& line : columns[t]) column += line + "\n";
    for (const char* reg : {"r0", "r1", "r3"}) {
      if (mentions(column, reg)) observed += fmt::format(" {}:{};", t, reg);
    }
  }
  text += fmt::format("locations [{}]\nexists (true)\n", observed);
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("random", text));
  if (!tests) RC_FAIL(text + base::render(tests.errors()));
  RC_LOG() << text;
  return std::move(tests->front());
}

// ---- the models again, over relations ----

struct View {
  const Frame& frame;
  const Relation& rf;
  const Relation& co;
  Relation fr;
};

using Check = bool (*)(const View&);

Relation externals(const Frame& frame, const Relation& of) {
  Relation result(frame.size());
  of.for_each([&](EventId a, EventId b) {
    if (frame.events[a].thread != frame.events[b].thread) result.insert(a, b);
  });
  return result;
}

Relation com(const View& view) {
  Relation result = view.rf;
  result |= view.co;
  result |= view.fr;
  return result;
}

bool is_atomic(const View& view) {
  Relation between(view.frame.size());
  between.assign_composition(externals(view.frame, view.fr), externals(view.frame, view.co));
  between &= view.frame.rmw;
  return between.empty();
}

bool anything(const View&) { return true; }

bool sc(const View& view) {
  Relation order = com(view);
  order |= view.frame.po;
  return order.is_acyclic() && is_atomic(view);
}

bool sc_per_location(const View& view) {
  Relation order = view.frame.po;
  order &= view.frame.loc;
  order |= com(view);
  return order.is_acyclic();
}

Relation fence_order(const Frame& frame, litmus::Scope at_least) {
  EventSet fences(frame.size());
  for (EventId i = 0; i < frame.size(); ++i) {
    if (frame.events[i].kind == EventKind::fence && frame.events[i].scope >= at_least) fences.insert(i);
  }
  Relation before = frame.po;
  before.restrict_range(fences);
  Relation order(frame.size());
  order.assign_composition(before, frame.po);
  return order;
}

bool tso(const View& view) {
  const Frame& frame = view.frame;
  Relation order = fence_order(frame, litmus::Scope::thread);
  frame.po.for_each([&](EventId a, EventId b) {
    const Event& from = frame.events[a];
    const Event& to = frame.events[b];
    if (from.kind == EventKind::fence || to.kind == EventKind::fence) return;
    if (from.kind != EventKind::write || to.kind != EventKind::read) order.insert(a, b);
  });
  order |= externals(frame, view.rf);
  order |= view.co;
  order |= view.fr;
  return order.is_acyclic() && sc_per_location(view) && is_atomic(view);
}

bool gpu_2015(const View& view) {
  const Frame& frame = view.frame;
  Relation coherent = com(view);
  frame.po.for_each([&](EventId a, EventId b) {
    const bool reads = frame.events[a].kind == EventKind::read && frame.events[b].kind == EventKind::read;
    if (frame.loc.has(a, b) && !reads) coherent.insert(a, b);
  });
  Relation depends = frame.ctrl;
  EventSet writes(frame.size());
  for (EventId i = 0; i < frame.size(); ++i) {
    if (frame.events[i].is_write()) writes.insert(i);
  }
  depends.restrict_range(writes);
  depends |= frame.addr;
  depends |= frame.data;
  Relation thin_air = depends;
  thin_air |= view.rf;
  if (!coherent.is_acyclic() || !thin_air.is_acyclic()) return false;
  for (litmus::Scope scope : {litmus::Scope::workgroup, litmus::Scope::device, litmus::Scope::system}) {
    Relation order = depends;
    order |= fence_order(frame, scope);
    order |= externals(frame, view.rf);
    order |= view.co;
    order |= view.fr;
    Relation within(frame.size());
    order.for_each([&](EventId a, EventId b) {
      const Event& from = frame.events[a];
      const Event& to = frame.events[b];
      if (from.thread && to.thread && frame.scopes.together(*from.thread, *to.thread, scope)) within.insert(a, b);
    });
    if (!within.is_acyclic()) return false;
  }
  return true;
}

class CheckVisitor : public CandidateVisitor {
 public:
  explicit CheckVisitor(Check check) : check_(check) {}

  bool frame(const Frame& frame) override {
    frame_ = &frame;
    return true;
  }
  bool cut(const Relation& rf, const Relation& co) override { return !passes(rf, co); }
  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> outcomes) override {
    if (!passes(*candidate.rf, *candidate.co)) return true;
    ++summary.executions;
    summary.outcomes.insert(outcomes.begin(), outcomes.end());
    return true;
  }

  brute::Summary summary;

 private:
  bool passes(const Relation& rf, const Relation& co) const {
    Relation inverse(frame_->size());
    inverse.assign_inverse(rf);
    View view{*frame_, rf, co, Relation(frame_->size())};
    view.fr.assign_composition(inverse, co);
    return check_(view);
  }

  Check check_;
  const Frame* frame_ = nullptr;
};

brute::Summary fast(const litmus::LitmusTest& test, Check check, bool partial) {
  CheckVisitor visitor(check);
  const EnumerateResult result = enumerate(test, {.partial_coherence = partial}, visitor);
  RC_ASSERT(result.complete);
  RC_ASSERT(!result.bounded);
  return visitor.summary;
}

void agree(const litmus::LitmusTest& test, Check check, const brute::Model& model, bool partial = false) {
  const brute::Summary expected = brute::all_executions(test, model, partial);
  const brute::Summary found = fast(test, check, partial);
  RC_ASSERT(found.outcomes == expected.outcomes);
  RC_ASSERT(found.executions == expected.executions);
}

template <typename Property>
void holds_for(const Features& features, int tests, const Property& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = tests;
  const auto result =
      rc::detail::checkTestable([&] { property(random_test(features)); }, rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
}

TEST(EnumerateProperty, AgreesWithoutAModel) {
  holds_for({.instructions = 2}, 400, [](const litmus::LitmusTest& test) { agree(test, anything, brute::anything); });
}

TEST(EnumerateProperty, AgreesOnSc) {
  holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, sc, brute::sc); });
}

TEST(EnumerateProperty, AgreesOnScPerLocation) {
  holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, sc_per_location, brute::sc_per_location); });
}

TEST(EnumerateProperty, AgreesOnTso) {
  holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, tso, brute::tso); });
}

TEST(EnumerateProperty, AgreesOnTheShapeOf2015) {
  holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, gpu_2015, brute::gpu_2015); });
}

TEST(EnumerateProperty, AgreesOnPartialCoherence) {
  holds_for({.instructions = 2}, 500, [](const litmus::LitmusTest& test) {
    agree(test, sc_per_location, brute::sc_per_location, true);
    agree(test, gpu_2015, brute::gpu_2015, true);
  });
}

TEST(EnumerateProperty, ScIsWhatInterleavingsGive) {
  holds_for({.instructions = 4, .writes = 6, .reads = 6}, 2000, [](const litmus::LitmusTest& test) {
    RC_ASSERT(fast(test, sc, false).outcomes == brute::Interleavings(test).run());
  });
}

}  // namespace
}  // namespace weakspot::model
