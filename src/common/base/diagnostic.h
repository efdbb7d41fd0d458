// SPDX-License-Identifier: MIT
// Diagnostics: what went wrong, where, and what was expected instead. Failing functions return them.
//
// A diagnostic is rendered as
//   mp.litmus:7:9: error: scope 'cluster' is not in the scope tree
//    ld.acq.cluster r0, x
//       ^~~~~~~~~~~
// Messages are lower case, without a full stop, and say what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.h"

namespace weakspot::base {

// The party at fault. A program takes its exit code from it.
enum class ErrorKind : std::uint8_t {
  bad_input,    // the user's: a text, a file, a name, an option
  device,       // a device is missing or failed
  environment,  // the machine around the program: a full disk, a missing program
  cancelled,    // the user stopped it
};

// Why a test that is right as it stands cannot be used: its parts, for those who group refusals or name the test
// elsewhere. Nobody cuts them out of a message.
struct Refusal {
  enum class Of : std::uint8_t { writing, running };
  Of of = Of::running;
  std::string test;    // its name
  std::string with;    // writing: the dialect, "C11"; running: the setting that is in the way, "weaken=scope", or empty
  std::string reason;  // "C11 has no scopes to place threads in"
};

struct Diagnostic {
  std::string message;
  std::optional<Refusal> refusal;  // the parts of the message
  // The place; `file` is empty when the error is not about a file.
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

// "MP cannot be written as C11: C11 has no ...", "MP: cannot run: ...".
Diagnostic error(Refusal refusal);
// The same without the test's name: "cannot run with weaken=scope: ...". The reason alone if there is nothing to add.
std::string without_test(const Refusal& refusal);

// The kind of the first error, which the others follow from. There must be one.
ErrorKind kind_of(const Diagnostics& diagnostics);
// The same errors, each of this kind.
Diagnostics of_kind(ErrorKind kind, Diagnostics diagnostics);

// Control sequences that a terminal wants before and after the coloured parts of a message.
struct DiagnosticStyle {
  std::string_view error, caret, end;
};

// The text for a person, ending in a newline. Characters that a terminal would obey are written out (see printable.h).
std::string render(const Diagnostic& diagnostic, const DiagnosticStyle& style = {});
std::string render(const Diagnostics& diagnostics, const DiagnosticStyle& style = {});
// The messages alone, as one line.
std::string messages(const Diagnostics& diagnostics);

}  // namespace weakspot::base
