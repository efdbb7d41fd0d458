// SPDX-License-Identifier: MIT
#include "race/fix.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "json/json_fields.h"
#include "race/report.h"

namespace weakspot::race {
namespace {

Fix barrier(unsigned line, bool after = false) {
  return {.kind = FixKind::block_barrier, .certain = true, .places = {{{"a.cu", line, after}, FixRole::none, {}}}};
}

Fix fences(FixRole first, FixRole second) {
  return {.kind = FixKind::fence,
          .certain = true,
          .places = {{{"a.cu", 5, true}, first, {"a.cu", 4, 3}}, {{"a.cu", 9, false}, second, {"a.cu", 9, 3}}},
          .scope = Scope::device};
}

TEST(Fix, NamesItsPlace) {
  EXPECT_EQ(fix_text(barrier(7), "a.cu"), "put __syncthreads() before line 7");
  EXPECT_EQ(fix_text(barrier(7, true), "b.cu"), "put __syncthreads() after a.cu:7");
  EXPECT_EQ(fix_code(barrier(7)), "__syncthreads();");
}

TEST(Fix, FencesOfALockAreInsideIt) {
  EXPECT_EQ(
      fix_text(fences(FixRole::lock_taken, FixRole::lock_given), "a.cu"),
      "put __threadfence() inside the lock: after line 5, where the lock of line 4 has been taken, and before line "
      "9, where it is given back at line 9");
}

TEST(Fix, FencesOfAFlagMakeARelease) {
  EXPECT_EQ(
      fix_text(fences(FixRole::acquire, FixRole::release), "a.cu"),
      "put __threadfence() after line 5, since the load at line 4 is not an acquire, and before line 9, since the "
      "store at line 9 is not a release");
}

// A hint never sounds like a fix, and names no statement that a tool could apply as one.
TEST(Fix, WhatIsNotCertainIsAHint) {
  for (int i = 0; i <= static_cast<int>(FixKind::check_relation); ++i) {
    Fix fix{.kind = static_cast<FixKind>(i), .places = {{{"a.cu", 3, false}, FixRole::none, {"a.cu", 3, 1}}}};
    if (fix.kind == FixKind::remove_barrier) continue;  // "if these runs are representative"
    const std::string text = fix_text(fix, "a.cu");
    EXPECT_TRUE(text.starts_with("consider ") || text.starts_with("look ")) << text;
    EXPECT_EQ(fix_code(fix).empty(), fix.kind > FixKind::remove_barrier) << text;
  }
}

TEST(Fix, AlternativesFollowHintsAlone) {
  Finding finding;
  finding.place = {"a.cu", 3, 1};
  finding.fixes = {barrier(7), {.kind = FixKind::own_elements}};
  EXPECT_TRUE(has_fix(finding));
  EXPECT_EQ(advice_sentence(finding), ". To fix it, put __syncthreads() before line 7");
  finding.fixes.front().certain = false;
  EXPECT_EQ(advice_sentence(finding),
            ". Hint: consider __syncthreads() before line 7, or elements of its own for each block");
}

TEST(Fix, SurvivesJson) {
  Report report;
  report.findings.emplace_back().fixes = {fences(FixRole::acquire, FixRole::release), barrier(3)};
  report.findings.front().fixes.back().pairs = 3;
  report.findings.front().fixes.back().detail = ", in a loop";
  const base::Result<Report> back = report_from_json(to_json(report));
  ASSERT_TRUE(back) << base::render(back.errors());
  EXPECT_EQ(back->findings.front().fixes, report.findings.front().fixes);
}

}  // namespace
}  // namespace weakspot::race
