// SPDX-License-Identifier: MIT
#include "lsp/server/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::lsp {
namespace {

constexpr std::chrono::milliseconds kLongestWait{60'000};

}  // namespace

void Editor::answer(const Json& id, const Answer& answer) {
  if (const auto* result = std::get_if<Json>(&answer)) send_(reply_json(id, *result));
  if (const auto* error = std::get_if<RpcError>(&answer)) send_(error_json(id, *error));
}

void Editor::request(std::string_view method, Json params) {
  send_(request_json(fmt::format("weakspot-{}", ++last_request_), method, std::move(params)));
}

Pending& PendingRequests::add(const Json& id, const Document& document, std::chrono::milliseconds time) {
  const std::chrono::milliseconds limit = std::min(time, kLongestWait);
  return pending_.emplace_back(Pending{id, document.uri, Clock::now() + limit, new_ticket(), nullptr, {}});
}

bool PendingRequests::settle(const Json& id, const Answer& result) {
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& one) { return one.id == id; });
  if (found == pending_.end()) return false;
  const Json own = found->id;
  pending_.erase(found);
  editor_.answer(own, result);
  return true;
}

void PendingRequests::settle_ready(Verdicts& verdicts) {
  const Clock::time_point now = Clock::now();
  const std::vector<Pending> waiting = pending_;
  for (const Pending& one : waiting) {
    const bool late = one.deadline <= now;
    if (!one.is_hover()) {
      if (!late) continue;
      one.ticket->store(true);
      settle(one.id, RpcError{kRequestFailed, "the command took too long"});
      continue;
    }
    // The list of models may have come since.
    verdicts.want(one.test, one.ticket);
    if (!late && !verdicts.complete(*one.test)) continue;
    settle(one.id, markdown_hover(verdict_table(*one.test, verdicts.of(*one.test)), one.range));
  }
}

void PendingRequests::cancel(const Json& id) {
  for (const Pending& one : pending_) {
    if (one.id == id) one.ticket->store(true);
  }
  settle(id, RpcError{kRequestCancelled, "the request was cancelled"});
}

void PendingRequests::drop_hovers(const std::string& uri) {
  std::vector<Json> dropped;
  for (const Pending& one : pending_) {
    if (one.uri != uri || !one.is_hover()) continue;
    one.ticket->store(true);
    dropped.push_back(one.id);
  }
  for (const Json& id : dropped) settle(id, RpcError{kContentModified, "the text has changed"});
}

void PendingRequests::cancel_all() {
  for (const Pending& one : std::exchange(pending_, {})) {
    one.ticket->store(true);
    editor_.answer(one.id, RpcError{kRequestCancelled, "the server is shutting down"});
  }
}

std::optional<Clock::time_point> PendingRequests::next_deadline() const {
  std::optional<Clock::time_point> next;
  for (const Pending& one : pending_) next = next ? std::min(*next, one.deadline) : one.deadline;
  return next;
}

}  // namespace weakspot::lsp
