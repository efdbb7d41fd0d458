// SPDX-License-Identifier: MIT
#include "serve/api/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/build_info.h"
#include "http/gate.h"
#include "http/replies.h"
#include "json/json.h"
#include "serve/submissions/consent.h"
#include "serve/submissions/gpu_card.h"
#include "serve/submissions/shown_rows.h"
#include "serve/submissions/submission_document.h"
#include "store/result_store.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;
using http::Answer;
using http::Asked;
using http::download;
using http::json_reply;
using http::refusal;
using http::Response;
using SharedAnswer = std::shared_ptr<http::Answering>;

constexpr std::string_view kWork = "work/";
constexpr double kBurst = 20;
constexpr std::size_t kMostOfARejection = 4000;
constexpr std::size_t kMostRejected = 64 * 1024;  // bytes of a rejected document, which is looked at and not used

bool is_token(std::string_view text) {
  return text.size() == 32 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Whole characters of UTF-8.
std::string first_part(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0u) == 0x80u) --most;
  text.resize(most);
  return text;
}

Response stored(const store::SubmissionAnswer& answer, const std::string& token) {
  if (answer.submitted == store::Submitted::duplicate) {
    return refusal(409, "this document was sent before, with another deletion token");
  }
  JsonValue value = base::json_object();
  value.add("id", answer.id);
  value.add("token", token);
  value.add("state", store::to_string(answer.state));
  return json_reply(answer.submitted == store::Submitted::stored ? 201 : 200, value);
}

}  // namespace

Api::Api(ApiOptions options, const KnownTests& known, Submissions& store, WorkApi& work, CampaignApi& campaigns,
         std::string secret)
    : options_(std::move(options)),
      known_(known),
      work_(work),
      campaigns_(campaigns),
      secret_(std::move(secret)),
      rate_(options_.submissions_per_minute, kBurst),
      clerk_(store) {}

void Api::answer(const std::string& name, Asked asked, Answer answer) {
  if (name.starts_with(kWork)) {
    work_.answer(name.substr(kWork.size()), std::move(asked), std::move(answer));
  } else if (CampaignApi::knows(name)) {
    campaigns_.answer(name, asked, std::move(answer));
  } else if (name == "submissions") {
    submissions(std::move(asked), std::move(answer));
  } else if (name != "status" && name != "results" && name != "results.csv") {
    answer->give(refusal(404, "there is no such path; docs/server.md lists them"));
  } else if (asked.request.method != "GET") {
    answer->give(refusal(405, "expected GET"));
  } else if (name == "status") {
    status(std::move(answer));
  } else {
    results(asked, std::move(answer), name == "results.csv");
  }
}

// The clerk answers.
void Api::ask(Answer answer, std::function<Response(Submissions&)> question) {
  const SharedAnswer shared = std::move(answer);
  const bool taken = clerk_.ask(
      [shared, question = std::move(question)](Submissions& submissions) { shared->give(question(submissions)); });
  if (!taken) shared->give(refusal(503, "too many requests are waiting; try again"));
}

void Api::submissions(Asked asked, Answer answer) {
  const std::string_view token = asked.request.header("deletion-token");
  if (asked.request.method != "POST" && asked.request.method != "DELETE") {
    answer->give(refusal(405, "expected POST or DELETE"));
  } else if (!asked.sender.is_this_machine && options_.submissions_per_minute > 0 &&
             !rate_.allows(asked.sender.address, RateLimit::Clock::now())) {
    answer->give(refusal(429, "too many requests; try again in a minute"));
  } else if (!token.empty() && !is_token(token)) {
    answer->give(refusal(400, "Deletion-Token: expected 32 hexadecimal digits in lower case"));
  } else if (asked.request.method == "DELETE") {
    remove(asked, std::move(answer));
  } else if (const std::optional<Response> refused = http::refuse_other_than_json(asked.request)) {
    answer->give(*refused);
  } else {
    submit(std::move(asked), std::move(answer));
  }
}

void Api::submit(Asked asked, Answer answer) {
  base::Result<store::Submission> submission = read_submission(asked.request.body, known_);
  if (!submission) {
    reject(std::move(asked.request.body), first_part(base::render(submission.errors()), kMostOfARejection),
           std::move(answer));
    return;
  }
  submission->token = asked.request.header("deletion-token");
  if (submission->token.empty()) {
    base::Result<std::string> made = store::new_token();
    if (!made) {
      answer->give(refusal(500, "no token could be made"));
      return;
    }
    submission->token = *std::move(made);
  }
  submission->device = device_key(asked, *submission);
  const SharedAnswer shared = std::move(answer);
  const bool taken = clerk_.submit(*submission, [shared, token = submission->token, this](const auto& result) {
    if (!result && options_.problem) options_.problem(base::messages(result.errors()));
    shared->give(result ? stored(*result, token) : refusal(503, "the store does not take anything now"));
  });
  if (!taken) shared->give(refusal(503, "too many submissions are waiting; try again"));
}

// Rejected documents are kept apart, for whoever runs the server. The answer waits for that, so that a client with many
// bad ones cannot fill the memory.
void Api::reject(std::string document, const std::string& reason, Answer answer) {
  const SharedAnswer shared = std::move(answer);
  document.resize(std::min(document.size(), kMostRejected));
  const bool taken = clerk_.ask([document = std::move(document), reason, shared, this](Submissions& submissions) {
    const base::Status done = submissions.reject(document, reason);
    if (!done && options_.problem) options_.problem(base::messages(done.errors()));
    shared->give(refusal(422, reason));
  });
  if (!taken) shared->give(refusal(422, reason));
}

// Devices of one sender that look alike count as one, so that nobody makes five of one. The secret is gone when the
// server ends, and with it every way back to an address. On this machine every submission counts.
std::string Api::device_key(const Asked& asked, const store::Submission& submission) const {
  if (asked.sender.is_this_machine) return "";
  return store::content_hash(
      fmt::format("{}\n{}\n{}\n{}", secret_, asked.sender.address, submission.vendor, submission.architecture));
}

void Api::remove(const Asked& asked, Answer answer) {
  const std::string token(asked.request.header("deletion-token"));
  if (token.empty()) {
    answer->give(refusal(400, "the header Deletion-Token is missing"));
    return;
  }
  ask(std::move(answer), [token, this](Submissions& submissions) {
    const base::Result<bool> removed = submissions.remove(token);
    if (!removed && options_.problem) options_.problem(base::messages(removed.errors()));
    if (!removed) return refusal(503, "the store does not take anything now");
    if (!*removed) return refusal(404, "no submission has this deletion token");
    return json_reply(200, base::json_object({{"deleted", true}}));
  });
}

void Api::results(const Asked& asked, Answer answer, bool table) {
  base::Result<store::ShownFilter> filter = read_filter(asked.request.query);
  if (!filter) {
    answer->give(refusal(400, base::messages(filter.errors())));
    return;
  }
  ask(std::move(answer), [filter = *std::move(filter), table](Submissions& submissions) {
    const base::Result<std::vector<store::ShownRow>> rows = submissions.shown(filter);
    if (!rows) return refusal(503, "the store cannot be read now");
    if (!table) return json_reply(200, rows_json(*rows));
    return download("text/csv; charset=utf-8", "weakspot-results.csv", rows_csv(*rows));
  });
}

void Api::gpu(const std::string& name, const Response& page, Answer answer) {
  ask(std::move(answer), [name, page, this](Submissions& submissions) {
    const base::Result<std::vector<store::ShownRow>> rows = submissions.shown({});
    if (!rows) return refusal(503, "the store cannot be read now");
    const std::optional<GpuCard> card = gpu_card(*rows, name, known_.size());
    if (!card) return refusal(404, "nothing is shown of such a GPU");
    Response shown;
    shown.type = page.type;
    for (const auto& [header, value] : page.headers) {
      if (header != "ETag") shown.headers.emplace_back(header, value);
    }
    shown.body = with_card(page.body, *card);
    return shown;
  });
}

void Api::status(Answer answer) {
  ask(std::move(answer), [this](Submissions& submissions) {
    const base::Result<store::SubmissionCounts> counts = submissions.count();
    JsonValue value = base::json_object();
    value.add("program", "weakspot");
    value.add("version", base::kVersion);
    value.add("api", 1);
    value.add("public", options_.is_public);
    value.add("licence", kLicence);
    value.add("consent", kConsent);
    value.add("fewest_devices", store::kFewestDevices);
    value.add("tests", known_.size());
    // Submissions that wait for a person are not counted in public.
    value.add("submissions", counts ? JsonValue(counts->accepted + counts->released) : JsonValue());
    return json_reply(200, value);
  });
}

}  // namespace weakspot::serve
