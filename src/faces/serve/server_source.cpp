// SPDX-License-Identifier: MIT
#include "serve/server_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "http/client.h"
#include "json/json.h"
#include "serve/agents/work_json.h"
#include "serve/page/site.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;

// The most bytes sent at once: well below what servers and proxies take.
constexpr std::size_t kMostSent = 512u << 10;
constexpr int kTooManyRequests = 429;

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= 200 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

class ServerSource final : public workbench::WorkSource {
 public:
  ServerSource(http::ServerAddress address, const std::string& token) : client_(std::move(address)) {
    headers_ = {{"Content-Type", "application/json"}, {"Authorization", "Bearer " + token}};
  }

  base::Result<campaign::CampaignPlan> plan(const std::string& campaign) override {
    if (!is_plain_id(campaign)) return base::error(fmt::format("'{}' is not the id of a campaign", campaign));
    const base::Result<std::string> body = answer_to("GET", "plan/" + campaign, "");
    if (!body) return body.errors();
    return campaign::plan_from_json(base::Source("the plan of " + campaign, *body));
  }
  base::Result<store::Claims> claim(const store::ClaimRequest& request) override {
    return asked(kClaim, to_json(request), claims_from);
  }
  base::Result<std::vector<store::Attempt>> extend(const std::string& agent, std::span<const store::Attempt> attempts,
                                                   store::Duration lease) override {
    return asked(kExtend, to_json(HeldAttempts{agent, {attempts.begin(), attempts.end()}, lease}), lost_from);
  }
  // In several parts if it is much. A part that was stored before is known to the server.
  base::Result<std::vector<store::Finished>> finish(const std::string& agent,
                                                    std::span<const store::FinishedShard> shards) override {
    std::vector<store::Finished> all;
    JsonValue part = base::json_array();
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      part.push_back(to_json(shards[i]));
      for (const store::Record& record : shards[i].records) bytes += record.document.size();
      if (bytes < kMostSent && i + 1 < shards.size()) continue;
      const std::size_t count = part.items().size();
      base::Result<std::vector<store::Finished>> some =
          asked(kFinish, base::json_object({{"agent", agent}, {"shards", std::exchange(part, base::json_array())}}),
                finished_from);
      if (!some) return some.errors();
      if (some->size() != count) return unexpected("an answer for each shard");
      all.insert(all.end(), some->begin(), some->end());
      bytes = 0;
    }
    return all;
  }
  base::Result<store::Failure> fail(const store::FailedShard& failed) override {
    return asked(kFail, to_json(failed), failure_from);
  }
  base::Status release(const std::string& agent, std::span<const store::Attempt> attempts) override {
    const base::Result<std::string> body = answer_to(
        "POST", kRelease, base::json_compact(to_json(HeldAttempts{agent, {attempts.begin(), attempts.end()}, {}})));
    if (!body) return body.errors();
    return base::ok_status();
  }
  base::Result<bool> is_over(const std::string& campaign, std::span<const std::string> classes) override {
    return asked(kOver, to_json(OverQuestion{campaign, {classes.begin(), classes.end()}}), over_from);
  }

 private:
  template <typename T>
  base::Result<T> asked(std::string_view name, const JsonValue& request,
                        base::Result<T> (*read)(const std::string& body)) {
    const base::Result<std::string> body = answer_to("POST", name, base::json_compact(request));
    if (!body) return body.errors();
    base::Result<T> answer = read(*body);
    if (!answer) return unexpected("an answer of weakspot serve");
    return answer;
  }

  // Something between us and the server may have spoken, so another try is worth it.
  base::Diagnostic unexpected(std::string_view expected) const {
    return base::error(fmt::format("{}: expected {}", client_.address().url(), expected), base::ErrorKind::environment);
  }

  base::Result<std::string> answer_to(const std::string& method, std::string_view name, const std::string& body) {
    base::Result<http::Response> answer = client_.ask(method, fmt::format("{}work/{}", kApi, name), headers_, body);
    if (!answer) return answer.errors();
    if (answer->status == 200) return std::move(answer->body);
    const bool final_word = answer->status >= 400 && answer->status < 500 && answer->status != kTooManyRequests;
    const base::Result<JsonValue> value = base::read_json_text(base::Source("answer", answer->body));
    const std::string reason = value ? value->at("error").text() : "";
    return base::error(fmt::format("{}: {}", client_.address().url(),
                                   reason.empty() ? fmt::format("status {}", answer->status) : reason),
                       final_word ? base::ErrorKind::bad_input : base::ErrorKind::environment);
  }

  http::Client client_;
  http::Headers headers_;
};

}  // namespace

base::Result<std::unique_ptr<workbench::WorkSource>> server_source(const std::string& url, std::string token) {
  base::Result<http::ServerAddress> address = http::read_address(url);
  if (!address) return address.errors();
  const bool plain = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (token.empty() || !plain) return base::error("the token is empty or has characters that tokens do not have");
  return std::unique_ptr<workbench::WorkSource>(std::make_unique<ServerSource>(*std::move(address), token));
}

}  // namespace weakspot::serve
