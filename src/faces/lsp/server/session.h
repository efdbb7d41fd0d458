// SPDX-License-Identifier: MIT
// The state of a conversation with an editor, which everything that answers works on: the way to the editor, the open
// documents, verdicts, requests that wait. Used on one thread; jobs of the worker leave what they found to it.
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

#include "lsp/features/race_findings.h"
#include "lsp/protocol/protocol.h"
#include "lsp/server/verdicts.h"
#include "lsp/server/worker.h"
#include "lsp/server/workspace.h"
#include "system/temporary_folder.h"

namespace weakspot::lsp {

using Clock = std::chrono::steady_clock;

// The editor: what it hears from us, and what it can do.
class Editor {
 public:
  using Send = std::function<void(const Json& message)>;
  explicit Editor(Send send) : send_(std::move(send)) {}

  void answer(const Json& id, const Answer& answer);
  // An error that belongs to no request.
  void complain(ErrorCode code, std::string message) { send_(error_json(nullptr, {code, std::move(message)})); }
  void notify(std::string_view method, Json params) { send_(notification_json(method, std::move(params))); }
  // Nothing depends on the reply.
  void request(std::string_view method, Json params);

  bool creates_files = false;
  bool versioned_edits = false;
  bool shows_documents = false;

 private:
  Send send_;
  std::uint64_t last_request_ = 0;
};

// A request that is answered later.
struct Pending {
  Json id;
  std::string uri;
  Clock::time_point deadline;
  Ticket ticket;
  SharedTest test;  // for a hover; null for a command
  TextRange range;
  bool is_hover() const { return test != nullptr; }
};

class PendingRequests {
 public:
  explicit PendingRequests(Editor& editor) : editor_(editor) {}

  Pending& add(const Json& id, const Document& document, std::chrono::milliseconds time);
  // Answers the request: false if that was done before.
  bool settle(const Json& id, const Answer& result);
  // Answers what has become ready or has waited long enough.
  void settle_ready(Verdicts& verdicts);
  void cancel(const Json& id);
  // Hovers over a text that has changed.
  void drop_hovers(const std::string& uri);
  void cancel_all();
  std::optional<Clock::time_point> next_deadline() const;

 private:
  Editor& editor_;
  std::vector<Pending> pending_;
};

struct Session {
  Session(Editor::Send send, std::function<void()> wake)
      : editor(std::move(send)),
        worker(std::make_unique<Worker>(wake)),
        race_worker(std::make_unique<Worker>(std::move(wake))),
        verdicts(std::make_unique<Verdicts>(*worker, VerdictOptions{})) {}
  // Jobs of the workers refer to the rest.
  ~Session() {
    worker.reset();
    race_worker.reset();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The open document that a request names; nullptr if there is none.
  Document* document(const Json& params) { return workspace.find(params.at("textDocument").at("uri").text()); }

  Editor editor;
  std::unique_ptr<Worker> worker;
  std::unique_ptr<Worker> race_worker;  // a check takes seconds: verdicts do not wait for it
  std::unique_ptr<Verdicts> verdicts;
  Workspace workspace;
  PendingRequests pending{editor};
  base::TemporaryFolder folder;        // for files of the library and pictures
  std::set<std::string> due;           // documents whose diagnostics are to be published
  std::set<std::string> expectations;  // documents whose Expect lines are being judged
  std::chrono::milliseconds hover_time{80};
  std::string race_report;
  bool race_on_save = false;
  std::map<std::string, Ticket> race_checks;        // by URI: the last check
  std::map<std::string, std::string> race_reports;  // by URI: its report, which stands before those of files; or empty
  std::map<std::string, Ticket> proof_checks;       // by URI: the last proof
  std::map<std::string, std::vector<RaceFinding>> proofs;  // by URI: what it says of the text as it is
  std::uint64_t pictures = 0;                              // made so far
};

}  // namespace weakspot::lsp
