// SPDX-License-Identifier: MIT
// A property of every test in every form: a printed test reads back the same.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "support/holds.h"
#include "support/random_test.h"
#include "support/read_one.h"

namespace weakspot::litmus::round_trip_property_test {
namespace {

constexpr int kCases = 3000;  // each takes microseconds

// A test that shrinks in size; the seed alone decides what is in it. Only the share of features grows with the cases.
LitmusTest any_test() {
  tests::RandomTestOptions options;
  options.most_threads = *rc::gen::resize(100, rc::gen::inRange(1, 5));
  options.most_instructions = *rc::gen::resize(100, rc::gen::inRange(0, 8));
  options.feature_percent = *rc::gen::inRange(5, 60);
  return tests::random_test(*rc::gen::arbitrary<std::uint64_t>(), options);
}

// Whether the dialect can hold the test. If so, the printed text must read back as the same test.
bool reads_back(const LitmusTest& test, Dialect dialect) {
  const base::Result<LitmusTest> adapted = adapt(test, dialect);
  if (!adapted) return false;
  const base::Result<LitmusTest> again = adapt(*adapted, dialect);
  const base::Result<std::string> text = print(test, dialect);
  RC_ASSERT(again.ok() && text.ok());
  RC_LOG() << *text;
  RC_ASSERT(*again == *adapted);
  RC_ASSERT(tests::read_one(*text) == *adapted);
  return true;
}

TEST(Properties, NormalizingTwiceIsNormalizingOnce) {
  tests::holds(kCases, [] {
    const LitmusTest once = any_test();
    LitmusTest twice = once;
    normalize(twice);
    RC_ASSERT(twice == once);
    RC_ASSERT(validate(once).empty());
  });
}

// A dialect, and the number of tests that it must be able to hold out of 100 random tests with two accesses or more, so
// that refusals do not make the property empty.
struct Floor {
  Dialect dialect;
  std::size_t percent;
};

// About two thirds of what they hold.
constexpr Floor kFloors[] = {
    {Dialect::canonical, 100}, {Dialect::json, 100},  {Dialect::ptx2015, 2},      {Dialect::ptx, 25},
    {Dialect::vulkan, 20},     {Dialect::opencl, 25}, {Dialect::c11, 20},         {Dialect::aarch64, 12},
    {Dialect::x86_64, 10},     {Dialect::riscv, 0},   {Dialect::linux_kernel, 0},
};
static_assert(std::size(kFloors) == std::size(kDialects));

class RandomTests : public ::testing::TestWithParam<Floor> {};

TEST_P(RandomTests, ReadBack) {
  std::size_t tried = 0, held = 0;
  tests::holds(kCases, [&] {
    const LitmusTest test = any_test();
    const bool read = reads_back(test, GetParam().dialect);
    std::size_t accesses = 0;
    for (const Thread& thread : test.threads) {
      for (const Instruction& instruction : thread.instructions) accesses += access_of(instruction) != nullptr;
    }
    tried += accesses > 1;
    held += accesses > 1 && read;
  });
  RecordProperty("held", fmt::format("{} of {}", held, tried));
  constexpr std::size_t kEnough = 1000;  // fewer under a sanitizer, or when RC_PARAMS repeats a case
  if (tried >= kEnough) {
    EXPECT_GE(100 * held, GetParam().percent * tried) << held << " of " << tried;
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, RandomTests, ::testing::ValuesIn(kFloors), [](const auto& instance) {
  std::string name(to_string(instance.param.dialect));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Properties, TheNameOfATestIsNotPartOfItsHash) {
  tests::holds(kCases, [] {
    const LitmusTest test = any_test();
    LitmusTest renamed = test;
    renamed.name = "another";
    renamed.description = "another description";
    renamed.info.clear();
    renamed.expectations.clear();
    RC_ASSERT(hash_of(renamed) == hash_of(test));
  });
}

}  // namespace
}  // namespace weakspot::litmus::round_trip_property_test
