// SPDX-License-Identifier: MIT
// Judges the tests of a file by a memory model and says why.
//
//   judge FILE MODEL      judge mp.litmus ptx
#include <litmus/dialect.h>
#include <model/explain.h>
#include <model/judge.h>
#include <model/library.h>

#include <iostream>

using namespace weakspot;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: judge FILE MODEL\n";
    return 2;
  }
  const auto tests = litmus::read_test_file(argv[1]);
  const auto model = model::load_model(argv[2]);
  if (!tests || !model) {
    std::cerr << base::render(tests ? model.errors() : tests.errors());
    return 2;
  }
  model::JudgeOptions options;
  options.explain = true;
  for (const litmus::LitmusTest& test : *tests) {
    const model::Verdict verdict = model::judge(test, *model, options);
    std::cout << to_string(verdict.reach) << ' ' << test.name << '\n' << model::explain_verdict(verdict, *model);
    if (verdict.reach == model::Verdict::Reach::unknown) std::cout << "  " << verdict.reason << '\n';
  }
}
