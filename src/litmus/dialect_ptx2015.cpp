#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_ptx2015(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_ptx2015(const LitmusTest& test) {
  return cannot_express(test, "ptx2015", "it is not written yet");
}
std::string print_ptx2015(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
