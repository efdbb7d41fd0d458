#include "litmus/printers.h"
#include "litmus/readers.h"

namespace weakspot::litmus {
std::optional<LitmusTest> read_vulkan(Cursor& cursor) {
  cursor.mistake(cursor.peek().span, "this dialect is not read yet");
  return std::nullopt;
}
base::Result<LitmusTest> adapt_vulkan(const LitmusTest& test) {
  return cannot_express(test, "vulkan", "it is not written yet");
}
std::string print_vulkan(const LitmusTest&) { return {}; }
}  // namespace weakspot::litmus
