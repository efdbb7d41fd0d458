// SPDX-License-Identifier: MIT
// Makes the mutants of a test that a memory model allows, and prints them as PTX: what a test suite must be able to
// see.
//
//   mutants FILE MODEL      mutants mp-fenced.litmus ptx
#include <gen/mutate.h>
#include <litmus/dialect.h>
#include <model/judge.h>
#include <model/library.h>

#include <iostream>

using namespace weakspot;

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: mutants FILE MODEL\n";
    return 2;
  }
  const auto tests = litmus::read_test_file(argv[1]);
  const auto model = model::load_model(argv[2]);
  if (!tests || !model) {
    std::cerr << base::render(tests ? model.errors() : tests.errors());
    return 2;
  }
  model::BatchJudge judge(*model);
  gen::MutateOptions options;
  options.allowed = [&](const litmus::LitmusTest& mutant) {
    return judge.judge(mutant).reach == model::Verdict::Reach::allowed;
  };
  for (const litmus::LitmusTest& test : *tests) {
    for (const litmus::LitmusTest& mutant : gen::mutate(test, options)) {
      const auto text = litmus::print(mutant, litmus::Dialect::ptx);
      std::cout << (text ? *text : base::render(text.errors())) << '\n';
    }
  }
}
