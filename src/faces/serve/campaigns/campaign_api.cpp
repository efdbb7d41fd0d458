// SPDX-License-Identifier: MIT
#include "serve/campaigns/campaign_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "http/replies.h"
#include "workbench/campaigns.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;
using http::download;
using http::event_text;
using http::json_reply;
using http::refusal;
using http::Response;

constexpr std::string_view kCampaigns = "campaigns";
constexpr std::string_view kFolder = "campaigns/";
constexpr std::string_view kEvents = "/events";
constexpr std::string_view kReport = "/report.html";
constexpr std::string_view kAnalysis = "analysis.html";
constexpr std::string_view kRunPaths[] = {"runs", "runs.csv", "runs.jsonl"};
// Rows of a page, and of a file. More are asked for in parts.
constexpr std::size_t kMostRows = 1'000;
constexpr std::size_t kMostLines = 20'000;
constexpr std::size_t kWaiting = 200;
constexpr std::size_t kWaitingForPages = 8;
// A page of ours that runs nothing; its styles are its own.
constexpr std::string_view kReportPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

bool is_run_path(std::string_view name) {
  return std::find(std::begin(kRunPaths), std::end(kRunPaths), name) != std::end(kRunPaths);
}

// campaigns/ID followed by this end.
bool is_of_campaign(std::string_view name, std::string_view end) {
  return name.starts_with(kFolder) && name.size() > kFolder.size() + end.size() && name.ends_with(end);
}

bool is_page(std::string_view name) { return name == kAnalysis || is_of_campaign(name, kReport); }

std::string_view without(std::string_view name, std::string_view end) {
  return name.substr(0, name.size() - end.size());
}

Response not_shown(const base::Diagnostics& errors) {
  if (base::kind_of(errors) == base::ErrorKind::environment) return refusal(503, "the store cannot be read now");
  return refusal(404, "there is no such campaign");
}

}  // namespace

CampaignApi::CampaignApi(Lab& lab, TokenBook& tokens, Options options)
    : lab_(lab),
      tokens_(tokens),
      options_(options),
      events_([this](const std::string& id) { return current(id); }, options.events),
      jobs_(kWaiting),
      pages_(kWaitingForPages) {}

bool CampaignApi::knows(std::string_view name) {
  return name == kCampaigns || name == kAnalysis || name.starts_with(kFolder) || is_run_path(name);
}

void CampaignApi::answer(const std::string& name, const http::Asked& asked, http::Answer answer) {
  const std::shared_ptr<http::Answering> shared = std::move(answer);
  if (asked.request.method != "GET") return shared->give(refusal(405, "expected GET"));
  const bool slow = is_page(name);
  const bool taken = (slow ? pages_ : jobs_).add([this, slow, name, request = asked.request, shared] {
    if (slow) return shared->give(page(name, request));
    const std::string_view path = name;
    if (!is_of_campaign(path, kEvents)) return shared->give(shown(name, request));
    listen(std::string(without(path, kEvents).substr(kFolder.size())), shared);
  });
  if (!taken) shared->give(refusal(503, "too many requests are waiting; try again"));
}

Response CampaignApi::shown(const std::string& name, const http::Request& request) {
  if (name == kCampaigns) return all();
  if (!is_run_path(name)) return one(name.substr(kFolder.size()));
  if (std::optional<Response> refused = refuse(request)) return *std::move(refused);
  const base::Result<RunQuestion> question = read_run_question(request.query);
  return question ? runs(name, *question) : refusal(400, base::messages(question.errors()));
}

Response CampaignApi::page(const std::string& name, const http::Request& request) {
  if (std::optional<Response> refused = refuse(request)) return *std::move(refused);
  const bool is_report = name != kAnalysis;
  base::Result<std::string> text =
      is_report ? lab_.report_page(std::string(without(name, kReport).substr(kFolder.size()))) : lab_.analysis_page();
  if (!text) return is_report ? not_shown(text.errors()) : refusal(404, base::messages(text.errors()));
  Response response;
  response.type = "text/html; charset=utf-8";
  response.body = *std::move(text);
  response.headers.emplace_back("Content-Security-Policy", kReportPolicy);
  return response;
}

// The refusal of a request that needs a token and has none.
std::optional<Response> CampaignApi::refuse(const http::Request& request) {
  if (!options_.is_public) return std::nullopt;
  const base::Result<std::optional<std::string>> owner = tokens_.owner(request.header("authorization"));
  if (owner && *owner) return std::nullopt;
  return owner ? refusal(401, "on a public server single runs are shown to those who have a token")
               : refusal(503, "the store cannot be read now");
}

Response CampaignApi::all() {
  const base::Result<std::vector<store::CampaignStatus>> statuses = lab_.campaigns();
  if (!statuses) return not_shown(statuses.errors());
  JsonValue list = base::json_array();
  for (const store::CampaignStatus& status : *statuses) list.push_back(workbench::status_json(status));
  return json_reply(200, base::json_object({{"campaigns", std::move(list)}}));
}

Response CampaignApi::one(const std::string& id) {
  const base::Result<store::CampaignStatus> status = lab_.campaign(id);
  return status ? json_reply(200, workbench::status_json(*status)) : not_shown(status.errors());
}

Response CampaignApi::runs(const std::string& name, const RunQuestion& question) {
  const bool as_rows = name == kRunPaths[0];
  const std::size_t allowed = as_rows ? kMostRows : kMostLines;
  const std::size_t most = question.most == 0 ? allowed : std::min(question.most, allowed);
  const auto records = lab_.runs(question.filter, question.after, most);
  if (!records) return refusal(503, "the store cannot be read now");
  const bool more = !records->empty() && records->size() == most;
  if (as_rows) return json_reply(200, run_rows_json(*records, more));
  Response file = name == kRunPaths[1]
                      ? download("text/csv; charset=utf-8", "weakspot-runs.csv", run_rows_csv(*records))
                      : download("application/jsonl", "weakspot-runs.jsonl", run_lines(*records));
  if (more) file.headers.emplace_back("Next-After", fmt::format("{}", records->back().id));
  return file;
}

void CampaignApi::listen(const std::string& id, const std::shared_ptr<http::Answering>& answer) {
  if (!events_.has_room()) return answer->give(refusal(503, "too many are listening; try again later"));
  std::string first;
  {
    const base::Result<store::CampaignStatus> status = lab_.campaign(id);
    if (!status) return answer->give(not_shown(status.errors()));
    first = event_text("status", workbench::status_json(*status));
  }
  Response response;
  response.type = "text/event-stream";
  response.headers.emplace_back("Content-Security-Policy", http::kApiPolicy);
  response.body = "retry: 3000\n\n" + first;
  events_.add(id, answer->stream(std::move(response)), std::move(first));
}

std::string CampaignApi::current(const std::string& id) {
  const base::Result<store::CampaignStatus> status = lab_.campaign(id);
  return status ? event_text("status", workbench::status_json(*status)) : "";
}

}  // namespace weakspot::serve
