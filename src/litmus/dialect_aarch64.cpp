#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_aarch64(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_aarch64(const LitmusTest& test) {
  return cannot_express(test, "aarch64", "it is not written yet");
}
std::string print_aarch64(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
