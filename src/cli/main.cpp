#include <cstdio>
#include "base/file.h"
#include "litmus/dialect.h"
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    auto tests = weakspot::litmus::read_test_file(argv[i]);
    if (!tests) {
      std::fputs(weakspot::base::render(tests.errors()).c_str(), stderr);
      continue;
    }
    for (auto& t : *tests)
      std::fputs(weakspot::litmus::print(t, weakspot::litmus::Dialect::canonical)->c_str(), stdout);
  }
}
