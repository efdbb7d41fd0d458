// SPDX-License-Identifier: MIT
#include "model/picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model {
namespace {

constexpr const char* kPlainMessagePassing =
    "weakspot MP\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

std::optional<Picture> picture_by(const litmus::LitmusTest& test, const std::string& name) {
  const Model model = *load_model(name);
  return picture_of(judge(test, model, {.limits = {}, .condition_only = false, .explain = true, .threads = 1}), model,
                    name);
}

Picture drawn(const std::string& text, const std::string& model) { return *picture_by(tests::read_one(text), model); }

// "a rf c", sorted; loud ones end in '!'.
std::vector<std::string> arrows(const Picture& picture) {
  std::vector<std::string> lines;
  for (const PictureArrow& arrow : picture.arrows) {
    lines.push_back(fmt::format("{} {}{} {}{}", picture.events[arrow.from].letter,
                                arrow.label.empty() ? "-" : arrow.label, arrow.both_ways ? " and back" : "",
                                picture.events[arrow.to].letter, arrow.tone == PictureArrow::Tone::loud ? "!" : ""));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Picture, OfAForbiddenOutcomeHasTheCycle) {
  const Picture picture = drawn(kPlainMessagePassing, "sc");
  EXPECT_EQ(picture.test, "MP");
  EXPECT_EQ(picture.model, "sc");
  EXPECT_EQ(picture.verdict, "forbidden");
  EXPECT_EQ(arrows(picture), Lines({"a po b!", "b rf c!", "c po d!", "d fr a!", "init x rf d"}));
  for (const PictureEvent& event : picture.events) EXPECT_EQ(event.loud, !event.initial) << event.letter;
}

TEST(Picture, OfAnAllowedOutcomeHasNothingLoud) {
  const Picture picture = drawn(kPlainMessagePassing, "rmo");
  EXPECT_EQ(picture.verdict, "allowed");
  EXPECT_EQ(arrows(picture), Lines({"a - b", "b rf c", "c - d", "d fr a", "init x rf d"}));
}

TEST(Picture, ThereIsNoneWithoutAnExecution) {
  const std::string text = "weakspot never\n P0 ;\n st x, 1 ;\nexists (x=2)\n";
  EXPECT_FALSE(picture_by(tests::read_one(text), "sc").has_value());
}

TEST(Picture, InitialWritesAreShownWhereSomethingReadsThem) {
  const std::string text =
      "weakspot two\n P0       | P1      ;\n st x, 1  | st y, 2 ;\n ld r0, y |         ;\nexists (0:r0=2)\n";
  const Picture picture = drawn(text, "sc");
  EXPECT_EQ(picture.initial_rows, 0u);
  EXPECT_TRUE(std::none_of(picture.events.begin(), picture.events.end(), [](const auto& e) { return e.initial; }));
}

TEST(Picture, ThreadsOfOneScopeAreNeighbours) {
  const std::string text =
      "PTX scopes\n{ x=0; }\n"
      " P0@cta 0,gpu 0      | P1@cta 1,gpu 0      | P2@cta 0,gpu 0      ;\n"
      " st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | ld.relaxed.gpu r0, x ;\n"
      "exists (2:r0=2)\n";
  const Picture picture = drawn(text, "ptx");
  EXPECT_EQ(picture.columns, Lines({"P0", "P2", "P1"}));
  ASSERT_EQ(picture.scopes.size(), 2u);
  EXPECT_EQ(picture.scopes[0].label, "cta 0");
  EXPECT_EQ(picture.scopes[0].last, 1u);
  EXPECT_EQ(picture.scopes[1].label, "cta 1");
  EXPECT_EQ(picture.scopes[1].first, 2u);
}

TEST(Picture, SynchronisationIsAnArrow) {
  const std::string text =
      "weakspot MP+rel+acq\n P0          | P1           ;\n st x, 1     | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x     "
      ";\nexists (1:r0=1 /\\ 1:r1=1)\n";
  const Lines lines = arrows(drawn(text, "ptx"));
  EXPECT_NE(std::find(lines.begin(), lines.end(), "b rf,sync c"), lines.end());
}

TEST(Picture, ADataRaceIsLoud) {
  const std::string text =
      "weakspot race\nArch=vulkan\n P0         | P1          ;\n st.na x, 1 | ld.na r0, x ;\nexists (1:r0=0)\n";
  const Picture picture = drawn(text, "vulkan");
  EXPECT_EQ(picture.verdict, "allowed, data-race");
  EXPECT_EQ(picture.remarks.back(), "nothing orders a and b");
  EXPECT_EQ(arrows(picture), Lines({"b race,fr a!", "init x rf b"}));
}

TEST(Picture, TextFitsTheTerminal) {
  const Picture picture = drawn(kPlainMessagePassing, "sc");
  for (std::size_t width : {std::size_t{40}, std::size_t{50}, std::size_t{80}}) {
    const std::string text = text_picture(picture, {.width = width, .ascii = true});
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(end - begin, width) << text;
      begin = end + 1;
    }
  }
}

TEST(Picture, TextInAscii) {
  EXPECT_EQ(text_picture(drawn(kPlainMessagePassing, "sc"), {.width = 80, .ascii = true}),
            R"(MP: forbidden by sc
1:r0=1; 1:r1=0;
check 'sc' fails

                     +----------+
                     | init x=0 |-rf--+
                     +----------+     |
     P0                   P1          |
#==========#         #==========#     |
# a: W x=1 #     #==># c: R y=1 #     |
# st x, 1  #<fr==#=# # ld r0, y #     |
#==========#     # # #==========#     |
      v po       # #       v po       |
#==========#     # # #==========#     |
# b: W y=1 #=rf==# # # d: R x=0 #     |
# st y, 1  #       #=# ld r1, x #<----+
#==========#         #==========#
)");
}

TEST(Picture, SvgEscapesWhatTestsSay) {
  Picture picture = drawn(kPlainMessagePassing, "sc");
  picture.test = "a<b & \"c\"";
  const std::string svg = svg_picture(picture);
  EXPECT_NE(svg.find("<title>a&lt;b &amp; &quot;c&quot;: forbidden by sc</title>"), std::string::npos);
  EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

TEST(Picture, DotQuotesWhatTestsSay) {
  Picture picture = drawn(kPlainMessagePassing, "sc");
  picture.test = "a\"b\\c";
  EXPECT_NE(dot_picture(picture).find("digraph \"a\\\"b\\\\c\" {"), std::string::npos);
}

}  // namespace
}  // namespace weakspot::model
