#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_opencl(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_opencl(const LitmusTest& test) {
  return cannot_express(test, "opencl", "it is not written yet");
}
std::string print_opencl(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
