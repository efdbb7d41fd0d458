// SPDX-License-Identifier: MIT
// The core behind one function: a request in JSON in, a reply in JSON out. docs/page-core.md lists the requests.
//
// It opens no file, starts no thread and prints nothing, so it runs in a browser as well.
#pragma once

#include <memory>
#include <string>

namespace weakspot::wasm {

struct State;  // state.h

class Core {
 public:
  Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  // The reply is {"ok": ...} or {"errors": [...]}, whatever the request is.
  std::string answer(const std::string& request);

 private:
  std::unique_ptr<State> state_;
};

}  // namespace weakspot::wasm
