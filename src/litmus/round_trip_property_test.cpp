// What holds of every test and every form: what is printed reads back the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "support/random_test.h"

namespace weakspot::litmus {
namespace {

// A case takes microseconds, so many more than RapidCheck's 100 are tried; RC_PARAMS given from outside wins.
const int kManyCases = setenv("RC_PARAMS", "max_success=3000", 0);

// A test that shrinks in size; the seed alone decides what is in it.
LitmusTest any_test() {
  testing::RandomTestOptions options;
  options.most_threads = *rc::gen::inRange(1, 5);
  options.most_instructions = *rc::gen::inRange(0, 8);
  options.feature_percent = *rc::gen::inRange(5, 60);
  return testing::random_test(*rc::gen::arbitrary<std::uint64_t>(), options);
}

void expect_reads_back(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  if (!adapted) {
    RC_ASSERT(!adapted.errors().empty());
    return;
  }
  base::Result<LitmusTest> again = adapt(*adapted, dialect);
  base::Result<std::string> text = print(test, dialect);
  RC_ASSERT(again.ok() && text.ok());
  RC_LOG() << *text;
  RC_ASSERT(*again == *adapted);
  base::Result<std::vector<LitmusTest>> read = read_tests(base::Source("printed", *text));
  if (!read) RC_LOG() << base::render(read.errors());
  RC_ASSERT(read.ok());
  RC_ASSERT(read->size() == 1u);
  RC_ASSERT(read->front() == *adapted);
}

RC_GTEST_PROP(Properties, NormalizingTwiceIsNormalizingOnce, ()) {
  const LitmusTest once = any_test();
  LitmusTest twice = once;
  normalize(twice);
  RC_ASSERT(twice == once);
  RC_ASSERT(validate(once).empty());
}

RC_GTEST_PROP(Properties, TheCanonicalFormHoldsEveryTest, ()) {
  const LitmusTest test = any_test();
  RC_ASSERT(adapt(test, Dialect::canonical).ok());
  expect_reads_back(test, Dialect::canonical);
}

RC_GTEST_PROP(Properties, JsonHoldsEveryTest, ()) {
  const LitmusTest test = any_test();
  RC_ASSERT(adapt(test, Dialect::json).ok());
  expect_reads_back(test, Dialect::json);
}

RC_GTEST_PROP(Properties, Ptx2015ReadsBack, ()) { expect_reads_back(any_test(), Dialect::ptx2015); }
RC_GTEST_PROP(Properties, PtxReadsBack, ()) { expect_reads_back(any_test(), Dialect::ptx); }
RC_GTEST_PROP(Properties, VulkanReadsBack, ()) { expect_reads_back(any_test(), Dialect::vulkan); }
RC_GTEST_PROP(Properties, OpenClReadsBack, ()) { expect_reads_back(any_test(), Dialect::opencl); }
RC_GTEST_PROP(Properties, C11ReadsBack, ()) { expect_reads_back(any_test(), Dialect::c11); }
RC_GTEST_PROP(Properties, Aarch64ReadsBack, ()) { expect_reads_back(any_test(), Dialect::aarch64); }
RC_GTEST_PROP(Properties, X86ReadsBack, ()) { expect_reads_back(any_test(), Dialect::x86_64); }

RC_GTEST_PROP(Properties, TheNameOfATestIsNotPartOfItsHash, ()) {
  const LitmusTest test = any_test();
  LitmusTest renamed = test;
  renamed.name = "another";
  renamed.description = "another description";
  renamed.info.clear();
  renamed.expectations.clear();
  RC_ASSERT(hash_of(renamed) == hash_of(test));
}

}  // namespace
}  // namespace weakspot::litmus
