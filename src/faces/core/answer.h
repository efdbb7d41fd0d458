// SPDX-License-Identifier: MIT
// The core behind one function: a request in JSON in, a reply in JSON out. docs/page-core.md lists the requests.
//
// The core opens no file, starts no thread and prints nothing, so it runs in a browser as well.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::core {

struct State;  // state.h

class Core {
 public:
  Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  // `source` is the text that the request was read from, for the places of mistakes.
  base::Result<base::JsonValue> answer(const base::JsonValue& request, const base::Source& source);
  // The same as text, for those who are not written in C++. The reply is {"ok": ...} or {"errors": [...]}, whatever the
  // request is.
  std::string answer_text(const std::string& request);

 private:
  std::unique_ptr<State> state_;
};

}  // namespace weakspot::core
