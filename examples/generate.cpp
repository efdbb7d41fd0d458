// SPDX-License-Identifier: MIT
// Generates the classic two-thread tests and shows the ones that tell two memory models apart.
//
//   generate STRONG WEAK      generate sc tso
#include <gen/search.h>
#include <litmus/dialect.h>
#include <model/judge.h>
#include <model/library.h>

#include <iostream>

using namespace weakspot;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: generate STRONG WEAK\n";
    return 2;
  }
  const auto strong = model::load_model(argv[1]);
  const auto weak = model::load_model(argv[2]);
  if (!strong || !weak) {
    std::cerr << base::render(strong ? weak.errors() : strong.errors());
    return 2;
  }
  // Cycles of communication between threads (read-from, from-read, coherence) and program order to another location.
  gen::SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe", "Pod**"}) {
    for (const gen::Edge& edge : gen::expand_edge(word)) config.edges.push_back(edge);
  }
  config.size = {4, 4};
  config.threads = {2, 2};

  model::BatchJudge by_strong(*strong);
  model::BatchJudge by_weak(*weak);
  const gen::Generated made = gen::generate(config, [&](const litmus::LitmusTest& test) {
    using Reach = model::Verdict::Reach;
    if (by_strong.judge(test).reach == Reach::forbidden && by_weak.judge(test).reach == Reach::allowed) {
      std::cout << *litmus::print(test, litmus::Dialect::canonical) << '\n';
    }
    return true;  // go on
  });
  std::cout << made.tests << " tests\n";
}
