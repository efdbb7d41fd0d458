// SPDX-License-Identifier: MIT
#include "workbench/compare_models.h"

#include <map>
#include <utility>

#include "base/file.h"
#include "model/library.h"
#include "workbench/model_filter.h"

namespace weakspot::workbench {
namespace {

// Small tests tell more: fewer threads first, then fewer instructions.
std::size_t size_of(const litmus::LitmusTest& test) {
  std::size_t instructions = 0;
  for (const litmus::Thread& thread : test.threads) instructions += thread.instructions.size();
  return 100 * test.threads.size() + instructions;
}

}  // namespace

base::Result<CompareModelsResult> compare_models(const CompareModelsRequest& request) {
  const base::Result<model::Model> first = model::load_model(request.first);
  if (!first) return first.errors();
  const base::Result<model::Model> second = model::load_model(request.second);
  if (!second) return second.errors();
  using model::Verdict;
  CompareModelsResult result;
  result.errors = for_each_test(
      request.tests.empty() ? std::vector<std::string>{base::data_directory("corpus").string()} : request.tests,
      [&](litmus::LitmusTest&& test, const std::string& file) {
        const Verdict::Reach a = reach(*first, test), b = reach(*second, test);
        if (a == Verdict::Reach::unknown || b == Verdict::Reach::unknown) {
          ++result.unknown;
        } else if (a == b) {
          ++result.agreed;
        } else {
          result.differences.push_back({{std::move(test), file}, a == Verdict::Reach::allowed});
        }
      });
  // Smaller tests first; tests of one size stay in the order of their files.
  std::multimap<std::size_t, ModelDifference> by_size;
  for (ModelDifference& difference : result.differences) {
    const std::size_t size = size_of(difference.input.test);
    by_size.emplace(size, std::move(difference));
  }
  result.differences.clear();
  for (auto& entry : by_size) result.differences.push_back(std::move(entry.second));
  return result;
}

}  // namespace weakspot::workbench
