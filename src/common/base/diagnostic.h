// SPDX-License-Identifier: MIT
// What went wrong, where, and what was expected instead: the value that failing functions return.
//
// A diagnostic is rendered as
//   mp.litmus:7:9: error: scope 'cluster' is not in the scope tree
//    ld.acq.cluster r0, x
//       ^~~~~~~~~~~
// Messages are lower case, without a full stop, and say what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"

namespace weakspot::base {

// Whose fault it is. A program takes its exit code from it.
enum class ErrorKind : std::uint8_t {
  bad_input,    // the user's: a text, a file, a name, an option
  device,       // a device is missing or failed
  environment,  // the machine around the program: a full disk, a missing program
  cancelled,    // the user stopped it
};

struct Diagnostic {
  std::string message;
  // Where; `file` is empty when the error is not about a file.
  std::string file;
  Position position;
  // The excerpt shown under the message, already clipped to a readable width; empty if none.
  std::string excerpt;
  std::size_t caret = 0;         // column of the caret under `excerpt`, zero-based, on a terminal
  std::size_t caret_length = 1;  // at least 1
  ErrorKind kind = ErrorKind::bad_input;

  bool located() const { return !file.empty() && position.line != 0; }
};

using Diagnostics = std::vector<Diagnostic>;

// An error at `span` of `source`.
Diagnostic error_at(const Source& source, Span span, std::string message);
// An error about a whole file (cannot be opened, is not text).
Diagnostic error_in(std::string file, std::string message, ErrorKind kind = ErrorKind::bad_input);
// An error that is not about a file.
Diagnostic error(std::string message, ErrorKind kind = ErrorKind::bad_input);

// The kind of the first error, which the others follow from. There must be one.
ErrorKind kind_of(const Diagnostics& diagnostics);
// The same errors, each of this kind.
Diagnostics of_kind(ErrorKind kind, Diagnostics diagnostics);

// What a terminal wants before the parts of a message that have a colour, and after them.
struct DiagnosticStyle {
  std::string_view error, caret, end;
};

// The text for a person, ending in a newline. Whatever a terminal would obey is written out (see printable.h).
std::string render(const Diagnostic& diagnostic, const DiagnosticStyle& style = {});
std::string render(const Diagnostics& diagnostics, const DiagnosticStyle& style = {});
// The messages alone, as one line.
std::string messages(const Diagnostics& diagnostics);

}  // namespace weakspot::base
