// SPDX-License-Identifier: MIT
// A language server for litmus tests, models in cat, and CUDA files with findings (Language Server Protocol 3.17).
//
// One thread owns the server: it gives it messages, calls tick() when there is nothing else to do or next_deadline()
// has come, and is the only one that sends. What takes long is done by a worker. A message that cannot be understood is
// answered with an error, and the server lives on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/temporary_folder.h"
#include "lsp/protocol.h"
#include "lsp/verdicts.h"
#include "lsp/worker.h"
#include "lsp/workspace.h"

namespace weakspot::lsp {

class Server {
 public:
  using Clock = std::chrono::steady_clock;
  using Send = std::function<void(const Json& message)>;

  // `wake` is called on another thread when tick() has something to do.
  explicit Server(std::string version, Send send, std::function<void()> wake = {});
  ~Server();

  // One message, as JSON.
  void receive(const std::string& message);
  // The stream had something that is not a message.
  void refuse(const std::string& reason);
  // Publishes what has changed and answers what has become ready or has waited long enough.
  void tick();
  std::optional<Clock::time_point> next_deadline() const;
  // The editor has asked to end: 0 if it had announced that, else 1.
  std::optional<int> exit_code() const { return exit_code_; }

  // For tests: works until nothing is left to do.
  void run_until_quiet();

 private:
  using Handler = Answer (Server::*)(const Json& id, const Json& params);
  struct Method {
    std::string_view name;
    Handler handle;
  };
  using Listener = void (Server::*)(const Json& params);
  struct Notification {
    std::string_view name;
    Listener hear;
  };

  // A request that is answered later.
  struct Pending {
    Json id;
    std::string uri;
    Clock::time_point deadline;
    Ticket ticket;
    SharedTest test;  // of a hover; else a command
    TextRange range;
    bool is_hover() const { return test != nullptr; }
  };

  void handle(const Json& message);
  void answer(const Json& id, Answer answer);
  void request(const Json& id, std::string_view method, const Json& params);
  void notify(std::string_view method, const Json& params);
  void cancel(const Json& params);

  // Life cycle.
  Answer initialize(const Json& id, const Json& params);
  Answer shutdown(const Json& id, const Json& params);
  void initialized(const Json& params);
  void exit(const Json& params);
  void ignore(const Json&) {}
  std::optional<RpcError> read_options(const Json& options);
  void read_capabilities(const Json& capabilities);

  // Documents.
  void opened(const Json& params);
  void changed(const Json& params);
  void closed(const Json& params);
  void saved(const Json& params);
  void files_changed(const Json& params);
  bool apply_change(Document& document, const Json& change);

  // Questions.
  struct Asked {
    Document* document = nullptr;
    std::size_t offset = 0;
  };
  std::optional<Asked> asked_at(const Json& params);
  Document* asked_document(const Json& params);
  Answer hover(const Json& id, const Json& params);
  Answer completion(const Json& id, const Json& params);
  Answer definition(const Json& id, const Json& params);
  Answer references(const Json& id, const Json& params);
  Answer symbols(const Json& id, const Json& params);
  Answer format(const Json& id, const Json& params);
  Answer tokens(const Json& id, const Json& params);
  Answer code_actions(const Json& id, const Json& params);
  Answer execute(const Json& id, const Json& params);
  Answer run_make_forbidden(const Json& id, Document& document, const TestInText& found, const std::string& model);
  Answer run_show_execution(const Json& id, Document& document, const TestInText& found, const std::string& model);

  std::string uri_of_file(const model::CatIndex::File& file);
  void show_picture(const Json& shown);

  // Diagnostics.
  void publish(Document& document);
  void publish(const Document& document, std::vector<Json> diagnostics);
  void publish_litmus(Document& document);
  void publish_cat(Document& document);
  void publish_findings(Document& document);
  bool publish_contradictions(Document& document);

  Pending& add_pending(const Json& id, const Document& document, std::chrono::milliseconds time);
  // The pending request is over: false if it was answered before.
  bool settle(const Json& id, Answer result);
  void settle_hovers();
  void drop_pending(const std::string& uri);

  static const Method kMethods[];
  static const Notification kNotifications[];

  std::string version_;
  Send send_;
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<Verdicts> verdicts_;
  Workspace workspace_;
  base::TemporaryFolder folder_;  // for files of the library and pictures
  std::vector<Pending> pending_;
  std::set<std::string> due_;           // documents whose diagnostics are to be published
  std::set<std::string> expectations_;  // documents whose Expect lines are being judged
  std::optional<int> exit_code_;
  bool initialized_ = false;
  bool shut_down_ = false;
  std::uint64_t last_request_ = 0;

  // What the editor wants and can do.
  std::chrono::milliseconds hover_time_{80};
  std::string race_report_;
  bool creates_files_ = false;
  bool versioned_edits_ = false;
  bool shows_documents_ = false;
};

}  // namespace weakspot::lsp
