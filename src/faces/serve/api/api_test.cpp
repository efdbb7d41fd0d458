// SPDX-License-Identifier: MIT
#include "serve/api/api.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "base/source.h"
#include "http/replies.h"
#include "json/json.h"
#include "serve/page/site.h"
#include "workbench/store_documents.h"

namespace weakspot::serve::api_test {
namespace {

constexpr const char* kHash = "0123456789abcdef0123456789abcdef";
const http::Sender kHere = {"127.0.0.1", true};
const http::Sender kElsewhere = {"10.0.0.1", false}, kThird = {"10.0.0.2", false}, kProxied = {"127.0.0.1", false};

std::string document(std::int64_t forbidden = 0) {
  return fmt::format(R"({{"format":1,"device":{{"vendor":"v"}},"runs":[{{"hash":"{}","instances":10,"seconds":1,)"
                     R"("outcomes":{{"sequential":{},"forbidden":{}}}}}]}})",
                     kHash, 10 - forbidden, forbidden);
}

// A store that remembers what it was asked.
struct Remembering final : Submissions {
  std::vector<store::Submission> stored;
  std::vector<std::size_t> together;  // the size of each transaction
  std::vector<std::pair<std::string, std::string>> rejected;
  std::vector<store::ShownRow> rows;
  store::ShownFilter asked;
  bool broken = false;

  base::Result<std::vector<store::SubmissionAnswer>> submit(std::span<const store::Submission> submissions) override {
    if (broken) return base::error("the disk is full", base::ErrorKind::environment);
    together.push_back(submissions.size());
    std::vector<store::SubmissionAnswer> answers;
    for (const store::Submission& one : submissions) {
      store::SubmissionAnswer answer;
      answer.id = fmt::format("id-{}", stored.size());
      for (const store::Submission& before : stored) {
        if (before.document != one.document) continue;
        answer.submitted = before.token == one.token ? store::Submitted::already_stored : store::Submitted::duplicate;
      }
      if (one.rows.front().forbidden > 0) answer.state = store::SubmissionState::withheld;
      if (answer.submitted == store::Submitted::stored) stored.push_back(one);
      answers.push_back(answer);
    }
    return answers;
  }
  base::Status reject(const std::string& text, const std::string& reason) override {
    rejected.emplace_back(text, reason);
    return base::ok_status();
  }
  base::Result<bool> remove(const std::string& token) override {
    return std::erase_if(stored, [&](const store::Submission& one) { return one.token == token; }) > 0;
  }
  base::Result<std::vector<store::ShownRow>> shown(const store::ShownFilter& filter) override {
    if (broken) return base::error("the disk is broken", base::ErrorKind::environment);
    asked = filter;
    return rows;
  }
  base::Result<store::SubmissionCounts> count() override {
    store::SubmissionCounts counts;
    counts.accepted = static_cast<std::int64_t>(stored.size());
    counts.withheld = 7;
    return counts;
  }
};

class Promised final : public http::Answering {
 public:
  explicit Promised(std::promise<http::Response> promise) : promise_(std::move(promise)) {}
  void give(http::Response response) override { promise_.set_value(std::move(response)); }
  // The beginning, as if it were all.
  std::unique_ptr<http::Stream> stream(http::Response response) override {
    promise_.set_value(std::move(response));
    return std::make_unique<Nowhere>();
  }

 private:
  struct Nowhere final : http::Stream {
    bool send(std::string) override { return false; }
    const std::atomic<bool>& gone() const override { return left; }
    std::atomic<bool> left = true;
  };
  std::promise<http::Response> promise_;
};

// Nobody works here.
struct NoWork final : workbench::WorkSource {
  static base::Diagnostic none() { return base::error("the disk is broken", base::ErrorKind::environment); }
  base::Result<campaign::CampaignPlan> plan(const std::string&) override { return none(); }
  base::Result<store::Claims> claim(const store::ClaimRequest&) override { return none(); }
  base::Result<std::vector<store::Attempt>> extend(const std::string&, std::span<const store::Attempt>,
                                                   store::Duration) override {
    return none();
  }
  base::Result<std::vector<store::Finished>> finish(const std::string&,
                                                    std::span<const store::FinishedShard>) override {
    return none();
  }
  base::Result<store::Failure> fail(const store::FailedShard&) override { return none(); }
  base::Status release(const std::string&, std::span<const store::Attempt>) override { return none(); }
  base::Result<bool> is_over(const std::string&, std::span<const std::string>) override { return none(); }
};

// A lab with one campaign and two runs.
struct SmallLab final : Lab {
  store::CampaignStatus status;
  store::RecordFilter asked;
  std::int64_t after = 0;
  std::atomic<bool> broken = false;

  SmallLab() {
    status.campaign.campaign.id = "abc";
    status.campaign.campaign.name = "nightly";
    status.classes.push_back({.device_class = "cuda", .done = 1, .left = 2});
  }
  static base::Diagnostic problem() { return base::error("the disk is broken", base::ErrorKind::environment); }

  base::Result<std::vector<store::CampaignStatus>> campaigns() override {
    if (broken) return problem();
    return std::vector{status};
  }
  base::Result<store::CampaignStatus> campaign(const std::string& id) override {
    if (broken) return problem();
    if (id != "abc") return base::error("no campaign");
    return status;
  }
  base::Result<std::string> report_page(const std::string& id) override {
    if (id != "abc") return base::error("no campaign");
    return std::string("<h1>report</h1>");
  }
  base::Result<std::string> analysis_page() override { return std::string("<h1>figures</h1>"); }
  base::Result<std::vector<store::StoredRecord>> runs(const store::RecordFilter& filter, std::int64_t from,
                                                      std::size_t most) override {
    if (broken) return problem();
    asked = filter;
    after = from;
    std::vector<store::StoredRecord> records(2);
    for (std::int64_t i = 0; i < 2; ++i) {
      campaign::RunRecord record;
      record.test = "=MP";
      record.status = campaign::RunState::finished;
      record.instances = 10;
      record.outcomes = {{"1:r0=1;", 10, stats::OutcomeClass::weak, false, {}}};
      records[static_cast<std::size_t>(i)] = {from + i + 1, "hash", workbench::stored_form(record)};
    }
    if (most < records.size()) records.resize(most);
    return records;
  }
};

class ApiTest : public testing::Test {
 protected:
  ApiTest() {
    known_.add(kHash, "MP");
    http::Response page;
    page.body = "the page" + std::string(1000, ' ');
    files_.emplace("", page_file_of(page));
    start({});
  }

  void start(ApiOptions options) {
    options.problem = [this](const std::string& line) { problems_.push_back(line); };
    api_.reset();
    api_ = std::make_unique<Api>(options, known_, store_, work_, campaigns_, "secret");
    const http::Reach reach = options.is_public ? http::Reach::everybody : http::Reach::machine;
    site_.emplace(
        http::Gate(8080, reach), files_,
        [this](const std::string& name, http::Asked asked, http::Answer answer) {
          api_->answer(name, std::move(asked), std::move(answer));
        },
        [this](const std::string& name, const http::Response& page, http::Answer& answer) {
          if (!name.starts_with("gpu-")) return false;
          api_->gpu(name, page, std::move(answer));
          return true;
        });
  }

  http::Response ask(const std::string& method, const std::string& path, const std::string& body = "",
                     http::Headers headers = {}, const http::Sender& sender = kHere) {
    http::Asked asked;
    asked.sender = sender;
    asked.request.method = method;
    asked.request.path = path.substr(0, path.find('?'));
    if (path.find('?') != std::string::npos) asked.request.query = path.substr(path.find('?') + 1);
    asked.request.body = body;
    asked.request.headers = std::move(headers);
    if (asked.request.header("host").empty()) asked.request.headers.emplace_back("host", "127.0.0.1:8080");
    std::promise<http::Response> promise;
    std::future<http::Response> answer = promise.get_future();
    site_->answer(std::move(asked), std::make_unique<Promised>(std::move(promise)));
    return answer.get();
  }

  http::Response send(const std::string& body, const std::string& token = "", const http::Sender& sender = kHere) {
    http::Headers headers = {{"content-type", "application/json"}};
    if (!token.empty()) headers.emplace_back("deletion-token", token);
    return ask("POST", "/api/1/submissions", body, std::move(headers), sender);
  }

  static base::JsonValue value(const http::Response& response) {
    return *base::read_json_text(base::Source("answer", response.body));
  }

  void TearDown() override { api_.reset(); }

  KnownTests known_;
  PageFiles files_;
  Remembering store_;
  std::vector<std::string> problems_;
  NoWork source_;
  TokenBook tokens_{[] { return std::vector<store::AgentToken>{{"node", store::agent_token_hash("t"), {}}}; }};
  WorkApi work_{source_, tokens_, nullptr};
  SmallLab lab_;
  CampaignApi campaigns_{lab_, tokens_, {true, {}}};
  std::unique_ptr<Api> api_;
  std::optional<Site> site_;
};

TEST_F(ApiTest, ASubmissionIsStoredAndDeletedByItsToken) {
  const http::Response sent = send(document());
  ASSERT_EQ(201, sent.status) << sent.body;
  const std::string token = value(sent).at("token").text();
  EXPECT_EQ(32u, token.size());
  EXPECT_EQ("accepted", value(sent).at("state").text());
  ASSERT_EQ(1u, store_.stored.size());
  EXPECT_EQ(document(), store_.stored.front().document);
  EXPECT_EQ("", store_.stored.front().device);

  EXPECT_EQ(404, ask("DELETE", "/api/1/submissions", "", {{"deletion-token", std::string(32, 'a')}}).status);
  EXPECT_EQ(400, ask("DELETE", "/api/1/submissions").status);
  EXPECT_EQ(200, ask("DELETE", "/api/1/submissions", "", {{"deletion-token", token}}).status);
  EXPECT_TRUE(store_.stored.empty());
}

TEST_F(ApiTest, ASecondTryIsNotASecondSubmission) {
  const std::string token(32, 'b');
  EXPECT_EQ(201, send(document(), token).status);
  EXPECT_EQ(200, send(document(), token).status);
  EXPECT_EQ(409, send(document(), std::string(32, 'c')).status) << "a replay by somebody else";
  EXPECT_EQ(409, send(document()).status);
  EXPECT_EQ(1u, store_.stored.size());
  EXPECT_EQ(400, send(document(), "short").status);
  EXPECT_EQ(400, send(document(), std::string(32, 'X')).status);
}

TEST_F(ApiTest, ForbiddenOutcomesAreWithheld) { EXPECT_EQ("withheld", value(send(document(1))).at("state").text()); }

TEST_F(ApiTest, BadOnesAreRejectedAndKeptApart) {
  const http::Response sent = send(R"({"format":1,"runs":[{"hash":"x"}]})");
  EXPECT_EQ(422, sent.status);
  EXPECT_NE(std::string::npos, value(sent).at("error").text().find("not that of a test"));
  EXPECT_EQ(200, ask("GET", "/api/1/status").status);  // after the rejection, which the clerk does first
  EXPECT_TRUE(store_.stored.empty());
  ASSERT_EQ(1u, store_.rejected.size());
  EXPECT_EQ(R"({"format":1,"runs":[{"hash":"x"}]})", store_.rejected.front().first);
  std::string many = R"({"format":1,"device":{"vendor":"x"},"runs":[)";
  for (int i = 0; i < 60; ++i) many += fmt::format(R"({{"hash":"é{}{}"}},)", i, std::string(60, 'a'));
  const http::Response long_reason = send(many + R"({"test":"é"}]})");
  EXPECT_EQ(422, long_reason.status);
  EXPECT_LE(value(long_reason).at("error").text().size(), 4000u);
  EXPECT_EQ(415, ask("POST", "/api/1/submissions", document()).status);
  EXPECT_EQ(415, ask("POST", "/api/1/submissions", document(), {{"content-type", "text/plain"}}).status);
  EXPECT_EQ(405, ask("PUT", "/api/1/submissions", document()).status);
}

TEST_F(ApiTest, OnlyNamesOfThisMachineUnlessPublic) {
  EXPECT_EQ(421, ask("GET", "/", "", {{"host", "attacker.example:8080"}}).status);
  EXPECT_EQ(421, ask("GET", "/api/1/status", "", {{"host", "127.0.0.1"}}).status);
  EXPECT_EQ(403, ask("GET", "/", "", {{"origin", "https://attacker.example"}}).status);
  EXPECT_EQ(403, ask("GET", "/", "", {{"origin", "null"}}).status);
  EXPECT_EQ(200, ask("GET", "/", "", {{"origin", "http://127.0.0.1:8080"}}).status);
  ApiOptions options;
  options.is_public = true;
  start(options);
  EXPECT_EQ(200, ask("GET", "/", "", {{"host", "results.example"}, {"origin", "https://results.example"}}).status);
  EXPECT_EQ(403, ask("GET", "/", "", {{"host", "results.example"}, {"origin", "https://attacker.example"}}).status);
}

TEST_F(ApiTest, OneAddressMaySendSoManyAndCountsAsOneDevice) {
  ApiOptions options;
  options.is_public = true;
  options.submissions_per_minute = 1;
  start(options);
  int refused = 0;
  for (int i = 0; i < 30; ++i) refused += send("nonsense", "", kElsewhere).status == 429 ? 1 : 0;
  EXPECT_EQ(10, refused);
  EXPECT_EQ(201, send(document(), "", kThird).status);
  EXPECT_EQ(201, send(document(1), "", kThird).status);
  EXPECT_EQ(64u, store_.stored[0].device.size());
  EXPECT_EQ(store_.stored[0].device, store_.stored[1].device);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(422, send("nonsense").status) << "this machine has no limit";
  refused = 0;
  for (int i = 0; i < 30; ++i) refused += send("nonsense", "", kProxied).status == 429 ? 1 : 0;
  EXPECT_EQ(10, refused) << "a proxy on this machine is not this machine";
  EXPECT_EQ(201, send(document(2), "", {"10.0.0.3", false}).status);
  EXPECT_NE(store_.stored[0].device, store_.stored[2].device);
}

TEST_F(ApiTest, ResultsHaveFilters) {
  store::ShownRow row;
  row.vendor = "=v\"";
  row.architecture = "a";
  row.devices = 5;
  row.sum.test = "MP";
  row.sum.test_hash = kHash;
  row.sum.instances = 10;
  row.sum.weak = 3;
  store_.rows = {row};
  const base::JsonValue results = value(ask("GET", "/api/1/results?vendor=v&test=MP%2B"));
  EXPECT_EQ("v", store_.asked.vendor);
  EXPECT_EQ("MP+", store_.asked.test);
  EXPECT_EQ("MP", results.at("rows").at(0).at("test").text());
  EXPECT_EQ(3, results.at("rows").at(0).at("weak").integer());
  EXPECT_EQ(
      fmt::format(
          "vendor,architecture,test,hash,devices,instances,sequential,interleaved,weak,forbidden,unknown,seconds\n"
          "\"'=v\"\"\",\"a\",\"MP\",\"{}\",5,10,0,0,3,0,0,0\n",
          kHash),
      ask("GET", "/api/1/results.csv").body);
  for (const char* query : {"?x=1", "?vendor=", "?vendor=a&vendor=b", "?%", "?vendor=%00"}) {
    EXPECT_EQ(400, ask("GET", std::string("/api/1/results") + query).status) << query;
  }
  EXPECT_EQ(405, ask("POST", "/api/1/results").status);
  EXPECT_EQ(404, ask("GET", "/api/1/").status);
  EXPECT_EQ(404, ask("GET", "/api/2/status").status);
}

TEST_F(ApiTest, OneFileMayBeFramed) {
  http::Response page;
  page.body = "<head>";
  files_[""] = page_file_of(page);
  add_embedded(files_);
  start({});
  const http::Response framed = ask("GET", "/embed.html");
  EXPECT_NE(std::string::npos, framed.header("Content-Security-Policy").find("frame-ancestors *"));
  EXPECT_NE(std::string::npos, framed.body.find("<meta name=\"weakspot-embed\""));
  EXPECT_EQ(std::string::npos, ask("GET", "/").header("Content-Security-Policy").find("frame-ancestors *"));
}

TEST_F(ApiTest, AGpuHasALinkWhoseHeadSaysWhatIsKnown) {
  http::Response page;
  page.type = "text/html";
  page.body = "<head><meta property=\"og:title\" content=\"a page\">";
  files_[""] = page_file_of(page);
  start({});
  store::ShownRow row;
  row.vendor = "maker";
  row.sum.weak = 1;
  store_.rows = {row};
  const http::Response shown = ask("GET", "/gpu-maker");
  EXPECT_EQ("<head><meta property=\"og:title\" content=\"maker: weak outcomes in 1 of 1 test\">", shown.body);
  EXPECT_EQ("text/html", shown.type);
  EXPECT_EQ("", shown.header("ETag")) << "it is another text than the page";
  EXPECT_EQ(404, ask("GET", "/gpu-other").status);
  EXPECT_EQ(404, ask("POST", "/gpu-maker").status);
  EXPECT_EQ(404, ask("GET", "/other").status);
}

TEST_F(ApiTest, StatusSaysWhatSendingMeans) {
  send(document());
  const base::JsonValue status = value(ask("GET", "/api/1/status"));
  EXPECT_EQ(1, status.at("api").integer());
  EXPECT_EQ(1, status.at("submissions").integer()) << "withheld ones are not counted";
  EXPECT_NE("", status.at("consent").text());
  EXPECT_EQ("CC0-1.0", status.at("licence").text());
}

TEST_F(ApiTest, AnswersHaveSafetyHeaders) {
  const http::Response answer = ask("GET", "/api/1/status");
  bool policy = false;
  for (const auto& [name, text] : answer.headers) policy = policy || name == "Content-Security-Policy";
  EXPECT_TRUE(policy);
  EXPECT_TRUE(ask("GET", "/").body.starts_with("the page "));
  EXPECT_EQ(405, ask("DELETE", "/").status);
  EXPECT_EQ(404, ask("GET", "/../../etc/passwd").status);
}

TEST_F(ApiTest, FilesAreCompressedAndKept) {
  const http::Response plain = ask("GET", "/", "", {{"accept-encoding", "br, gzip;q=0"}});
  EXPECT_EQ("", plain.header("Content-Encoding"));
  EXPECT_EQ("no-cache", plain.header("Cache-Control"));
  const http::Response packed = ask("GET", "/", "", {{"accept-encoding", "gzip, deflate, br"}});
  EXPECT_EQ("gzip", packed.header("Content-Encoding"));
  EXPECT_TRUE(packed.body.starts_with("\x1f\x8b"));
  EXPECT_LT(packed.body.size(), 100u);
  const std::string tag(packed.header("ETag"));
  EXPECT_EQ(tag, plain.header("ETag"));
  const http::Response known = ask("GET", "/", "", {{"if-none-match", "\"other\", " + tag}});
  EXPECT_EQ(304, known.status);
  EXPECT_EQ("", known.body);
  EXPECT_EQ(200, ask("GET", "/", "", {{"if-none-match", "\"other\""}}).status);
}

TEST_F(ApiTest, ABrokenStoreIsSaidAndNothingIsAcknowledged) {
  store_.broken = true;
  EXPECT_EQ(503, send(document()).status);
  EXPECT_EQ(503, ask("GET", "/api/1/results").status);
  ASSERT_EQ(1u, problems_.size());
  EXPECT_NE(std::string::npos, problems_.front().find("the disk is full"));
}

TEST_F(ApiTest, AgentsNeedAToken) {
  const std::string body = R"({"campaign":"","device_classes":[]})";
  const http::Headers json = {{"content-type", "application/json"}};
  EXPECT_EQ(401, ask("POST", "/api/1/work/over", body, json).status);
  for (const char* wrong : {"Bearer x", "Bearer ", "t", "Basic t", "bearer t"}) {
    EXPECT_EQ(401, ask("POST", "/api/1/work/over", body, {json[0], {"authorization", wrong}}).status) << wrong;
  }
  const std::pair<std::string, std::string> right = {"authorization", "Bearer t"};
  EXPECT_EQ(503, ask("POST", "/api/1/work/over", body, {json[0], right}).status) << "the store is broken";
  EXPECT_EQ(422, ask("POST", "/api/1/work/over", "{}", {json[0], right}).status);
  EXPECT_EQ(415, ask("POST", "/api/1/work/over", body, {right}).status);
  EXPECT_EQ(405, ask("GET", "/api/1/work/over", "", {right}).status);
  EXPECT_EQ(404, ask("POST", "/api/1/work/nothing", body, {json[0], right}).status);
}

TEST_F(ApiTest, EverybodySeesHowFarCampaignsAre) {
  const base::JsonValue all = value(ask("GET", "/api/1/campaigns"));
  EXPECT_EQ("nightly", all.at("campaigns").at(0).at("name").text());
  EXPECT_EQ(2, value(ask("GET", "/api/1/campaigns/abc")).at("classes").at(0).at("left").integer());
  EXPECT_EQ(404, ask("GET", "/api/1/campaigns/none").status);
  EXPECT_EQ(404, ask("GET", "/api/1/campaigns/none/events").status);
  EXPECT_EQ(404, ask("GET", "/api/1/campaigns/").status);
  EXPECT_EQ(404, ask("GET", "/api/1/campaigns/report.html").status);
  EXPECT_EQ(404, ask("GET", "/api/1/campaigns/events").status);
  EXPECT_EQ(405, ask("POST", "/api/1/campaigns/abc").status);
  const http::Response events = ask("GET", "/api/1/campaigns/abc/events");
  EXPECT_EQ("text/event-stream", events.type);
  EXPECT_NE(std::string::npos, events.body.find("event: status\ndata: {\"campaign\":\"abc\""));
  lab_.broken = true;
  EXPECT_EQ(503, ask("GET", "/api/1/campaigns").status);
  EXPECT_EQ(503, ask("GET", "/api/1/campaigns/abc/events").status);
}

TEST_F(ApiTest, RunsAreForThoseWithATokenOnAPublicServer) {
  for (const char* path : {"runs", "runs.csv", "runs.jsonl", "campaigns/abc/report.html", "analysis.html"}) {
    EXPECT_EQ(401, ask("GET", std::string("/api/1/") + path).status) << path;
    EXPECT_EQ(200, ask("GET", std::string("/api/1/") + path, "", {{"authorization", "Bearer t"}}).status) << path;
  }
}

TEST_F(ApiTest, RunsHaveFiltersAndComeInParts) {
  const auto get = [&](const std::string& path) { return ask("GET", path, "", {{"authorization", "Bearer t"}}); };
  const base::JsonValue rows = value(
      get("/api/1/"
          "runs?campaign=abc&class=cuda&test=MP&model=ptx&since=2026-11-16&until=2026-11-16T10:30:00Z&after=7&most=1"));
  EXPECT_EQ("abc", lab_.asked.campaign);
  EXPECT_EQ("cuda", lab_.asked.device_class);
  EXPECT_EQ("ptx", lab_.asked.model);
  EXPECT_EQ(7, lab_.after);
  EXPECT_EQ(10, rows.at("rows").at(0).at("weak").integer());
  EXPECT_EQ(8, rows.at("next").integer());
  EXPECT_TRUE(value(get("/api/1/runs")).at("next").is(base::JsonValue::Kind::null));
  const http::Response table = get("/api/1/runs.csv?most=1");
  EXPECT_NE(std::string::npos, table.body.find(R"("'=MP")")) << table.body;
  EXPECT_EQ("1", table.header("Next-After"));
  EXPECT_EQ(2, std::count(table.body.begin(), table.body.end(), '\n'));
  const std::string lines = get("/api/1/runs.jsonl").body;
  EXPECT_EQ(2, std::count(lines.begin(), lines.end(), '\n'));
  for (const char* query :
       {"x=1", "test=", "test=a&test=b", "after=x", "after=-1", "most=1e9", "%", "since=yesterday", "until=2026"}) {
    EXPECT_EQ(400, get(std::string("/api/1/runs?") + query).status) << query;
  }
}

// Notes what it was sent, until it is told to be gone.
struct Notes {
  std::mutex mutex;
  std::string text;
  std::atomic<bool> gone = false;
};
struct NotingStream final : http::Stream {
  explicit NotingStream(std::shared_ptr<Notes> shared) : notes(std::move(shared)) {}
  bool send(std::string bytes) override {
    const std::lock_guard lock(notes->mutex);
    notes->text += bytes;
    return !notes->gone;
  }
  const std::atomic<bool>& gone() const override { return notes->gone; }
  std::shared_ptr<Notes> notes;
};

TEST(EventHub, TellsChangesAndThatItIsStillHere) {
  using namespace std::chrono_literals;
  std::atomic<int> number = 1;
  std::atomic<int> asked = 0;
  EventHub hub(
      [&](const std::string& subject) {
        ++asked;
        return http::event_text(subject, number.load());
      },
      {2, 1ms, 20ms});
  const auto notes = std::make_shared<Notes>();
  const auto heard = [&](const std::string& text) {
    for (int i = 0; i < 5000; ++i) {
      {
        const std::lock_guard lock(notes->mutex);
        if (notes->text.find(text) != std::string::npos) return true;
      }
      std::this_thread::sleep_for(1ms);
    }
    return false;
  };
  hub.add("a", std::make_unique<NotingStream>(notes), http::event_text("a", 1));
  hub.add("a", std::make_unique<NotingStream>(std::make_shared<Notes>()), http::event_text("a", 1));
  EXPECT_FALSE(hub.has_room());
  EXPECT_TRUE(heard(": still here\n\n"));
  number = 2;
  EXPECT_TRUE(heard("event: a\ndata: 2\n\n"));
  {
    const std::lock_guard lock(notes->mutex);
    EXPECT_EQ(std::string::npos, notes->text.find("data: 1")) << "nothing new";
    notes->gone = true;
  }
  for (int i = 0; i < 5000 && !hub.has_room(); ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(hub.has_room());
}

TEST(Clerk, StoresTogetherWhatWaitsTogether) {
  Remembering store;
  int answered = 0;
  std::promise<void> go;  // outlives the clerk, which waits for it
  {
    Clerk clerk(store);
    // While the clerk is busy, a hundred submissions arrive.
    clerk.ask([&](Submissions&) { go.get_future().wait(); });
    for (int i = 0; i < 100; ++i) {
      store::Submission one;
      one.document = fmt::format("{}", i);
      one.rows.resize(1);
      EXPECT_TRUE(clerk.submit(one, [&](const auto& result) { answered += result.ok() ? 1 : 0; }));
    }
    go.set_value();
  }
  EXPECT_EQ(100, answered);
  EXPECT_LE(store.together.size(), 2u);
}

TEST(Clerk, RefusesWhatNobodyCouldDoInTime) {
  Remembering store;
  std::promise<void> begun;
  std::promise<void> go;
  Clerk clerk(store);
  clerk.ask([&](Submissions&) {
    begun.set_value();
    go.get_future().wait();
  });
  begun.get_future().wait();
  int taken = 0;
  for (int i = 0; i < 3000; ++i) taken += clerk.ask([](Submissions&) {}) ? 1 : 0;
  go.set_value();
  EXPECT_EQ(2000, taken);
}

}  // namespace
}  // namespace weakspot::serve::api_test
