// SPDX-License-Identifier: MIT
// The search for the order of a `with` against trying all orders one by one, which never gives up a partial candidate.
#include "model/evaluate/order_search.h"

#include <gtest/gtest.h>

#include "model/judge.h"
#include "model/library.h"
#include "support/compile_model.h"
#include "support/every_candidate.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

// Orders of fences and of accesses, in checks that grow with the order, that shrink with it, and that do neither.
const char* const kModels[] = {
    R"("fences in order"
include "cos.cat"
with S from linearisations(F & SC, 0)
let com = rf | co | fr
let hb = (po | rf)+
acyclic S | hb as order
irreflexive S; po; com; po as between
acyclic po & loc | com as coherence
)",
    R"("the next fence"
include "cos.cat"
with S from linearisations(F & SC, 0)
let com = (rf | co | fr)+
let next = S \ (S; S)
irreflexive next; po; com; po as next
empty ([F & SC]; po; rf; po; [F & SC]) \ S as forced
acyclic po & loc | rf | co | fr as coherence
)",
    R"("not in the order"
include "cos.cat"
with S from linearisations(F & SC | W & ATOM, po)
let com = rf | co | fr
let fenced = po; [F & SC]
empty (fenced; com; fenced^-1) & ~S & (F * F) \ id as listed
acyclic co | S as agrees
irreflexive (S & (F * F)); po; fr; po as reads
)",
    R"("one order per location"
include "cos.cat"
with S from generate_orders(M, co)
irreflexive S; rf^-1 as seen
irreflexive (rf | fr); S as coherent
acyclic S | po & loc as in-order
)",
    R"("twice"
include "cos.cat"
with S from linearisations(F & SC, 0)
with T from linearisations(F & SC, S & po)
irreflexive S; T as same
irreflexive S; po; (co | fr | rf)+; po as reads
)",
};

// Two to four threads with four or five fences in all, and an access on most sides of them.
litmus::LitmusTest fenced_test() {
  const std::size_t threads = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(2, 5));
  const std::size_t fences = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(4, 6));
  std::vector<std::vector<std::string>> columns(threads);
  std::size_t writes = 0;
  std::size_t reads = 0;
  auto access = [&](std::vector<std::string>& column) {
    const std::string place = *tests::one_of({"x", "y", "z"});
    const std::string suffix = *tests::one_of({"", "", ".wg", ".na"});
    const int kind = *rc::gen::resize(100, rc::gen::inRange(0, 8));
    if (kind < 3 && reads < 4) {
      ++reads;
      column.push_back(fmt::format("ld{} r{}, {}", suffix, column.size() % 4, place));
    } else if (kind < 6 && writes < 4) {
      ++writes;
      column.push_back(fmt::format("st{} {}, {}", suffix, place, writes));
    } else if (kind == 6 && writes < 3 && reads < 3) {
      ++writes;
      ++reads;
      column.push_back(fmt::format("atom.add r{}, {}, 1", column.size() % 4, place));
    }
  };
  for (std::size_t i = 0; i < fences; ++i) {
    std::vector<std::string>& column = columns[i % threads];
    if (column.empty()) access(column);
    column.push_back(*tests::one_of({"fence.sc", "fence.sc", "fence.sc.wg", "membar"}));
    access(column);
  }
  std::size_t rows = 0;
  for (const std::vector<std::string>& column : columns) rows = std::max(rows, column.size());
  std::string text = "weakspot fenced\n{ x; y; z; }\n";
  std::string scopes = "scopes";
  std::string observed = "x; y; z;";
  const bool together = *rc::gen::arbitrary<bool>();
  for (std::size_t t = 0; t < threads; ++t) {
    text += fmt::format("{} P{}", t == 0 ? "" : " |", t);
    if (t == 0 || t > 1 || !together) scopes += fmt::format(" (wg P{}{})", t, t == 0 && together ? " P1" : "");
    for (const std::string& line : columns[t]) {
      const std::size_t reg = line.find(" r");
      if (reg != std::string::npos) observed += fmt::format(" {}:{};", t, line.substr(reg + 1, 2));
    }
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads; ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", row < columns[t].size() ? columns[t][row] : "");
    }
    text += " ;\n";
  }
  text += scopes + "\nlocations [" + observed + "]\nexists (true)\n";
  RC_LOG() << text;
  return tests::read_one(text);
}

void agree(const litmus::LitmusTest& test, const Model& model) {
  const tests::EveryCandidate expected(test, model, true);
  const Verdict verdict = judge(test, model);
  RC_ASSERT(verdict.complete);
  RC_ASSERT(verdict.outcomes == expected.outcomes);
  RC_ASSERT(verdict.executions == expected.executions);
}

TEST(OrderSearchProperty, FindsWhatTryingAllOrdersFinds) {
  for (const char* text : kModels) {
    const Model model = tests::compile_model(text);
    tests::holds(60, [&] { agree(fenced_test(), model); });
  }
}

TEST(OrderSearchProperty, FindsWhatTryingAllOrdersFindsByPtx) {
  const base::Result<Model> model = load_model("ptx");
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  tests::holds(200, [&] { agree(fenced_test(), *model); });
}

// Models with one order of the seq_cst operations: which modification is the last one before a read depends on it where
// some writes are not seq_cst.
TEST(OrderSearchProperty, FindsWhatTryingAllOrdersFindsOfSeqCst) {
  const tests::Features features{.writes = 3,
                                 .reads = 3,
                                 .fences = 1,
                                 .control = false,
                                 .loads = {".sc", ".sc", ""},
                                 .stores = {".sc", ".sc", ""},
                                 .atomics = {".sc", ".sc", ".acqrel"},
                                 .fence_words = {"fence.sc"}};
  for (const char* name : {"c11-2011", "opencl"}) {
    const base::Result<Model> model = load_model(name);
    ASSERT_TRUE(model.ok()) << base::render(model.errors());
    tests::holds_for(features, 150, [&](const litmus::LitmusTest& test) { agree(test, *model); });
  }
}

}  // namespace
}  // namespace weakspot::model
