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
    switch (verdict.reach) {
      case model::Verdict::Reach::allowed:
        std::cout << "allowed   " << test.name << '\n' << model::explain_execution(*verdict.witness);
        break;
      case model::Verdict::Reach::forbidden:
        std::cout << "forbidden " << test.name << '\n';
        if (verdict.counterexample) std::cout << model::explain_forbidden(*verdict.counterexample, *model);
        break;
      case model::Verdict::Reach::unknown:
        std::cout << "unknown   " << test.name << ": " << verdict.reason << '\n';
        break;
    }
  }
}
