// SPDX-License-Identifier: MIT
// Asynchronous operations and CPUs beside GPUs, by the judge and by brute force.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/judge.h"
#include "model/library.h"
#include "support/corpus_folder.h"
#include "support/oracle.h"
#include "support/sanitized.h"

namespace weakspot::model::asynchronous_property_test {
namespace {

// Small enough tests are judged again by brute force.
TEST(Asynchronous, TheOracleAgrees) {
  std::size_t agreed = 0, number = 0;
  std::set<std::string> too_large;  // for one model, hence for all: found out once
  for (const char* model : {"ptx", "ptx-tso", "ptx-aarch64", "sc"}) {
    const tests::Oracle oracle(model);
    const Model fast = *load_model(model);
    for (const char* folder : {"async", "mixed", "tensor"}) {
      for (const litmus::LitmusTest& test : tests::corpus_folder(folder)) {
        if (test.arch != litmus::Arch::ptx || test.name == "LOAD-wide") continue;  // the oracle has no arrays
        if (too_large.contains(test.name) || number++ % tests::kSampleStep != 0) continue;
        try {
          const tests::Opinion opinion = oracle.ask(test);
          EXPECT_EQ(judge(test, fast).outcomes, opinion.outcomes) << test.name << " by " << model;
          ++agreed;
        } catch (const tests::TooLarge&) {
          too_large.insert(test.name);
        }
      }
    }
  }
  RecordProperty("agreed", static_cast<int>(agreed));
  EXPECT_GT(agreed, 250u / tests::kSampleStep);
}

}  // namespace
}  // namespace weakspot::model::asynchronous_property_test
