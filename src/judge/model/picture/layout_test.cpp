// SPDX-License-Identifier: MIT
#include "model/picture/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "litmus/instruction.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/corpus_tests.h"
#include "support/layout_faults.h"
#include "support/random_test.h"

namespace weakspot::model::picture {
namespace {

constexpr Detail kShort = {.wrap = 14, .instructions = true, .effects = true};
constexpr Detail kLetters = {.wrap = 0, .instructions = false, .effects = false};

std::string faults(const Picture& picture) {
  std::string text = tests::LayoutFaults(picture, lay_out(picture, kPixels, page_detail(picture))).text();
  for (const Detail& detail : {Detail{}, kShort, kLetters}) {
    text += tests::LayoutFaults(picture, lay_out(picture, kCells, detail, 80)).text();
  }
  return text;
}

// Pictures of no execution, with more arrows than any has.
class RandomPicture {
 public:
  explicit RandomPicture(base::Rng rng) : rng_(rng) {}

  Picture draw() {
    picture_.test = word(40);
    picture_.model = "m";
    picture_.verdict = "forbidden";
    picture_.remarks = {word(60), word(9)};
    const std::size_t columns = 1 + below(8);
    for (std::size_t column = 0; column < columns; ++column) add_thread(column);
    for (std::size_t left = below(4); left > 0; --left) add_initial(below(columns));
    if (rng_.below(2) == 0) add_scopes(0, columns - 1, 0);
    std::sort(picture_.scopes.begin(), picture_.scopes.end(), [](const PictureScope& a, const PictureScope& b) {
      return std::pair(a.depth, a.first) < std::pair(b.depth, b.first);
    });
    const std::size_t events = picture_.events.size();
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (std::size_t left = events < 2 ? 0 : below(3 * events); left > 0; --left) {
      const std::size_t from = below(events), to = below(events);
      if (from == to || !seen.insert({from, to}).second) continue;
      picture_.arrows.push_back(
          {from, to, rng_.below(4) == 0 ? "" : word(12), PictureArrow::Tone::communication, rng_.below(8) == 0});
    }
    return picture_;
  }

 private:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(rng_.below(limit)); }

  std::string word(std::size_t longest) {
    std::string text;
    for (std::size_t left = 1 + below(longest); left > 0; --left) text += "abc .,+"[below(7)];
    text.front() = 'x';
    text.back() = 'x';
    return text;
  }

  void add_thread(std::size_t column) {
    picture_.columns.push_back("P" + std::to_string(column));
    const std::size_t rows = below(7);
    for (std::size_t row = 0; row < rows; ++row) {
      picture_.events.push_back({word(2), word(9), word(50), column, row, false, false});
    }
    picture_.rows = std::max(picture_.rows, rows);
  }

  void add_initial(std::size_t column) {
    std::size_t row = 0;
    for (const PictureEvent& event : picture_.events) row += event.initial && event.column == column ? 1 : 0;
    picture_.events.push_back({"init " + word(3), "0", "", column, row, true, false});
    picture_.initial_rows = std::max(picture_.initial_rows, row + 1);
  }

  void add_scopes(std::size_t first, std::size_t last, std::size_t depth) {
    for (std::size_t begin = first; begin <= last;) {
      const std::size_t end = begin + below(last - begin + 1);
      picture_.scopes.push_back({word(14), depth, begin, end});
      if (depth < 3 && deeper_ % 3 != 0) add_scopes(begin, end, depth + 1);
      ++deeper_;
      begin = end + 1;
    }
  }

  base::Rng rng_;
  Picture picture_;
  std::size_t deeper_ = 1;
};

TEST(PictureLayout, RandomPicturesHaveNoFaults) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Picture picture = RandomPicture(base::Rng(seed)).draw();
    ASSERT_EQ(faults(picture), "") << "seed " << seed;
  }
}

TEST(PictureLayout, TextsFitTheTerminal) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Picture picture = RandomPicture(base::Rng(seed)).draw();
    for (std::size_t i = 0; i < picture.events.size(); i += 5) picture.events[i].loud = true;
    for (std::size_t width : {std::size_t{40}, std::size_t{80}}) {
      const std::string text = text_picture(picture, {.width = width, .ascii = seed % 2 == 0});
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        ASSERT_LE(static_cast<std::size_t>(width_of(text.substr(begin, end - begin))), width) << seed << "\n" << text;
        begin = end + 1;
      }
    }
  }
}

std::vector<Model> all_models() {
  std::vector<Model> models;
  const base::Result<std::vector<ModelEntry>> entries = list_models();
  EXPECT_TRUE(entries.ok());
  for (const ModelEntry& entry : *entries) models.push_back(*load_model(entry.name));
  return models;
}

void expect_no_faults(const litmus::LitmusTest& test, const Model& model, std::size_t& drawn) {
  const Limits limits{.time = std::chrono::milliseconds(200)};
  const Verdict verdict = judge(test, model, {.limits = limits, .condition_only = true, .explain = true});
  const std::optional<Picture> picture = picture_of(verdict, model, model.name(), limits);
  if (!picture) return;
  ++drawn;
  EXPECT_EQ(faults(*picture), "") << test.name << " by " << model.name();
}

// Every test of the corpus by one model, and each model in turn.
TEST(PictureLayout, CorpusHasNoFaults) {
  const std::vector<Model> models = all_models();
  const std::vector<litmus::LitmusTest> tests = testing_support::corpus_tests();
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) expect_no_faults(tests[i], models[i % models.size()], drawn);
  EXPECT_GT(drawn, 300u);
}

TEST(PictureLayout, RandomTestsHaveNoFaults) {
  const std::vector<Model> models = all_models();
  std::size_t drawn = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const litmus::LitmusTest test = tests::RandomTest(base::Rng(seed), {.most_threads = 6}).draw();
    expect_no_faults(test, models[seed % models.size()], drawn);
  }
  EXPECT_GT(drawn, 60u);
}

TEST(PictureLayout, LinesAreBrokenAtBlanksAndPunctuation) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("ld r0, x", 26), Lines({"ld r0, x"}));
  EXPECT_EQ(wrapped("ld r0, x", 6), Lines({"ld r0,", "x"}));
  EXPECT_EQ(wrapped("MP+rel+acq", 7), Lines({"MP+rel+", "acq"}));
  EXPECT_EQ(wrapped("abcdef", 4), Lines({"abcd", "ef"}));
  EXPECT_EQ(wrapped("", 4), Lines());
}

}  // namespace
}  // namespace weakspot::model::picture
