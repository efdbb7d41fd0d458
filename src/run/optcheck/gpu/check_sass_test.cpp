// SPDX-License-Identifier: MIT
// Faults are planted in recorded machine code, where only a compiler could put them.
#include "optcheck/gpu/check_sass.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/recorded_sass.h"

namespace weakspot::optcheck::check_sass_test {
namespace {

using testing_support::recorded;
using testing_support::RecordedLine;
using testing_support::Recording;

TEST(CheckSass, UnchangedCodeMatches) {
  for (const char* name :
       {"MP", "MP+ra", "MP+fence.sc+fence.sc", "LB+datas", "LB+addrs", "LB+ctrls", "CAS-lock+acq+rel", "BAR-WR"}) {
    const CodeCheck check = recorded(name).check();
    EXPECT_EQ("", check.reason) << name;
    EXPECT_TRUE(check.verdict == CodeVerdict::matched) << name;
  }
}

TEST(CheckSass, PairsInstructions) {
  const CodeCheck check = recorded("MP").check();
  ASSERT_EQ(4u, check.pairings.size());
  EXPECT_EQ(0u, check.pairings[0].thread);
  EXPECT_TRUE(check.pairings[0].code.starts_with("STG.E.STRONG.GPU")) << check.pairings[0].code;
  EXPECT_TRUE(check.pairings[3].code.starts_with("LDG.E.STRONG.GPU")) << check.pairings[3].code;
  EXPECT_LT(check.pairings[2].at, check.pairings[3].at);
}

// Optimisations of the assembler, found in its recorded code.
TEST(CheckSass, OptimisedCodeIsChanged) {
  const std::pair<const char*, const char*> cases[] = {
      {"CoWW", "P0: 'st x, 1': the store is missing from the code"},
      {"coRR", "P1: 'ld.na.cg r1, x': the load is missing from the code"},
      {"sb-shared-global", "P0: 'st.na.cg x, 1': two accesses are swapped: 'STS [R22], R23' at 0x800"},
  };
  for (const auto& [name, reason] : cases) {
    const CodeCheck check = recorded(name).check();
    EXPECT_TRUE(check.verdict == CodeVerdict::changed) << name;
    EXPECT_EQ(reason, check.reason);
    EXPECT_TRUE(check.pairings.empty());
  }
}

struct PlantedFault {
  const char* test;
  const char* reason;  // its beginning
  std::function<void(Recording&)> plant;
};

TEST(CheckSass, PlantedFaultsAreFound) {
  auto replace = [](Recording& r, std::size_t i, const std::string& from, const std::string& to) {
    std::string& text = r.code[i].text;
    ASSERT_NE(std::string::npos, text.find(from)) << text;
    text.replace(text.find(from), from.size(), to);
  };
  auto erase = [](Recording& r, std::size_t i) { r.code.erase(r.code.begin() + static_cast<std::ptrdiff_t>(i)); };
  const PlantedFault faults[] = {
      {"MP", "P1: 'ld r0, y': two accesses are swapped: 'LDG.E.STRONG.GPU",
       [](Recording& r) {
         RecordedLine& a = r.code[r.find("LDG.E.STRONG.GPU")];
         RecordedLine& b = r.code[r.find("LDG.E.STRONG.GPU", 1)];
         std::swap(a.text, b.text);
         std::swap(a.line, b.line);
       }},
      {"MP", "P1: 'ld r1, x': the load is missing from the code",
       [&](Recording& r) { erase(r, r.find("LDG.E.STRONG.GPU", 1)); }},
      {"MP", "P0: 'st y, 1': expected STG.STRONG.GPU: 'STG.E desc",
       [&](Recording& r) { replace(r, r.find("STG", 1), "STG.E.STRONG.GPU", "STG.E"); }},
      {"MP", "P0: 'st x, 1': expected STG.STRONG.GPU: 'STG.E.STRONG.SM",
       [&](Recording& r) { replace(r, r.find("STG"), "STRONG.GPU", "STRONG.SM"); }},
      {"MP", "P1: 'ld r0, y': expected LDG.STRONG.GPU: 'LDG.E.64",
       [&](Recording& r) { replace(r, r.find("LDG"), "LDG.E", "LDG.E.64"); }},
      {"MP+ra", "P1: 'ld.acq r0, y': CCTL.IVALL is missing from the code",
       [&](Recording& r) { erase(r, r.find("CCTL.IVALL")); }},
      {"MP+ra", "P0: 'st.rel y, 1': MEMBAR.ALL.GPU is missing from the code",
       [&](Recording& r) { erase(r, r.find("MEMBAR.ALL.GPU", 1)); }},
      {"MP+fence.sc+fence.sc", "P0: 'fence.sc': the fence is missing from the code",
       [&](Recording& r) { erase(r, r.find("MEMBAR.SC.GPU")); }},
      {"MP+fence.sc+fence.sc", "P1: 'fence.sc': expected MEMBAR.SC.GPU: 'MEMBAR.ALL.GPU'",
       [&](Recording& r) { replace(r, r.find("MEMBAR.SC.GPU", 1), "SC", "ALL"); }},
      {"MP", "P0: 'st x, 1': the code has a fence that the test does not have: 'MEMBAR.SC.GPU'",
       [](Recording& r) {
         const std::size_t at = r.find("STG");
         RecordedLine fence{"MEMBAR.SC.GPU", r.code[at].at + 8, 1};
         r.code.insert(r.code.begin() + static_cast<std::ptrdiff_t>(at) + 1, fence);
       }},
      {"LB+datas", "P0: 'st y, r2': the data dependency on 'LDG.E.STRONG.GPU",
       [](Recording& r) {
         std::string& text = r.code[r.find("STG")].text;
         text = text.substr(0, text.rfind(' ')) + " R200";
       }},
      {"LB+addrs", "P0: 'st y+r1, 1': the address dependency on 'LDG.E.STRONG.GPU",
       [](Recording& r) {
         std::string& text = r.code[r.find("STG")].text;
         const std::size_t begin = text.find("[R") + 1;
         text.replace(begin, text.find('.', begin) - begin, "R200");
       }},
      {"LB+ctrls", "P0: 'st y, 1': the control dependency on 'LDG.E.STRONG.GPU",
       [](Recording& r) {
         std::string& text = r.code[r.find("STG")].text;
         text = text.substr(text.find("STG"));
       }},
  };
  for (const PlantedFault& fault : faults) {
    Recording recording = recorded(fault.test);
    fault.plant(recording);
    const CodeCheck check = recording.check();
    EXPECT_TRUE(check.verdict == CodeVerdict::changed) << fault.test << ": " << fault.reason;
    EXPECT_TRUE(check.reason.starts_with(fault.reason)) << fault.test << ": " << check.reason;
  }
}

TEST(CheckSass, CopiesAreNotJudged) {
  Recording recording = recorded("MP");
  const std::size_t at = recording.find("LDG");
  RecordedLine copy = recording.code[at];
  copy.at += 8;
  recording.code.insert(recording.code.begin() + static_cast<std::ptrdiff_t>(at) + 1, copy);
  const CodeCheck check = recording.check();
  EXPECT_TRUE(check.verdict == CodeVerdict::unknown);
  EXPECT_TRUE(check.reason.starts_with("P1: the code has 2 copies of 'ld.relaxed.gpu.global.b32")) << check.reason;
}

TEST(LineTable, RefusesWhatItCannotRead) {
  const std::vector<std::uint8_t> nothing;
  EXPECT_EQ("error: the machine code is not an ELF file\n", base::render(read_line_table(nothing, "run").errors()));
  std::vector<std::uint8_t> header(64, 0);
  const std::uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2, 1};
  std::copy(std::begin(magic), std::end(magic), header.begin());
  EXPECT_EQ("error: the machine code is not an ELF file\n", base::render(read_line_table(header, "run").errors()));
}

}  // namespace
}  // namespace weakspot::optcheck::check_sass_test
