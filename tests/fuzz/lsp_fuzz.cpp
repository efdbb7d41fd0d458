// SPDX-License-Identifier: MIT
// Arbitrary bytes for the language server: as a stream of messages, if they begin like one, else as a document that an
// editor opens, changes and asks everything about. The server must live, answer every request once, and take a stream
// apart alike however it is cut.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/source.h"
#include "lsp/protocol/framing.h"
#include "lsp/server/server.h"

namespace {

using namespace weakspot;
using lsp::Json;

// The reader gives a header up that does not end within some bytes, which depends on how much it has been given.
constexpr std::size_t kMostBytes = 4000;

std::vector<lsp::FrameReader::Item> items_of(std::string_view stream, std::size_t piece) {
  std::vector<lsp::FrameReader::Item> items;
  lsp::FrameReader reader;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    reader.feed(stream.substr(at, piece));
    while (std::optional<lsp::FrameReader::Item> item = reader.next()) items.push_back(*std::move(item));
  }
  return items;
}

// A server with one small model, so that what it thinks about ends soon.
class Session {
 public:
  Session() : server_("fuzz", [this](const Json& message) { hear(message); }) {
    ask("initialize",
        base::json_object({{"capabilities", base::json_object()},
                           {"initializationOptions", base::json_object({{"models", std::vector<std::string>{"sc"}},
                                                                        {"seconds", 0.02},
                                                                        {"hoverMilliseconds", 0}})}}));
    tell("initialized", base::json_object());
  }

  lsp::Server& server() { return server_; }

  void tell(std::string_view method, Json params) {
    server_.receive(base::json_compact(lsp::notification_json(method, std::move(params))));
  }
  void ask(std::string_view method, Json params) {
    Json message = lsp::notification_json(method, std::move(params));
    message.add("id", ++asked_);
    server_.receive(base::json_compact(message));
  }
  void end() {
    server_.run_until_quiet();
    for (int id = 1; id <= asked_; ++id) WEAKSPOT_CHECK(replies_[id] == 1);
  }

 private:
  void hear(const Json& message) {
    // The server sends valid JSON, whatever it received.
    WEAKSPOT_CHECK(base::read_json_text(base::Source("sent", base::json_compact(message))).ok());
    if (message.find("method") == nullptr) ++replies_[message.at("id").integer().value_or(0)];
  }

  std::map<std::int64_t, int> replies_;
  int asked_ = 0;
  lsp::Server server_;
};

void try_stream(std::string_view stream) {
  const std::vector<lsp::FrameReader::Item> items = items_of(stream, stream.size());
  const std::vector<lsp::FrameReader::Item> cut = items_of(stream, 1 + stream.size() % 7);
  WEAKSPOT_CHECK(items.size() == cut.size());
  Session session;
  for (std::size_t i = 0; i < items.size(); ++i) {
    WEAKSPOT_CHECK(items[i].fault == cut[i].fault && items[i].text == cut[i].text);
    items[i].fault ? session.server().refuse(items[i].text) : session.server().receive(items[i].text);
    session.server().tick();
  }
}

Json place(const std::string& uri, std::size_t line, std::size_t character) {
  return base::json_object({{"textDocument", base::json_object({{"uri", uri}})},
                            {"position", base::json_object({{"line", line}, {"character", character}})}});
}

void try_document(std::string_view text, bool is_cat) {
  const std::string uri = is_cat ? "file:///w/fuzz.cat" : "file:///w/fuzz.litmus";
  const Json document = base::json_object({{"uri", uri}});
  Session session;
  session.tell("textDocument/didOpen",
               base::json_object({{"textDocument", base::json_object({{"uri", uri},
                                                                      {"languageId", is_cat ? "cat" : "litmus"},
                                                                      {"version", 1},
                                                                      {"text", std::string(text)}})}}));
  // Places all over the text, some of them beyond its end.
  for (std::size_t i = 0; i < 4; ++i) {
    const Json there = place(uri, i * i, text.size() * i % 23);
    for (const char* method : {"hover", "completion", "definition", "references"}) {
      session.ask(std::string("textDocument/") + method, there);
    }
  }
  for (const char* method : {"documentSymbol", "semanticTokens/full", "formatting"}) {
    session.ask(std::string("textDocument/") + method, base::json_object({{"textDocument", document}}));
  }
  const Json first = base::json_object({{"line", 0}, {"character", 1}});
  const Json second = base::json_object({{"line", 1}, {"character", 2}});
  const Json range = base::json_object({{"start", first}, {"end", second}});
  session.ask("textDocument/codeAction", base::json_object({{"textDocument", document}, {"range", range}}));
  Json changes = base::json_array();
  changes.push_back(base::json_object({{"range", range}, {"text", std::string(text.substr(0, 5))}}));
  session.tell("textDocument/didChange",
               base::json_object({{"textDocument", base::json_object({{"uri", uri}, {"version", 2}})},
                                  {"contentChanges", std::move(changes)}}));
  session.ask("textDocument/hover", place(uri, 0, 3));
  session.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with("Content-")) {
    try_stream(text);
  } else {
    try_document(text, text.find("let ") != std::string_view::npos || text.find("acyclic") != std::string_view::npos);
  }
  return 0;
}
