// SPDX-License-Identifier: MIT
#include "race/explain.h"

#include <gtest/gtest.h>

namespace weakspot::race::explain_test {
namespace {

// A new class needs a page docs/classes/ID.md, whose kernel tests/tools/classes_test.py runs.
TEST(Explain, EveryClassHasAPage) {
  for (const FindingClass& known : finding_classes()) {
    const std::optional<std::string> text = explanation(known);
    ASSERT_TRUE(text) << known.id;
    const std::string title = std::string(known.id) + ": " + std::string(known.name) + "\n\n";
    EXPECT_TRUE(text->starts_with(title)) << *text;
    for (const char* part : {"\n    __global__ void ", "\nWhy\n", "\nRepair\n", "\nSuppress\n"}) {
      EXPECT_NE(text->find(part), std::string::npos) << known.id << " lacks " << part;
    }
    EXPECT_EQ(text->find("```"), std::string::npos);
    EXPECT_EQ(text->find("<!--"), std::string::npos);
  }
}

TEST(Explain, ClassesHaveTwoNames) {
  EXPECT_EQ(class_named("E1"), find_class("E1"));
  EXPECT_EQ(class_named("e1"), find_class("E1"));
  EXPECT_EQ(class_named("data-race"), find_class("E1"));
  EXPECT_EQ(class_named("race"), nullptr);
}

}  // namespace
}  // namespace weakspot::race::explain_test
