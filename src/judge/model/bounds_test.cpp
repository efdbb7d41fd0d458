// SPDX-License-Identifier: MIT
// The limits of a verdict hold wherever the time goes: for each thing that can take without end there is a test or a
// model that makes it do so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "model/explain.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/picture.h"
#include "support/compile_model.h"
#include "support/read_one.h"

namespace weakspot::model {
namespace {

using Clock = std::chrono::steady_clock;
using Column = std::vector<std::string>;
using tests::read_one;

// Much more than the limit of the tests, so that a slow machine passes, and much less than what they take without one.
constexpr std::chrono::seconds kSoon{10};
constexpr std::chrono::milliseconds kLimit{5};

std::string columns(const std::vector<Column>& threads, const std::string& tail, const std::string& init = "") {
  std::string text = "weakspot t\n" + init;
  std::size_t rows = 0;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    text += fmt::format("{}P{}", t == 0 ? "" : " | ", t);
    rows = std::max(rows, threads[t].size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      text += (t == 0 ? "" : " | ") + (row < threads[t].size() ? threads[t][row] : "");
    }
    text += " ;\n";
  }
  return text + tail + "\n";
}

// `count` threads or rows, made from their numbers.
template <typename Make>
auto many(int count, const Make& make) {
  std::vector<decltype(make(0))> made;
  made.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) made.push_back(make(i));
  return made;
}

std::string joined(const Column& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// Two of each value, so that few of them can change places.
std::vector<Column> writers(int threads) {
  return many(threads, [](int i) { return Column{fmt::format("st x, {}", i / 2 + 1)}; });
}

Column stores(int count) {
  return many(count, [](int i) { return fmt::format("st x{}, 1", i); });
}

Column loop(int rounds) {
  return {"mov r0, 0", "L:", "st x, r0", "ld r1, y", "add r0, r0, 1", fmt::format("bne r0, {}, L", rounds)};
}

std::vector<Column> readers_and_two_writers() {
  std::vector<Column> threads = many(14, [](int) { return Column{"ld r0, x"}; });
  threads.insert(threads.end(), {{"st y, 1"}, {"st y, 2"}});
  return threads;
}

// Pairs of threads whose reads depend on each other in a cycle, each with many values to try.
std::string guesses() {
  std::vector<Column> threads;
  for (int i = 0; i < 10; ++i) {
    threads.push_back({fmt::format("ld r0, a{}", i), "add r0, r0, 1", fmt::format("st b{}, r0", i)});
    threads.push_back({fmt::format("ld r0, b{}", i), "sub r0, r0, 1", fmt::format("st a{}, r0", i)});
  }
  const Column asked = many(30, [](int i) { return fmt::format("1:r0={}", 100 + i); });
  return columns(threads, "exists (0:r0=99 /\\ (" + joined(asked, " \\/ ") + "))");
}

std::string branches() {
  Column reader;
  for (int i = 0; i < 40; ++i) {
    reader.insert(reader.end(), {fmt::format("ld r{}, x", i), fmt::format("beq r{0}, 0, L{0}", i),
                                 fmt::format("st y, {}", i + 1), fmt::format("L{}:", i)});
  }
  return columns({{"st x, 1"}, reader}, "exists (y=99)");
}

// Loads through pointers that other threads change.
std::string addresses() {
  Column reader;
  std::string init = "{ s64 p = &a; a; b; c; d; ";
  for (int i = 0; i < 20; ++i) {
    init += fmt::format("0:s64 r{}; ", i);
    reader.insert(reader.end(), {fmt::format("ld r{}, p", i), fmt::format("ld r{}, [r{}]", 100 + i, i)});
  }
  std::vector<Column> threads{reader};
  for (const char* target : {"a", "b", "c", "d"}) threads.push_back({fmt::format("st.s64 p, &{}", target)});
  return columns(threads, "exists (0:r100=77)", init + "}\n");
}

// Values that grow without end, with a branch that depends on them.
std::string sums() {
  return columns(many(6,
                      [](int i) {
                        return Column{
                            "ld r0, x",
                            "ld r1, y",
                            "ld r2, z",
                            "add r0, r0, r1",
                            "add r0, r0, r2",
                            fmt::format("add r0, r0, {}", i + 1),
                            "beq r0, 5, L",
                            fmt::format("st {}, r0", std::string_view("xyz")[static_cast<std::size_t>(i) % 3]),
                            "L:"};
                      }),
                 "exists (x=7777)");
}

std::string last_writes() {
  const Column names = many(8, [](int i) { return fmt::format("x{}", i); });
  return columns(
      many(9, [](int thread) { return many(8, [&](int i) { return fmt::format("st x{}, {}", i, thread + 1); }); }),
      "locations [" + joined(names, ";") + "]\nexists (x0=77)");
}

std::string alternatives() {
  std::string model = "\"m\"\ninclude \"cos.cat\"\n";
  for (int i = 0; i < 25; ++i) model += fmt::format("with a{} from {{po, rf, co, rf^-1}}\n", i);
  const Column all = many(25, [](int i) { return fmt::format("a{}", i); });
  return model + "empty " + joined(all, " | ") + " as never\n";
}

const char* const kCoherent = "\"m\"\ninclude \"cos.cat\"\nacyclic co | rf | fr\n";
const char* const kUnordered =
    "\"m\"\nwith co from generate_partial_cos(co0)\nempty [W \\ IW]; co; [W \\ IW] as unordered\n";
const char* const kLoose = "\"m\"\nempty rf & id\n";
// Every order fails, each for the whole of it.
const char* const kUnending = "\"m\"\nwith s from linearisations(M, 0)\nempty s \\ (s; s) as never\n";
const char* const kFixpoints = R"("m"
include "cos.cat"
let next = po \ (po; po)
let rec a = next | (next; a) |
  (let rec b = next | (next; b) | (a & b & rf) |
    (let rec c = next | (next; c) | (a & b & c & rf) |
      (let rec d = next | (next; d) | (a & b & c & d & rf) |
        (let rec e = next | (next; e) | (a & b & c & d & e & rf) in e & d) in d & c) in c & b) in b & a)
empty a & co as done
)";

struct Runaway {
  const char* name;
  std::string test;
  std::string model;  // the text of one, or the name of one of ours
};

const std::vector<Runaway>& runaways() {
  static const std::vector<Runaway> all = {
      {"increments",
       columns(many(10, [](int) { return Column{"atom.add r0, x, 1"}; }),
               "exists (" + joined(many(10, [](int i) { return fmt::format("{}:r0=0", i); }), " /\\ ") + ")"),
       "ptx"},
      {"values_in_cycles", guesses(), kLoose},
      {"orders_of_writes", columns(writers(13), "exists (x=77)"), kCoherent},
      {"partial_orders_of_writes", columns(writers(13), "exists (x=77)"), "ptx"},
      {"last_writes", last_writes(), kUnordered},
      {"paths", branches(), "sc"},
      {"addresses", addresses(), "sc"},
      {"possible_values", sums(), "sc"},
      {"late_at_barriers",
       columns(many(32, [](int) { return Column{"bar.dev 0, _, 16"}; }), "exists (x=1)", "{ x; }\n"), "ptx"},
      {"large_relations", columns({loop(800), loop(800)}, "exists (x=77777)"), "ptx"},
      {"large_relations_in_models", columns({loop(800), loop(800)}, "exists (x=77777)"),
       "\"m\"\ninclude \"cos.cat\"\nacyclic ((po | rf)+; (co | fr)+)+ | po* as long\n"},
      {"orders_of_with", columns({stores(14)}, "exists (x0=77)"),
       "\"m\"\nwith s from linearisations(M, 0)\nwith t from linearisations(M, 0)\nacyclic s | s^-1 as never\n"},
      {"search_for_an_order_of_with", columns({stores(14)}, "exists (x0=77)"), kUnending},
      {"orders_that_end_nowhere", columns(readers_and_two_writers(), "exists (0:r0=77)"),
       "\"m\"\nwith s from linearisations(M, ([W]; loc; [W]) \\ id)\nwith t from linearisations(M, 0)\nempty s as "
       "never\n"},
      {"lists_that_end_nowhere", columns(readers_and_two_writers(), "exists (0:r0=77)"),
       "\"m\"\nforall s in linearisations(M, ([W]; loc; [W]) \\ id) do empty s as never end\n"},
      {"alternatives_of_with", columns({{"st x, 1", "ld r0, y"}, {"st y, 1", "ld r0, x"}}, "exists (0:r0=0)"),
       alternatives()},
      {"fixpoints", columns({stores(60)}, "exists (x0=77)"), kFixpoints},
      {"recursive_functions", columns({stores(30)}, "exists (x0=77)"),
       "\"m\"\nlet rec f s = match s with || {} -> 0 || e ++ rest -> f(rest) | (f(rest); po) end\nempty f(W) as "
       "done\n"},
      {"sets_of_sets", columns({stores(7)}, "exists (x0=77)"),
       "\"m\"\nlet orders = linearisations(W \\ IW, 0)\n"
       "forall a in orders do forall b in orders do empty (a & b) & id as done end end\n"},
  };
  return all;
}

Model model_of(const Runaway& runaway) {
  if (runaway.model.find('\n') != std::string::npos) return tests::compile_model(runaway.model);
  return *load_model(runaway.model);
}

class Bounds : public testing::TestWithParam<Runaway> {};

TEST_P(Bounds, TheTimeEndsIt) {
  const litmus::LitmusTest test = read_one(GetParam().test);
  const Model model = model_of(GetParam());
  const Clock::time_point start = Clock::now();
  const Verdict verdict = judge(test, model, {.limits = {.time = kLimit, .memory = std::uint64_t{1} << 30}});
  EXPECT_LT(Clock::now() - start, kSoon);
  EXPECT_EQ(verdict.reach, Verdict::Reach::unknown);
  EXPECT_FALSE(verdict.complete);
  // A number that is limited as well may be reached before somebody looks at the clock.
  if (!verdict.reason.starts_with("too many ")) {
    EXPECT_EQ(verdict.reason, "gave up after 5 ms");
  }
}

TEST_P(Bounds, TheUserEndsIt) {
  const litmus::LitmusTest test = read_one(GetParam().test);
  const Model model = model_of(GetParam());
  const std::atomic<bool> stop = true;
  const Clock::time_point start = Clock::now();
  const Verdict verdict = judge(test, model, {.limits = {.memory = std::uint64_t{1} << 30, .stop = &stop}});
  EXPECT_LT(Clock::now() - start, kSoon);
  EXPECT_EQ(verdict.reach, Verdict::Reach::unknown);
  EXPECT_EQ(verdict.reason, "interrupted");
}

INSTANTIATE_TEST_SUITE_P(All, Bounds, testing::ValuesIn(runaways()),
                         [](const auto& runaway) { return std::string(runaway.param.name); });

TEST(Bounds, MemoryEndsIt) {
  const struct {
    const char* name;
    std::string test;
    std::string model;
  } kHungry[] = {
      {"paths", branches(), "sc"},
      {"addresses", addresses(), "sc"},
      {"last_writes", last_writes(), kUnordered},
      {"relations", columns({loop(800), loop(800)}, "exists (x=77777)"), "ptx"},
      {"lists_of_orders", columns({stores(7), Column(120, "ld r0, y")}, "exists (x0=77)"),
       "\"m\"\nforall a in linearisations(W \\ IW, 0) do empty a as done end\n"},
  };
  for (const auto& hungry : kHungry) {
    SCOPED_TRACE(hungry.name);
    const litmus::LitmusTest test = read_one(hungry.test);
    const Model model =
        hungry.model.find('\n') == std::string::npos ? *load_model(hungry.model) : tests::compile_model(hungry.model);
    const Verdict verdict =
        judge(test, model, {.limits = {.time = std::chrono::minutes(2), .memory = std::uint64_t{8} << 20}});
    EXPECT_EQ(verdict.reach, Verdict::Reach::unknown);
    EXPECT_EQ(verdict.reason, "gave up at 8 MiB of memory");
  }
}

TEST(Bounds, AnExecutionMayHaveTooManyEvents) {
  const litmus::LitmusTest test =
      read_one(columns(many(8, [](int) { return Column(1300, "ld r0, x"); }), "exists (0:r0=7)"));
  const Verdict verdict = judge(test, *load_model("sc"));
  EXPECT_EQ(verdict.reach, Verdict::Reach::unknown);
  EXPECT_EQ(verdict.reason, "some execution has more than 10000 events");
}

// The model forbids everything at a glance, but an example must be searched among all orders of the writes.
TEST(Bounds, TheSearchForAnExampleEnds) {
  const litmus::LitmusTest test = read_one(
      columns(many(13, [](int i) { return Column{fmt::format("st x, {}", i + 1), "ld r0, x"}; }), "exists (x=77)"));
  const Model model = tests::compile_model("\"m\"\ninclude \"cos.cat\"\nempty rf as unread\n");
  const Clock::time_point start = Clock::now();
  const Limits limits{.time = kLimit};
  const Verdict verdict = judge(test, model, {.limits = limits, .explain = true});
  EXPECT_EQ(verdict.reach, Verdict::Reach::forbidden);
  EXPECT_EQ(explain_verdict(verdict, model, limits),
            "  no example was found of what is forbidden (gave up after 5 ms)\n");
  EXPECT_LT(Clock::now() - start, kSoon);
}

// The verdict takes no time, since nothing but the failing check is computed. Every order fails the check of the other
// model; the explanation looks at a few of them.
TEST(Bounds, ExplanationsEnd) {
  const litmus::LitmusTest test = read_one(columns({stores(14)}, "exists (x0=1)"));
  const Model model = tests::compile_model(
      "\"m\"\ninclude \"cos.cat\"\nwith s from linearisations(M, 0)\nempty co as unwritten\nacyclic s | s^-1 as "
      "never\n");
  Verdict verdict = judge(test, model, {.explain = true});
  ASSERT_EQ(verdict.reach, Verdict::Reach::forbidden);
  ASSERT_TRUE(verdict.counterexample);
  const Model slow = tests::compile_model(kUnending);
  const Clock::time_point start = Clock::now();
  const std::string text = explain_verdict(verdict, slow, {.time = kLimit});
  EXPECT_TRUE(text.find("check 'never'") != std::string::npos || text.find("gave up after") != std::string::npos)
      << text;
  EXPECT_TRUE(picture_of(verdict, slow, "slow", {.time = kLimit}).has_value());
  EXPECT_LT(Clock::now() - start, kSoon);
}

// A model that cannot be evaluated in a reasonable number of steps is a mistake, found when it is compiled.
TEST(Bounds, CompilingEnds) {
  std::string pairs = "\"m\"\nlet a0 = (po, rf)\nlet b0 = (po, rf)\n";
  for (int i = 0; i < 50; ++i) pairs += fmt::format("let a{1} = (a{0}, a{0})\nlet b{1} = (b{0}, b{0})\n", i, i + 1);
  const struct {
    const char* name;
    std::string text;
    const char* message;
  } kModels[] = {
      {"values_with_common_parts", pairs + "empty if a50 = b50 then po else rf as done\n",
       "the model takes too many steps to evaluate"},
      {"procedures", "\"m\"\nprocedure rec p(x) = call p(x) call p(x) end\ncall p(po)\n",
       "procedures call each other without end"},
  };
  for (const auto& model : kModels) {
    SCOPED_TRACE(model.name);
    const Clock::time_point start = Clock::now();
    const base::Result<Model> compiled = Model::compile(base::Source("m.cat", model.text));
    EXPECT_LT(Clock::now() - start, kSoon);
    ASSERT_FALSE(compiled.ok());
    EXPECT_EQ(compiled.errors().front().message, model.message);
  }
}

}  // namespace
}  // namespace weakspot::model
