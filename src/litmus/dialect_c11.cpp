#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_c11(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_c11(const LitmusTest& test) {
  return cannot_express(test, "c11", "it is not written yet");
}
std::string print_c11(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
