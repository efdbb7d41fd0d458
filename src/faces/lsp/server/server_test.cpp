// SPDX-License-Identifier: MIT
#include "lsp/server/server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "lsp/protocol/uri.h"

namespace weakspot::lsp::server_test {
namespace {

const std::string kMp =
    "weakspot MP\n"
    "\"The reader sees the flag but not the data.\"\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";
const std::string kUri = "file:///w/mp.litmus";
const std::string kCatUri = "file:///w/m.cat";

// Reading all models takes longer than most tests.
Json one_model() { return base::json_object({{"models", std::vector<std::string>{"sc"}}}); }

// An editor, as far as the server can tell.
class Editor {
 public:
  Editor() : server_("1", [this](const Json& message) { sent_.push_back(message); }) {}

  void start(const Json& options = one_model(), const Json& capabilities = base::json_object()) {
    const Json reply = ask("initialize", base::json_object({{"processId", nullptr},
                                                            {"rootUri", nullptr},
                                                            {"capabilities", capabilities},
                                                            {"initializationOptions", options}}));
    ASSERT_NE(reply.find("result"), nullptr) << base::json_compact(reply);
    tell("initialized", base::json_object());
  }

  void tell(std::string_view method, const Json& params) {
    server_.receive(base::json_compact(notification_json(method, params)));
  }

  // The whole reply.
  Json ask(std::string_view method, const Json& params) {
    send_request(method, params);
    server_.run_until_quiet();
    return reply(last_);
  }
  Json result(std::string_view method, const Json& params) { return ask(method, params).at("result"); }

  int send_request(std::string_view method, const Json& params) {
    Json message = notification_json(method, params);
    message.add("id", ++last_);
    server_.receive(base::json_compact(message));
    return last_;
  }

  Json reply(int id) const {
    for (const Json& message : sent_) {
      if (message.at("id") == Json(id) && message.find("method") == nullptr) return message;
    }
    return nullptr;
  }

  void open(const std::string& uri, const std::string& text) {
    tell("textDocument/didOpen",
         base::json_object({{"textDocument",
                             base::json_object({{"uri", uri}, {"languageId", ""}, {"version", 1}, {"text", text}})}}));
  }

  void change(const std::string& uri, int version, Json change) {
    tell("textDocument/didChange",
         base::json_object({{"textDocument", base::json_object({{"uri", uri}, {"version", version}})},
                            {"contentChanges", base::json_array({std::move(change)})}}));
  }

  // The last diagnostics of a document.
  Json diagnostics(const std::string& uri) {
    server_.run_until_quiet();
    Json last;
    for (const Json& message : sent_) {
      if (message.at("method").text() == "textDocument/publishDiagnostics" &&
          message.at("params").at("uri").text() == uri) {
        last = message.at("params").at("diagnostics");
      }
    }
    return last;
  }

  Json request_of_server(std::string_view method) const {
    for (const Json& message : sent_) {
      if (message.at("method").text() == method) return message.at("params");
    }
    return nullptr;
  }

  Server& server() { return server_; }
  std::vector<Json>& sent() { return sent_; }

 private:
  std::vector<Json> sent_;
  Server server_;
  int last_ = 0;
};

Json at(const std::string& uri, std::size_t line, std::size_t character) {
  return base::json_object(
      {{"textDocument", base::json_object({{"uri", uri}})}, {"position", to_json(TextPosition{line, character})}});
}

// The position where a text first has a word.
Json at(const std::string& uri, const std::string& text, std::string_view word) {
  const TextPosition position = DocumentText(text).position(text.find(word));
  return at(uri, position.line, position.character);
}

Json document(const std::string& uri) {
  return base::json_object({{"textDocument", base::json_object({{"uri", uri}})}});
}

int code_of(const Json& reply) { return static_cast<int>(reply.at("error").at("code").integer().value_or(0)); }

Json patient() { return base::json_object({{"hoverMilliseconds", 60'000}, {"seconds", 30}}); }

std::vector<std::string> labels(const Json& items) {
  std::vector<std::string> found;
  for (const Json& item : items.items()) found.push_back(item.at("label").text());
  return found;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- life cycle and bad messages ----

TEST(LspServer, RequestsBeforeInitializeAreRefused) {
  Editor editor;
  EXPECT_EQ(code_of(editor.ask("textDocument/hover", at(kUri, 0, 0))), kNotInitialized);
  editor.open(kUri, kMp);
  editor.start();
  EXPECT_EQ(code_of(editor.ask("initialize", base::json_object())), kInvalidRequest);
}

TEST(LspServer, ShutdownAndExit) {
  Editor editor;
  editor.start();
  EXPECT_TRUE(editor.result("shutdown", nullptr).is(Json::Kind::null));
  EXPECT_EQ(code_of(editor.ask("textDocument/hover", at(kUri, 0, 0))), kInvalidRequest);
  editor.tell("exit", nullptr);
  EXPECT_EQ(editor.server().exit_code(), 0);
  Editor hasty;
  hasty.tell("exit", nullptr);
  EXPECT_EQ(hasty.server().exit_code(), 1);
}

TEST(LspServer, BadMessagesAreAnsweredAndTheServerLives) {
  Editor editor;
  editor.start();
  struct Case {
    const char* message;
    int code;
  };
  for (const Case& one :
       {Case{"{", kParseError}, Case{"", kParseError}, Case{"[]", kInvalidRequest}, Case{"1", kInvalidRequest},
        Case{"{}", kInvalidRequest}, Case{R"({"jsonrpc":"1.0","id":1,"method":"shutdown"})", kInvalidRequest},
        Case{R"({"jsonrpc":"2.0","id":1})", kInvalidRequest},
        Case{R"({"jsonrpc":"2.0","id":{},"method":"shutdown"})", kInvalidRequest},
        Case{R"({"jsonrpc":"2.0","id":1,"method":7})", kInvalidRequest},
        Case{R"({"jsonrpc":"2.0","id":"a","method":"no/such"})", kMethodNotFound},
        Case{R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover"})", kInvalidParams},
        Case{R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":[1]})", kInvalidParams},
        Case{R"({"jsonrpc":"2.0","id":3,"method":"workspace/executeCommand","params":{}})", kInvalidParams}}) {
    editor.sent().clear();
    editor.server().receive(one.message);
    ASSERT_EQ(editor.sent().size(), 1u) << one.message;
    EXPECT_EQ(code_of(editor.sent().front()), one.code) << one.message;
  }
  editor.sent().clear();
  for (const char* message :
       {R"({"jsonrpc":"2.0","method":"no/such"})", R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":3})",
        R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"contentChanges":7}})",
        R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":77}})",
        R"({"jsonrpc":"2.0","id":"weakspot-1","result":{"applied":true}})"}) {
    editor.server().receive(message);
  }
  editor.server().run_until_quiet();
  EXPECT_TRUE(editor.sent().empty());
}

TEST(LspServer, WrongOptionsAreNamed) {
  for (const char* name : {"includeFolders", "models", "seconds", "hoverMilliseconds", "raceReport", "raceOnSave"}) {
    Editor editor;
    Json options = base::json_object();
    options.add(name, base::json_object());
    const Json reply = editor.ask(
        "initialize", base::json_object({{"capabilities", base::json_object()}, {"initializationOptions", options}}));
    EXPECT_EQ(code_of(reply), kInvalidParams);
    EXPECT_NE(reply.at("error").at("message").text().find(name), std::string::npos);
  }
}

TEST(LspServer, ThePositionEncodingIsAgreedOn) {
  Editor plain;
  EXPECT_EQ(plain.result("initialize", base::json_object()).at("capabilities").at("positionEncoding").text(), "utf-16");
  Editor bytes;
  const Json general = base::json_object({{"positionEncodings", std::vector<std::string>{"utf-16", "utf-8"}}});
  const Json params = base::json_object({{"capabilities", base::json_object({{"general", general}})}});
  EXPECT_EQ(bytes.result("initialize", params).at("capabilities").at("positionEncoding").text(), "utf-8");
}

// ---- documents ----

TEST(LspServer, MistakesAreShownWhereTheReaderSeesThem) {
  Editor editor;
  editor.start();
  editor.open(kUri, "weakspot T\n P0 ;\n ld.aqc r0, x ;\nexists (0:r0=1)\n");
  const Json diagnostics = editor.diagnostics(kUri);
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_EQ(base::json_compact(diagnostics.at(0).at("range").at("start")), R"({"line":2,"character":4})");
  EXPECT_EQ(base::json_compact(diagnostics.at(0).at("range").at("end")), R"({"line":2,"character":7})");
  editor.change(kUri, 2, text_edit({{2, 4}, {2, 7}}, "acq"));
  // The protocol's word is "text".
  Json change = base::json_object({{"range", to_json(TextRange{{2, 4}, {2, 7}})}, {"text", "acq"}});
  editor.change(kUri, 3, std::move(change));
  EXPECT_TRUE(editor.diagnostics(kUri).items().empty());
  editor.change(kUri, 4, base::json_object({{"text", "nonsense"}}));
  EXPECT_EQ(editor.diagnostics(kUri).items().size(), 1u);
  editor.tell("textDocument/didClose", document(kUri));
  EXPECT_TRUE(editor.diagnostics(kUri).items().empty());
}

TEST(LspServer, ExpectLinesAreJudged) {
  Editor editor;
  editor.start(patient());
  std::string text = kMp;
  text.insert(text.find(" P0"), "Expect=sc allowed\n");
  editor.open(kUri, text);
  const Json diagnostics = editor.diagnostics(kUri);
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_EQ(diagnostics.at(0).at("severity").integer(), 2);
  EXPECT_NE(diagnostics.at(0).at("message").text().find("the model forbids it"), std::string::npos);
}

TEST(LspServer, HugeDocumentsAreNotLookedAt) {
  Editor editor;
  editor.start();
  editor.open(kUri, std::string(kLargestDocument + 1, 'x'));
  ASSERT_EQ(editor.diagnostics(kUri).items().size(), 1u);
  EXPECT_EQ(editor.diagnostics(kUri).at(0).at("severity").integer(), 3);
  EXPECT_TRUE(editor.result("textDocument/hover", at(kUri, 0, 5)).is(Json::Kind::null));
  EXPECT_TRUE(editor.result("textDocument/semanticTokens/full", document(kUri)).is(Json::Kind::null));
}

// ---- tests ----

TEST(LspServer, HoverOverATestHasTheVerdictsOfAllModels) {
  Editor editor;
  editor.start(patient());
  editor.open(kUri, kMp);
  const std::string text = editor.result("textDocument/hover", at(kUri, kMp, "MP")).at("contents").at("value").text();
  EXPECT_NE(text.find("| **forbidden** | sc, tso"), std::string::npos) << text;
  EXPECT_NE(text.find("| **allowed** | "), std::string::npos) << text;
  EXPECT_NE(text.find("ptx"), std::string::npos) << text;
}

TEST(LspServer, AHoverDoesNotWaitForSlowModels) {
  Editor editor;
  editor.start(base::json_object({{"hoverMilliseconds", 0}}));
  editor.open(kUri, kMp);
  const int id = editor.send_request("textDocument/hover", at(kUri, kMp, "MP"));
  editor.server().tick();
  const std::string text = editor.reply(id).at("result").at("contents").at("value").text();
  EXPECT_TRUE(text.find("being read") != std::string::npos || text.find("still judging") != std::string::npos) << text;
}

TEST(LspServer, HoversAreCancelledAndDropped) {
  Editor editor;
  editor.start(patient());
  editor.open(kUri, kMp);
  const int cancelled = editor.send_request("textDocument/hover", at(kUri, kMp, "MP"));
  editor.tell("$/cancelRequest", base::json_object({{"id", cancelled}}));
  EXPECT_EQ(code_of(editor.reply(cancelled)), kRequestCancelled);
  const int stale = editor.send_request("textDocument/hover", at(kUri, kMp, "MP"));
  editor.change(kUri, 2, base::json_object({{"text", kMp}}));
  EXPECT_EQ(code_of(editor.reply(stale)), kContentModified);
  EXPECT_FALSE(editor.result("textDocument/hover", at(kUri, kMp, "MP")).is(Json::Kind::null));
}

TEST(LspServer, HoverOverAnInstructionSaysWhatItDoes) {
  Editor editor;
  editor.start();
  const std::string text =
      "PTX MP\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n ld.acquire.gpu r0, x ;\nexists (P0:r0 == 1)\n";
  editor.open(kUri, text);
  const std::string meaning =
      editor.result("textDocument/hover", at(kUri, text, "acquire")).at("contents").at("value").text();
  EXPECT_NE(meaning.find("loads `x` into `r0`"), std::string::npos) << meaning;
  EXPECT_NE(meaning.find("**acquire**"), std::string::npos);
  EXPECT_NE(meaning.find("scope **device**"), std::string::npos);
}

TEST(LspServer, CompletionKnowsTheDialectAndTheTest) {
  Editor editor;
  editor.start();
  std::string text = kMp;
  text.replace(text.find("ld r1"), 2, "ld.");
  editor.open(kUri, text);
  const TextPosition behind = DocumentText(text).position(text.find("ld. ") + 3);
  const auto suffixes = labels(editor.result("textDocument/completion", at(kUri, behind.line, behind.character)));
  EXPECT_TRUE(has(suffixes, "acq") && has(suffixes, "wg") && !has(suffixes, "atom"));
  const auto words = labels(editor.result("textDocument/completion", at(kUri, 3, 1)));
  EXPECT_TRUE(has(words, "st") && has(words, "fence") && has(words, "y") && has(words, "exists") && !has(words, "acq"));
  editor.open("file:///w/empty.litmus", "");
  EXPECT_TRUE(has(labels(editor.result("textDocument/completion", at("file:///w/empty.litmus", 0, 0))), "weakspot"));
}

TEST(LspServer, SymbolsAndTokensOfTests) {
  Editor editor;
  editor.start();
  editor.open(kUri, kMp);
  const Json symbols = editor.result("textDocument/documentSymbol", document(kUri));
  ASSERT_EQ(symbols.items().size(), 1u);
  EXPECT_EQ(symbols.at(0).at("name").text(), "MP");
  const Json tokens = editor.result("textDocument/semanticTokens/full", document(kUri)).at("data");
  ASSERT_GE(tokens.items().size(), 10u);
  EXPECT_EQ(tokens.items().size() % 5, 0u);
  // `weakspot` and `MP`.
  EXPECT_EQ(base::json_compact(base::json_array({tokens.at(0), tokens.at(1), tokens.at(2), tokens.at(3), tokens.at(5),
                                                 tokens.at(6), tokens.at(7), tokens.at(8)})),
            "[0,0,8,0,0,9,2,1]");
}

Json whole(const std::string& uri) {
  return base::json_object({{"textDocument", base::json_object({{"uri", uri}})},
                            {"range", to_json(TextRange{{0, 3}, {0, 3}})},
                            {"context", base::json_object({{"diagnostics", base::json_array()}})}});
}

const Json* action_titled(const Json& actions, std::string_view title) {
  for (const Json& action : actions.items()) {
    if (action.at("title").text() == title) return &action;
  }
  return nullptr;
}

TEST(LspServer, MakeItForbiddenChangesTheInstructions) {
  Editor editor;
  editor.start(patient());
  editor.open(kUri, kMp);
  const Json actions = editor.result("textDocument/codeAction", whole(kUri));
  const Json* action = action_titled(actions, "Make MP forbidden by rel-acq");
  ASSERT_NE(action, nullptr) << base::json_compact(actions);
  const Json reply = editor.ask("workspace/executeCommand", action->at("command"));
  EXPECT_EQ(reply.at("result").at("changes").items().size(), 2u) << base::json_compact(reply);
  const Json edits = editor.request_of_server("workspace/applyEdit").at("edit").at("changes").at(kUri);
  ASSERT_EQ(edits.items().size(), 2u);
  EXPECT_EQ(edits.at(0).at("newText").text(), "st.rel y, 1");
  EXPECT_EQ(edits.at(1).at("newText").text(), "ld.acq r0, y");
}

TEST(LspServer, MakeItForbiddenAddsRowsWithFences) {
  Editor editor;
  editor.start(patient());
  const std::string text =
      "weakspot SB\nArch=ptx\n P0       | P1       ;\n st x, 1  | st y, 1  ; // stores\n ld r0, y | ld r0, x ;\n"
      "scopes (dev (wg P0) (wg P1))\nexists (0:r0=0 /\\ 1:r0=0)\n";
  editor.open(kUri, text);
  const Json arguments = Json(std::vector<std::string>{kUri, "SB", "ptx"});
  const Json reply = editor.ask("workspace/executeCommand",
                                base::json_object({{"command", "weakspot.makeForbidden"}, {"arguments", arguments}}));
  const Json edits = editor.request_of_server("workspace/applyEdit").at("edit").at("changes").at(kUri);
  ASSERT_EQ(edits.items().size(), 2u) << base::json_compact(reply);
  EXPECT_EQ(edits.at(0).at("newText").text(), " fence.sc |          ;\n");
  EXPECT_EQ(edits.at(1).at("newText").text(), "          | fence.sc ;\n");
  EXPECT_EQ(base::json_compact(edits.at(1).at("range").at("start")), R"({"line":4,"character":0})");
}

TEST(LspServer, ShowTheExecution) {
  Editor editor;
  editor.start(patient());
  editor.open(kUri, kMp);
  const Json arguments = Json(std::vector<std::string>{kUri, "MP", "sc"});
  const Json shown = editor.result(
      "workspace/executeCommand", base::json_object({{"command", "weakspot.showExecution"}, {"arguments", arguments}}));
  EXPECT_EQ(shown.at("verdict").text(), "forbidden");
  EXPECT_NE(shown.at("svg").text().find("<svg"), std::string::npos);
  EXPECT_NE(shown.at("text").text().find("init x=0"), std::string::npos);
  EXPECT_FALSE(shown.at("explanation").text().empty());
}

TEST(LspServer, ConvertMakesAFileIfTheEditorCan) {
  Editor editor;
  const Json edit =
      base::json_object({{"documentChanges", true}, {"resourceOperations", std::vector<std::string>{"create"}}});
  editor.start(one_model(), base::json_object({{"workspace", base::json_object({{"workspaceEdit", edit}})}}));
  editor.open(kUri, kMp);
  const Json actions = editor.result("textDocument/codeAction", whole(kUri));
  const Json* action = action_titled(actions, "Convert MP to ptx");
  ASSERT_NE(action, nullptr);
  const Json& changes = action->at("edit").at("documentChanges");
  EXPECT_EQ(changes.at(0).at("uri").text(), "file:///w/MP.ptx.litmus");
  EXPECT_TRUE(changes.at(1).at("edits").at(0).at("newText").text().starts_with("PTX MP"));
  EXPECT_EQ(action_titled(actions, "Convert MP to weakspot"), nullptr);
}

TEST(LspServer, FormattingPrints) {
  Editor editor;
  editor.start();
  editor.open(kUri, "weakspot A\n P0;\n st x,1;\nexists (x=1)\n");
  const Json edits = editor.result("textDocument/formatting", document(kUri));
  EXPECT_EQ(edits.at(0).at("newText").text(), "weakspot A\n P0      ;\n st x, 1 ;\nexists (x=1)\n");
  editor.change(kUri, 2, base::json_object({{"text", "weakspot A\n P0;\n st ,1;\nexists (x=1)\n"}}));
  EXPECT_EQ(code_of(editor.ask("textDocument/formatting", document(kUri))), kRequestFailed);
}

// ---- models ----

const std::string kCat =
    "\"m\"\n"
    "(** What a thread keeps. *)\n"
    "let ppo = po & loc\n"
    "acyclic ppo | rf | fr as main\n";

TEST(LspServer, MistakesInModels) {
  Editor editor;
  editor.start();
  editor.open(kCatUri, kCat);
  EXPECT_TRUE(editor.diagnostics(kCatUri).items().empty());
  editor.change(kCatUri, 2, base::json_object({{"text", "acyclic po | W\n"}}));
  ASSERT_EQ(editor.diagnostics(kCatUri).items().size(), 1u);
  EXPECT_EQ(base::json_compact(editor.diagnostics(kCatUri).at(0).at("range").at("start")),
            R"({"line":0,"character":13})");
  editor.change(kCatUri, 3, base::json_object({{"text", "acyclic po |\n"}}));
  EXPECT_EQ(editor.diagnostics(kCatUri).items().size(), 1u);
}

TEST(LspServer, NamesOfModels) {
  Editor editor;
  editor.start();
  editor.open(kCatUri, kCat);
  const Json hover = editor.result("textDocument/hover", at(kCatUri, 3, 9));
  EXPECT_NE(hover.at("contents").at("value").text().find("What a thread keeps."), std::string::npos);
  EXPECT_NE(
      editor.result("textDocument/hover", at(kCatUri, 2, 10)).at("contents").at("value").text().find("program order"),
      std::string::npos);
  const Json place = editor.result("textDocument/definition", at(kCatUri, 3, 9));
  EXPECT_EQ(place.at("uri").text(), kCatUri);
  EXPECT_EQ(base::json_compact(place.at("range").at("start")), R"({"line":2,"character":4})");
  const Json library = editor.result("textDocument/definition", at(kCatUri, 3, 19));
  EXPECT_TRUE(library.at("uri").text().ends_with("/stdlib.cat")) << base::json_compact(library);
  Json asked = at(kCatUri, 2, 4);
  asked.add("context", base::json_object({{"includeDeclaration", true}}));
  EXPECT_EQ(editor.result("textDocument/references", asked).items().size(), 2u);
  EXPECT_EQ(editor.result("textDocument/documentSymbol", document(kCatUri)).items().size(), 2u);
  const auto words = labels(editor.result("textDocument/completion", at(kCatUri, 3, 8)));
  EXPECT_TRUE(has(words, "ppo") && has(words, "po") && has(words, "fr") && has(words, "acyclic") &&
              has(words, "domain"));
  EXPECT_EQ(editor.result("textDocument/semanticTokens/full", document(kCatUri)).at("data").items().size() % 5, 0u);
}

TEST(LspServer, NamesLeadIntoUnsavedIncludes) {
  Editor editor;
  editor.start();
  const std::string library = "file:///w/lib.cat";
  editor.open(library, "let mine = po\n");
  editor.open(kCatUri, "include \"lib.cat\"\nacyclic mine\n");
  EXPECT_TRUE(editor.diagnostics(kCatUri).items().empty());
  EXPECT_EQ(editor.result("textDocument/definition", at(kCatUri, 1, 9)).at("uri").text(), library);
  EXPECT_EQ(editor.result("textDocument/definition", at(kCatUri, 0, 3)).at("uri").text(), library);
  // Uses are found from the definition as well.
  Json asked = at(library, 0, 5);
  asked.add("context", base::json_object({{"includeDeclaration", false}}));
  const Json uses = editor.result("textDocument/references", asked);
  ASSERT_EQ(uses.items().size(), 1u);
  EXPECT_EQ(uses.at(0).at("uri").text(), kCatUri);
  editor.change(library, 2, base::json_object({{"text", "let other = po\n"}}));
  EXPECT_EQ(editor.diagnostics(kCatUri).items().size(), 1u);
}

TEST(LspServer, FindingsOfTheLastRun) {
  const base::TemporaryFolder folder;
  const std::string source = (folder.path() / "sum.cu").string();
  Editor editor;
  editor.start();
  editor.open(uri_of(source), "__global__ void f(int* p) {\n  *p += 1;\n}\n");
  EXPECT_TRUE(editor.diagnostics(uri_of(source)).items().empty());
  std::ofstream(folder.path() / "weakspot-race.json")
      << R"({"findings": [{"class": "E1", "severity": "error", "message": "race", "file": "sum.cu", "line": 2, "column": 3}]})";
  editor.tell("textDocument/didSave", document(uri_of(source)));
  const Json diagnostics = editor.diagnostics(uri_of(source));
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_EQ(diagnostics.at(0).at("code").text(), "E1");
}

TEST(LspServer, FindingsAreExplained) {
  Editor editor;
  editor.start();
  editor.open("file:///w/sum.cu", "__global__ void sum() {}\n");
  Json diagnostic = base::json_object({{"source", "weakspot"}, {"code", "E1"}, {"message", "a race"}});
  Json foreign = base::json_object({{"source", "clangd"}, {"code", "unused"}, {"message", "unused"}});
  const Json range = base::json_object({{"start", base::json_object({{"line", 0}, {"character", 0}})},
                                        {"end", base::json_object({{"line", 0}, {"character", 5}})}});
  const Json actions = editor.result(
      "textDocument/codeAction",
      base::json_object(
          {{"textDocument", base::json_object({{"uri", "file:///w/sum.cu"}})},
           {"range", range},
           {"context", base::json_object({{"diagnostics", base::json_array({diagnostic, diagnostic, foreign})}})}}));
  ASSERT_EQ(actions.items().size(), 1u);
  EXPECT_EQ(actions.at(0).at("title").text(), "Explain E1");
  const Json shown = editor.result("workspace/executeCommand", actions.at(0).at("command"));
  EXPECT_EQ(shown.at("name").text(), "data-race");
  EXPECT_TRUE(shown.at("text").text().starts_with("E1: data-race\n"));
  EXPECT_EQ(code_of(editor.ask(
                "workspace/executeCommand",
                base::json_object({{"command", "weakspot.explain"}, {"arguments", std::vector<std::string>{"E9"}}}))),
            kInvalidParams);
  EXPECT_EQ(code_of(editor.ask("workspace/executeCommand",
                               base::json_object({{"command", "weakspot.race"},
                                                  {"arguments", std::vector<std::string>{"file:///w/no.cu"}}}))),
            kInvalidParams);
}

TEST(LspServer, LaunchesCanBeProved) {
  Editor editor;
  editor.start();
  const std::string uri = "file:///w/flag.cu";
  editor.open(uri, "// weakspot: launch grid=2 block=1\n// weakspot: arg x=int[1]\n__global__ void f(int* x) {}\n");
  const Json lenses = editor.result("textDocument/codeLens", document(uri));
  ASSERT_EQ(lenses.items().size(), 1u);
  EXPECT_EQ(lenses.at(0).at("range").at("start").at("line").integer(), 0);
  const Json range = base::json_object({{"start", base::json_object({{"line", 2}, {"character", 0}})},
                                        {"end", base::json_object({{"line", 2}, {"character", 0}})}});
  const Json actions =
      editor.result("textDocument/codeAction",
                    base::json_object({{"textDocument", base::json_object({{"uri", uri}})},
                                       {"range", range},
                                       {"context", base::json_object({{"diagnostics", base::json_array()}})}}));
  ASSERT_EQ(actions.items().size(), 1u);
  EXPECT_EQ(actions.at(0).at("title").text(), "Prove this launch: grid=2 block=1");
  EXPECT_EQ(base::json_compact(actions.at(0).at("command")), base::json_compact(lenses.at(0).at("command")));
  // It is not on the disk.
  EXPECT_EQ(code_of(editor.ask("workspace/executeCommand", actions.at(0).at("command"))), kRequestFailed);
  editor.open("file:///w/none.cu", "__global__ void f(int* x) {}\n");
  EXPECT_TRUE(editor.result("textDocument/codeLens", document("file:///w/none.cu")).items().empty());
  EXPECT_EQ(code_of(editor.ask("workspace/executeCommand",
                               base::json_object({{"command", "weakspot.prove"},
                                                  {"arguments", std::vector<std::string>{"file:///w/none.cu", "1"}}}))),
            kRequestFailed);
}

}  // namespace
}  // namespace weakspot::lsp::server_test
