#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_ptx(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_ptx(const LitmusTest& test) {
  return cannot_express(test, "ptx", "it is not written yet");
}
std::string print_ptx(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
