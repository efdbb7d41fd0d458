#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_x86_64(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_x86_64(const LitmusTest& test) {
  return cannot_express(test, "x86_64", "it is not written yet");
}
std::string print_x86_64(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
