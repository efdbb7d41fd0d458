// SPDX-License-Identifier: MIT
// The functions that a page sees: it writes a request into a room that it asked for, and reads the reply where
// weakspot_answer() says. Both texts stay where they are until the next request.
#include <cstddef>
#include <string>

#include "core/answer.h"

namespace {

struct Page {
  weakspot::core::Core core;
  std::string request, reply;
};

Page& page() {
  static Page only;
  return only;
}

}  // namespace

extern "C" {

// Makes room for a request of so many bytes and returns its address.
__attribute__((export_name("weakspot_room"))) char* weakspot_room(std::size_t size) {
  page().request.resize(size);
  return page().request.data();
}

// Answers the request; where the reply is. It has weakspot_size() bytes.
__attribute__((export_name("weakspot_answer"))) const char* weakspot_answer() {
  page().reply = page().core.answer_text(page().request);
  return page().reply.data();
}

__attribute__((export_name("weakspot_size"))) std::size_t weakspot_size() { return page().reply.size(); }
}
